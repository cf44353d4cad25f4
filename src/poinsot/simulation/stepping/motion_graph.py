"""The equations of motion as a graph, for integrators that differentiate them.

Laws of the user are part of it, so derivatives include them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from poinsot.errors import PoinsotError, ProgramError
from poinsot.evaluate.inputs import PARAMETERS
from poinsot.evaluate.kernel import SOURCES
from poinsot.evaluate.recipe_key import recipe_key
from poinsot.evaluate.request import Request
from poinsot.evaluate.trace import parameter_symbols, trace
from poinsot.expr import Program, TooManyNodesError, fresh_symbols, nodes_at_most
from poinsot.expr.replay import replay
from poinsot.expr.straightened import straightened
from poinsot.kernels.kernel import Recipe
from poinsot.kernels.llvm.llvm_kernel import LlvmKernel
from poinsot.kernels.llvm.rolled_kernel import RolledKernel
from poinsot.model import LoadInputs, Mechanism
from poinsot.model.environment import BASE, N_BASE
from poinsot.model.signal import SIGNAL
from poinsot.simulation.laws.equations import RATES, SAMPLED, STATES, MotionEquations, Use
from poinsot.simulation.laws.signals import RATE, LookupKernel
from poinsot.spatial import Array

Vectors: TypeAlias = Mapping[str, Array]
"""Expressions by the names that kernels read: t, q, v, tau, base, wrenches, drives, parameters."""

MOST_OPERATIONS = 150_000
"""Operations of a derivative above which it is too long to compile: ten seconds and more."""


@dataclass(frozen=True)
class Graph:
    """The equations of motion over expressions; equal by value.

    Attributes:
        mechanism: The bodies.
        load_inputs: Whether the base moves, the bodies that wrenches act on, the loops driven.
        drives: Laws of joint forces and of the base, in the order in which they run, and what each
            gives.
        lookups: What signals give, and of what size; their values and rates at t0 are symbols too.
    """

    mechanism: Mechanism
    load_inputs: LoadInputs
    drives: tuple[tuple[Program, str], ...]
    lookups: tuple[tuple[str, int], ...] = ()

    @staticmethod
    def exists(equations: MotionEquations) -> bool:
        """Say whether all laws and equations are formulas, or samples."""
        kinds = LlvmKernel | LookupKernel
        return all(isinstance(use.kernel, kinds) for use in equations.uses)

    @staticmethod
    def of(equations: MotionEquations, integrator: str, *, sampled: bool = False) -> Graph:
        """Return the graph of equations of motion; the integrator is named where there is none.

        Args:
            equations: What is integrated.
            integrator: Its name, for errors.
            sampled: Whether values and rates of signals are there when the graph is evaluated.
        """
        drives, lookups = [], []
        for use in equations.uses:
            if sampled and isinstance(use.kernel, LookupKernel):
                lookups.append((use.writes, use.kernel.signal.size))
                continue
            is_law = use in equations.drives
            law = use.kernel.program if isinstance(use.kernel, LlvmKernel) else _written_out(use)
            is_short = isinstance(use.kernel, LlvmKernel) or is_law or use.writes == RATES
            if law is None or not is_short:
                why = f"{equations.mechanism.name!r} is so large that its equations are rolled"
                if use.writes == RATES:
                    why = "rates of states ask for quantities that are too large"
                if is_law:
                    why = f"the function of {use.writes} is called by Python at every step"
                if is_law and isinstance(use.kernel, RolledKernel):
                    why = f"the function of {use.writes} asks for quantities that are too large"
                if isinstance(use.kernel, LookupKernel):
                    why = f"{use.kernel.signal!r} has none"
                raise PoinsotError(
                    f"simulate: integrator {integrator!r} needs derivatives of the equations of "
                    f"motion as formulas, and {why}; choose integrator 'dp8'"
                )
            if is_law:
                drives.append((law, use.writes))
        return Graph(equations.mechanism, equations.load_inputs, tuple(drives), tuple(lookups))

    def symbols(self) -> dict[str, Array]:
        """Return fresh symbols for all inputs of the equations."""
        sizes = {"t": 1, "q": self.mechanism.nq, "v": self.mechanism.nv, "tau": self.mechanism.nv}
        sizes |= {BASE: N_BASE} | self.load_inputs.inputs(self.mechanism)
        if self.lookups:
            sizes["t0"] = 1
        for writes, size in self.lookups:
            sizes |= {writes: size} if writes.startswith(SIGNAL) else {}
            sizes[f"{RATE}{writes}"] = size
        given = {name: fresh_symbols(name, size) for name, size in sizes.items()}
        given |= parameter_symbols(self.mechanism)
        if self.mechanism.states:
            given[STATES] = given[PARAMETERS][-len(self.mechanism.state_values) :]
        return given

    def inputs(self, given: Vectors) -> dict[str, Array]:
        """Return the symbols as inputs of a kernel, which reads states apart from parameters."""
        inputs = dict(given)
        if STATES in given:
            count = given[STATES].size
            places = fresh_symbols("place", count)
            inputs[PARAMETERS] = joined(given[PARAMETERS][:-count], places)
        return inputs

    def driven(self, given: Vectors) -> Vectors:
        """Return what the equations read, tau and base as the laws give them."""
        vectors = dict(given)
        for writes, _ in self.lookups:
            name, which = writes, slice(None)
            if writes.startswith(SAMPLED):
                k = int(writes.removeprefix(SAMPLED))
                name, which = PARAMETERS, slice(k, k + 1)
            vectors[name] = vectors[name].copy()
            passed = vectors["t"][0] - vectors["t0"][0]  # 0; its derivative by t gives the rate
            vectors[name][which] = vectors[name][which] + passed * vectors[f"{RATE}{writes}"]
        for program, writes in self.drives:
            (vectors[writes],) = replay(program, *(vectors[port.name] for port in program.inputs))
        return vectors

    def quantity(self, name: str, given: Vectors) -> Array:
        """Return a quantity of the mechanism (``evaluate.registry``) over expressions."""
        loaded = name in ("inverse_dynamics", "bias", "forward_dynamics")
        loads = self.load_inputs if loaded else LoadInputs()
        program = trace(self.mechanism, Request(name, loads=loads))
        return replay(program, *(given[port.name] for port in program.inputs))[0]

    def check_size(self, integrator: str, operations: float) -> None:
        """Raise an error if a derivative of about so many operations is too long to make."""
        if operations > MOST_OPERATIONS:
            raise PoinsotError(
                f"simulate: integrator {integrator!r} would need about {operations:.0f} operations "
                f"for the derivatives of {self.mechanism.name!r}, and makes {MOST_OPERATIONS} at "
                "most; choose integrator 'dp8'"
            )


def _written_out(use: Use) -> Program | None:
    """Return the program of a law without loops; None where there is none, or it is too long."""
    if not isinstance(use.kernel, RolledKernel):
        return None
    with suppress(TooManyNodesError, ProgramError), nodes_at_most(MOST_OPERATIONS):
        return straightened(use.kernel.program)
    return None


def cached_kernel(graph: Graph, name: str, make: Callable[[], Program]) -> LlvmKernel:
    """Return the kernel of a program made of a graph; its code is cached on disk under both.

    Args:
        graph: What the program is made of, and nothing else.
        name: Which one.
        make: Makes it.
    """
    return LlvmKernel(Recipe(make, recipe_key((*SOURCES, "simulation"), graph, name)))


def joined(*vectors: Array | Sequence[Any]) -> Array:
    """Return vectors of expressions, concatenated."""
    result: Array = np.concatenate([np.asarray(vector, dtype=object) for vector in vectors])
    return result
