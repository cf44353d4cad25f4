"""Planar linkages: which algorithm answers, machine code or floats, and what is wrong with a state.

States that machine code is not sure of (``planar_kernel.py``) are left to the same formulas on
floats, which decide, and raise errors that name links and coordinates.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poinsot.errors import (
    AssemblyError,
    ModelError,
    ModelWarning,
    ShapeError,
    SingularUnitError,
)
from poinsot.evaluate.native import NativeMethod
from poinsot.evaluate.planar_following import PlanarFollower
from poinsot.evaluate.planar_kernel import PlanarKernel
from poinsot.evaluate.planar_numbering import numbering_note
from poinsot.evaluate.planar_over_scalars import PlanarScalars, foreign_kind
from poinsot.expr import as_expr, select, sqrt
from poinsot.formulations.composable.clock_motion import clock_motion
from poinsot.formulations.composable.coulomb import rubbing_joints
from poinsot.formulations.composable.nearby_positions import linkage_size, nearby_positions
from poinsot.formulations.composable.positions import assemblies, has_closed_forms, positions
from poinsot.formulations.composable.quantities import (
    QUANTITIES,
    WITH_FRICTION,
    PlanarState,
    computed,
    inputs_of,
)
from poinsot.kernels.llvm.entry import Guarded, fits
from poinsot.model.checks import real_array
from poinsot.model.name_suggestion import suggestion
from poinsot.model.planar.dimensions import OF_JOINTS, dimension_size, with_dimensions
from poinsot.model.planar.linkage import PlanarLinkage
from poinsot.model.planar.shown_coordinate import shown_coordinates
from poinsot.spatial import Array

FEW: Final = 64
"""States after which machine code has paid for its making: until then floats do."""
TRIED: Final = 500
"""Units that are placed in search of another assembly, for the message of an error."""


class PlanarEvaluator:
    """Quantities of one linkage in one assembly, each compiled when it is first asked for."""

    def __init__(self, linkage: PlanarLinkage, modes: Mapping[str, int]) -> None:
        self._linkage = linkage
        self._modes = modes
        self._kernels: dict[tuple[object, ...], PlanarKernel] = {}
        self._ready: dict[str, tuple[PlanarKernel, tuple[str, ...]]] = {}
        self._last: tuple[Array, dict[str, Array]] | None = None

    def __call__(
        self,
        quantity: str,
        given: Mapping[str, Array],
        loads: Mapping[str, ArrayLike] | None = None,
        dimensions: Mapping[str, ArrayLike] | None = None,
        near: Mapping[str, Array] | None = None,
    ) -> dict[str, Array]:
        """Return the results of a quantity by name, shapes (..., k).

        Args:
            quantity: A name of ``QUANTITIES``.
            given: Arrays (..., nq) of floats or expressions; the time (..., 1) where it matters.
            loads: [Fx, Fy, M] by link.
            dimensions: Values of dimensions by name, "B.pa" or "rod.m", of many variants, shapes
                (..., 2) or (...), which broadcast with states.  States that cannot be assembled
                then give NaN.
            near: Poses of links nearby, (..., 3), from which groups without closed form are found.
        """
        if not loads and not dimensions and not near and quantity in self._ready:
            kernel, names = self._ready[quantity]
            inputs = [given[name] for name in names]
            lead = inputs[0].shape[:-1]
            if all(x.shape[:-1] == lead and x.dtype == np.float64 for x in inputs):
                return self._by_machine_code(kernel, inputs, lead)
        loaded = {name: _load(name, load) for name, load in (loads or {}).items()}
        varied = _by_name(dimensions)
        others = {
            k: x if isinstance(x, np.ndarray) else np.array(x, object) for k, x in varied.items()
        }
        kind = foreign_kind((*given.values(), *loaded.values(), *others.values()), quantity)
        if near is not None and not self._posed:
            raise ModelError(
                "near: positions of this mechanism are formulas of the drivers' coordinates; choose"
                " the assembly by with_modes"
            )
        self._refuse_ports()
        if kind is not None:
            return self._over_scalars(quantity, kind, given, loaded, others, near)
        symbolic = any(x.dtype == object for x in (*given.values(), *loaded.values()))
        if self._is_led and not symbolic and not varied:
            return self._moved_by_time(quantity, given, loaded, near)
        if not self._linkage.drivers or symbolic:
            return self._on_expressions(quantity, PlanarState(
                with_dimensions(self._linkage, varied), self._modes, given, loaded
            ), near)  # fmt: skip
        posed = self._posed
        inputs = [given[name] for name in ("q", *inputs_of(self._linkage, quantity))]
        inputs += [np.asarray(load, float) for load in loaded.values()]
        inputs += self._values(varied)
        if posed:
            sized = dict(zip(varied, inputs[len(inputs) - len(varied) :], strict=True))
            poses = self._numerical_positions(self._with_time(given), near, sized)
            if quantity == "positions":
                lead = np.broadcast_shapes(*(x.shape[:-1] for x in (*inputs, *poses.values())))
                return {name: np.broadcast_to(x, (*lead, 3)).copy() for name, x in poses.items()}
            inputs[0] = np.concatenate([poses[name] for name in self._linkage.links], axis=-1)
        kernel = self._kernel(quantity, tuple(loaded), tuple(varied), posed=posed)
        shapes = {array.shape[:-1] for array in inputs}
        lead = shapes.pop() if len(shapes) == 1 else _common(shapes)
        count = math.prod(lead)
        if kernel.is_tested and kernel.seen < FEW and count:
            # What holds for all states, such as angles in loops of slides, only floats look at.
            first = self._try(kernel, [x.reshape(-1, x.shape[-1])[0] for x in inputs])
            if not lead:
                kernel.seen += 1
                return first
        kernel.seen += count
        # Whether friction locks a joint is decided by numbers; variants that lock are NaN.
        if (kernel.is_tested and kernel.seen < FEW) or (self._rubs(quantity) and not varied):
            wide = [np.broadcast_to(x, (*lead, x.shape[-1])) for x in inputs]
            return self._by_floats(kernel, wide)
        if not loaded and not varied and not posed:
            self._ready[quantity] = kernel, ("q", *inputs_of(self._linkage, quantity))
        return self._by_machine_code(kernel, inputs, lead)

    @cached_property
    def _is_led(self) -> bool:
        """Whether time alone moves a linkage whose groups are followed."""
        return self._linkage.is_timed and not self._linkage.drivers and self._posed

    def _moved_by_time(
        self, quantity: str, given: Mapping[str, Array], loaded: Mapping[str, Array],
        near: Mapping[str, Array] | None,
    ) -> dict[str, Array]:  # fmt: skip
        """Return a quantity of a linkage without drivers, followed in time by floats."""
        poses = self._numerical_positions(self._with_time(given), near, {})
        if quantity == "positions":
            return poses
        poses |= clock_motion(self._linkage, given.get("t")).poses
        state = PlanarState(self._linkage, self._modes, given, loaded, poses)
        return computed(quantity, state).results

    def _with_time(self, given: Mapping[str, Array]) -> Array:
        """Return what groups without closed form follow: q, and the time where it matters."""
        if not self._linkage.is_timed:
            return given["q"]
        q, t = given["q"], given["t"]
        lead = np.broadcast_shapes(q.shape[:-1], t.shape[:-1])
        both = (np.broadcast_to(x, (*lead, x.shape[-1])) for x in (q, t))
        return np.concatenate(list(both), axis=-1)

    def _refuse_ports(self) -> None:
        ports = self._linkage.open_ports
        if ports:
            raise ModelError(
                f"the mechanism has free ports {list(ports)}; make it a part of a"
                ' larger one: ps.planar(..., parts={"name": {"mechanism": ..., "ports": ...}}), or'
                " give the motion of its ports: mechanism.alone()"
            )

    def _values(self, varied: Mapping[str, ArrayLike]) -> list[Array]:
        """Return values of dimensions as arrays (..., size)."""
        values = []
        for name, value in varied.items():
            size = dimension_size(self._linkage, name)
            array = real_array(value, f"dimensions: {name!r}")
            if size and array.shape[-1:] != (size,):
                raise ShapeError(
                    f"dimensions: {name!r} must have the shape (..., {size}), got {array.shape}"
                )
            values.append(array if size else array[..., None])
        return values

    def native(self, quantity: str, method: Callable[..., Any]) -> NativeMethod | None:
        """Return a method as machine code; None as long as, or where, floats may have to answer.

        Args:
            quantity: Its name.
            method: Answers what machine code does not, doubtful states among them.
        """
        needs = QUANTITIES[quantity].needs
        if quantity not in self._ready or inputs_of(self._linkage, quantity) != needs:
            return None
        kernel = self._ready[quantity][0]
        guarded = Guarded(kernel.shapes if kernel.in_columns else None)
        if not fits(kernel.code, guarded=guarded):
            return None
        return NativeMethod(quantity, kernel.code, method, {}, {}, guarded)

    def operations(self, quantity: str) -> int:
        """Return the operations of a quantity's program without loads.

        Of linkages with numerical groups from the poses on.
        """
        if quantity not in QUANTITIES:
            raise ModelError(
                f"operations: there is no {quantity!r}; {suggestion(quantity, QUANTITIES)}"
            )
        return self._kernel(quantity, (), (), posed=self._posed).operations

    def _by_machine_code(
        self, kernel: PlanarKernel, inputs: Sequence[Array], lead: tuple[int, ...]
    ) -> dict[str, Array]:
        results, doubtful = kernel.run(inputs, lead)
        if doubtful is not None:
            self._settle(kernel, inputs, results, doubtful)
        return results

    def _on_expressions(
        self, quantity: str, state: PlanarState, near: Mapping[str, Array] | None
    ) -> dict[str, Array]:
        """Return a quantity of expressions; NaN where no assembly is found nearby."""
        if near is None or not self._posed:
            return computed(quantity, state).results
        size = linkage_size(self._linkage)
        clock, q = clock_motion(self._linkage, state.given.get("t")), state.given["q"]
        nearby = nearby_positions(state.linkage, q, self._modes, near, size, clock.poses)
        results = computed(quantity, state._replace(poses=nearby.poses)).results
        # The root makes results NaN where no assembly is found.
        factor = select(as_expr(nearby.margin) >= 0.0, 1.0, sqrt(nearby.margin))
        return {name: array * factor for name, array in results.items()}

    def _numerical_positions(
        self, q: Array, near: Mapping[str, Array] | None, dimensions: Mapping[str, Array]
    ) -> dict[str, Array]:
        """Return the poses of a linkage with triads or other groups, q with the time behind it.

        Those of the last states are kept: quantities along a turn share them.
        """
        _check_finite(q)
        moved = {name: x for name, x in dimensions.items() if name.rpartition(".")[2] in OF_JOINTS}
        if moved:
            known = self._numerical_positions(q, near, {})
            return self._follower.grown(q, known, moved)
        if near is not None:
            return self._follower.near(q, near)
        if self._last is None or not np.array_equal(self._last[0], q):
            self._last = q.copy(), self._solved_positions(q)
        return dict(self._last[1])

    def _solved_positions(self, q: Array) -> dict[str, Array]:
        if self._linkage.drawn is not None:
            return self._follower.from_drawing(q)
        rows = q.reshape(-1, q.shape[-1])
        nq = len(self._linkage.drivers)
        states = [
            positions(self._linkage, x[:nq], self._modes, clock_motion(self._linkage, x[nq:]).poses)
            for x in rows
        ]
        names = (self._linkage.frame, *self._linkage.links)
        poses = {name: np.array([state[name] for state in states]) for name in names}
        if len(rows) > 1:
            note = numbering_note(self._linkage, self._follower, rows, poses)
            if note:
                warnings.warn(note, ModelWarning, stacklevel=6)
        return {name: pose.reshape(*q.shape[:-1], 3) for name, pose in poses.items()}

    def _rubs(self, quantity: str) -> bool:
        return quantity in WITH_FRICTION and bool(rubbing_joints(self._linkage))

    @cached_property
    def _over_scalars(self) -> PlanarScalars:
        return PlanarScalars(self._linkage, self._modes, self, posed=self._posed)

    @cached_property
    def _follower(self) -> PlanarFollower:
        return PlanarFollower(self._linkage, self._modes)

    @cached_property
    def _posed(self) -> bool:
        return not has_closed_forms(self._linkage)

    def _kernel(
        self, quantity: str, loaded: tuple[str, ...], varied: tuple[str, ...], *, posed: bool
    ) -> PlanarKernel:
        key = quantity, loaded, varied, posed
        if key not in self._kernels:
            self._kernels[key] = PlanarKernel(
                self._linkage, self._modes, quantity, loaded, varied, posed=posed
            )
        return self._kernels[key]

    def _settle(
        self,
        kernel: PlanarKernel,
        inputs: Sequence[Array],
        results: dict[str, Array],
        doubtful: NDArray[np.bool_],
    ) -> None:
        """Compute states that machine code is not sure of by floats; of variants they are NaN."""
        lead = doubtful.shape
        which = np.nonzero(doubtful) if lead else ...
        if kernel.varied:
            for name, array in results.items():
                if name != self._linkage.frame:
                    array[which] = np.nan
            return
        states = [np.broadcast_to(x, (*lead, x.shape[-1]))[which] for x in inputs]
        settled = self._by_floats(kernel, states)
        for name, array in results.items():
            array[which] = settled[name]

    def _by_floats(self, kernel: PlanarKernel, states: Sequence[Array]) -> dict[str, Array]:
        """Compute states by floats; the first that fails is named."""
        if not kernel.posed:
            _check_finite(states[0])
        try:
            return kernel.on_floats(states)
        except (AssemblyError, SingularUnitError):
            for rows in zip(*(x.reshape(-1, x.shape[-1]) for x in states), strict=True):
                self._try(kernel, rows)
            raise

    def _try(self, kernel: PlanarKernel, rows: Sequence[Array]) -> dict[str, Array]:
        """Compute one state by floats; errors tell the drivers' coordinates and other modes."""
        if not kernel.posed:
            _check_finite(rows[0])
        try:
            return kernel.on_floats(rows)
        except (AssemblyError, SingularUnitError) as error:
            if kernel.posed:
                raise
            text = f"{error} (at {shown_coordinates(self._linkage, rows[0].tolist())})"
            if isinstance(error, AssemblyError):
                other = None
                if not self._linkage.is_timed:
                    other = next(assemblies(self._linkage, rows[0], most=TRIED), None)
                text += f"; it can be assembled there with modes={other}" if other else ""
            raise type(error)(text) from None


