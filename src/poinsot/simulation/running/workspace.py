"""The memory of one integration: vectors, tables of kernels and the control block.

Creating it takes as long as some hundred evaluations, so workspaces of finished runs wait in a pool
for the next one of the same kernels.  A workspace in use is not in the pool: runs in threads never
share one.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable, Mapping
from functools import cached_property, lru_cache

import numpy as np

from poinsot.evaluate.inputs import PARAMETERS
from poinsot.kernels.kernel import AbstractCode, AbstractKernel
from poinsot.kernels.llvm.library import Library
from poinsot.kernels.llvm.target import Target
from poinsot.model import Mechanism
from poinsot.model.environment import BASE, N_BASE
from poinsot.simulation.laws.equations import (
    MOTION,
    SAMPLED,
    STATES,
    MotionEquations,
    Use,
)
from poinsot.simulation.laws.signals import EDGE
from poinsot.simulation.laws.traced_events import Events
from poinsot.simulation.running.event_memory import Watched, watch_key
from poinsot.simulation.running.kernel_table import KernelTable
from poinsot.simulation.running.memory import (
    RowMemory,
    aligned_zeros,
    given_memory,
    samples_of,
    signal_count,
)
from poinsot.simulation.running.run_plan import Accuracy
from poinsot.simulation.running.step_goals import FLOOR, StepGoals
from poinsot.simulation.stepping.control import Control, LoopSignal, field_offset
from poinsot.simulation.stepping.fixed_steps import FixedSteps
from poinsot.simulation.stepping.integrators import INTEGRATORS
from poinsot.simulation.stepping.integrators.integrator import BufferSizes
from poinsot.simulation.stepping.projection import PROJECTIONS
from poinsot.simulation.stepping.quaternions import quaternion_starts
from poinsot.simulation.stepping.step_control import LEAST_ERROR
from poinsot.simulation.stepping.stepper import compiled
from poinsot.spatial import Array

STEP_SHARE = 0.01
"""Part of the tolerance that the error of one step may take, because errors of steps add up.

