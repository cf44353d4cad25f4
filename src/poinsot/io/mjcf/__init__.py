"""MJCF, the models of MuJoCo.

From file to mechanism: read ``reader`` first, then ``tree``, ``bodies``, ``joints``,
``inertia`` and ``equality``.  The other way: ``writer``, ``links``, ``parts`` and
``equality_tags``.
"""

from poinsot.io.mjcf.reader import MjcfModel, model_from_mjcf, read_mjcf
from poinsot.io.mjcf.writer import mjcf_from_mechanism

__all__ = ["MjcfModel", "mjcf_from_mechanism", "model_from_mjcf", "read_mjcf"]
