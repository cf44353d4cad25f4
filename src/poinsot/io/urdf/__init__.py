"""URDF, the robot descriptions of ROS: read ``reader`` first, then ``joints``."""

from poinsot.io.urdf.reader import mechanism_from_urdf, read_urdf

__all__ = ["mechanism_from_urdf", "read_urdf"]
