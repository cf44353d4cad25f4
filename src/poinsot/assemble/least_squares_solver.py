"""Nonlinear least squares from many starts in machine code, the same for all systems.

The Levenberg-Marquardt method [Nocedal2006, section 10.3] on a manifold: with residuals φ(q) and
their Jacobian J by velocities, each round tries the step

    min |J x + φ|² + λ s² |x|²,    s the largest entry of J.

Near the end the shortest step of Gauss and Newton, λ = 0, comes first; if it leaves little, the
other is not tried.  The better one is taken if it is better than none.  λ falls after a step that
is taken and grows after one that is not.

Where coordinates have limits, each step is projected onto them, and those at a limit beyond which
the residuals would fall stay there for the next one.

Sizes are data, and φ, J and the motion q ⊕ x are functions ``void f(double **in, double **out)`` as
kernels of machine code have them (``kernels/llvm/state_loops.py``), so that it is compiled once for
all problems.  Starts are independent and shared out to threads.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from poinsot.assemble.least_squares_ir import FIELDS, NUMBERS, solver_ir
from poinsot.expr.numeric_basis import PADDING
from poinsot.kernels.kernel import AbstractCode
from poinsot.kernels.llvm.ir_writer import Layout
from poinsot.kernels.llvm.library import Library, load_library
from poinsot.kernels.llvm.shared_batch import run_batch
from poinsot.kernels.llvm.target import Target
from poinsot.kernels.python_function import PythonFunction
from poinsot.spatial import Array

USUAL_ROUNDS: Final = 12
"""Rounds that a start takes, to see whether threads are worthwhile."""


@dataclass(frozen=True)
class SearchLimits:
    """When to stop.

    Attributes:
        rounds: Steps to try.
        exact: Largest residual at which no step can do better.
        good: Largest residual of a solution: from there on a step that fails is the last.
        near: Largest residual from which on Gauss and Newton's step may be good.
        reach: Longest step: farther the rows say nothing.
        little: Part of the sum of squares below which a gain, far from the end, leads nowhere.
    """

    rounds: int
    exact: float
    good: float
    near: float
    reach: float
    little: float = 1e-7


@dataclass(frozen=True)
class Bounds:
    """Limits of coordinates.

    Attributes:
        lower: Smallest coordinates, shape (nq,); -inf where there is no limit.
        upper: Largest coordinates, shape (nq,).
        coordinates: For each free velocity the number of its coordinate, -1 where it has none.
    """

    lower: Array
    upper: Array
    coordinates: NDArray[np.int64]


@dataclass(frozen=True)
class Problem:
    """The functions of a problem, and their sizes.

    Attributes:
        residual: φ, shape (m,), of q and further inputs.
        jacobian: J, shape (m, nv), of the same.
        move: q ⊕ x, shape (nq,), of q and a step of all velocities; None: machine code does it.
        table: What that reads (``configuration_steps.py``).
        shape: That of J.
    """

    residual: AbstractCode | PythonFunction
    jacobian: AbstractCode | PythonFunction
    move: AbstractCode | PythonFunction | None
    table: NDArray[np.int64] | None
    shape: tuple[int, int]

    @property
    def work(self) -> int:
        """Operations of a round; 0 where Python is called, by one thread."""
        kernels, (m, nv) = (self.residual, self.jacobian), self.shape
        if any(isinstance(x, PythonFunction) for x in (*kernels, self.move)):
            return 0
        return 4 * m * nv**2 + sum(x.signature.work for x in kernels if isinstance(x, AbstractCode))

    def raise_error(self) -> None:
        """Raise the first error of Python's functions."""
        for function in (self.residual, self.jacobian, self.move):
            if isinstance(function, PythonFunction):
                function.raise_error()


def minimised(
    problem: Problem, q: Array, further: Sequence[Array], free: Array, limits: SearchLimits,
    bounds: Bounds | None = None,
) -> Array:  # fmt: skip
    """Move all starts to where their residuals are least; return the largest residual of each.

    NaN for a start that has no residuals.

    Args:
        problem: What to solve.
        q: The starts, shape (n, nq), contiguous; overwritten by the final iterates.
        further: Inputs of residuals and Jacobian behind q, shape (n, size) or (size,), contiguous.
        free: Numbers of the velocities along which q may change.
        limits: When to stop.
        bounds: Limits of coordinates, which the starts obey.
    """
    library, (n_starts, nq), (m, nv) = machine_code(), q.shape, problem.shape
    largest, sizes = np.empty(n_starts), (m, len(free), nv, nq, len(further))
    numbers = free.astype(np.int64)
    addresses = np.array([array.ctypes.data for array in further], np.int64)
    strides = np.array([array.shape[-1] * (array.ndim - 1) for array in further], np.int64)
    move = library.address("move") if problem.move is None else problem.move.single_address
    fields = _arrays(*sizes) | dict(zip(("m", "n", "nv", "nq", "n_further"), sizes, strict=True))
    fields |= {
        "residual": problem.residual.single_address,
        "jacobian": problem.jacobian.single_address,
        "move": move,
        "table": 0 if problem.table is None else problem.table.ctypes.data,
        "further": addresses.ctypes.data,
        "strides": strides.ctypes.data,
        "free": numbers.ctypes.data,
        "rounds": limits.rounds,
    }
    if bounds is not None:
        names = "lower", "upper", "coordinates"
        fields |= {name: getattr(bounds, name).ctypes.data for name in names}
    control = np.array([fields.get(name, 0) for name in FIELDS], np.int64)
    first = FIELDS.index(NUMBERS[0])
    control.view(np.float64)[first : first + len(NUMBERS)] = [
        getattr(limits, name) for name in NUMBERS
    ]
    outputs = (ctypes.c_void_p * 2)(q.ctypes.data, largest.ctypes.data)
    places = control.ctypes.data, ctypes.addressof(outputs)
    work = USUAL_ROUNDS * problem.work
    if run_batch(library.address("batch"), n_starts, *places, work, least=1):
        raise MemoryError("no memory for least squares")
    problem.raise_error()
    return largest


def _arrays(m: int, n: int, nv: int, nq: int, n_further: int) -> dict[str, int]:
    """Return where the arrays of a thread begin [doubles], the stride of columns, and all bytes."""
    stride = _whole(m + n) + PADDING
    lengths = {
        "inputs": 1 + n_further, "outputs": 1, "motion": 3, "phi": m, "trial_phi": m,
        "best_phi": m, "trial_q": nq, "best_q": nq, "step": n, "change": nv, "rows": m * nv,
        "columns": n * stride, "gathered": m * _whole(n), "A": (n + 1) * stride, "B": n * stride,
        "y": stride, "order": 2 * n, "diagonal": n, "factors": n,
    }  # fmt: skip
    starts, total = dict[str, int](), 0
    for name, length in lengths.items():
        starts[name] = total
        total += _whole(length) + PADDING
    return starts | {"stride": stride, "bytes": 8 * total}


def _whole(length: int) -> int:
    return -(-length // PADDING) * PADDING


@lru_cache(maxsize=1)
def machine_code() -> Library:
    """Return ``@batch`` and ``@move``: compiled once, then from the disk cache."""
    target = Target.of_loops()
    return load_library(solver_ir(Layout(target.width)), ("batch", "move"), {}, target)
