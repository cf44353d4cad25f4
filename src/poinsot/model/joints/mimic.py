"""One joint that follows another: data that travels with it."""

from __future__ import annotations

from dataclasses import dataclass

from poinsot.model.by_structure import ByStructure
from poinsot.model.checks import checked_name, scalar_number
from poinsot.spatial import Scalar

__all__ = ["Mimic"]


@dataclass(frozen=True, init=False)
class Mimic(ByStructure):
    """What a joint should follow: q = multiplier q(joint) + offset; immutable, hashable.

    The dynamics do not use it: the joint moves freely.

    Attributes:
        joint: Name of the joint that is followed.
        multiplier: Its factor [m or rad per m or rad].
        offset: What is added [m or rad].

    Examples:
        >>> Mimic("finger 1", multiplier=-1)
        Mimic(joint='finger 1', multiplier=-1.0, offset=0.0)
    """

    joint: str
    multiplier: Scalar
    offset: Scalar

    def __init__(self, joint: str, multiplier: Scalar = 1.0, offset: Scalar = 0.0) -> None:
        """Check and store it.

        Args:
            joint: Name of the joint to follow.
            multiplier: Factor of its coordinate.
            offset: What is added to it [m or rad].
        """
        object.__setattr__(self, "joint", checked_name(joint, "mimic: joint"))
        object.__setattr__(self, "multiplier", scalar_number(multiplier, "mimic: multiplier"))
        object.__setattr__(self, "offset", scalar_number(offset, "mimic: offset"))
