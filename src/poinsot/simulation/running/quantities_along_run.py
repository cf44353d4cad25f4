"""Quantities along a trajectory, with the laws, base motion and parameters of its run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from poinsot.evaluate.evaluator import evaluators_of
from poinsot.evaluate.expression import Expression, expression
from poinsot.evaluate.inputs import PARAMETERS
from poinsot.evaluate.parameters import ParameterValues
from poinsot.evaluate.request import Request
from poinsot.kernels.kernel import AbstractKernel
from poinsot.model import BaseMotion, LoadInputs
from poinsot.model.environment import BASE, DRIVES, WRENCHES
from poinsot.simulation.laws.equations import STATES, MotionEquations, is_driven
from poinsot.spatial import Array


class QuantitiesAlongRun:
    """Evaluates quantities at states of a motion.

    Args:
        equations: What was integrated.
        t: Times [s], shape (n,).
        q: Configurations, shape (n, nq).
        v: Velocities and, behind them, further states, shape (n, nv + number of these).
        tau: Joint forces that were recorded, shape (n, nv); else those of the law.
        a: Accelerations, if they are known, shape (n, nv).
    """

    def __init__(
        self, equations: MotionEquations, t: Array, q: Array, v: Array, tau: Array | None = None,
        a: Array | None = None,
    ) -> None:  # fmt: skip
        self._equations = equations
        self._vectors: dict[str, Array] = {
            "t": t[:, None],
            "q": q,
            "v": v[:, : equations.nv],
            STATES: v[:, equations.nv :],
            PARAMETERS: _parameters(equations, t, v[:, equations.nv :]),
        }
        self._vectors |= {name: x for name, x in (("tau", tau), ("a", a)) if x is not None}

    def tau(self) -> Array:
        """Return the joint forces of the drive [N or N m], shape (n, nv)."""
        return self._get("tau")

    def drives(self) -> dict[str, Array]:
        """Return the forces of drives along loops and curves [N or N m], (n, nv of their own)."""
        closures, entries = self._equations.mechanism.closures, self._loads.drives
        if not entries:
            return {}
        ends = np.cumsum([nv for _, nv in entries])
        vectors = np.split(self._get(DRIVES), ends[:-1], axis=-1)
        return {closures[k].name: x for (k, _), x in zip(entries, vectors, strict=True)}

    def wrenches(self) -> dict[int, Array]:
        """Return external wrenches [f; n] [N, N m] by the body's number, in its axes, (n, 6)."""
        bodies = self._loads.wrenches
        if not bodies:
            return {}
        vectors = np.split(self._get(WRENCHES), len(bodies), axis=-1)
        return dict(zip(bodies, vectors, strict=True))

    def external(self) -> dict[str, Any]:
        """Return the loads at the first state, as methods of systems take them."""
        mechanism = self._equations.mechanism
        loads: dict[str, Any] = {
            "wrenches": {mechanism.bodies[k].name: x[0] for k, x in self.wrenches().items()},
            "drives": {name: x[0] for name, x in self.drives().items()},
        }
        if self._loads.base:
            turned, velocity, acceleration = np.split(self._get(BASE)[0], [3, 9])
            values = np.atleast_2d(self._vectors[PARAMETERS])[:1]
            gravity = ParameterValues(mechanism).gravity(values).reshape(-1, 3)[0]
            # the same forces: axes that are not turned, accelerated by what gravity then differs
            rate = acceleration + np.concatenate([gravity - turned, np.zeros(3)])
            loads["base"] = BaseMotion(velocity=velocity, acceleration=rate)
        return loads

    def acceleration(self) -> Array:
        """Return dv/dt, shape (n, nv)."""
        return self._get("a")

    def multipliers(self) -> tuple[Array, Array]:
        """Return the multipliers of all rows, and which are determined, both (n, rows)."""
        both = self.quantity(Request("multipliers", loads=self._loads))
        return both[:, 0, :], both[:, 1, :] > 0.5

    def reactions(self, axes: str) -> Array:
        """Return the wrenches in all joints, loops and constraints, stacked, shape (n, k, 6)."""
        return self.quantity(Request("reactions", loads=self._loads, axes=axes))

    def residual(self) -> Array:
        """Return the residual of loops and constraints, shape (n, number of rows)."""
        return self.quantity(Request("constraint_residual"))

    def rate(self) -> Array:
        """Return the velocity residual of loops and constraints, shape (n, number of rows)."""
        return self.quantity(Request("constraint_rate"))

    def expression(self, given: Expression) -> Array:
        """Return an expression of the state, shape (n, ...)."""
        return self.computed(expression(self._equations.mechanism, given, "evaluate"))

    # How it works

    @property
    def _loads(self) -> LoadInputs:
        return self._equations.load_inputs

    def _get(self, name: str) -> Array:
        """Return an input of a kernel, computed on first use."""
        if name not in self._vectors:
            self._vectors[name] = self._find(name)
        return self._vectors[name]

    def _find(self, name: str) -> Array:
        if is_driven(name):
            for use in self._equations.drives:
                if use.writes == name:
                    return self.computed(use.kernel)
            constant = self._equations.tau if name == "tau" else self._equations.base
            return np.broadcast_to(constant, (self._vectors["t"].shape[0], constant.shape[-1]))
        if name == "a":
            return self.quantity(Request("forward_dynamics", loads=self._loads))
        return self.multipliers()[0]

    def quantity(self, request: Request, **given: Array) -> Array:
        """Return a quantity at the states, shape (n, ...), some inputs as given."""
        kernel = evaluators_of(self._equations.mechanism).find(request).kernel
        return self.computed(kernel, given)

    def section_loads(self, request: Request, sections: Array) -> tuple[Array, Array]:
        """Return the loads in sections, and those at rest under the same loads, (n, k, 6) each.

        Args:
            request: For loads in sections of a body.
            sections: Numbers of the sections, shape (k, 22).
        """
        n, nv = self._vectors["q"].shape[0], self._equations.nv
        rest = {"v": np.zeros((n, nv)), "a": np.zeros((n, nv)), "lam": np.zeros((n, 0))}
        if self._equations.mechanism.row_names:
            driven = Request("driven_dynamics", loads=self._loads, joints=tuple(range(nv)))
            tau = self.quantity(driven, **rest)
            multipliers = Request("motion_multipliers", loads=self._loads)
            rest["lam"] = self.quantity(multipliers, tau=tau, **rest)
        asked = request.with_loads(self._loads)
        moving, still = (
            np.stack([self.quantity(asked, section=x, **given) for x in sections], axis=1)
            for given in ({}, rest)
        )
        return moving, still

    def computed(self, kernel: AbstractKernel, more: Mapping[str, Array] | None = None) -> Array:
        """Return the one result of a kernel at the states, shape (n, ...).

        Args:
            kernel: It reads what laws and quantities of the run read.
            more: What else it reads, by name, shapes (n, size).
        """
        (port,), n = kernel.signature.outputs, self._vectors["t"].shape[0]
        result = np.empty((n, port.size))
        inputs = self.inputs(kernel, more or {}).values()
        kernel.run([np.ascontiguousarray(x) for x in inputs], [result])
        return result.reshape(n, *port.shape)

    def inputs(self, kernel: AbstractKernel, more: Mapping[str, Array]) -> dict[str, Array]:
        """Return what a kernel reads at the states, by name, shapes (n, size).

        Args:
            kernel: As of ``computed``.
            more: As of ``computed``.
        """
        n, arrays = self._vectors["t"].shape[0], dict[str, Array]()
        for port in kernel.signature.inputs:
            values = more[port.name] if port.name in more else self._get(port.name)
            shape = n, port.size
            arrays[port.name] = values if values.shape == shape else np.broadcast_to(values, shape)
        return arrays


