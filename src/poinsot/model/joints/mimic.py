"""One joint that follows another: data that travels with it."""

from typing import ClassVar, final

from poinsot.model.fields import Declared, Name, Number, declared, field
from poinsot.spatial import Scalar

__all__ = ["Mimic"]


@final
@declared
class Mimic(Declared):
    """What a joint should follow: q = multiplier q(joint) + offset; immutable, hashable.

    The dynamics do not use it: the joint moves freely.

    Examples:
        >>> Mimic("finger 1", multiplier=-1)
        Mimic(joint='finger 1', multiplier=-1.0, offset=0.0)
    """

    kind: ClassVar[str] = "mimic"
    omits_defaults: ClassVar[bool] = False

    joint: str = field(Name(), "Name of the joint that is followed")
    multiplier: Scalar = field(
        Number(), "Factor of its coordinate", unit="m or rad per m or rad", default=1.0
    )
    offset: Scalar = field(Number(), "What is added to it", unit="m or rad", default=0.0)
