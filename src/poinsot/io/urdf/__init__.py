"""URDF, the robot descriptions of ROS: ``reader`` reads them, ``write`` writes them."""

from poinsot.io.urdf.reader import mechanism_from_urdf, read_urdf
from poinsot.io.urdf.write import urdf_from_mechanism

__all__ = ["mechanism_from_urdf", "read_urdf", "urdf_from_mechanism"]
