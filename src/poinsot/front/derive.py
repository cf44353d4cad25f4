"""Equations of motion as a person reads them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from os import PathLike
from typing import Any, Protocol, overload

import numpy as np
from numpy.typing import ArrayLike

from poinsot.algebra.document import document, fragment
from poinsot.algebra.equation_views import SOLVED, EquationBlock, block
from poinsot.algebra.figure import figure
from poinsot.algebra.formula import Formula
from poinsot.algebra.function import compiled
from poinsot.algebra.impact_equations import contact_quantities, impact_latex, impact_text
from poinsot.algebra.latex import aligned, motion_latex, piece
from poinsot.algebra.markdown import markdown
from poinsot.algebra.planar_equations import PlanarEquations
from poinsot.algebra.text import block_text, motion_text, vectors_text
from poinsot.algebra.traced_quantities import (
    TracedQuantities,
    checked_quantity,
    constraint_quantities,
)
from poinsot.errors import ModelError, ShapeError
from poinsot.evaluate.formulation import METHODS
from poinsot.front.allowed_configuration import rows_where_allowed
from poinsot.front.derived_contacts import contacts_of_system
from poinsot.front.derived_quantities import DerivedQuantities
from poinsot.front.drawable_system import pictured
from poinsot.front.saved_equations import save_equations
from poinsot.front.system import System
from poinsot.impacts.contact import Contact, checked_contacts
from poinsot.model import suggestion
from poinsot.spatial import Array

__all__ = ["Equations", "derive"]

WHOLE = ("mass_matrix", "bias", "kinetic_energy", "potential_energy")
"""The quantities that are shown by default, and those of the constraints."""


class UnitByUnit(Protocol):
    """What has the equations of planar units: ``PlanarMechanism``."""

    @property
    def equations(self) -> PlanarEquations:
        """The equations of its units."""


@overload
def derive(
    system: System, method: str = ..., *, q: ArrayLike | None = ...,
    contacts: Sequence[Contact] = ..., coordinates: Sequence[str] = ...,
) -> Equations: ...  # fmt: skip
@overload
def derive(system: UnitByUnit) -> PlanarEquations: ...
def derive(
    system: System | UnitByUnit, method: str = "recursive", *, q: ArrayLike | None = None,
    contacts: Sequence[Contact] = (), coordinates: Sequence[str] = (),
) -> Equations | PlanarEquations:  # fmt: skip
    """Return the equations of motion of a system with names for all that is in them.

        M(q) a + h(q, v) = tau + J(q)ᵀ lam,      qdot = N(q) v,      phi(q) = 0

    All parameters stay symbols, also those that have numbers.  Nothing is multiplied out before it
    is asked for: a quantity is made by the program that computations run.

    Args:
        system: The system; of a planar mechanism the closures of its loops and units.
        method: Which formulation makes mass matrix, bias, inverse and forward dynamics.
        q: Configuration in which pictures show it [rad or m], shape (nq,), e.g. the mode in which a
            linkage is assembled; one that shows how it moves by default.
        contacts: What may touch: their gaps and the law of impact are among the equations.
        coordinates: Names of the velocities (``system.velocity_names``) that ``minimal_bias`` and
            its like are written in; by default the first that determine all others.

    >>> import poinsot as ps
    >>> m, l, g = ps.symbols("m l g")
    >>> bob = ps.Body("bob", joint=ps.Revolute("y"), mass=m, com=(0, 0, -l))
    >>> equations = ps.derive(ps.System("pendulum", [bob], gravity=(0, 0, -g)))
    >>> equations.mass_matrix.expanded[0], equations.gravity_force.expanded[0]
    (l**2*m, g*l*m*sin(q_bob))
    """
    written = None if isinstance(system, System) else getattr(system, "equations", None)
    if isinstance(written, PlanarEquations):
        if method != "recursive" or q is not None or len(contacts) or len(coordinates):
            raise ModelError(
                "derive: method, q, contacts and coordinates are for a System; "
                "derive(mechanism.system(), ...)"
            )
        return written
    if not isinstance(system, System):
        raise ModelError(f"derive: give a System, got {type(system).__name__}")
    if not isinstance(method, str) or method not in METHODS:
        raise ModelError(f"derive: unknown method {method!r}; {suggestion(method, METHODS)}")
    shown = None if q is None else np.array(q, dtype=np.float64)
    if shown is not None and shown.shape != (system.nq,):
        raise ShapeError(f"derive: q must have shape ({system.nq},), got {shown.shape}")
    if isinstance(coordinates, str):
        raise ModelError(f"derive: coordinates must be a list of names, e.g. [{coordinates!r}]")
    return Equations(system, method, shown, checked_contacts(contacts, "derive"), coordinates)


class Equations(DerivedQuantities):
    """The equations of motion of a system; ``print`` shows them.

    Quantities are attributes, each with two views: ``.compact``, named intermediate variables in
    the order of computation, and ``.expanded``, multiplied out and simplified, as SymPy's.

    Attributes:
        system: The system.
        method: The formulation.
    """

    def __init__(
        self, system: System, method: str, q_shown: Array | None = None,
        contacts: Sequence[Contact] = (), coordinates: Sequence[str] = (),
    ) -> None:  # fmt: skip
        self.system, self.method = system, method
        self._q_shown = q_shown
        free = system.description.with_free(system.parameters)
        self._traced = TracedQuantities(
            free.bound, method, contacts_of_system(free, contacts), tuple(coordinates),
            lambda: rows_where_allowed(system, q_shown),
        )  # fmt: skip
        self._formulas: dict[str, Formula] = {}

    @property
    def q(self) -> tuple[str, ...]:
        """Names of the coordinates in formulas, e.g. ``"q_elbow"``."""
        return _names(self._traced.symbols.q)

    @property
    def v(self) -> tuple[str, ...]:
        """Names of the velocities, e.g. ``"v_elbow"``; the rates of q but for quaternions."""
        return _names(self._traced.symbols.v)

    @property
    def a(self) -> tuple[str, ...]:
        """Names of the accelerations dv/dt, e.g. ``"a_elbow"``."""
        return _names(self._traced.symbols.a)

    @property
    def tau(self) -> tuple[str, ...]:
        """Names of the joint forces, e.g. ``"tau_elbow"``."""
        return _names(self._traced.symbols.tau)

    @property
    def parameters(self) -> tuple[str, ...]:
        """Names of the parameters."""
        return _names(self._traced.symbols.parameters)

    @property
    def minimal_coordinates(self) -> tuple[str, ...]:
        """Names of the minimal velocities, as in ``coordinates``, in their order.

        Raises:
            ModelError: If constraints are such that there are none.
        """
        checked_quantity("minimal_velocity", self._traced.mechanism)
        return self._traced.minimal.names

    def __getitem__(self, name: str) -> Formula:
        """Return a quantity by name."""
        checked_quantity(name, self._traced.mechanism, self._traced.contacts)
        if name not in self._formulas:
            self._formulas[name] = Formula(self._traced, name)
        return self._formulas[name]

    def function(self, quantity: str) -> Callable[..., Any]:
        """Return a quantity as a function of arrays: machine code of these very expressions.

        Its arguments are q, v, a and tau, as far as the quantity depends on them, then t if forces
        do, and last the values of all parameters, in the order of ``parameters``; they have shapes
        (..., size) and broadcast.  What ``lambdify`` is to SymPy, this is to these equations.

        Args:
            quantity: Which one, by name.

        >>> import poinsot as ps
        >>> m, l, g = ps.symbols("m l g")
        >>> bob = ps.Body("bob", joint=ps.Revolute("y"), mass=m, com=(0, 0, -l))
        >>> pendulum = ps.System("pendulum", [bob], gravity=(0, 0, -g))
        >>> mass_matrix = ps.derive(pendulum).function("mass_matrix")
        >>> mass_matrix([0.3], [2.0, 3.0, 9.81])
        array([[18.]])
        """
        checked_quantity(quantity, self._traced.mechanism, self._traced.contacts)
        return compiled(self._traced, quantity)

    def text(self, *quantities: str, view: str = "auto") -> str:
        """Return the equations as text with Unicode.

        Args:
            quantities: Which ones, by name; mass matrix, bias, energies and constraints otherwise.
            view: ``"compact"``, ``"expanded"``, or ``"auto"``: expanded where that is short.
        """
        told = motion_text(self._traced), *impact_text(self._traced)
        laws = "".join(f"  {law}\n" for law in told)
        head = f"{self._title}\n\n{laws}\n{vectors_text(self._traced)}"
        return f"{head}\n\n{block_text(self._block(quantities, view))}"

    def latex(self, *quantities: str, view: str = "auto") -> str:
        r"""Return equations as a piece of LaTeX for a displayed formula, without dollars.

        It is one ``aligned`` of amsmath; small matrices are shown whole.

        Args:
            quantities: Which ones, by name; mass matrix, bias, energies and constraints otherwise.
            view: ``"compact"``, ``"expanded"``, or ``"auto"``: expanded where that is short.

        >>> import poinsot as ps
        >>> m, l = ps.symbols("m l")
        >>> bob = ps.Body("bob", joint=ps.Revolute("y", name="theta"), mass=m, com=(0, 0, -l))
        >>> print(ps.derive(ps.System("pendulum", [bob])).latex("kinetic_energy"))
        \begin{aligned}
        T &= \frac{m\,l^{2}\,\dot{\theta}^{2}}{2}
        \end{aligned}
        """
        return "\n".join(aligned(piece(self._block(quantities, view)), "aligned"))

    def document(self, *quantities: str, view: str = "auto") -> str:
        """Return the equations as a complete LaTeX document, with a picture and a table of symbols.

        Args:
            quantities: Which ones, by name; mass matrix, bias, energies and constraints otherwise.
            view: ``"compact"``, ``"expanded"``, or ``"auto"``: expanded where that is short.
        """
        shown = self._block(quantities, view)
        laws, values = self._laws, self.system.parameters
        return document(self._title, laws, self._traced, shown, values, self._figure)

    def markdown(self, *quantities: str, view: str = "auto") -> str:
        """Return the equations as Markdown, with mathematics between dollars.

        Args:
            quantities: Which ones, by name; mass matrix, bias, energies and constraints otherwise.
            view: ``"compact"``, ``"expanded"``, or ``"auto"``: expanded where that is short.
        """
        shown = self._block(quantities, view)
        return markdown(self._title, self._laws, self._traced, shown, self.system.parameters)

    def save(
        self, path: str | PathLike[str], quantities: str | Sequence[str] = (), *, view: str = "auto"
    ) -> None:
        """Write the equations to a file: LaTeX (.tex), Markdown (.md) or text (.txt).

        Args:
            path: The file, replaced as a whole if it exists; its ending says what it is.
            quantities: Which ones, by name; mass matrix, bias, energies and constraints otherwise.
            view: ``"compact"``, ``"expanded"``, or ``"auto"``: expanded where that is short.

        Raises:
            OSError: If the file cannot be written.
        """
        save_equations("derive", self, path, quantities, view)

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"<equations of {self.system.name!r}, method {self.method!r}>"

    def _repr_latex_(self) -> str:
        return fragment(self._block((), "auto"))

    @property
    def _laws(self) -> tuple[str, ...]:
        return motion_latex(self._traced), *impact_latex(self._traced)

    @property
    def _title(self) -> str:
        return f"Equations of motion: {self.system.name}"

    @cached_property
    def _figure(self) -> str | None:
        """A picture; None where no parameter values are found to draw it with."""
        drawable = pictured(self.system)
        if drawable is None:
            return None
        numeric, q = drawable
        shown = q if self._q_shown is None else self._q_shown
        return figure(numeric, self._traced.symbols, shown)

    def _block(self, quantities: tuple[str, ...], view: str) -> EquationBlock:
        closed = bool(self._traced.mechanism.closures)
        further = ("state_rates",) if self._traced.mechanism.states else ()
        constraints = constraint_quantities(self._traced.mechanism)
        impacts = contact_quantities(self._traced)
        names = quantities or (*WHOLE, *further, *constraints, *impacts)
        if closed:  # accelerations and multipliers are told by what they solve
            solved = "mass_matrix", "bias", *constraints
            solved = *solved, *impacts
            told = (solved if name in SOLVED else (name,) for name in names)
            names = tuple(dict.fromkeys(name for group in told for name in group))
        return block([self[name] for name in names], view, self._traced.symbols.letters)


def _names(symbols: Array) -> tuple[str, ...]:
    return tuple(str(x.value) for x in symbols)
