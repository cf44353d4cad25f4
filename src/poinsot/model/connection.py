"""A joint of a graph of bodies, before a spanning tree is chosen."""

from collections.abc import Mapping
from typing import Any, ClassVar, final

from poinsot.errors import ModelError
from poinsot.model.constraints.base import FrameField, FrameOnBody
from poinsot.model.fields import Declared, Name, declared, field
from poinsot.model.joints import AbstractJoint
from poinsot.model.joints.base import JOINT

__all__ = ["Connection"]


@final
@declared
class Connection(Declared):
    """A joint between two bodies; immutable, hashable, equal by value.

    Its coordinates are those of the frame of ``second``, seen from that of ``first``.

    Examples:
        >>> from poinsot.model import Pose, Revolute
        >>> Connection("pin", ("crank", Pose((1, 0, 0))), ("rod", Pose()), Revolute("z")).second[0]
        'rod'
    """

    kind: ClassVar[str] = "connection"

    name: str = field(Name(), "Name of the joint, unique in the graph")
    first: FrameField = field(
        FrameOnBody(),
        'A body\'s name, or "world", and the pose of the joint\'s frame on it; the name alone '
        "stands for the body's own frame",
    )  # fmt: skip
    second: FrameField = field(
        FrameOnBody(), "The same for the frame that the joint carries, on another body"
    )
    joint: AbstractJoint = field(
        JOINT, "How the two frames move against each other, without a name of its own"
    )

    def _check_together(self, given: Mapping[str, Any]) -> None:
        if self.joint.name not in (None, self.name):
            raise ModelError(
                f"{self.label}: its joint is called {self.joint.name!r}; the connection's name is "
                "that of the joint, so leave the other out"
            )
        if self.first[0] == self.second[0]:
            raise ModelError(
                f"{self.label}: both ends are on {self.first[0]!r}; put one on another body"
            )