Chosen for an energy drift of at most rtol of the largest kinetic energy in 10 s.  Measured, drift /
rtol without it: double pendulum 3 to 10, chains of 3 to 12 joints 1 to 5, random trees up to 100;
with it at most 0.2 and 1.  It makes runs of order 8 1.6 times as long.
"""

_RUN = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)
_FIRST_STEP = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_void_p)
_DERIVATIVE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64)
_AT_TIME = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_double)
_SAMPLE = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_SIGNALS = tuple(LoopSignal)


class Workspace:
    """Vectors ``y``, ``x``, ``z`` and ``k``, which the compiled code and NumPy share."""

    runs = 1
    """How many runs are interleaved in every entry of a vector."""

    def __init__(self, equations: MotionEquations, accuracy: Accuracy) -> None:
        self.integrator = INTEGRATORS[accuracy.integrator]
        self.equations = equations
        n = equations.n
        rows = len(equations.mechanism.row_names)
        sizes = BufferSizes(equations.nq, equations.nv, rows, Target.current().width, n)
        self.width = sizes.padded(n * self.runs)
        n_vectors = 6 + self.integrator.n_derivatives + self.integrator.n_dense
        self._vectors = vectors = aligned_zeros(n_vectors, self.width)
        self.y, self.x, self.z, self._tau = vectors[:4]
        n_parameters = len(equations.mechanism.parameter_inputs)
        self._base = aligned_zeros(1, N_BASE * self.runs)[0]
        self._parameters = aligned_zeros(1, n_parameters * self.runs)[0]
        self._given = given_memory(equations.uses, self.runs)
        self.k = vectors[6 : 6 + self.integrator.n_derivatives]
        self.quaternions = quaternion_starts(equations.mechanism)
        first, size = vectors.ctypes.data, 8 * self.width
        self.control = Control(
            last_error=LEAST_ERROR,
            n=n,
            nq=equations.nq,
            nv=equations.nv,
            n_rows=rows,
            width=self.width,
            n_quaternions=self.quaternions.size,
            n_kernels=len(equations.uses),
            n_signals=signal_count(equations),
            n_projections=PROJECTIONS if equations.projection else 0,
            y=first,
            x=first + size,
            z=first + 2 * size,
            p=first + 4 * size,  # and one entry more
            k=first + 6 * size,
            dense=first + (6 + self.integrator.n_derivatives) * size,
            quaternions=self.quaternions.ctypes.data,
        )
        self._address = ctypes.addressof(self.control)
        self.goals = StepGoals(equations, self.control)
        needs = self.integrator.buffers(sizes).items()
        self.buffers = {name: aligned_zeros(1, length)[0] for name, length in needs}
        # References keep code alive: two threads that begin at once may compile it twice.
        self._kernels: list[AbstractKernel | AbstractCode] = []
        self._tables = self._kernel_tables()
        self._code = self._compiled(accuracy.integrator)
        self.row_memory: RowMemory | None = None  # for the rows of the next run
        self._watched: Watched | None = None
        self.is_renewable = True
        self._run = _RUN(self._code.address("run"))
        self._derivative = _DERIVATIVE(self._code.address("derivative"))
        self._fresh = bytes(self.control)
        self._aim(accuracy)

    def renew(self, equations: MotionEquations, accuracy: Accuracy) -> None:
        """Reset the workspace, for the same kernels and integrator; ``is_renewable`` must hold.

        Args:
            equations: What to integrate: the kernels are those it was made for.
            accuracy: How: the integrator is that it was made for.
        """
        ctypes.memmove(self._address, self._fresh, len(self._fresh))
        for memory in (self._vectors, *self.buffers.values(), *self._given.values()):
            memory.fill(0.0)
        self.equations = equations
        self._aim(accuracy)

    def run(self) -> LoopSignal:
        """Take steps until the end, a failure or the pause.  The GIL is released meanwhile."""
        number: int = self._run(self._address)
        return _SIGNALS[number]

    def first_step(self) -> float:
        """Return a first step whose error will be small [s]; the derivative at y is in k[0] then.

        For integrators that choose their steps.
        """
        return self._first_step(self._address)

    def derivative(self, t: float, stage: int) -> None:
        """Evaluate the derivative of ``x`` at time ``t`` into ``k[stage]``."""
        self.control.t_stage = t
        self._derivative(self._address, stage)

    @cached_property
    def _first_step(self) -> Callable[[int], float]:
        return _FIRST_STEP(self._code.address("first_step"))

    @cached_property
    def _observe(self) -> Callable[[int, float], None]:
        return _AT_TIME(self._code.address("observe"))

    @cached_property
    def _store_samples(self) -> Callable[[int, float], None]:
        return _AT_TIME(self._code.address("samples"))

    @property
    def watched(self) -> Watched:
        """The events that are watched for."""
        assert self._watched is not None, "events are watched for"
        return self._watched

    def interpolate(self, t: float) -> None:
        """Interpolate the pending step at a time into ``x``, and its events into ``watched.g``."""
        self._observe(self._address, t)

    def observe(self, t: float) -> Array:
        """Do the same, and return the events, a copy."""
        self.interpolate(t)
        return self.watched.g.copy()

    def samples(self, t: float) -> None:
        """Store the rows that are due up to a time in the pending step."""
        self._store_samples(self._address, t)

    def watch(self, events: Events) -> None:
        """Watch for events."""
        if self._watched is None or self._watched.key != watch_key(events):
            given = self.equations, self.control, self._addresses(), aligned_zeros(4, self.width)
            self._watched = Watched(events, *given)
        self._watched.begin()

    def switch(self, equations: MotionEquations) -> None:
        """Continue with other equations of the same mechanism."""
        self.is_renewable = False
        self.equations = equations
        self.goals.switch(equations)
        self._given = given_memory(equations.uses, self.runs)
        self._tau[: equations.nv] = equations.tau
        self.control.n_kernels = len(equations.uses)
        self.control.n_signals = signal_count(equations)
        self._tables = self._kernel_tables()

    def restart(self, t: float) -> None:
        """Set that a step starts at a time from the state ``y``, with the derivative in k[0]."""
        control = self.control
        control.t = t
        control.waiting = control.has_dense = control.just_rejected = control.not_finite = 0
        control.last_error, control.careful = LEAST_ERROR, 0
        control.clear = control.clear_last = 0.0
        control.t_left = math.nan
        if self._step is not None:
            self._equal_steps(self._step)
        if self._set_breaks():
            self._sample(self._address)
        control.started = 1
        self.x[:] = self.y
        self.derivative(t, 0)

    def begin(self, t: float, t_end: float, state: Array) -> None:
        """Set where the next run starts and where it ends."""
        control = self.control
        self.y[: state.size] = state
        control.t, control.t_end = t, t_end
        control.t_before = math.nextafter(t_end, -math.inf)
        control.h_floor = FLOOR * (t_end - t)
        control.started = control.accepted = control.rejected = 0
        control.just_rejected = control.not_finite = control.careful = 0
        control.clear = control.clear_last = 0.0
        if self._step is not None:
            self._equal_steps(self._step)
        if self.goals.clocks:
            self.goals.begin(self.equations, t)
        self._set_breaks()

    def sample_now(self, t: float) -> None:
        """Compute the sampled states that are due at a time at which the run ends, in y."""
        if self.goals.clocks:
            self.restart(t)

    def sample_start(self) -> None:
        """Compute the sampled states that are due at the start, in y."""
        if self.goals.clocks and self.control.next_break > 0:
            self._sample(self._address)

    @cached_property
    def _sample(self) -> Callable[[int], None]:
        return _SAMPLE(self._code.address("update_states"))

    def _set_breaks(self) -> bool:
        """Set where the next step must end; say whether sampled states are due now."""
        self.control.h_equal = self.control.h
        return self.goals.find()

    def _equal_steps(self, longest: float) -> None:
        """Set the fixed step: the fewest steps to the end that are not longer than requested."""
        control = self.control
        control.h = FixedSteps(control.t, control.t_end, longest).step
        control.t_first, control.fixed_steps = control.t, 0

    def _aim(self, accuracy: Accuracy) -> None:
        """Set tolerances and limits of steps, and the numbers that stay the same in a run."""
        self.control.rtol = STEP_SHARE * accuracy.rtol
        self.control.atol = STEP_SHARE * accuracy.atol
        self._step, self.control.h_most = accuracy.step, accuracy.max_step
        self._set_numbers()

    def _set_numbers(self) -> None:
        """Copy the numbers that stay the same in a run."""
        self._tau[: self.equations.nv] = self.equations.tau
        self._base[:], self._parameters[:] = self.equations.base, self.equations.parameters

    def _compiled(self, integrator: str) -> Library:
        """Return the machine code of an integrator."""
        return compiled(integrator, sampled=bool(self.goals.clocks))

    def _time(self) -> int:
        """Return where kernels read the time."""
        return self._address + field_offset("t_stage")

    def _kernel(self, use: Use) -> int:
        """Return where the code of a kernel starts."""
        self._kernels.append(use.kernel)
        return use.address

    def _addresses(self) -> dict[str, int]:
        """Return the addresses of the vectors that kernels read."""
        x = self.control.x
        return {
            "t": self._time(),
            "q": x,
            "v": x + 8 * self.runs * self.equations.nq,
            STATES: x + 8 * self.runs * (self.equations.nq + self.equations.nv),
            "tau": self._tau.ctypes.data,
            BASE: self._base.ctypes.data,
            PARAMETERS: self._parameters.ctypes.data,
            EDGE: self._address + field_offset("t_edge"),
            **{name: array.ctypes.data for name, array in self._given.items()},
            **{name: array.ctypes.data for name, array in samples_of(self.equations.uses)},
        }

    def _kernel_tables(self) -> tuple[object, ...]:
        """Set up, for each stage, the kernels with what they read and write; return the memory."""
        control, uses, addresses = self.control, self.equations.uses, self._addresses()
        goals = [self._goal(use, addresses) for use in uses]
        strides = [8 * self.width if use.writes in MOTION else 0 for use in uses]
        kernels = [(self._kernel(use), [addresses[name] for name in use.reads]) for use in uses]
        table = KernelTable(
            (*kernel, [goal + stage * stride])
            for stage in range(self.integrator.n_derivatives)
            for kernel, goal, stride in zip(kernels, goals, strides, strict=True)
        )
        control.kernels = table.address
        tables = self._projection_table(addresses), self._sampling_table(addresses)
        return table, *tables, *self._integrator_tables(addresses)

    def _goal(self, use: Use, addresses: Mapping[str, int]) -> int:
        """Return where a kernel writes, in the first stage."""
        if use.writes in MOTION:
            nq, nv = self.equations.nq, self.equations.nv
            return self.control.k + 8 * self.runs * {"qdot": 0, "a": nq}.get(use.writes, nq + nv)
        if use.writes.startswith(SAMPLED):
            return addresses[PARAMETERS] + 8 * self.runs * int(use.writes.removeprefix(SAMPLED))
        return addresses[use.writes]

    def _projection_table(self, addresses: Mapping[str, int]) -> KernelTable | None:
        use = self.equations.projection
        if use is None:
            return None
        reads = [addresses[name] for name in use.reads]
        table = KernelTable([(self._kernel(use), reads, [self.control.p])])
        self.control.projection = table.address
        return table

    def _sampling_table(self, addresses: Mapping[str, int]) -> KernelTable | None:
        if not self.goals.clocks:
            return None
        from poinsot.simulation.laws.sampling import DUE, sampling

        use = sampling(self.equations.mechanism)
        reads = [self.control.due if name == DUE else addresses[name] for name in use.reads]
        table = KernelTable([(self._kernel(use), reads, [self.control.sampled])])
        self.control.sampling = table.address
        return table

    def _integrator_tables(self, addresses: Mapping[str, int]) -> tuple[object, ...]:
        """Set up the kernels and the buffers of the integrator; return the memory of the tables."""
        if not self.buffers:
            return ()
        control = self.control
        buffers = {name: int(buffer.ctypes.data) for name, buffer in self.buffers.items()}
        start = {"t0": addresses["t"], "a0": control.k + 8 * self.equations.nq}
        start["rates0"] = control.k + 8 * self.equations.ends[1]
        named = {**addresses, **buffers, **start}
        starts = np.array(list(buffers.values()), np.uintp)
        control.buffers = starts.ctypes.data
        kernels = self.integrator.kernels(self.equations)
        self._kernels += kernels
        table = KernelTable(
            (
                kernel.single_address,
                [named[port.name] for port in kernel.signature.inputs],
                [named[port.name] for port in kernel.signature.outputs],
            )
            for kernel in kernels
        )
        control.parts, control.n_parts = table.address, len(table)
        return starts, table


MOST = 4
"""Most workspaces of a kind in the pool."""


def workspace(equations: MotionEquations, accuracy: Accuracy) -> Workspace:
    """Return a fresh or reset workspace."""
    if equations.callbacks:  # of one run only
        return Workspace(equations, accuracy)
    try:
        work = _pool(equations.mechanism, equations.uses, accuracy.integrator).pop()
    except IndexError:
        return Workspace(equations, accuracy)
    work.renew(equations, accuracy)
    return work


def put_back(work: Workspace) -> None:
    """Return a workspace to the pool; the caller may not use it any more."""
    if work.equations.callbacks or not work.is_renewable:
        return
    pool = _pool(work.equations.mechanism, work.equations.uses, work.integrator.name)
    if len(pool) < MOST:
        pool.append(work)


@lru_cache(maxsize=64)
def _pool(mechanism: Mechanism, uses: tuple[Use, ...], integrator: str) -> list[Workspace]:
    return []
