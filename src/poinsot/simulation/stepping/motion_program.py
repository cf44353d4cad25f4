"""The equations of motion as one rolled program: laws, dynamics, kinematics, further states.

    rates = [dq/dt, dv/dt, rates of the further states] of [q, v, states] and t

Quaternions are normalised first: formulas that are equal for unit quaternions differ elsewhere, and
so would their derivatives.  Values of signals are those at t0, and change with t at their rates.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from poinsot.evaluate.algorithms import rolled_form
from poinsot.evaluate.inputs import PARAMETERS
from poinsot.evaluate.request import Request
from poinsot.evaluate.trace import trace_rolled
from poinsot.expr import Code, Program, Rolled, RolledBuilder
from poinsot.expr.rolled_code import STATE
from poinsot.simulation.laws.equations import MOTION, SAMPLED, STATES, MotionEquations, Use
from poinsot.simulation.laws.signals import LookupKernel
from poinsot.simulation.stepping.quaternions import quaternion_starts, with_unit_quaternions
from poinsot.spatial import Array

LONGEST_CODE = 3_500
"""Operations of dv/dt above which its rolled form is usually taken, if there is one.

Three times as many, with derivatives and in lanes, compile in 0.6 s; rolled, a step takes twice as
long.
"""


def motion_program(
    equations: MotionEquations, *, unit: bool = True, derivatives: int = 1
) -> Rolled:
    """Return the program; it reads t, q, v and states, and all else that laws and loads read.

    Args:
        equations: Without callbacks.
        unit: Whether quaternions are normalised first.
        derivatives: How many times it is to be differentiated: each makes it three times as long.
    """
    return _Motion(equations, unit, LONGEST_CODE // 3 ** (derivatives - 1)).program()


class _Motion:
    """Collects the items."""

    def __init__(self, equations: MotionEquations, unit: bool, longest: int) -> None:
        self._equations, self._given, self._unit = equations, dict[str, int](), unit
        self._programs = [_program(equations, use, longest) for use in equations.uses]
        self._sizes = {"t": 1, "q": equations.nq, "v": equations.nv}
        self._sizes[STATES] = equations.n - equations.nq - equations.nv
        for use, program in zip(equations.uses, self._programs, strict=True):
            if isinstance(use.kernel, LookupKernel):
                size = use.kernel.signal.size
                self._sizes |= {"t0": 1, use.kernel.rate: size}
                self._sizes |= {} if use.writes.startswith(SAMPLED) else {use.writes: size}
            if program is not None:
                self._sizes |= {port.name: port.size for port in program.inputs}
        self._builder = RolledBuilder(self._sizes, {"rates": (equations.n,)})

    def program(self) -> Rolled:
        """Append everything and return the program."""
        mechanism, uses = self._equations.mechanism, self._equations.uses
        if self._unit and quaternion_starts(mechanism).size:
            self._apply("q", lambda q: with_unit_quaternions(mechanism, q), "q")
        if any(use.writes.startswith(SAMPLED) for use in uses):
            self._apply(PARAMETERS, lambda parameters: parameters, PARAMETERS)
        rates: dict[str, Array] = {}
        for use, program in zip(uses, self._programs, strict=True):
            if isinstance(use.kernel, LookupKernel):
                self._apply(use.writes, _changing, use.writes, use.kernel.rate, "t", "t0")
            elif isinstance(program, Rolled):
                (places,) = self._builder.embed(use.writes, program, self._given)
                rates[use.writes] = places
                if use.writes not in MOTION:  # a law, whose result others read
                    self._builder.gathered(places, self._goal(use.writes, places.size))
            elif program is not None:
                rates[use.writes] = self._append(use.writes, program)
        qdot, a, *further = (rates[name] for name in ("qdot", "a", *MOTION[2:]) if name in rates)
        self._builder.show("rates", np.concatenate([qdot, a, *further]))
        return self._builder.finish()

    def _append(self, writes: str, program: Program) -> Array:
        """Append a straight program; return where its result is."""
        size = program.outputs[0].size
        ports = [self._port(port.name) for port in program.inputs]
        code = Code(program, (*(memory for memory, _, _ in ports), STATE))
        goal = self._goal(writes, size)
        number = self._builder.code(("program", writes), code)
        self._builder.append(number, [*(start for _, start, _ in ports), goal])
        return goal + np.arange(size)

    def _apply(self, writes: str, compute: Callable[..., Array], *names: str) -> None:
        """Append a function of vectors, the first of which is as long as its result."""
        reads = {f"x{k}": self._port(name) for k, name in enumerate(names)}
        size = reads["x0"][2]
        self._builder.item(
            ("function", writes), lambda **x: {"y": compute(*x.values())}, reads,
            {"y": self._goal(writes, size)},
        )  # fmt: skip

    def _port(self, name: str) -> tuple[str, int, int]:
        """Return the memory of a vector, where it is in it, and its size."""
        if name.startswith(SAMPLED):
            return STATE, self._given[PARAMETERS] + int(name.removeprefix(SAMPLED)), 1
        if name in self._given:
            return STATE, self._given[name], self._sizes[name]
        return name, 0, self._sizes[name]

    def _goal(self, writes: str, size: int) -> int:
        """Return where in the state a vector goes, for what reads it from now on."""
        if writes.startswith(SAMPLED):
            return self._port(writes)[1]
        self._given[writes] = self._builder.state(size)
        return self._given[writes]


def _program(equations: MotionEquations, use: Use, longest: int) -> Program | Rolled | None:
    """Return the program of a kernel; None: it looks up values of signals."""
    if isinstance(use.kernel, LookupKernel):
        return None
    mechanism, name = equations.mechanism, "forward_dynamics"
    length = use.kernel.signature.n_operations
    if use.writes == "a" and length > longest and rolled_form(mechanism, name) is not None:
        return trace_rolled(mechanism, Request(name, loads=equations.load_inputs))
    return use.kernel.program


def _changing(value: Array, rate: Array, t: Array, t0: Array) -> Array:
    """Return a value at t0, whose derivative by t is the rate."""
    changed: Array = value + (t[0] - t0[0]) * rate
    return changed
