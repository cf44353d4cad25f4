"""Planar quantities over numbers that are no floats: complex, mpmath's, SymPy's, fractions.

The program of a quantity, traced once, is run on these numbers.  Floats of their real parts go
before it: they tell whether the mechanism can be assembled there, and which assembly is meant.
Groups without closed form start from the poses of these floats; Newton's method, in the arithmetic
of the numbers, goes on until their digits are exhausted.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from numbers import Complex
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from poinsot.errors import AssemblyError, ModelError
from poinsot.evaluate.planar_kernel import PlanarKernel
from poinsot.evaluate.sympy_floats import Named, are_numbers, in_sympy_floats
from poinsot.expr import Expr
from poinsot.expr.any_scalar import as_scalars, is_mpmath, is_symbolic, kind_of, replay_over
from poinsot.formulations.composable.coulomb import rubbing_joints
from poinsot.formulations.composable.nearby_positions import followed_links
from poinsot.formulations.composable.quantities import WITH_FRICTION, inputs_of, result_shapes
from poinsot.model.planar.dimensions import (
    dimension_names,
    dimension_size,
    dimension_value,
    held_by_pair,
)
from poinsot.model.planar.linkage import PlanarLinkage

Scalars = NDArray[Any]
"""An array of any scalars."""
OfFloats = Callable[..., Mapping[str, Scalars]]
"""Returns a quantity by its name, given, loads, dimensions and poses nearby, in floats."""
ROUNDS: Final = 12
"""Most Newton programs, each of which has several steps, before the digits are exhausted."""

SETTLED: Final = 1e-9
"""Largest difference from floats of friction forces of complex numbers, by their size."""


def foreign_kind(arrays: Sequence[Scalars], where: str) -> type | None:
    """Return the kind of scalars that are neither floats nor expressions; None where all are.

    Raises:
        ModelError: Numbers that nothing is known of, or such among expressions.
    """
    entries = [
        x for array in arrays if array.dtype.kind in "Oc"
        for x in array.ravel().tolist() if type(x) not in (float, int)
    ]  # fmt: skip
    for x in entries:
        if not isinstance(x, Expr | Complex) and not is_mpmath(x) and not hasattr(x, "subs"):
            raise ModelError(
                f"{where}: {x!r} is of type {type(x).__name__}; numbers are floats, complex, those"
                " of fractions, mpmath and SymPy, or expressions of ps.symbols"
            )
    if any(isinstance(x, Fraction) for x in entries) and kind_of(entries) in (float, Fraction):
        return Fraction
    kind = kind_of([*entries, *(array.dtype.type() for array in arrays if array.dtype.kind == "c")])
    if kind is not Expr:
        return None if kind is float else kind
    for x in entries:
        if not isinstance(x, Expr) and kind_of([x]) is not float:
            raise ModelError(
                f"{where}: {x!r} of type {type(x).__name__} stands among expressions, which have"
                " floats only; take symbols of ps.symbols, or numbers of one kind, for all"
            )
    return None


def refuse_foreign(array: Scalars, where: str) -> Scalars:
    """Return an array, rejecting numbers that would be rounded to floats."""
    if array.dtype != np.float64 and foreign_kind([array], where) is not None:
        raise ModelError(
            f"{where} must be floats, got {array.ravel().tolist()[0]!r}; numbers of other kinds are"
            " for positions, velocities, accelerations, forces and reactions"
        )
    return array


@dataclass(frozen=True)
class PlanarScalars:
    """Quantities of one linkage in one assembly over numbers of any kind.

    Attributes:
        linkage: The linkage.
        modes: Its assembly.
        of_floats: What answers in floats.
        posed: Whether it has groups without closed form.
    """

    linkage: PlanarLinkage
    modes: Mapping[str, int]
    of_floats: OfFloats
    posed: bool
    _kernels: dict[tuple[object, ...], PlanarKernel] = field(default_factory=dict)

    def __call__(
        self, quantity: str, kind: type, given: Mapping[str, Scalars],
        loads: Mapping[str, Scalars], dimensions: Mapping[str, Scalars],
        near: Mapping[str, Scalars] | None,
    ) -> dict[str, Scalars]:  # fmt: skip
        """Return the results of a quantity by name; arguments as of ``PlanarEvaluator``."""
        if kind is object and self.posed and are_numbers((given, loads, dimensions)):

            def over_mpmath(kind: type, given: Named, loads: Named, sizes: Named) -> Named:
                return self(quantity, kind, given, loads, sizes, near)

            return in_sympy_floats(over_mpmath, given, loads, dimensions)
        self._check(quantity, kind)
        names = ("q", *inputs_of(self.linkage, quantity))
        needed = {name: given[name] for name in names}
        sizes = {name: dimension_size(self.linkage, name) for name in dimensions}
        rows = [*needed.values(), *loads.values()]
        rows += [x if sizes[name] else x[..., None] for name, x in dimensions.items()]
        lead = np.broadcast_shapes(*(x.shape[:-1] for x in (*rows, *(near or {}).values())))
        shapes = result_shapes(self.linkage, quantity)
        size = sum(math.prod(shape) for shape in shapes.values())
        fits, poses = np.ones(lead, bool), dict[str, Scalars]()
        known: Mapping[str, Scalars] | None = None
        if not any(is_symbolic(x) for array in rows for x in array.ravel().tolist()):
            floats = [_real_parts(values) for values in (needed, loads, dimensions)]
            nearby = None if near is None else _real_parts(near)
            known = self.of_floats(quantity, *floats, nearby)
            for name, shape in shapes.items():
                fits &= ~np.isnan(known[name]).any(axis=tuple(range(-len(shape), 0)))
            if self.posed:
                poses = dict(self.of_floats("positions", floats[0], {}, floats[2], nearby))
        wide = [_states(x, lead) for x in rows]
        starts = {name: _states(x, lead) for name, x in poses.items()}
        further = tuple(loads), tuple(dimensions)
        results = []
        for k, is_fit in enumerate(fits.ravel().tolist()):
            inputs = [as_scalars(kind, x[k].tolist()) for x in wide]
            start = {name: pose[k] for name, pose in starts.items()}
            results.append(
                self._at(quantity, kind, inputs, start, further)
                if is_fit
                else as_scalars(kind if kind is not Fraction else float, [math.nan] * size)
            )
        named = _by_name(kind, results, shapes, lead)
        if known is not None and self._rubs(quantity):
            _check_friction(quantity, named, known)
        return named

    def _check(self, quantity: str, kind: type) -> None:
        """Reject what has no answer in numbers of this kind."""
        if self._rubs(quantity) and kind is not complex:
            raise ModelError(
                f"{quantity}: Coulomb friction is solved by Newton's method, to the digits of"
                " floats; give floats or complex numbers, or leave friction out"
            )
        if self.posed and kind in (object, Fraction):
            raise ModelError(
                f"{quantity}: links {list(followed_links(self.linkage))} have no closed form, so"
                " that there is no formula of fractions or SymPy's symbols; give complex numbers,"
                " mpmath's or SymPy's, or symbols of ps.symbols with near=, poses nearby"
            )

    def _rubs(self, quantity: str) -> bool:
        return quantity in WITH_FRICTION and bool(rubbing_joints(self.linkage))

    def _at(
        self, quantity: str, kind: type, inputs: list[Scalars], near: Mapping[str, Scalars],
        names: tuple[tuple[str, ...], tuple[str, ...]],
    ) -> Scalars:  # fmt: skip
        """Return the results at one state in a row; names are of loads and varied dimensions."""
        loaded, varied = names
        own = _own_dimensions(self.linkage, varied) if kind is not complex else ()
        values = [np.ravel(dimension_value(self.linkage, name)) for name in own]
        inputs = [*inputs, *(as_scalars(kind, x.tolist()) for x in values)]
        if self.posed:
            count = len(inputs) - len(varied) - len(own)
            values = inputs[count:]
            if self.linkage.is_timed:
                values = [inputs[len(inputs_of(self.linkage, quantity))], *values]
            poses = self._corrected(kind, inputs[0], values, near, (*varied, *own))
            inputs = [poses, *inputs[1:]]
            if quantity == "positions":
                return np.concatenate([poses, as_scalars(kind, [0.0] * 3)])
        kernel = self._kernel(quantity, loaded, (*varied, *own))
        return np.asarray(replay_over(kind, kernel.traced, *inputs)[0]).ravel()

    def _corrected(
        self, kind: type, q: Scalars, further: list[Scalars], near: Mapping[str, Scalars],
        varied: tuple[str, ...],
    ) -> Scalars:  # fmt: skip
        """Return the poses of all links in a row, by Newton's method from those nearby.

        ``further`` are the time, where it matters, and dimensions.
        """
        key = "followed", varied
        if key not in self._kernels:
            self._kernels[key] = PlanarKernel(
                self.linkage, self.modes, "positions", (), varied, followed=True
            )
        links = {name: 3 * i for i, name in enumerate(self.linkage.links)}
        poses = as_scalars(kind, np.concatenate([near[name] for name in links]).tolist())
        followed = [slice(links[name], links[name] + 3) for name in followed_links(self.linkage)]
        last = np.inf
        for _ in range(ROUNDS):
            row = np.concatenate([poses[places] for places in followed])
            results = replay_over(kind, self._kernels[key].traced, q, row, *further)[0]
            moved = max(abs(x - y) for x, y in zip(results, poses, strict=False))
            poses = np.ravel(results)[: len(poses)]
            if moved == 0 or moved >= last:
                return poses
            last = moved
        raise AssemblyError(
            f"links {list(followed_links(self.linkage))}: Newton's method does not end at"
            f" q = {q.tolist()}; a dead point is near: go away from it"
        )

    def _kernel(
        self, quantity: str, loaded: tuple[str, ...], varied: tuple[str, ...]
    ) -> PlanarKernel:
        key = quantity, loaded, varied
        if key not in self._kernels:
            self._kernels[key] = PlanarKernel(
                self.linkage, self.modes, quantity, loaded, varied, posed=self.posed
            )
        return self._kernels[key]


def _own_dimensions(linkage: PlanarLinkage, varied: tuple[str, ...]) -> tuple[str, ...]:
    """Return dimensions that are not zero: what floats make of them would be rounded.

    Places of gears and cams, from which their shapes have been made, stay what they are.
    """
    return tuple(
        name for name in dimension_names(linkage)
        if name not in varied and np.any(dimension_value(linkage, name))
        and not held_by_pair(linkage, name)
    )  # fmt: skip


def _check_friction(
    quantity: str, named: Mapping[str, Scalars], known: Mapping[str, Scalars]
) -> None:
    """Reject results that Newton's fixed number of steps has not brought to those of floats."""
    for name, array in named.items():
        size = np.max(np.abs(known[name]), initial=0.0)
        if np.any(np.abs(array.real - known[name]) > SETTLED * size):
            raise ModelError(
                f"{quantity}: friction ({name}) is not settled after a few of Newton's steps, as"
                " complex numbers take; give floats, or make mu smaller"
            )


def _real_parts(values: Mapping[str, Scalars]) -> dict[str, Scalars]:
    """Return arrays of the floats next to the real parts of scalars."""
    return {
        name: np.reshape([_real(x) for x in array.ravel().tolist()], array.shape).astype(float)
        for name, array in values.items()
    }


def _real(x: Any) -> float:  # noqa: ANN401 (any scalar)
    return float(x.real if isinstance(x, Complex) else x)


def _states(array: Scalars, lead: tuple[int, ...]) -> Scalars:
    """Return one row for each state."""
    return np.broadcast_to(array, (*lead, array.shape[-1])).reshape(-1, array.shape[-1])


def _by_name(
    kind: type, rows: list[Scalars], shapes: Mapping[str, tuple[int, ...]], lead: tuple[int, ...]
) -> dict[str, Scalars]:
    """Return rows of results as arrays by name, complex ones as NumPy's."""
    size = sum(math.prod(shape) for shape in shapes.values())
    whole = np.array(rows, complex if kind is complex else object).reshape(len(rows), size)
    named, start = {}, 0
    for name, shape in shapes.items():
        stop = start + math.prod(shape)
        named[name] = whole[:, start:stop].reshape(*lead, *shape)
        start = stop
    return named
