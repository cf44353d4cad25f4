"""The contract of a constraint: equations that the motion of a mechanism must obey.

A constraint has rows,

    phi(q, t) = 0,      J v + dphi/dt = 0,      J a + gamma = 0,

each the rate of the one before.  Rolling and other non-holonomic constraints begin with the second:

    A(q, t) v = b(q, t),      that is  J = A,  drift = -b,  gamma = dA/dt v - db/dt,  phi = 0;

``velocity_rows`` counts them.  A constraint learns how the mechanism moves from a ``View``: of
frames on its bodies, one seen from the other, or of coordinates of its joints.  The force of a
constraint does no work on motions that it allows: Jᵀ lam.  No method branches on the state, so that
each one runs on floats and on symbols.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, Self

from poinsot.model.changed import changed
from poinsot.model.fields import AbstractKind, Declared, Name, declarations, declared, field
from poinsot.model.frame import Frame, FrameField, FrameOnBody
from poinsot.spatial import Array, Scalar, Transform

__all__ = [
    "AbstractConstraint",
    "CoordinateMotion",
    "Frame",
    "FrameField",
    "FrameMotion",
    "FrameOnBody",
    "FramePair",
    "JointName",
    "PointOnBody",
    "Rows",
    "View",
]

FramePair = tuple[Frame, Frame]
"""The reference frame, and the frame that moves relative to it."""


@dataclass(frozen=True, eq=False)
class FrameMotion:
    """How a frame F of one body moves, seen from a frame E of another.

    Attributes:
        X: Pose of F in E.
        V: Velocity [v; w] of F against E [m/s, rad/s], in F's axes at its origin, shape (6,).
        A: Rate of the components of V while no joint accelerates, shape (6,).
        J: V = J v, shape (6, nv).
    """

    X: Transform
    V: Array
    A: Array
    J: Array


@dataclass(frozen=True, eq=False)
class CoordinateMotion:
    """How the coordinates of a joint move.

    Attributes:
        q: The coordinates, shape (nq of the joint,).
        rate: dq/dt, the same shape.
        bias: The second rate while no joint accelerates, the same shape.
        N: dq/dt = N v, shape (nq of the joint, nv).
        turns: Whether coordinates are angles that are known up to whole turns only: those of cut
            joints, which follow from poses.
    """

    q: Array
    rate: Array
    bias: Array
    N: Array
    turns: tuple[bool, ...] = ()

    def entry(self, k: int) -> "CoordinateMotion":
        """Return how one of the coordinates moves."""
        only = slice(k, k + 1)
        q, rate, bias, N = (x[only] for x in (self.q, self.rate, self.bias, self.N))
        return CoordinateMotion(q, rate, bias, N, self.turns[only])


class View(Protocol):
    """How a mechanism moves at one instant, as constraints see it."""

    @property
    def t(self) -> Scalar:
        """Time [s]."""

    def frame(self, pair: FramePair) -> FrameMotion:
        """Return how the second frame moves, seen from the first."""

    def joint(self, name: str) -> CoordinateMotion:
        """Return how the coordinates of a joint move."""

    def all_joints(self) -> CoordinateMotion:
        """Return how all coordinates move, stacked as in q."""

    def velocities(self) -> tuple[Array, Array]:
        """Return all velocities, shape (nv,), and their derivative by those of J."""


@dataclass(frozen=True, eq=False)
class Rows:
    """The equations of a constraint at one instant, m of them.

    Attributes:
        phi: Residual, shape (m,); 0 in rows that hold at velocity level only.
        J: Jacobian, dphi/dt = J v + drift, shape (m, nv).
        drift: Partial derivative of phi by time, shape (m,).
        gamma: Second derivative of phi at zero joint accelerations, shape (m,).
    """

    phi: Array
    J: Array
    drift: Array
    gamma: Array


class PointOnBody(FrameOnBody):
    """A frame of which only the origin matters: files may hold a point in place of the pose."""


class JointName(Name):
    """The name of a joint."""


@declared
class AbstractConstraint(Declared, ABC):
    """Interface of a constraint; immutable, hashable, equal by value."""

    family: ClassVar[str] = "constraint"
    renamed: ClassVar[Mapping[str, str]] = {"where": "label"}

    name: str = field(Name(), "Name, unique among the loops and constraints of a mechanism")

    @property
    def frame_fields(self) -> tuple[str, ...]:
        """Names of the fields that hold frames on bodies."""
        return self._fields_of(FrameOnBody)

    @property
    def joint_fields(self) -> tuple[str, ...]:
        """Names of the fields that hold names of joints."""
        return self._fields_of(JointName)

    @property
    @abstractmethod
    def locked(self) -> tuple[str, ...]:
        """A name for each row: the direction that it locks."""

    @property
    def velocity_rows(self) -> int:
        """How many of its rows, the last ones, constrain velocities only (non-holonomic)."""
        return 0

    @property
    def position_part(self) -> "AbstractConstraint | None":
        """The constraint without its velocity rows; None where nothing is left."""
        return self if len(self.locked) > self.velocity_rows else None

    @property
    def pairs(self) -> tuple[FramePair, ...]:
        """The pairs of frames that it constrains."""
        return ()

    @property
    def joints(self) -> tuple[str, ...]:
        """Names of the joints whose coordinates it constrains."""
        return tuple(getattr(self, key) for key in self.joint_fields)

    @property
    def depends_on_time(self) -> bool:
        """Whether it depends on time."""
        return False

    @abstractmethod
    def rows(self, view: View) -> Rows:
        """Return its equations at one state."""

    def joint_forces(self, view: View, lam: Array) -> Sequence[Array]:
        """Return for each of ``joints`` the forces along its coordinates, shape (nq of it,).

        Args:
            view: How the mechanism moves.
            lam: The multipliers of its rows, shape (m,).
        """
        return ()

    def loads(self, view: View, lam: Array) -> Sequence[Array]:
        """Return for each of ``pairs`` the wrench [f; n] [N, N m] on the body of its second frame.

        In that frame's axes at its origin, shape (6,); the body of the first feels the opposite.
        Constraints between joint coordinates alone exert no wrench on bodies.

        Args:
            view: How the mechanism moves.
            lam: The multipliers of its rows, shape (m,).
        """
        return ()

    def moved(
        self, name: str, frame: Callable[[Frame], Frame], joint: Callable[[str], str]
    ) -> Self:
        """Return the same constraint on other bodies and joints.

        Args:
            name: Its new name.
            frame: What becomes of its frames.
            joint: What becomes of the names of joints.
        """
        values: dict[str, Any] = {key: frame(getattr(self, key)) for key in self.frame_fields}
        values |= {key: joint(getattr(self, key)) for key in self.joint_fields}
        return changed(self, name=name, **values)

    def check_parameters(self, known: Collection[str]) -> None:
        """Reject names in its formulas that are not parameters of the mechanism.

        Args:
            known: Names of the parameters.

        Raises:
            FormulaError: It points at the character.
        """
        return

    def with_coordinates(self, nq: int, nv: int) -> "AbstractConstraint":
        """Return the constraint as it is in a mechanism of nq coordinates and nv velocities."""
        return self

    def _fields_of(self, kind: type[AbstractKind]) -> tuple[str, ...]:
        stated = declarations(type(self)).items()
        return tuple(name for name, declaration in stated if isinstance(declaration.kind, kind))
