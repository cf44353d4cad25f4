"""A joint of a plain graph of bodies, of which it is not yet known what carries what."""

from dataclasses import dataclass
from typing import Any, final

from poinsot.errors import ModelError
from poinsot.model.by_structure import ByStructure
from poinsot.model.checks import checked_name
from poinsot.model.constraints.base import Frame, checked_frame
from poinsot.model.joints import AbstractJoint

__all__ = ["Connection"]


@final
@dataclass(frozen=True, init=False)
class Connection(ByStructure):
    """A joint between two bodies; immutable, hashable, equal by value.

    Its coordinates are those of the frame of ``second``, seen from that of ``first``.

    Attributes:
        name: Name of the joint.
        first: Body and pose of the joint's frame on its inner side.
        second: Body and pose of the frame that the joint carries.
        joint: How the two frames move against each other.

    Examples:
        >>> from poinsot.model import Pose, Revolute
        >>> Connection("pin", ("crank", Pose((1, 0, 0))), ("rod", Pose()), Revolute("z")).second[0]
        'rod'
    """

    name: str
    first: Frame
    second: Frame
    joint: AbstractJoint

    def __init__(
        self,
        name: str,
        first: str | tuple[str, Any],
        second: str | tuple[str, Any],
        joint: AbstractJoint,
    ) -> None:
        """Check and store the connection.

        Args:
            name: Name of the joint, unique in the graph.
            first: A body's name, or ``"world"``, and the pose of the joint's frame on it; the name
                alone stands for the body's own frame.
            second: The same for the frame that the joint carries, on another body.
            joint: How the two frames move against each other, without a name of its own.

        Raises:
            ModelError: If one of them is wrong.
        """
        where = f"connection {checked_name(name, 'connection: name')!r}"
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "first", checked_frame(first, f"{where}: first"))
        object.__setattr__(self, "second", checked_frame(second, f"{where}: second"))
        if not isinstance(joint, AbstractJoint):
            raise ModelError(f"{where}: joint must be a joint, e.g. Revolute('z'), got {joint!r}")
        if joint.name not in (None, name):
            raise ModelError(
                f"{where}: its joint is called {joint.name!r}; the connection's name is that of "
                "the joint, so leave the other out"
            )
        object.__setattr__(self, "joint", joint)
        if self.first[0] == self.second[0]:
            raise ModelError(
                f"{where}: both ends are on {self.first[0]!r}; put one on another body"
            )