def _parameters(equations: MotionEquations, t: Array, states: Array) -> Array:
    """Return the free parameters and further states at times, shape (n, number of them).

    Shape (number of them,) where nothing changes.
    """
    if not equations.mechanism.signals and not states.shape[1]:
        return equations.parameters
    numbers = equations.parameters
    values = np.array(np.broadcast_to(numbers, (t.size, numbers.shape[-1])))
    names = equations.mechanism.parameter_inputs
    for name, signal in equations.mechanism.signals:
        values[:, names.index(name)] = signal.at(t)
    values[:, len(names) - states.shape[1] :] = states
    return values


def conditioning_of_rows(equations: MotionEquations, t: Array, q: Array, v: Array) -> Array:
    """Return the smallest remainder of a row after those before it, relative to the longest row.

    In the metric of the mass matrix, per state, shape (n,); 0 for a tree.

    Args:
        equations: Equations of motion.
        t: Times [s], shape (n,).
        q: Configurations, shape (n, nq).
        v: Velocities and further states, shape (n, nv + number of these).
    """
    use = equations.projection
    if use is None:
        return np.zeros(len(t))
    given = {"t": t[:, None], "q": q, "v": v[:, : equations.nv]}
    given[PARAMETERS] = np.broadcast_to(equations.parameters, (len(t), equations.parameters.size))
    out = np.empty((len(t), use.kernel.signature.outputs[0].size))
    use.kernel.run([np.ascontiguousarray(given[name]) for name in use.reads], [out])
    return out[:, -1]
