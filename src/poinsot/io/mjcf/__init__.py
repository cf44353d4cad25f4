"""MJCF, the models of MuJoCo: read ``reader`` first, then ``tree``, ``bodies`` and ``joints``."""

from poinsot.io.mjcf.equality import Equality
from poinsot.io.mjcf.reader import MjcfModel, model_from_mjcf, read_mjcf

__all__ = ["Equality", "MjcfModel", "model_from_mjcf", "read_mjcf"]
