"""Equations of the impact of two systems as a person reads them: ``ps.derive_impact``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from typing import Any, Final

import numpy as np

from poinsot.algebra.collision_equations import CollisionMatrices, TracedCollision
from poinsot.algebra.document import document, fragment
from poinsot.algebra.equation_views import EquationBlock, block
from poinsot.algebra.formula import Formula
from poinsot.algebra.function import compiled
from poinsot.algebra.joined_notation import joined, told_apart
from poinsot.algebra.latex import aligned, piece
from poinsot.algebra.markdown import markdown
from poinsot.algebra.notation import notation
from poinsot.algebra.text import block_text, vectors_text
from poinsot.errors import ModelError
from poinsot.expr.rank import independent_rows
from poinsot.expr.staged_program import needed_stages, recorded_stages
from poinsot.front.collide import check_party
from poinsot.front.impact_over_scalars import AskedImpact, ScalarImpact, impact_at
from poinsot.front.moving_system import MovingSystem
from poinsot.front.opening_rows import opening_rows
from poinsot.front.saved_equations import save_equations
from poinsot.front.system import System
from poinsot.front.touching_systems import check_apart, check_points
from poinsot.impacts.block_diagonal import block_diagonal
from poinsot.impacts.impact_point import ImpactPoint
from poinsot.impacts.law_names import PRINTED, check_names
from poinsot.spatial import Array
from poinsot.spatial.tangents import tangents

__all__ = ["ImpactEquations", "derive_impact"]

WHERE: Final = "derive_impact"
IN_LAWS: Final = (
    "mass_matrix", "constraint_jacobian", "A", "d", "impulses", "H", "rates_before", "base_rates",
)  # fmt: skip
"""Quantities in the form of the equations."""


def derive_impact(
    first: MovingSystem, second: MovingSystem | None, points: Sequence[ImpactPoint]
) -> ImpactEquations:
    """Return the equations of the impact of two systems, by Newton's law as Zhang prints it.

        M Δv = d P,    A Δv = H = -(1 + e) u⁻,    G P = H      [Zhang1996, (3.13), (3.25)-(3.31)]

    Configurations, velocities, all parameters and restitutions stay symbols, also those that have
    numbers; points and normals stay where they are in inertial space, and bases move as they do.
    Symbols of the second system that look like others have primes (names end in a low line).

    Args:
        first: One system, or a base alone.  Its state tells, of closed systems, which rows of loops
            and constraints are independent, and nothing else.
        second: The other one; None: bodies of the first one hit each other.
        points: Where they touch, all at once.

    >>> import poinsot as ps
    >>> m, M = ps.symbols("m M")
    >>> cart = ps.System("cart", [ps.Body("cart", joint=ps.Prismatic("x", name="x"), mass=M)])
    >>> ball = ps.System("ball", [ps.Body("ball", joint=ps.Prismatic("x", name="s"), mass=m)])
    >>> hit = ps.ImpactPoint("cart", "ball", point=(0, 0, 0), normal=(1, 0, 0), restitution=1)
    >>> both = ps.MovingSystem(cart, [0.0], [1.0]), ps.MovingSystem(ball, [0.0], [0.0])
    >>> print(ps.derive_impact(*both, [hit])["G"])
    Impulse matrix:
      G[1,1] = (M + m)/(M·m)
    """
    listed = check_points(points, WHERE)
    both = [first] if second is None else [first, second]
    for party in both:
        check_party(party, WHERE)
    if second is None:
        check_apart(listed, WHERE)
    if any(point.is_many for point in listed):
        raise ModelError(f"{WHERE}: give each point and normal once, got those of many states")
    for point in listed:
        if point.law not in (None, PRINTED):
            raise ModelError(
                f"{WHERE}: point {point.name!r} has law {point.law!r}, which decides by cases and "
                "has no formula; leave it out for 'printed', and ask at(..., law=) or ps.collide"
            )
    if all(party.system is None for party in both):
        raise ModelError(f"{WHERE}: both are bases alone, which no impulse moves; give a system")
    return ImpactEquations(both, listed)


class ImpactEquations:
    """The equations of an impact; ``print`` shows them.

    Quantities are had by name, ``equations["G"]``, each with two views: ``.compact`` and
    ``.expanded``, as of ``ps.derive``: mass_matrix, A, d, base_rates, rates_before, H, G, impulses,
    changes, v_after, and constraint_jacobian of systems with loops.

    Attributes:
        points: Where they touch.
    """

    def __init__(self, both: Sequence[MovingSystem], points: tuple[ImpactPoint, ...]) -> None:
        self.points = points
        self._traced, self._values = _traced(both, points)
        self._formulas: dict[str, Formula] = {}

    @property
    def q(self) -> tuple[str, ...]:
        """Names of the coordinates in formulas, those of the first system first."""
        return _names(self._traced.symbols.q)

    @property
    def v(self) -> tuple[str, ...]:
        """Names of the velocities."""
        return _names(self._traced.symbols.v)

    @property
    def parameters(self) -> tuple[str, ...]:
        """Names of the parameters of both systems, then of the restitutions."""
        return _names(self._traced.symbols.parameters)

    def __getitem__(self, name: str) -> Formula:
        """Return a quantity by name."""
        if name not in self._formulas:
            self._formulas[name] = Formula(self._traced, name)
        return self._formulas[name]

    def at(
        self, q: Sequence[Any], v: Sequence[Any], parameters: Mapping[str, Any] | None = None,
        *, law: str = PRINTED, order: str = "simultaneous",
    ) -> ScalarImpact:  # fmt: skip
        """Return the impact at any scalars: by fractions exactly, by complex numbers, by formulas.

        Fractions, complex numbers (for derivatives by a complex step), numbers of mpmath and SymPy,
        and, by the printed law without friction, symbols of SymPy and of ``ps.symbols``, for traced
        functions.  Of closed systems q must obey the constraints, which is not checked, and real
        parts decide which rows are independent; so they decide, by all other laws, what pushes,
        sticks and slips.  Slip that turns in space has a direction after it without exact value:
        fractions are refused; where it is followed along the impulse, all but floats are.

        Args:
            q: Of both systems, as in ``equations.q``.
            v: Velocities before it, likewise.
            parameters: Values by name, as in ``equations.parameters``, restitutions and friction
                too, of those whose own number is not to be taken.
            law: As of ``ps.collide``: "printed", "unilateral", "poisson" or "stronge".
            order: "simultaneous" or "sequential".

        Raises:
            ModelError: If a point opens and the law is "printed", or impulses are not unique; of
                formulas nobody knows.  If rows of loops and constraints hold symbols.
            PoinsotError: If fractions have no exact result, as of a sine.

        >>> from fractions import Fraction
        >>> import poinsot as ps
        >>> balls = [ps.System(x, [ps.Body(x, joint=ps.Prismatic("x"), mass=3)]) for x in "ab"]
        >>> hit = ps.ImpactPoint("a", "b", point=(0, 0, 0), normal=(1, 0, 0), restitution=0)
        >>> both = [ps.MovingSystem(ball, [0], [0]) for ball in balls]
        >>> ps.derive_impact(*both, [hit]).at([0, 0], [Fraction(1, 3), 0]).v.tolist()
        [Fraction(1, 6), Fraction(1, 6)]
        """
        check_names(WHERE, law, order)
        asked = AskedImpact(q, v, parameters or {}, self._values, law, order)
        return impact_at(self._traced, self.points, asked)

    def text(self, *quantities: str, view: str = "auto") -> str:
        """Return the equations as text with Unicode.

        Args:
            quantities: Which ones, by name; what has a formula otherwise.
            view: ``"compact"``, ``"expanded"``, or ``"auto"``: expanded where that is short.
        """
        M, J, A, d, P, H, u, b = (self._traced.shown(name).letter for name in IN_LAWS)
        held = f" + {J}(q)ᵀ·R,    {J}(q)·Δv = 0" if self._traced.is_closed else ""
        rates, law = f"{u} = {A}(q)·v + {b}", f"{A}(q)·Δv = {H} = -(1 + e)·{u}"
        laws = f"  {M}(q)·Δv = {d}(q)·{P}{held},    {d} = {A}ᵀ\n  {law},    {rates}\n"
        whole = f"{self._title}\n\n{laws}\n{vectors_text(self._traced)}"
        return f"{whole}\n\n{block_text(self._block(quantities, view))}"

    def latex(self, *quantities: str, view: str = "auto") -> str:
        """Return equations as a piece of LaTeX for a displayed formula, without dollars.

        Args:
            quantities: Which ones, by name; what has a formula otherwise.
            view: ``"compact"``, ``"expanded"``, or ``"auto"``: expanded where that is short.
        """
        return "\n".join(aligned(piece(self._block(quantities, view)), "aligned"))

    def markdown(self, *quantities: str, view: str = "auto") -> str:
        """Return the equations as Markdown, with mathematics between dollars.

        Args:
            quantities: Which ones, by name; what has a formula otherwise.
            view: ``"compact"``, ``"expanded"``, or ``"auto"``: expanded where that is short.
        """
        shown = self._block(quantities, view)
        return markdown(self._title, self._laws, self._traced, shown, self._values)

    def document(self, *quantities: str, view: str = "auto") -> str:
        """Return the equations as a complete LaTeX document, with a table of symbols.

        Args:
            quantities: Which ones, by name; what has a formula otherwise.
            view: ``"compact"``, ``"expanded"``, or ``"auto"``: expanded where that is short.
        """
        shown = self._block(quantities, view)
        return document(self._title, self._laws, self._traced, shown, self._values)

    def save(
        self, path: str | PathLike[str], quantities: str | Sequence[str] = (), *, view: str = "auto"
    ) -> None:
        """Write the equations to a file: LaTeX (.tex), Markdown (.md) or text (.txt).

        Args:
            path: The file, replaced as a whole if it exists; its ending says what it is.
            quantities: Which ones, by name; what has a formula otherwise.
            view: ``"compact"``, ``"expanded"``, or ``"auto"``: expanded where that is short.

        Raises:
            OSError: If the file cannot be written.
        """
        save_equations(WHERE, self, path, quantities, view)

    def function(self, quantity: str) -> Callable[..., Any]:
        """Return a quantity as a function of arrays: machine code of these very expressions.

        Its arguments are q and v, as far as the quantity depends on them, and the values of all
        parameters, in the order of ``parameters``; they have shapes (..., size) and broadcast.
        Nothing is refused: points that open are turned round, and where impulses are not unique
        they are no numbers.

        Args:
            quantity: Which one, by name.

        >>> import poinsot as ps
        >>> balls = [ps.System(x, [ps.Body(x, joint=ps.Prismatic("x"), mass=3)]) for x in "ab"]
        >>> hit = ps.ImpactPoint("a", "b", point=(0, 0, 0), normal=(1, 0, 0), restitution=1)
        >>> both = [ps.MovingSystem(ball, [0], [0]) for ball in balls]
        >>> after = ps.derive_impact(*both, [hit]).function("v_after")
        >>> after([0.0, 0.0], [2.0, 0.0], [1.0])
        array([0., 2.])
        """
        return compiled(self._traced, quantity)

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"<equations of the impact of {self._traced.whose}>"

    def _repr_latex_(self) -> str:
        return fragment(self._block((), "auto"))

    @property
    def _laws(self) -> list[str]:
        """The form of the equations, in LaTeX."""
        M, J, A, d, P, H, u, b = (self._traced.shown(name).latex for name in IN_LAWS)
        held = rf" + {J}(q)^{{T}}\,R, \qquad {J}(q)\,\Delta v = 0" if self._traced.is_closed else ""
        return [
            rf"{M}(q)\,\Delta v = {d}(q)\,{P}{held}, \qquad {d} = {A}^{{T}}",
            rf"{A}(q)\,\Delta v = {H} = -(1 + e)\,{u}, \qquad {u} = {A}(q)\,v + {b}",
        ]

    @property
    def _title(self) -> str:
        return f"Equations of impact: {self._traced.whose}"

    def _block(self, quantities: tuple[str, ...], view: str) -> EquationBlock:
        names = quantities or self._traced.names
        return block([self[name] for name in names], view, self._traced.symbols.letters)


def _traced(
    both: Sequence[MovingSystem], points: tuple[ImpactPoint, ...]
) -> tuple[TracedCollision, dict[str, float | None]]:
    """Return the matrices over symbols, and numbers of parameters by the names of their symbols."""
    free = [None if x.system is None else _free(x.system) for x in both]
    systems = [system for system in free if system is not None]
    apart = told_apart([notation(system.mechanism) for system in systems])
    friction = {k: f"friction of {point.name}" for k, point in enumerate(points) if point.friction}
    symbols, e, mu = joined(apart, [f"restitution of {point.name}" for point in points], friction)
    apart_symbols, masses, held, rows = iter(apart), list[Array](), list[Array](), list[Array]()
    values: dict[str, float | None] = {
        str(x.value): p.restitution for x, p in zip(e, points, strict=True)
    }
    values |= {str(mu[k].value): points[k].friction for k in friction}
    crossing = 3 if friction else 1
    directions = np.array([[p.normal, *tangents(p.normal)][:crossing] for p in points])
    b = np.zeros(directions.shape[:2])
    with recorded_stages() as stages:
        for sign, party, system in zip((-1.0, 1.0), both, free, strict=False):
            bodies = [[x.first for x in points], [x.second for x in points]]
            bodies = bodies if len(both) == 1 else [bodies[sign > 0.0]]
            for name in (name for side in bodies for name in side):
                party.check_body(name)
            places = (np.array([x.point for x in points]) - party.base.p) @ party.base.R
            places = np.repeat(places, crossing, axis=0)
            axes = directions.reshape(-1, 3) @ party.base.R
            if len(both) == 2:  # else both bodies move with it
                V = party.base.velocity
                own = axes @ V[:3] + np.cross(places, axes) @ V[3:]
                b = b + sign * own.reshape(b.shape)
            if system is None:
                continue
            names = next(apart_symbols)
            q, given = names.q, dict(zip(system.free, names.parameters, strict=False))
            values |= {str(x.value): system.parameters[name] for name, x in given.items()}
            if party.parameters is not None:
                own_numbers = party.parameters.items()
                values |= {str(given[name].value): float(x) for name, x in own_numbers}
            every = [[name for name in side for _ in range(crossing)] for side in bodies]
            seen = [opening_rows(system, q, x, places, axes, given) for x in every]
            rows.append(seen[1] - seen[0] if len(both) == 1 else sign * seen[0])
            masses.append(system.mass_matrix(q, parameters=given))
            held.append(np.zeros((0, system.nv)))
            if system.row_names:
                held[-1] = system.constraint_jacobian(q, parameters=given)
    D, M, J = np.hstack(rows), block_diagonal(masses), block_diagonal(held)
    if any(needed_stages(np.asarray(x), stages) for x in (D, M, J)):
        raise ModelError(f"{WHERE}: the systems are too large, they are computed by loops")
    D = D.reshape(len(points), crossing, -1)
    across, slip = D[:, 1:], b[:, 1:]
    if not friction:
        across, slip = np.zeros((len(points), 2, D.shape[2])), np.zeros((len(points), 2))
    whole = TracedCollision(
        " and ".join(system.name for system in systems), symbols,
        all(system.nq == system.nv for system in systems),
        bool(friction), CollisionMatrices(M, J, D[:, 0], b[:, 0], e, across, slip, mu),
        _independent(both),
    )  # fmt: skip
    return whole, values


def _independent(both: Sequence[MovingSystem]) -> tuple[int, ...] | None:
    """Return the independent rows of loops and constraints at the states given; None: unknown."""
    for party in both:
        numbers = {} if party.system is None else party.system.parameters
        if party.parameters is None and None in numbers.values():
            return None
    J = block_diagonal([party.constraint_rows() for party in both])
    return tuple(independent_rows(J).tolist()) if len(J) else ()


def _free(system: System) -> System:
    """Return a system all of whose parameters are free."""
    return System.from_mechanism(system.description.with_free(system.parameters))


def _names(symbols: Array) -> tuple[str, ...]:
    return tuple(str(x.value) for x in symbols)
