"""A request for a quantity: everything but the state that a program depends on."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Final

from poinsot.evaluate.registry import quantity_of
from poinsot.model import LoadInputs

if TYPE_CHECKING:
    from poinsot.model.section import Sides

NO_LOADS: Final = LoadInputs()
RECURSIVE: Final = "recursive"
"""The default formulation."""


@dataclass(frozen=True)
class Derivative:
    """A derivative of a quantity f.

    Entries are D_α(D_β(... f)), α the entry of the first argument: derivatives along
    ``integrate(q, δ)`` for q, along the numbers themselves for all others.

    Attributes:
        by: The arguments, in the order of the axes: inputs of the quantity, or the names of free
            parameters and further states, which have no axis.
        along: For each whether its derivative is along one given direction, so without axis.
        weighted: Whether it is of the sum of the entries of f, each times a given weight.
        rate: Order of the time derivative, for q, v, a, ... that are each other's rates.
        symmetric: Whether it is the symmetric part of a second derivative, in its two axes.
        turned: Whether gravity beside a motion of the base changes with the parameters, by way of
            the rotation of the base, which is an input then.
    """

    by: tuple[str, ...] = ()
    along: tuple[bool, ...] = ()
    weighted: bool = False
    rate: int = 0
    symmetric: bool = False
    turned: bool = False


@dataclass(frozen=True)
class Request:
    """A quantity of a mechanism, and its options.

    Attributes:
        quantity: Name of a quantity (``registry.QUANTITIES``).
        method: The formulation.
        loads: Which external loads are inputs.
        body: Number of the body, for quantities of one.
        axes: Axes of the result, where there is a choice.
        loop: Index of the loop among the constraints, for quantities of one.
        joints: Numbers of the velocities that are driven or given, where some are.
        derivative: Which derivative of the quantity; None: the quantity itself.
        sides: What is known to be beyond a section of a body or before it, by name.
    """

    quantity: str
    method: str = RECURSIVE
    loads: LoadInputs = NO_LOADS
    body: int | None = None
    axes: str | None = None
    loop: int | None = None
    joints: tuple[int, ...] | None = None
    derivative: Derivative | None = None
    sides: Sides | None = None

    @property
    def options(self) -> tuple[Any, ...]:
        """What functions of the quantity take first."""
        return tuple(getattr(self, name) for name in quantity_of(self.quantity).options)

    @property
    def asked_name(self) -> str:
        """Name of the quantity as users ask for it, for messages."""
        return "inverse_dynamics" if self.quantity == "driven_dynamics" else self.quantity

    @cached_property
    def is_plain(self) -> bool:
        """Whether it depends on the state alone."""
        return self == Request(self.quantity)

    def with_loads(self, loads: LoadInputs) -> Request:
        """Return the same request with these external loads as inputs."""
        if loads is self.loads:
            return self
        return request_for(
            self.quantity, self.method, loads, self.body, self.axes, self.loop, self.joints,
            self.derivative, self.sides,
        )  # fmt: skip

    def with_derivative(self, derivative: Derivative | None) -> Request:
        """Return the request for a derivative of the same quantity; None: for itself."""
        return request_for(
            self.quantity, self.method, self.loads, self.body, self.axes, self.loop, self.joints,
            derivative, self.sides,
        )  # fmt: skip

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash(
            (self.quantity, self.method, self.loads, self.body, self.axes, self.loop, self.joints,
             self.derivative, self.sides)
        )  # fmt: skip


_interned = lru_cache(maxsize=1024)(Request)


def request_for(*fields: Any, **named: Any) -> Request:  # noqa: ANN401
    """Return the request with these fields, the same object each time: it is looked up often."""
    try:
        return _interned(*fields, **named)
    except TypeError:  # a field that cannot be hashed; what is wrong with it is said later
        return Request(*fields, **named)
