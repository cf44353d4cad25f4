"""The interface between the stepper and integrators."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass

from poinsot.kernels.kernel import AbstractCode
from poinsot.kernels.llvm.ir_writer import Layout
from poinsot.simulation.laws.equations import MotionEquations
from poinsot.simulation.stepping.control_writer import Row


@dataclass(frozen=True)
class StepControl:
    """How the error of a step chooses the next one [HNW2, section IV.2].

    Attributes:
        alpha: The next step is proportional to error**-alpha last_error**beta.
        beta: See alpha.
        least_factor: A step is at least so many times the last one.
        most_factor: And at most so many times.
    """

    alpha: float
    beta: float
    least_factor: float
    most_factor: float


@dataclass(frozen=True)
class BufferSizes:
    """Lengths that memory depends on.

    Attributes:
        nq: Coordinates.
        nv: Velocities.
        rows: Rows of loops and constraints.
        lanes: Doubles in a register.
        n: Equations: coordinates, velocities and further states.
    """

    nq: int
    nv: int
    rows: int
    lanes: int
    n: int

    def padded(self, length: int) -> int:
        """Return a length up to whole registers."""
        return -(-length // self.lanes) * self.lanes


@dataclass(frozen=True)
class AbstractIntegrator(ABC):
    """An integrator: what the stepper needs to know, and the functions it calls.

    The functions are IR text, ``internal fastcc``, and take the control block ``%c``:

        void @step(c)      from y at t, with the derivative there in k[0], to t + h; the end into x
        double @error(c)   norm of the error of that step, 1 at the limit, NaN if x is not finite;
                           without error control, 0 or NaN, of each run if these are in lanes
        void @dense(c)     coefficients of the polynomial between y and z; k[end] is known then

    and, of an integrator that has a ``gap``,

        double @error_along(c)   the error along motions that the constraints allow; z is its own

    The polynomial is y + s (f0 + (1 - s) (f1 + s (f2 + (1 - s) (f3 + ...)))), 0 <= s <= 1.

    Attributes:
        name: What users call it.
        order: Order of the solution.
        step_control: How steps are chosen; None: they are fixed, and the error is 0 or NaN.
    """

    name: str
    order: int
    step_control: StepControl | None

    @property
    def is_fixed(self) -> bool:
        """Whether the user chooses the step."""
        return self.step_control is None

    @property
    def gap(self) -> float | None:
        """Midpoint of the widest gap between stages, part of a step (``singularity_crossing.py``).

        None: the integrator cannot step across kinematic singularities.
        """
        return None

    @property
    @abstractmethod
    def end(self) -> int:
        """Number of the k that holds the derivative at the end of a step."""

    @property
    def n_derivatives(self) -> int:
        """How many vectors k there are, at least two."""
        return self.end + 1

    @property
    def end_is_known(self) -> bool:
        """Whether ``@step`` leaves the derivative at x in k[end]."""
        return False

    @property
    def n_dense(self) -> int:
        """Coefficients of the interpolating polynomial; a cubic has three."""
        return 3

    @property
    def error_row(self) -> Row:
        """Combination of the k that tells in which entry the error is largest."""
        return {0: 1.0}

    def buffers(self, sizes: BufferSizes) -> Mapping[str, int]:
        """Return memory that the functions need: names, and how many doubles."""
        return {}

    def kernels(self, equations: MotionEquations) -> tuple[AbstractCode, ...]:
        """Return kernels that ``@step`` calls besides those of the derivative.

        They read by name what those read, buffers, and a0, the accelerations at the start of the
        step; they write buffers.  Their ``single_address`` says where their code is.
        """
        return ()

    @abstractmethod
    def functions(self, layout: Layout) -> list[str]:
        """Return the functions, for vectors that lie in registers so."""
