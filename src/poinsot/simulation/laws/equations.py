"""The equations of motion as a list of compiled kernels.

tau = drive(t, q, v),   base = motion(t),   wrenches, drives = loads(t, q, v),
dv/dt = forward_dynamics(q, v, tau, base, wrenches, drives, t),   dq/dt = N(q) v

Values of signals come first: they are inputs of these laws.

Free parameters are one more vector that kernels read; it does not change in a run.  Further states
stand behind v in the state of a run, [q, v, states], and are copied behind the parameters before
the other kernels read them there.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poinsot.errors import ModelError, PoinsotError
from poinsot.evaluate.evaluator import evaluators_of
from poinsot.evaluate.expression import compiled_program
from poinsot.evaluate.parameters import ParameterValues
from poinsot.evaluate.request import NO_LOADS, Request
from poinsot.expr import Program, Rolled, build, fresh_symbols
from poinsot.kernels.kernel import AbstractKernel
from poinsot.kernels.llvm.machine_kernel import AbstractMachineKernel
from poinsot.model import BaseMotion, LoadInputs, Mechanism
from poinsot.model.environment import BASE, DRIVES, N_BASE, WRENCHES
from poinsot.model.followed_programmes import FollowedProgramme
from poinsot.model.signal import SIGNAL, Signal
from poinsot.model.states.law import programmes_in
from poinsot.simulation.laws.callback import Callback, CallbackKernel
from poinsot.simulation.laws.common_shape import common_shape
from poinsot.simulation.laws.load_laws import (
    BaseLaw,
    Law,
    LoopLaws,
    TracedLaw,
    Wrenches,
    constant_forces,
    sampled_forces,
    traced_base,
    traced_drives,
    traced_forces,
    traced_wrenches,
)
from poinsot.simulation.laws.signals import EDGE, LookupKernel, breaks_of
from poinsot.spatial import Array

DRIVEN: Final = ("tau", BASE, WRENCHES, DRIVES)
"""Vectors given by functions of the user, which may read values of signals."""

STATES: Final = "states"
"""The further states."""
RATES: Final = "state_rates"
"""Their rates."""
MOTION: Final = ("a", "qdot", RATES)
"""What the kernels of the mechanism write, in the order in which they run."""
SAMPLED: Final = "parameter:"
"""Opens what lookups of parameters give, before their number among the inputs."""


@dataclass(frozen=True)
class Use:
    """A kernel and the names of the vectors it reads and the one it writes."""

    kernel: AbstractKernel
    reads: tuple[str, ...]
    writes: str

    @property
    def address(self) -> int:
        """Where ``void single(double **inputs, double **outputs)`` starts."""
        address: int = getattr(self.kernel, "single_address", 0)
        if not address:
            raise PoinsotError(f"{type(self.kernel).__name__} has no code for single states")
        return address

    @property
    def has_lanes(self) -> bool:
        """Whether there is code for states in lanes."""
        return isinstance(self.kernel, AbstractMachineKernel) and self.kernel.has_lanes

    @property
    def lanes_address(self) -> int:
        """Where ``void lanes(double **inputs, double **outputs)`` starts; ``has_lanes`` holds."""
        assert isinstance(self.kernel, AbstractMachineKernel)
        return self.kernel.lanes_address


@dataclass(frozen=True)
class MotionEquations:
    """The kernels of one mechanism under one drive, in the order in which they run.

    The numbers of one run, or of many: their leading dimensions broadcast.

    Attributes:
        mechanism: The bodies.
        uses: The kernels.
        tau: Constant joint forces, shape (..., nv).
        base: Constant motion of the base, shape (..., N_BASE).
        parameters: Values of the free parameters, shape (..., number of them).
        load_inputs: External loads besides gravity.
        programmes: Laws among them, and of states, that follow a programme; not kept in files.
    """

    mechanism: Mechanism
    uses: tuple[Use, ...]
    tau: Array
    base: Array
    parameters: Array
    load_inputs: LoadInputs = NO_LOADS
    programmes: tuple[FollowedProgramme, ...] = ()

    @property
    def nq(self) -> int:
        """Number of coordinates."""
        return self.mechanism.nq

    @property
    def nv(self) -> int:
        """Number of velocities."""
        return self.mechanism.nv

    @property
    def n(self) -> int:
        """Numbers in the state [q, v, states] of a run."""
        return self.mechanism.n_state

    @property
    def ends(self) -> tuple[int, int]:
        """Where in the state of a run q and v end."""
        return self.nq, self.nq + self.nv

    @property
    def initial_states(self) -> Array:
        """The further states at the start, which are behind the parameters, shape (..., n)."""
        return self.parameters[..., len(self.mechanism.free_parameters) :]

    @cached_property
    def shape(self) -> tuple[int, ...]:
        """Leading dimensions of the numbers; () for one run."""
        numbers = {"tau": self.tau, BASE: self.base, "parameters": self.parameters}
        return common_shape({name: array.shape[:-1] for name, array in numbers.items()})

    def each(self, shape: tuple[int, ...]) -> MotionEquations:
        """Return the same with numbers per run, shapes (B, size)."""
        return replace(
            self,
            tau=_rows(self.tau, shape),
            base=_rows(self.base, shape),
            parameters=_rows(self.parameters, shape),
        )

    def with_parameters(self, parameters: Array) -> MotionEquations:
        """Return the same with other values of the free parameters.

        What follows from the kernels alone is not sought again: runs of one system share it.
        """
        _ = self.breaks, self.callbacks, self.projection, self.lookups
        made = object.__new__(MotionEquations)
        made.__dict__.update(self.__dict__, parameters=parameters)
        made.__dict__.pop("shape", None)
        return made

    def of(self, which: int | NDArray[np.intp]) -> MotionEquations:
        """Return the equations of one or some of many runs, by their numbers."""
        numbers = self.tau[which], self.base[which], self.parameters[which]
        return MotionEquations(
            self.mechanism, self.uses, *numbers, self.load_inputs, self.programmes
        )

    @cached_property
    def projection(self) -> Use | None:
        """The projection of a state onto the constraints; None for a tree."""
        return _projection(self.mechanism) if self.mechanism.closures else None

    @property
    def has_lanes(self) -> bool:
        """Whether all kernels have code for states in lanes."""
        projection = self.projection
        uses = self.uses if projection is None else (*self.uses, projection)
        return all(use.has_lanes for use in uses)

    @property
    def drives(self) -> tuple[Use, ...]:
        """Laws of the user, in the order in which they run."""
        return tuple(use for use in self.uses if is_driven(use.writes))

    @cached_property
    def breaks(self) -> tuple[Array, Array]:
        """Times at which signals jump or bend [s], increasing, and times right before them."""
        return breaks_of(self.lookups)

    @cached_property
    def lookups(self) -> tuple[LookupKernel, ...]:
        """Lookups of signals among the kernels."""
        kernels = (use.kernel for use in self.uses)
        return tuple(kernel for kernel in kernels if isinstance(kernel, LookupKernel))

    @cached_property
    def callbacks(self) -> tuple[CallbackKernel, ...]:
        """Callbacks among the laws."""
        kernels = (use.kernel for use in self.uses)
        return tuple(kernel for kernel in kernels if isinstance(kernel, CallbackKernel))

    def __reduce__(self) -> tuple[Callable[..., MotionEquations], tuple[Any, ...]]:
        """Pickle without machine code: drives as programs, the motion by its mechanism."""
        drives = tuple((_portable(use.kernel), use.writes) for use in self.drives)
        constants = self.tau, self.base, self.parameters
        return _from_programs, (self.mechanism, drives, self.load_inputs, *constants)


def is_driven(writes: str) -> bool:
    """Say whether a vector is given by a law of the user or by a signal."""
    return writes in DRIVEN or writes.startswith(SIGNAL)


def _portable(kernel: AbstractKernel) -> Program | Rolled | Callback | Signal:
    if isinstance(kernel, LookupKernel):
        return kernel.signal
    return kernel.callback if isinstance(kernel, CallbackKernel) else kernel.program


def _from_programs(
    mechanism: Mechanism,
    drives: tuple[tuple[Program | Rolled | Callback | Signal, str], ...],
    load_inputs: LoadInputs,
    *constants: Array,
) -> MotionEquations:
    uses = [_made(mechanism, law, writes) for law, writes in drives]
    return restored(mechanism, uses, load_inputs, *constants)


def _made(mechanism: Mechanism, law: Program | Rolled | Callback | Signal, writes: str) -> Use:
    if isinstance(law, Signal):
        return lookup(law, writes)
    return _called(mechanism, law) if isinstance(law, Callback) else driven(law, writes)


def restored(
    mechanism: Mechanism, drives: Sequence[Use], load_inputs: LoadInputs, tau: Array, base: Array,
    parameters: Array,
) -> MotionEquations:  # fmt: skip
    """Return equations from their laws and numbers.

    Args:
        mechanism: The bodies.
        drives: Laws of joint forces and of the base, in the order in which they run.
        load_inputs: Whether the base moves, the bodies that wrenches act on, the loops driven.
        tau: Constant joint forces, shape (nv,).
        base: Constant motion of the base, shape (N_BASE,).
        parameters: Values of the free parameters.
    """
    names = mechanism.parameter_inputs
    sampled = [
        lookup(signal, f"{SAMPLED}{names.index(name)}") for name, signal in mechanism.signals
    ]
    uses = (*_copied(mechanism), *sampled, *drives, *_motion(mechanism, load_inputs))
    programmes = programmes_in(law for state in mechanism.states for law in state.laws.values())
    return MotionEquations(mechanism, uses, tau, base, parameters, load_inputs, programmes)


def equations(
    mechanism: Mechanism,
    tau: ArrayLike | Law | Signal | None,
    base: BaseMotion | BaseLaw | None = None,
    parameters: Array | None = None,
    wrenches: Wrenches | None = None,
    drives: LoopLaws | None = None,
) -> MotionEquations:
    """Return the equations of motion under joint forces.

    Args:
        mechanism: The bodies; they must have a degree of freedom.
        tau: None, one number for every joint, constant joint forces (..., nv), or a function of t,
            q and v that returns them, traced or (a Callback) called, or a signal of nv.
        base: Motion of the base: at rest, constant numbers, or a function of t.
        parameters: Values of the free parameters, if there are some, shape (..., number of them).
        wrenches: External wrenches by body name.
        drives: Forces along joints that close loops, and along curves, by name.
    """
    if mechanism.nv == 0:
        raise ModelError(f"{mechanism.name!r} has no degree of freedom; there is no motion to find")
    alone = tau is None and base is None and not wrenches and not drives
    if alone:
        made, plain = _undriven_equations(mechanism), parameters is None or parameters.shape == (0,)
        return made if plain else made.with_parameters(np.asarray(parameters))
    uses: list[Use] = []
    forces, numbers = np.zeros(mechanism.nv), np.zeros(N_BASE)
    values = np.zeros(0) if parameters is None else parameters
    traced: dict[str, TracedLaw] = {}
    if isinstance(base, BaseMotion):
        numbers = _constant_base(base, ParameterValues(mechanism).gravity(values))
    elif base is not None:
        traced[BASE] = traced_base(mechanism, base)
    if isinstance(tau, Signal):
        uses.append(lookup(sampled_forces(mechanism, tau), "tau"))
    elif isinstance(tau, Callback):
        uses.append(_called(mechanism, tau))
    elif callable(tau):
        traced["tau"] = traced_forces(mechanism, tau)
    elif tau is not None:
        forces = constant_forces(mechanism, tau)
    if wrenches:
        traced[WRENCHES] = traced_wrenches(mechanism, wrenches)
    if drives:
        traced[DRIVES] = traced_drives(mechanism, drives)
    signals = {port: signal for law in traced.values() for port, signal in law.signals.items()}
    asked = [lookup(signal, port) for port, signal in signals.items()]
    uses += [driven(law.program, writes) for writes, law in traced.items()]
    loaded = traced[WRENCHES].loaded if wrenches else ()
    loops = traced[DRIVES].loops if drives else ()
    load_inputs = LoadInputs(base is not None, loaded, loops)
    made = restored(mechanism, (*asked, *uses), load_inputs, forces, numbers, values)
    programmes = traced["tau"].programmes if "tau" in traced else ()
    return replace(made, programmes=made.programmes + programmes) if programmes else made


@lru_cache(maxsize=64)
def _undriven_equations(mechanism: Mechanism) -> MotionEquations:
    """Return the equations without external loads; runs of a system share them."""
    numbers = np.zeros(mechanism.nv), np.zeros(N_BASE), np.zeros(0)
    for array in numbers:
        array.flags.writeable = False
    return restored(mechanism, (), LoadInputs(), *numbers)


@lru_cache(maxsize=64)
def _motion(mechanism: Mechanism, load_inputs: LoadInputs) -> tuple[Use, ...]:
    evaluators = evaluators_of(mechanism)
    requests = [Request("forward_dynamics", loads=load_inputs), Request("position_rate")]
    requests += [Request(RATES)] if mechanism.states else []
    kernels = [evaluators.find(request).kernel for request in requests]
    return tuple(
        Use(kernel, tuple(port.name for port in kernel.signature.inputs), goal)
        for kernel, goal in zip(kernels, MOTION, strict=False)
    )


@lru_cache(maxsize=64)
def _copied(mechanism: Mechanism) -> tuple[Use, ...]:
    """Return what puts the further states where kernels read them, behind the parameters."""
    if not mechanism.states:
        return ()
    states = fresh_symbols(STATES, len(mechanism.state_values))
    first = len(mechanism.free_parameters)
    return (driven(build({STATES: states}, {"copy": states}), f"{SAMPLED}{first}"),)


def _called(mechanism: Mechanism, callback: Callback) -> Use:
    kernel = CallbackKernel(callback, mechanism.nq, mechanism.nv, tuple(mechanism.state_values))
    return Use(kernel, tuple(port.name for port in kernel.signature.inputs), "tau")


@lru_cache(maxsize=64)
def lookup(signal: Signal, writes: str) -> Use:
    """Return the lookup of a signal."""
    kernel = LookupKernel(signal, writes)
    return Use(kernel, ("t", EDGE, *kernel.data, kernel.rate), writes)


def driven(program: Program | Rolled, writes: str) -> Use:
    """Return a law of the user, compiled."""
    return Use(compiled_program(program), tuple(port.name for port in program.inputs), writes)


@lru_cache(maxsize=64)
def _projection(mechanism: Mechanism) -> Use:
    kernel = evaluators_of(mechanism).find(Request("projected_state")).kernel
    return Use(kernel, tuple(port.name for port in kernel.signature.inputs), "state")


def with_states(equations: MotionEquations, moving: Array) -> Array:
    """Return states [q, v, states], from [q, v] of shape (..., nq + nv), at the start of runs."""
    if not equations.mechanism.states:
        return moving
    further = equations.initial_states
    if further.shape[:-1] != moving.shape[:-1]:
        further = np.broadcast_to(further, (*moving.shape[:-1], further.shape[-1]))
    return np.concatenate([moving, further], axis=-1)


def _rows(array: Array, shape: tuple[int, ...]) -> Array:
    size = array.shape[-1]
    return np.ascontiguousarray(
        np.broadcast_to(array, (*shape, size)).reshape(math.prod(shape), size)
    )


def _constant_base(base: BaseMotion, gravity: Array) -> Array:
    numbers = base.numbers(gravity)
    if not np.isfinite(numbers).all():
        raise ModelError("simulate: base must be finite")
    return numbers
