"""MJCF, the models of MuJoCo.

From file to mechanism: read ``reader`` first, then ``tree``, ``bodies``, ``joints`` and
``inertia``.  The other way: ``writer``, ``links`` and ``parts``.
"""

from poinsot.io.mjcf.equality import Equality
from poinsot.io.mjcf.reader import MjcfModel, model_from_mjcf, read_mjcf
from poinsot.io.mjcf.writer import mjcf_from_mechanism

__all__ = ["Equality", "MjcfModel", "mjcf_from_mechanism", "model_from_mjcf", "read_mjcf"]
