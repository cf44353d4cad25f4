"""Configuration and further states that rest together: forces balance, and rates are zero.

    Zᵀ f(q, s) = 0,     phi(q) = 0,     r(q, s) = 0

r are the rates of the states at rest; of sampled ones, what an update would change.  Newton's
method on the allowed motions Z and the states at once, since an integrator's rate may depend on q
alone, and the forces on its state.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from poinsot.analysis.equilibrium import Search
from poinsot.analysis.statics import Statics
from poinsot.errors import AssemblyError
from poinsot.evaluate.expression import law_value
from poinsot.evaluate.inputs import PARAMETERS
from poinsot.evaluate.request import Request
from poinsot.evaluate.trace import parameter_symbols, trace
from poinsot.expr import build, fresh_symbols, jacobian, optimise, symbol
from poinsot.expr.replay import replay
from poinsot.formulations.position_rate import position_rate
from poinsot.kernels.interpreter import InterpreterKernel
from poinsot.model import SampledState
from poinsot.spatial import Array

__all__ = ["RestingStates", "states_at_rest"]

ROUNDS: Final = 100
HALVINGS: Final = 30
DONE: Final = 1e-13
"""Changes of configuration and states, relative to these, that are rounding."""
AT_REST: Final = 1e-8
"""Those up to which rounding limits the search."""


class RestingStates(NamedTuple):
    """Where a search ended.

    Attributes:
        q: Configuration, shape (nq,).
        states: Further states, shape (n,).
        moving: Name of the state that is most in motion.
        ok: Whether they rest.
    """

    q: Array
    states: Array
    moving: str
    ok: bool


def states_at_rest(statics: Statics, tau: Array, q: Array, held: Array) -> RestingStates:
    """Return a configuration and states that rest, near those given, or where the search ended.

    Args:
        statics: The forces; the states to begin with are behind its parameters.
        tau: Constant joint forces, besides those, shape (nv,).
        q: Configuration to start from, shape (nq,).
        held: Indices of the velocities of locked joints.

    Raises:
        AssemblyError: If the system does not close near q.
    """
    names = list(statics.mechanism.state_values)
    fixed, states = np.split(statics.parameters, [-len(names)])
    linear = _Linear(statics, tau, held)
    current = linear.at(q, fixed, states)
    for _ in range(ROUNDS):
        if current.size <= DONE:
            break
        step = current.step
        for k in range(HALVINGS):
            shorter = step * 0.5**k
            motion = current.Z @ shorter[: current.Z.shape[1]]
            moved = statics.mechanism.integrate(current.q, motion)
            try:
                trial = linear.at(moved, fixed, current.states + shorter[current.Z.shape[1] :])
            except AssemblyError:
                continue
            if trial.size < current.size:
                break
        else:
            break
        current = trial
    worst = int(np.argmax(current.motion))
    return RestingStates(current.q, current.states, names[worst], current.size <= AT_REST)


class _Point(NamedTuple):
    """A configuration that closes, with states.

    Attributes:
        q: The configuration.
        states: The states.
        Z: The allowed motions, by columns.
        step: Newton's step of these motions, then of the states.
        size: How large the residual is, relative to what the unknowns could change.
        motion: The same of the rate of each state.
    """

    q: Array
    states: Array
    Z: Array
    step: Array
    size: float
    motion: Array


class _Linear:
    """Residuals and their derivatives, exact, on the allowed motions."""

    def __init__(self, statics: Statics, tau: Array, held: Array) -> None:
        self._statics, self._tau, self._held = statics, tau, held
        mechanism = statics.mechanism
        q, still = fresh_symbols("q", mechanism.nq), np.zeros(mechanism.nv)
        parameters = parameter_symbols(mechanism)[PARAMETERS]
        states = parameters[-len(mechanism.state_values) :]
        given = {"q": q, "v": still, "t": np.array([statics.t]), PARAMETERS: parameters}
        zeros = {"along": still, "lam": np.zeros(len(mechanism.row_names))}
        known = given | zeros
        force = replay(statics.program, *(known[x.name] for x in statics.program.inputs))[0]
        loads = trace(mechanism, Request("bias"))
        drive = replay(loads, *(given[x.name] for x in loads.inputs))[0] - force
        rates = self._rates({**given, "tau": tau + drive})
        along = np.array(
            [position_rate(mechanism, q, row) for row in np.eye(mechanism.nv)], dtype=object
        )
        outputs = {
            "rates": rates,
            "by_motion": jacobian(rates, q) @ along.T,
            "by_states": jacobian(rates, states),
            "force_by_states": jacobian(force, states),
        }
        program = optimise(build({"q": q, PARAMETERS: parameters}, outputs))
        self._kernel = InterpreterKernel(program)

    def _rates(self, given: dict[str, Array]) -> Array:
        """Return the rates of states at rest; of sampled ones, by what updates change them."""
        mechanism = self._statics.mechanism
        program = trace(mechanism, Request("state_rates"))
        rates = replay(program, *(given[x.name] for x in program.inputs))[0].astype(object)
        index = {name: k for k, name in enumerate(mechanism.state_values)}
        for state in mechanism.states:
            if isinstance(state, SampledState):
                value = law_value(mechanism, state, "update", given)
                for name in state.inputs:
                    rates[index[name]] = value - symbol(name)
        return rates

    def at(self, q: Array, fixed: Array, states: Array) -> _Point:
        """Return the residuals of a configuration near q, with states, and Newton's step."""
        parameters = np.concatenate([fixed, states])
        search = Search(self._statics.at(parameters), self._tau, self._held)
        resting = search.state(search.closed(q))
        nz, nv = states.size, self._statics.mechanism.nv
        shapes = (nz,), (nz, nv), (nz, nz), (nv, nz)
        outputs = [np.empty((1, int(np.prod(shape)))) for shape in shapes]
        self._kernel.run([resting.q[None], parameters[None]], outputs)
        rates, by_motion, by_states, force_by = (
            array.reshape(shape) for array, shape in zip(outputs, shapes, strict=True)
        )
        Z = resting.Z
        matrix = np.block([[search.curvature(resting), Z.T @ force_by], [by_motion @ Z, by_states]])
        residual = np.concatenate([resting.left, rates])
        units = np.concatenate([np.ones(Z.shape[1]), np.maximum(np.abs(states), 1.0)])
        scaled = matrix * units
        rows = np.maximum(np.abs(scaled).max(axis=1, initial=0.0), 1e-300)
        step = units * np.linalg.lstsq(scaled / rows[:, None], -residual / rows, rcond=None)[0]
        sizes = np.abs(residual) / rows
        return _Point(resting.q, states, Z, step, float(sizes.max()), sizes[Z.shape[1] :])
