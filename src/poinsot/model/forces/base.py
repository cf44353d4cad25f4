"""The contract of a force element: forces on bodies besides gravity and those of the joints.

An element has ends, points that are fixed to bodies.  From where they are and how fast they move it
tells the wrench on the body of each end.  Elements that act along joints (``joint_element.py``)
have no ends.  No method branches on the state: each one runs on floats and on symbols.  The
element's own numbers may be symbols too (fields of one number and of three), except that zero is
always a number.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from poinsot.errors import ModelError
from poinsot.model.changed import changed
from poinsot.model.checks import Vec3, checked_name, vec3
from poinsot.model.fields import AbstractKind, Declared, Name, declarations, declared, field
from poinsot.model.frame import Frame, FrameOnBody
from poinsot.model.pose import Pose
from poinsot.spatial import Array, Scalar

__all__ = ["AbstractForce", "End", "EndOnBody", "PointMotion"]

End = tuple[str, Vec3]
"""The name of a body (or ``"world"``) and a point [m] in its coordinates."""


@dataclass(frozen=True, eq=False)
class PointMotion:
    """Where a point of a body is and how fast it moves, seen from the world.

    Attributes:
        p: Its position [m], in world coordinates, shape (3,).
        v: Its velocity [m/s], in world axes, shape (3,).
        R: Of the body: takes coordinates from body to world axes, shape (3, 3).
        w: Angular velocity of the body [rad/s], in world axes, shape (3,).
    """

    p: Array
    v: Array
    R: Array
    w: Array


class EndOnBody(AbstractKind):
    """A body's name and a point in its coordinates."""

    def stored(self, given: Any, where: str, owner: Any) -> End:  # noqa: ANN401
        """Return the name and three numbers."""
        pair = given if isinstance(given, tuple | list) else ()
        if len(pair) != 2 or not isinstance(pair[0], str):
            raise ModelError(
                f"{where} must be a body's name and a point in its coordinates, e.g. "
                f"('arm', (0, 0, 0.5)) or ('world', (1, 0, 0)), got {given!r}"
            )
        return checked_name(pair[0], f"{where}: body"), vec3(pair[1], f"{where}: point")


@declared
class AbstractForce(Declared, ABC):
    """Interface of a force element; immutable, hashable, equal by value."""

    family: ClassVar[str] = "force"
    omits_defaults: ClassVar[bool] = False

    name: str | None = field(
        Name(), "Name of the element, unique in the mechanism; None: it has none",
        default=None, kw_only=True,
    )  # fmt: skip

    @property
    def ends(self) -> tuple[End, ...]:
        """The points at which it acts; here those of its fields that are ends or frames."""
        held = (getattr(self, key) for key in self._fields_of(EndOnBody, FrameOnBody))
        return tuple(
            (body, point.xyz if isinstance(point, Pose) else point) for body, point in held
        )

    def with_ends(self, ends: Sequence[End]) -> Self:
        """Return the same element at other points, as many as it has ends."""
        values: dict[str, Any] = dict(
            zip(self._fields_of(EndOnBody, FrameOnBody), ends, strict=True)
        )
        for key in self._fields_of(FrameOnBody):
            body, point = values[key]
            values[key] = body, changed(getattr(self, key)[1], xyz=point)
        return changed(self, **values)

    def moved(
        self, name: str | None, frame: Callable[[Frame], Frame], joint: Callable[[str], str]
    ) -> Self:
        """Return the same element on other bodies and joints.

        Args:
            name: Its new name.
            frame: What becomes of frames on bodies, as which ends are taken too.
            joint: What becomes of the names of joints.
        """
        frames = [frame((body, Pose(point))) for body, point in self.ends]
        other = self.with_ends([(body, pose.xyz) for body, pose in frames])
        other = other.with_joints([joint(joint_name) for joint_name in self.joints])
        frame_values = {key: frame(getattr(self, key)) for key in self._fields_of(FrameOnBody)}
        return changed(other, name=name, **frame_values)

    @property
    def depends_on_time(self) -> bool:
        """Whether it depends on time."""
        return False

    @abstractmethod
    def wrenches(self, ends: Sequence[PointMotion], t: Scalar) -> tuple[Array, ...]:
        """Return for each end the wrench [f; n] [N, N m] on its body, shape (6,).

        At the end, in body axes.  Wrenches on the world are ignored.

        Args:
            ends: The motion of each end.
            t: Time [s].
        """

    def energy(self, ends: Sequence[PointMotion]) -> Scalar:
        """Return the energy that is stored in it [J]; velocities are ignored."""
        return 0.0

    @property
    def joints(self) -> tuple[str, ...]:
        """Names of the joints it acts on or reads."""
        return ()

    def with_joints(self, joints: Sequence[str]) -> Self:
        """Return the same element at other joints, as many as it has."""
        return self

    @property
    def armature(self) -> Scalar:
        """Inertia that it adds to its joint [kg m² or kg]."""
        return 0.0

    @property
    def parameters(self) -> frozenset[str]:
        """Names in its formulas that must be parameters of the system."""
        return frozenset()

    @property
    def stored_parameters(self) -> frozenset[str]:
        """Those of them on which the energy depends that is stored in it."""
        return frozenset()

    def check_parameters(self, known: Collection[str]) -> None:
        """Reject names that are not parameters, and parameters that mean something else here.

        Args:
            known: Names of the parameters.

        Raises:
            FormulaError: It points at the character.
        """

    def _fields_of(self, *kinds: type[AbstractKind]) -> tuple[str, ...]:
        stated = declarations(type(self)).items()
        return tuple(name for name, declaration in stated if isinstance(declaration.kind, kinds))
