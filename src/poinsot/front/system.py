"""The central object: a mechanism and all its quantities."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NoReturn, final

from numpy.typing import ArrayLike

from poinsot.evaluate.registry import QUANTITIES
from poinsot.formulations.singular import warn_if_singular
from poinsot.front.assembly import Assembly
from poinsot.front.export import Exports
from poinsot.front.sections import Sections
from poinsot.front.variants import Variants
from poinsot.lazy import when_called
from poinsot.model import (
    AbstractConstraint,
    AbstractForce,
    Body,
    Loop,
    Mechanism,
    Signal,
)
from poinsot.model.fixed_bodies import warn_of_merged

if TYPE_CHECKING:
    from poinsot.model import SampledState, State
    from poinsot.viewer.server import Viewer

_view_system = when_called("poinsot.front.live_view:view_system")
_system_page = when_called("poinsot.front.system_page:system_page")


@final
class System(Variants, Assembly, Sections, Exports):
    """A system of rigid bodies: immutable, hashable, validated when made.

        M(q) a + bias(q, v) = tau + J(q)ᵀ lam,      qdot = N(q) v,      J a + gamma = 0

    q and v are stacked in the order in which the bodies are listed.  Every method takes one state,
    arrays of shape (n,), or any number of them, arrays of shape (..., n); leading dimensions
    broadcast.  ``out`` receives the result; ``backend`` is "auto", "llvm" or "interpreter".

    The first call of a method makes machine code for it, which takes some tenths of a second; from
    then on the method of this object is that machine code.

    Args:
        name: Name of the system.
        bodies: Its bodies, in any order.
        gravity: Acceleration of free fall in the world [m/s²], shape (3,).
        forces: Force elements: ``Spring``, ``JointForce``, ``Motor``, ... (docs/forces.md).
        loops: Joints that close loops of bodies.
        constraints: Other constraints: ``Distance``, ``PointOnCurve``, ``Gear``, ``Holonomic``, ...
        parameters: Numbers of the parameters in formulas, by name; None: no number; a ``Signal``:
            samples over time, for formulas of forces.  Symbols that are not among them are
            parameters without a number.
        free: Names of parameters that stay inputs of every method, keyword ``parameters``,
            although they have numbers.  Those without one are inputs anyway; all others are folded
            in as constants.
        states: Further states: ``State``, by their rates, and ``SampledState`` (docs/states.md).

    Warns:
        ModelWarning: If joints move nothing that has inertia, so that they have no acceleration, or
            bodies fixed to each other have an inertia together that no real body could have.

    >>> import poinsot as ps
    >>> rod = ps.Body("rod", joint=ps.Revolute("y"), mass=2.0, com=(0, 0, -0.5))
    >>> pendulum = ps.System("pendulum", [rod])
    >>> pendulum.mass_matrix([0.0])
    array([[0.5]])
    """

    def __init__(
        self, name: str, bodies: Iterable[Body], *, gravity: ArrayLike = (0.0, 0.0, -9.81),
        forces: Iterable[AbstractForce] = (), loops: Iterable[Loop] = (),
        constraints: Iterable[AbstractConstraint] = (),
        parameters: Mapping[str, float | Signal | None] | None = None, free: Iterable[str] = (),
        states: Iterable[State | SampledState] = (),
    ) -> None:  # fmt: skip
        description = name, bodies, gravity, forces, loops, constraints
        self._hold(Mechanism(*description, parameters or {}, free, states=states))
        warn_of_merged(self._description.at({}))
        warn_if_singular(self._description.at({}))

    def view(
        self,
        q: ArrayLike | None = None,
        *,
        host: str = "127.0.0.1",
        port: int = 0,
        show: bool = True,
    ) -> Viewer:
        """Show the system in the browser, and return its ``Viewer`` (``.url``, ``.close()``).

        Sliders move the joints within their limits while loops stay closed, others move free
        parameters; "Simulate" lets it go, and bodies can be pulled with the mouse.

        Args:
            q: Configuration at the start, shape (nq,); by default one that shows how it moves.
            host: Where to listen: this machine only, unless told otherwise.
            port: The port; 0: any that is free.
            show: Whether to open the user's browser.
        """
        viewer: Viewer = _view_system(self, q, host, port)
        if show:
            viewer.open()
        return viewer

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a System is immutable; make a new one to change {name!r}")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError("a System is immutable")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, System) and self._description == other._description

    def __hash__(self) -> int:
        return hash(self._description)

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return System.from_mechanism, (self._description,)

    def __copy__(self) -> System:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> System:
        return self

    def _repr_html_(self) -> str:
        """Show the system in notebooks: its tree, and a scene that can be turned."""
        from poinsot.viewer.frame import framed

        return framed(_system_page(self), str(self))

    def __repr__(self) -> str:
        bodies = f"{len(self.bodies)} bod{'y' if len(self.bodies) == 1 else 'ies'}"
        return f"System({self.name!r}, {bodies}, nq={self.nq}, nv={self.nv})"


assert all(hasattr(System, quantity.name) for quantity in QUANTITIES.values() if quantity.is_method)
