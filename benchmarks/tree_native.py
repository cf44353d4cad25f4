"""Machine code alone: our kernels beside Pinocchio's C++ and CasADi's C, made for this processor.

All go through the same states in a compiled loop, one state after the other; results are compared
before anything is timed.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

import poinsot as ps
from benchmarks.agreement import TOLERANCE
from benchmarks.mechanisms import random_states
from benchmarks.native.compiler import compilers
from benchmarks.native.pinocchio_native import (
    ALGORITHMS,
    CppLoops,
    FunctionLoops,
    NativeTree,
    generated,
)
from benchmarks.pinocchio_model import PinocchioModel
from benchmarks.timing import Case, median_times
from poinsot.evaluate.evaluator import Evaluator
from poinsot.evaluate.request import Request

STATES = 512
LARGEST = 40
"""Velocities up to which CasADi's programs compile in minutes."""
OURS = "poinsot"
CPP, CASADI = "Pinocchio, C++", "Pinocchio, CasADi's C"


@dataclass(frozen=True)
class NativeRow:
    """Seconds a state of one quantity of one system, by who made the code and which compiler."""

    system: str
    method: str
    seconds: dict[str, float]

    def best(self) -> tuple[str, float]:
        """Return the fastest of the others."""
        others = {name: x for name, x in self.seconds.items() if name != OURS}
        name = min(others, key=others.__getitem__)
        return name, others[name]


def measure_native(name: str, system: ps.System, method: str, *, repeats: int) -> NativeRow | None:
    """Return the times of machine code alone; None without a compiler or for large systems."""
    if not compilers() or system.nv > LARGEST:
        return None
    states = random_states(system, method, STATES)
    expected = np.ravel(getattr(system, method)(**states)[-1])
    peer = PinocchioModel(system)
    native = NativeTree(peer)
    ours, theirs = list(states.values()), [peer.order(key, x) for key, x in states.items()]
    kernel, out = Evaluator(system.mechanism, Request(method)).kernel, np.zeros(expected.size)
    loops = {OURS: FunctionLoops(compilers()[0]).kernel(kernel.single_address, ours, out)}
    _agree(loops[OURS], lambda: out, expected, f"{name}, {method}: our kernel")
    for compiler in compilers():
        calls = FunctionLoops(compiler)
        cpp = CppLoops(compiler, native)
        for which in ALGORITHMS[method]:
            label = f"{CPP}, {compiler}, {'WORLD' if which % 2 else 'LOCAL'}"
            loops[label] = cpp.loop(which, theirs)
            back = peer.matrix_back if method == "mass_matrix" else peer.vector_back
            shape = 2 * (system.nv,) if method == "mass_matrix" else (system.nv,)
            result = partial(_last, cpp, which, shape, back)
            _agree(loops[label], result, expected, label)
        path, n_work = generated(compiler, native, ALGORITHMS[method])
        values = np.zeros(expected.size)
        label = f"{CASADI}, {compiler}"
        loops[label] = calls.generated(path, n_work, theirs, values)
        _agree(loops[label], lambda values=values: _whole(peer, method, values), expected, label)
    cases = [Case("loop()", {"loop": loop}) for loop in loops.values()]
    times = median_times(cases, repeats=max(1, repeats // 3))
    return NativeRow(name, method, {key: t / STATES for key, t in zip(loops, times, strict=True)})


def _last(cpp: CppLoops, which: int, shape: tuple[int, ...], back: Callable) -> np.ndarray:
    return np.ravel(back(cpp.last(which, shape)))


def _whole(peer: PinocchioModel, method: str, values: np.ndarray) -> np.ndarray:
    """Return CasADi's numbers in our order; of a matrix it has the upper half."""
    if method != "mass_matrix":
        return peer.vector_back(values)
    n = round(values.size**0.5)
    M = np.zeros((n, n))
    M[np.triu_indices(n)] = values[: n * (n + 1) // 2]
    return np.ravel(peer.matrix_back(M))


def _agree(loop: Callable, result: Callable, expected: np.ndarray, what: str) -> None:
    loop()
    error = np.abs(result() - expected).max() / np.abs(expected).max()
    if not error < TOLERANCE:
        raise ValueError(f"{what}: differs by {error:.1e}")
