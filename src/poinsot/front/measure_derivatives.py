"""The derivatives of measures of a run, any expression of its states, rates and joint forces."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poinsot.evaluate.expression import Expression
from poinsot.evaluate.expression_derivative import expression_derivatives
from poinsot.evaluate.inputs import PARAMETERS
from poinsot.evaluate.request import Request
from poinsot.front.system import System
from poinsot.simulation.running.trajectory import Trajectory
from poinsot.simulation.sensitivities.program_jacobian import along_states, has_plain_rates
from poinsot.simulation.sensitivities.rate_changes import acceleration_and_force_changes
from poinsot.spatial import Array


class MeasureRows(NamedTuple):
    """The derivatives of an expression at N states.

    Attributes:
        by_q: Those by the configuration, along ``integrate``, shape (N, nv).
        by_v: Those by the velocities, shape (N, nv).
        by_a: Those by the accelerations, shape (N, nv).
        by_tau: Those by the joint forces, shape (N, nv).
        by_parameters: Those by free parameters and further states, shape (N, number of them).
    """

    by_q: Array
    by_v: Array
    by_a: Array
    by_tau: Array
    by_parameters: Array


def measure_rows(
    system: System, trajectory: Trajectory, t: Array, y: Array, law: NDArray[np.int64],
    expression: Expression, where: str,
) -> MeasureRows:  # fmt: skip
    """Return the derivatives of an expression at states of a run.

    Args:
        system: What moved.
        trajectory: How.
        t: Times [s], shape (N,).
        y: States [q, v, states], shape (N, n).
        law: Number of the law in force, shape (N,).
        expression: A formula, or a function of t, q and v.
        where: Opens the message of an error.
    """
    n, nq, nv = len(t), system.nq, system.nv
    a, tau = np.zeros((2, n, nv))
    for number in np.unique(law).tolist():
        there = law == number
        along = along_states(trajectory.laws[number], t[there], y[there])
        a[there], tau[there] = along.acceleration(), along.tau()
    values = trajectory.equations.parameters
    parameters = np.array(np.broadcast_to(values, (n, values.size)))
    parameters[:, len(system.mechanism.free_parameters) :] = y[:, nq + nv :]
    inputs = system.mechanism.parameter_inputs
    for name, signal in system.mechanism.signals:
        parameters[:, inputs.index(name)] = signal.at(t)
    points = {"t": t[:, None], "q": y[:, :nq], "v": y[:, nq : nq + nv], "a": a, "tau": tau}
    points[PARAMETERS] = parameters
    rows = expression_derivatives(system.mechanism, expression, where, points)
    return MeasureRows(*np.split(rows, nv * np.arange(1, 5), axis=1))


def rate_terms(
    system: System, trajectory: Trajectory, t: Array, y: Array, law: NDArray[np.int64],
    rows: MeasureRows, names: tuple[str, ...], along: Array,
) -> Array:  # fmt: skip
    """Return what accelerations and joint forces add to the derivatives of an expression, (N, m).

    Args:
        system: What moved.
        trajectory: How.
        t: Times [s], shape (N,).
        y: States, shape (N, n).
        law: Number of the law in force, shape (N,).
        rows: The derivatives of the expression.
        names: Free parameters that change.
        along: Directions of states and parameters, shape (N, n + p, m).
    """
    result = np.zeros((len(t), along.shape[2]))
    if not (rows.by_a.any() or rows.by_tau.any()):
        return result
    for number in np.unique(law).tolist():
        there = law == number
        given = trajectory.laws[number], names, t[there], y[there], along[there]
        changes = acceleration_and_force_changes(*given)
        for row, change in zip((rows.by_a, rows.by_tau), changes, strict=True):
            result[there] += np.einsum("nk,nkm->nm", row[there], change)
    return result


def position_basis(trajectory: Trajectory, t: Array, y: Array) -> Array:
    """Return N of dq/dt = N v at states, shape (n, nq, nv)."""
    equations = trajectory.equations
    nq, nv, n = equations.nq, equations.nv, len(t)
    if has_plain_rates(equations.mechanism):
        return np.broadcast_to(np.eye(nv), (n, nv, nv))
    states = np.repeat(y, nv, axis=0)
    states[:, nq : nq + nv] = np.tile(np.eye(nv), (n, 1))
    columns = along_states(equations, np.repeat(t, nv), states).quantity(Request("position_rate"))
    return np.moveaxis(columns.reshape(n, nv, nq), 1, 2)
