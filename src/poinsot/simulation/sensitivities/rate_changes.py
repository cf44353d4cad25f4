"""The derivatives of rates, accelerations and joint forces of a run along directions, at states."""

from __future__ import annotations

import numpy as np

from poinsot.evaluate.inputs import PARAMETERS
from poinsot.expr.rolled_tangent import DIRECTION
from poinsot.kernels.kernel import AbstractKernel
from poinsot.simulation.laws.equations import STATES, MotionEquations
from poinsot.simulation.laws.signals import LookupKernel
from poinsot.simulation.sensitivities.program_jacobian import along_states, program_jacobian
from poinsot.simulation.sensitivities.rate_products import FIRST, unit_along
from poinsot.spatial import Array


def evaluated_along(
    equations: MotionEquations, kernel: AbstractKernel, names: tuple[str, ...], t: Array, x: Array,
    along: Array, held: Array | None = None,
) -> Array:  # fmt: skip
    """Return what a kernel gives along m directions at each state, shape (N, n, m).

    Args:
        equations: What was integrated.
        kernel: Of ``rate_products.py``.
        names: Free parameters that change.
        t: Times [s], shape (N,).
        x: States, shape (N, n).
        along: Directions of state, parameters and time, shape (N or 1, m, n + p + 1).
        held: First directions of state and time, of second derivatives, shape (N, 1, n + 1).
    """
    (count, n), m, (nq, end) = x.shape, along.shape[1], equations.ends
    inputs = equations.mechanism.parameter_inputs
    parameters = np.zeros((len(along), m, len(inputs)))
    parameters[:, :, [inputs.index(name) for name in names]] = along[:, :, n:-1]
    more = {DIRECTION + PARAMETERS: parameters}
    for opening, rows in ((DIRECTION, along), (FIRST, held)):
        if rows is not None:
            entries = np.split(rows[:, :, :n], (nq, end), axis=2)
            named = zip(("q", "v", STATES, "t"), (*entries, rows[:, :, -1:]), strict=True)
            more |= {opening + name: entry for name, entry in named}
    flat = {
        name: np.broadcast_to(rows, (count, m, rows.shape[2])).reshape(count * m, -1)
        for name, rows in more.items()
    }
    times = np.repeat(t, m)
    flat["t0"] = times[:, None]
    for use in equations.uses:
        if isinstance(use.kernel, LookupKernel):
            flat[use.kernel.rate] = use.kernel.signal.rates(times)
    states = along_states(equations, times, np.repeat(x, m, axis=0))
    return np.moveaxis(states.computed(kernel, flat).reshape(count, m, n), 1, 2)


def acceleration_and_force_changes(
    equations: MotionEquations, names: tuple[str, ...], t: Array, y: Array, along: Array
) -> tuple[Array, Array]:
    """Return the derivatives of accelerations and joint forces, shapes (N, nv, m).

    Args:
        equations: What was integrated.
        names: Free parameters that change.
        t: Times [s], shape (N,).
        y: States, shape (N, n).
        along: Directions of states and parameters, shape (N or 1, n + p, m).
    """
    m, nq, nv = along.shape[2], equations.nq, equations.nv
    directions = np.pad(np.moveaxis(along, 1, 2), ((0, 0), (0, 0), (0, 1)))
    kernel = unit_along(equations, names)
    rates = evaluated_along(equations, kernel, names, t, y, directions)
    forces = np.zeros((len(t), nv, m))
    for use in equations.drives:
        if use.writes == "tau" and not isinstance(use.kernel, LookupKernel):
            slopes = program_jacobian(equations, use.kernel.program, names, t, y)
            forces = slopes[:, :, :-1] @ along
    return rates[:, nq : nq + nv], forces
