"""How planar mechanisms compute: quantities of links, joints and drivers by their names."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError, ShapeError
from poinsot.evaluate.native import NativeMethod
from poinsot.evaluate.planar_following import checked_near
from poinsot.evaluate.planar_kernels import PlanarEvaluator
from poinsot.evaluate.planar_over_scalars import refuse_foreign
from poinsot.evaluate.planar_results import copied, copied_by_name
from poinsot.formulations.composable.quantities import SAMPLES, inputs_of
from poinsot.formulations.composable.sweep import Loads
from poinsot.front.working_load import WorkingLoad, tabulated
from poinsot.model.checks import finite_array, real_array
from poinsot.model.planar.given_numbers import samples_at
from poinsot.model.planar.link_names import checked_link
from poinsot.model.planar.linkage import PlanarLinkage
from poinsot.spatial import Array

Dimensions: TypeAlias = Mapping[str, ArrayLike]
Places: TypeAlias = dict[str, Array]
"""One array for each link or joint."""
Near: TypeAlias = Mapping[str, ArrayLike] | None
"""Poses of links nearby."""


class PlanarEvaluation:
    """Base of planar mechanisms: a linkage in one assembly, and what evaluates it.

    Attributes:
        linkage: The description.
        modes: Assembly modes by inner joints.
    """

    linkage: PlanarLinkage
    modes: Mapping[str, int]

    def _by_name(
        self,
        quantity: str,
        given: Mapping[str, ArrayLike | None],
        loads: Loads | None,
        dimensions: Dimensions | None,
        near: Near,
        out: Places | None,
    ) -> Places:
        """Return a quantity of links or joints; plain calls are machine code from then on."""
        if loads:
            self.check_loads(loads, finite=not dimensions)
        checked: dict[str, Array] = {}
        for name, values in given.items():
            if values is not None and name == "t":
                time = checked_time(values)
                checked |= self._in_time(quantity, time) if self.linkage.is_timed else {}
            elif values is not None:
                checked[name] = self.checked(name, values)
            elif name != "tau" or quantity == "forward_dynamics":
                raise ModelError(f"{quantity}: {name} must be real numbers, got None")
            elif self.linkage.velocity_rows:
                checked[name] = np.zeros(len(self.linkage.drivers))
        nearby = None if near is None else checked_near(self.linkage, near)
        if loads and any(isinstance(load, WorkingLoad) for load in loads.values()):
            q, v = checked["q"], checked["v"]
            how = (None, dimensions, near, None)

            def motions() -> tuple[Places, Places]:
                state = {"q": q, "t": given.get("t", 0.0)}
                poses = self._by_name("positions", state, *how)
                return poses, self._by_name("velocities", {**state, "v": v}, *how)

            loads = tabulated(self.linkage, loads, q, motions)
        results = self._evaluator(quantity, checked, loads, dimensions, nearby)
        if not loads and not dimensions and near is None:
            self._go_native(quantity, single=checked["q"].ndim == 1)
        return results if out is None else copied_by_name(quantity, results, out)

    def _of_drivers(
        self,
        quantity: str,
        given: Mapping[str, ArrayLike | None],
        loads: Loads | None,
        dimensions: Dimensions | None,
        near: Near,
        out: Array | None,
    ) -> Array:
        """Return a quantity of the drivers."""
        result = self._by_name(quantity, given, loads, dimensions, near, None)[quantity]
        return result if out is None else copied(quantity, result, out)

    def _in_time(self, quantity: str, t: Array) -> dict[str, Array]:
        """Return the time and what is looked up at it."""
        if SAMPLES not in inputs_of(self.linkage, quantity):
            return {"t": t}
        return {"t": t, SAMPLES: samples_at(self.linkage, t)}

    def _go_native(self, quantity: str, *, single: bool) -> None:
        """Put machine code in the place of a method, where it can answer; see ``Evaluation``."""
        if quantity not in self._natives:
            method = getattr(type(self), quantity).__get__(self)
            native = self._evaluator.native(quantity, method)
            if native is None:
                return
            self._natives[quantity] = native
            self.__dict__[quantity] = native.function
        if single:
            self._natives[quantity].add_single()
        else:
            self._natives[quantity].add_batch()

    def __getstate__(self) -> dict[str, Any]:
        """Return what a copy needs; it makes its own machine code."""
        return {name: self.__dict__[name] for name in ("linkage", "modes", "_block")}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        """Take over the state of another."""
        self.__dict__.update(state)

    @cached_property
    def _natives(self) -> dict[str, NativeMethod]:
        """Methods that are machine code."""
        return {}

    def check_loads(self, loads: Mapping[str, Any] | None, *, finite: bool = True) -> None:
        """Reject loads on links that do not exist, and such that are no [Fx, Fy, M].

        Loads that follow from variants may be NaN where these cannot be assembled (``finite``).
        """
        if not isinstance(loads or {}, Mapping):
            raise ModelError(f'loads must be by link, {{"rod": (Fx, Fy, M)}}, got {loads!r}')
        for name in loads or {}:
            checked_link(name, self.linkage.links, "loads")
        for name, load in (loads or {}).items():
            if isinstance(load, WorkingLoad):
                continue
            if not callable(load) and np.shape(load)[-1:] != (3,):
                raise ModelError(
                    f"loads: the load on {name!r} must be [Fx, Fy, M], shape (..., 3), got {load!r}"
                )
            if finite and not callable(load) and np.asarray(load).dtype.kind in "iufb":
                finite_array(load, f"loads: the load on {name!r}")

    @cached_property
    def _evaluator(self) -> PlanarEvaluator:
        return PlanarEvaluator(self.linkage, self.modes)

    def checked(self, what: str, values: ArrayLike) -> Array:
        """Return coordinates, rates or forces of the drivers as an array (..., nq)."""
        array = np.asarray(values)
        if array.dtype not in (np.float64, np.complex128, object):
            array = real_array(values, what)
        nq = len(self.linkage.drivers)
        if array.ndim == 0 or array.shape[-1] != nq:
            names = ", ".join(self.linkage.drivers)
            raise ShapeError(
                f"{what} must have the shape (..., {nq}), one entry for each driver ({names}),"
                f" not {array.shape}"
            )
        return array

    def checked_floats(self, what: str, values: ArrayLike) -> Array:
        """Return an array (..., nq), where numbers of no other kind will do."""
        return refuse_foreign(self.checked(what, values), what)


def checked_time(t: ArrayLike) -> Array:
    """Return times as an array (..., 1)."""
    array = np.asarray(t)
    array = array if array.dtype.kind in "Oc" else real_array(t, "t")
    return array[..., None]
