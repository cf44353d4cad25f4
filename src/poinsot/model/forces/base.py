"""The contract of a force element: what acts on bodies besides gravity and the joints' own forces.

An element has ends, points that are fixed to bodies.  From where they are and how fast they move it
tells the wrench on the body of each end.  Elements that act along joints (``on_joint.py``) have no
ends.  No method branches on the state: each one runs on floats and on symbols.  The element's own
numbers may be symbols too (fields of type ``float`` and ``Vec3``), except that a ``float`` that is
zero is known to be.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from poinsot.errors import ModelError
from poinsot.model.body import WORLD
from poinsot.model.by_structure import ByStructure
from poinsot.model.checks import Vec3, checked_name, vec3
from poinsot.spatial import Array, Scalar

__all__ = ["AbstractForce", "End", "PointMotion", "checked_axes", "checked_end", "moved_end"]

End = tuple[str, Vec3]
"""The name of a body (or ``"world"``) and a point [m] in its coordinates."""


@dataclass(frozen=True, eq=False)
class PointMotion:
    """Where a point of a body is and how fast it moves, seen from the world.

    Attributes:
        p: Its place [m], in world coordinates, shape (3,).
        v: Its velocity [m/s], in world axes, shape (3,).
        R: Of the body: takes coordinates from body to world axes, shape (3, 3).
    """

    p: Array
    v: Array
    R: Array


@dataclass(frozen=True, init=False)
class AbstractForce(ByStructure, ABC):
    """What every force element has and answers; immutable, hashable, equal by value.

    Attributes:
        kind: The element's type in files, e.g. ``"spring"``.
        name: Name of the element, unique in the mechanism; None: it has none.
    """

    kind: ClassVar[str]

    name: str | None

    def __init__(self, name: str | None = None) -> None:
        """Check and store the name."""
        if name is not None:
            checked_name(name, f"{self.kind}: name")
        object.__setattr__(self, "name", name)

    @property
    @abstractmethod
    def ends(self) -> tuple[End, ...]:
        """The points at which it acts."""

    @abstractmethod
    def with_ends(self, ends: Sequence[End]) -> Self:
        """Return the same element at other points, as many as it has ends."""

    @property
    def depends_on_time(self) -> bool:
        """Whether it needs the time."""
        return False

    @abstractmethod
    def wrenches(self, ends: Sequence[PointMotion], t: Scalar) -> tuple[Array, ...]:
        """Return for each end the wrench [f; n] [N, N m] on its body, shape (6,).

        At the end, in body axes.  What acts on the world is not looked at.

        Args:
            ends: The motion of each end.
            t: Time [s].
        """

    def energy(self, ends: Sequence[PointMotion]) -> Scalar:
        """Return the energy that is stored in it [J]; velocities are not looked at."""
        return 0.0

    @property
    def joints(self) -> tuple[str, ...]:
        """Names of the joints it acts on or looks at."""
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
        """Refuse names that are no parameters, and parameters that mean something else here.

        Args:
            known: Names of the parameters.

        Raises:
            FormulaError: It points at the character.
        """

    def with_values(self, values: Mapping[str, float]) -> Self:
        """Return the element with numbers in place of some of the names in its formulas.

        Args:
            values: The numbers by name.
        """
        return self

    @classmethod
    def where(cls, name: str | None) -> str:
        """Return what messages call this element, e.g. ``"spring 'left'"``."""
        return cls.kind if name is None else f"{cls.kind} {name!r}"


def checked_end(end: Any, where: str) -> End:  # noqa: ANN401 (whatever a user gives)
    """Return an end as a body's name and three numbers."""
    pair = end if isinstance(end, tuple | list) else ()
    if len(pair) != 2 or not isinstance(pair[0], str):
        raise ModelError(
            f"{where} must be a body's name and a point in its coordinates, e.g. "
            f"('arm', (0, 0, 0.5)) or ('world', (1, 0, 0)), got {end!r}"
        )
    return checked_name(pair[0], f"{where}: body"), vec3(pair[1], f"{where}: point")


def moved_end(body: Any, point: Any, where: str) -> End:  # noqa: ANN401
    """Return the end of an element that acts on one body, which must not be the world."""
    if checked_name(body, f"{where}: body") == WORLD:
        raise ModelError(f"{where}: a force on 'world' moves nothing; name the body it acts on")
    return body, vec3(point, f"{where}: point")


def checked_axes(axes: Any, where: str) -> str:  # noqa: ANN401
    """Return ``axes``, refusing all but "world" and "body"."""
    if axes not in ("world", "body"):
        raise ModelError(f"{where}: axes must be 'world' or 'body', got {axes!r}")
    return str(axes)