def _check_finite(q: Array) -> None:
    """Reject coordinates that are no numbers: nothing can be assembled there."""
    wrong = ~np.isfinite(q).all(axis=-1)
    if np.any(wrong):
        raise ModelError(f"q must be finite, got {q[wrong][0].tolist()}")


def _by_name(dimensions: Mapping[str, ArrayLike] | None) -> dict[str, ArrayLike]:
    """Return dimensions by name, rejecting what is no mapping."""
    if not isinstance(dimensions or {}, Mapping):
        raise ModelError(
            f'dimensions must be values by name, {{"B.pa": (0.1, 0)}}, got {dimensions!r}'
        )
    return dict(dimensions or {})


def _load(name: str, load: ArrayLike) -> Array:
    """Return a load as an array of floats or expressions."""
    array = np.asarray(load)
    return array if array.dtype.kind in "Oc" else real_array(load, f"loads: the load on {name!r}")


def _common(shapes: Collection[tuple[int, ...]]) -> tuple[int, ...]:
    """Return the leading shape of states, loads and variants together."""
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError:
        raise ShapeError(
            f"shapes {sorted(shapes)} of states, loads and dimensions do not go together; give"
            " axes of length 1 where others have many, (variants, 1, 2) to states (n, 1)"
        ) from None
