"""Products with the Jacobian of the rates of a run, as kernels: forwards and backwards.

With y = [q; v; further states], dy/dt = f(t, y, p),

    along      f_y dy + f_p dp       directions dy, dp are inputs; many of them go side by side
    weighted   uᵀ f_y, uᵀ f_p        weights u are an input; reverse accumulation on the graph

take two to four times the operations of f, however many parameters there are.  Unlike in
``motion_jacobian.py`` quaternions are not normalised: f is what the integrator evaluates, at stages
whose quaternions are not of unit length.

Where quaternions and constraints do not forbid it dv/dt is differentiated as
M da = d(tau - inverse dynamics), which is less than half of the operations.  Away from unit
quaternions, and off the constraints, formulas of inverse and forward dynamics differ.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TypeAlias

import numpy as np

from poinsot.evaluate.evaluator import evaluators_of
from poinsot.evaluate.inputs import PARAMETERS
from poinsot.evaluate.request import Request
from poinsot.expr import (
    Program,
    build,
    fresh_symbols,
    garbage_collection_paused,
    gradient,
    optimise,
    tangent,
)
from poinsot.expr.linalg import cholesky, cholesky_solve
from poinsot.expr.replay import with_values
from poinsot.expr.rolled_tangent import DIRECTION, with_tangents
from poinsot.kernels.llvm.llvm_kernel import LlvmKernel
from poinsot.kernels.llvm.rolled_kernel import RolledKernel
from poinsot.model import LoadInputs, Mechanism
from poinsot.simulation.laws.equations import RATES, STATES, MotionEquations, Use
from poinsot.simulation.laws.signals import RATE
from poinsot.simulation.stepping.motion_graph import Graph, cached_kernel, joined
from poinsot.simulation.stepping.motion_program import motion_program
from poinsot.simulation.stepping.quaternions import with_unit_quaternions
from poinsot.spatial import Array

LONGEST = 25_000
"""Operations of a product (as estimated) above which it is rolled, along directions only; so many
compile in two seconds."""
MULTIPLE = 3.5
"""Operations of a product, in those of f."""
MULTIPLE_OF_SECOND = 8.0
"""Operations of a second derivative along two directions, in those of f."""
WEIGHTS = "weights"
"""The input u of ``weighted``."""
FIRST = "first:"
"""Opens the names of the first directions of ``curvature``."""

MOVING = ("q", "v", STATES, PARAMETERS, "t")
"""What rates depend on."""

_Inputs: TypeAlias = dict[str, Array]
_Tangents: TypeAlias = tuple[tuple[str, tuple[str, ...]], ...]
"""What opens the names of the entries of each direction, and what changes along it."""


def along(equations: MotionEquations, names: tuple[str, ...]) -> LlvmKernel | RolledKernel:
    """Return the kernel of f_y dy + f_p dp, shape (n,).

    It reads what f reads, accelerations ``a`` where it is implicit, and the directions of q, v,
    further states and parameters under their names behind ``DIRECTION``.

    Args:
        equations: What is integrated, without callbacks.
        names: Free parameters that change.
    """
    if _is_long(equations):
        given = equations.mechanism, equations.uses, equations.load_inputs
        return _rolled(*given, ((DIRECTION, MOVING[:-1]),))
    return _kernel(Graph.of(equations, "stiff", sampled=True), names, _along)


def weighted(equations: MotionEquations, names: tuple[str, ...]) -> LlvmKernel | None:
    """Return the kernel of uᵀ f_y and uᵀ f_p, two outputs; None where it is too long a program.

    Args:
        equations: What is integrated, without callbacks.
        names: Free parameters to differentiate by.
    """
    if _is_long(equations):
        return None
    return _kernel(Graph.of(equations, "stiff", sampled=True), names, _weighted)


def unit_along(equations: MotionEquations, names: tuple[str, ...]) -> LlvmKernel | RolledKernel:
    """Return the kernel of f_y dy + f_p dp + f_t dt, quaternions normalised in f, shape (n,).

    Args:
        equations: What is integrated, without callbacks.
        names: Free parameters that change.
    """
    return _of_unit(equations, names, _unit_along, ((DIRECTION, MOVING),))


def curvature(equations: MotionEquations, names: tuple[str, ...]) -> LlvmKernel | RolledKernel:
    """Return the kernel of the derivative of f_y w + f_t s along dy and dp, w and s held.

    Quaternions are normalised in f; w and s have names behind ``FIRST``.

    Args:
        equations: What is integrated, without callbacks.
        names: Free parameters that change.
    """
    held, moving = ("q", "v", STATES, "t"), ("q", "v", STATES, PARAMETERS)
    return _of_unit(equations, names, _curvature, ((FIRST, held), (DIRECTION, moving)))


def _of_unit(
    equations: MotionEquations, names: tuple[str, ...], make: Callable[[_Rates], Program],
    tangents: _Tangents,
) -> LlvmKernel | RolledKernel:  # fmt: skip
    if _is_long(equations, MULTIPLE_OF_SECOND):
        given = equations.mechanism, equations.uses, equations.load_inputs
        return _rolled(*given, tangents, unit=True)
    return _kernel(Graph.of(equations, "stiff", sampled=True), names, make)


def _is_long(equations: MotionEquations, multiple: float = MULTIPLE) -> bool:
    """Say whether programs of so many times the operations of f are too long."""
    if not Graph.exists(equations):
        return True
    finder = evaluators_of(equations.mechanism)
    return finder.find(Request("forward_dynamics")).signature.n_operations * multiple > LONGEST


@lru_cache(maxsize=16)
@garbage_collection_paused()
def _rolled(
    mechanism: Mechanism, uses: tuple[Use, ...], load_inputs: LoadInputs, tangents: _Tangents, *,
    unit: bool = False,
) -> RolledKernel:  # fmt: skip
    """Return the kernel of f differentiated along one direction after the other."""
    nothing = np.zeros(0)
    equations = MotionEquations(mechanism, uses, nothing, nothing, nothing, load_inputs)
    program = motion_program(equations, unit=unit, derivatives=len(tangents))
    read = {port.name for port in program.inputs}
    for opening, names in tangents:
        program = with_tangents(program, [name for name in names if name in read], opening)
    return RolledKernel(program)


@lru_cache(maxsize=32)
def _kernel(graph: Graph, names: tuple[str, ...], make: Callable[[_Rates], Program]) -> LlvmKernel:
    unit = make in (_unit_along, _curvature)
    return cached_kernel(
        graph, f"{make.__name__} {names}", lambda: make(_Rates(graph, names, unit=unit))
    )


class _Rates:
    """The rates of a run over symbols.

    Args:
        graph: The equations of motion.
        names: Free parameters to differentiate by.
        unit: Whether quaternions are normalised, and dv/dt is as it is, not implicit.

    Attributes:
        inputs: Symbols by name.
        by: What f is differentiated by, [q, v, states, parameters of the names].
        values: f; where it is implicit, the forces tau - inverse dynamics in place of dv/dt.
        rows: Where these are.
        factor: The Cholesky factor of M, if it is implicit.
    """

    def __init__(self, graph: Graph, names: tuple[str, ...], *, unit: bool) -> None:
        mechanism, given = graph.mechanism, graph.symbols()
        self.mechanism, self.names, self.time = mechanism, names, given["t"]
        still = {"t0": given["t"]} if graph.lookups else {}  # values of signals are given at t
        still |= {f"{RATE}{writes}": np.zeros(size) for writes, size in graph.lookups}
        still = {} if unit else still  # whose derivatives by t are asked for
        q = with_unit_quaternions(mechanism, given["q"]) if unit else given["q"]
        vectors = graph.driven({**given, **still, "q": q})
        self.inputs = {name: x for name, x in graph.inputs(given).items() if name not in still}
        self.factor: Array | None = None
        if not unit and not mechanism.closures and mechanism.nq == mechanism.nv:
            self.inputs["a"] = fresh_symbols("a", mechanism.nv)
            accelerated = {**vectors, "a": self.inputs["a"]}
            bias = joined(graph.quantity("inverse_dynamics", accelerated))
            second = joined(vectors["tau"]) - bias
            self.factor = cholesky(graph.quantity("mass_matrix", vectors))
        else:
            second = graph.quantity("forward_dynamics", vectors)
        further = graph.quantity(RATES, vectors) if mechanism.states else ()
        self.values = joined(graph.quantity("position_rate", vectors), second, further)
        self.rows = slice(mechanism.nq, mechanism.nq + mechanism.nv)
        inputs = mechanism.parameter_inputs
        chosen = [given[PARAMETERS][inputs.index(name)] for name in names]
        self.by = joined(given["q"], given["v"], given.get(STATES, ()), chosen)

    def solved(self, forces: Array) -> Array:
        """Return M⁻¹ times forces, if f is implicit; else what is given."""
        return forces if self.factor is None else cholesky_solve(self.factor, forces)


def _directions(rates: _Rates, opening: str) -> tuple[_Inputs, Array]:
    """Return symbols of a direction, by name, and those that belong to ``rates.by``."""
    mechanism, inputs = rates.mechanism, rates.mechanism.parameter_inputs
    sizes = {"q": mechanism.nq, "v": mechanism.nv, STATES: len(mechanism.state_values)}
    sizes[PARAMETERS] = len(inputs)
    given = {name: fresh_symbols(f"d{name}", size) for name, size in sizes.items()}
    chosen = [given[PARAMETERS][inputs.index(name)] for name in rates.names]
    state = (given[name] for name in ("q", "v", STATES))
    return {f"{opening}{name}": x for name, x in given.items()}, joined(*state, chosen)


def _along(rates: _Rates) -> Program:
    more, direction = _directions(rates, DIRECTION)
    change = tangent(rates.values, rates.by, direction)
    change[rates.rows] = rates.solved(change[rates.rows])
    return optimise(build({**rates.inputs, **more}, {"change": change}))


def _unit_along(rates: _Rates) -> Program:
    more, direction = _directions(rates, DIRECTION)
    more[f"{DIRECTION}t"] = fresh_symbols("dt", 1)
    by, along = joined(rates.by, rates.time), joined(direction, more[f"{DIRECTION}t"])
    return optimise(build({**rates.inputs, **more}, {"change": tangent(rates.values, by, along)}))


def _curvature(rates: _Rates) -> Program:
    n = rates.mechanism.n_state
    first, held = _directions(rates, FIRST)
    del first[f"{FIRST}{PARAMETERS}"]
    first[f"{FIRST}t"] = fresh_symbols("s", 1)
    along = joined(held[:n], first[f"{FIRST}t"])
    change = tangent(rates.values, joined(rates.by[:n], rates.time), along)
    more, direction = _directions(rates, DIRECTION)
    second = tangent(change, rates.by, direction)
    return optimise(build({**rates.inputs, **first, **more}, {"change": second}))


def _weighted(rates: _Rates) -> Program:
    n = rates.mechanism.n_state
    weights, forces = fresh_symbols(WEIGHTS, n), fresh_symbols("forces", rates.mechanism.nv)
    all_weights = weights.copy()
    all_weights[rates.rows] = forces
    slopes = gradient(np.dot(all_weights, rates.values), rates.by)
    slopes = with_values(slopes, forces, joined(rates.solved(weights[rates.rows])))
    outputs = {"by_state": slopes[:n], "by_parameters": slopes[n:]}
    return optimise(build({**rates.inputs, WEIGHTS: weights}, outputs))
