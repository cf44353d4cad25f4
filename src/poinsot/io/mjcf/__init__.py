"""MJCF, the models of MuJoCo.

From file to mechanism: read ``reader`` first, then ``worldbody``, ``bodies``, ``joints``,
``inertia`` and ``equality``.  The other way: ``writer``, ``body_links``, ``joint_pieces`` and
``equality_tags``.
"""

from poinsot.io.mjcf.reader import MjcfModel, model_from_mjcf, read_mjcf
from poinsot.io.mjcf.writer import mjcf_from_mechanism

__all__ = ["MjcfModel", "mjcf_from_mechanism", "model_from_mjcf", "read_mjcf"]
