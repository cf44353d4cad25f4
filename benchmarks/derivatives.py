"""Derivatives of the dynamics against Pinocchio's analytic ones, on one core.

    python -m benchmarks.derivatives [--quick] [--save]

First order: of the joint forces by q, v and a, and of the accelerations by q, v and tau, three
matrices each.  A single call is what a user writes, `system.inverse_dynamics_derivatives(q, v, a)`
and `pin.computeRNEADerivatives(model, data, q, v, a)`, `pin.computeABADerivatives` accordingly;
Pinocchio leaves its results in `data`, where of M and its inverse the upper half counts; ours
allocates its own.  A batch is one call for 512 or 4096 states into `out=`; Pinocchio has none, so
it is set against its C++ compiled for this processor (`-O3 -march=native`, by g++ and clang++) and,
for seven joints, the C that CasADi generates from its algorithms, in one compiled loop over 512
states, no Python.  For larger systems CasADi's C takes up to 20 minutes to compile and is left out.
Second order: the joint forces by q q, v v, q v and a q, four tensors of nv³ numbers, for seven
joints: `system.inverse_dynamics_second_derivatives(q, v, a)`, set against Pinocchio's C++, which
has no Python binding.

Verdicts are to the fastest form of Pinocchio.  Times are the best of many short repeats in which
all take turns; that is done three times, and the median counts.  All of it is done in five
processes, one after the other, and of each time the median counts again: now and then a call is a
quarter slower in one process from beginning to end.  Results are compared before anything is timed;
error: the largest max|x - y| / max|y| of any matrix, y Pinocchio's.  Bytes: what a state's results
take; stores: those bytes over the time of a batch of 4096, and beside it the rate at which this
core fills as much memory with a constant.  First calls: tracing and compiling, in a new process
without cache; then the first call for a batch.
"""

import argparse
import os
from dataclasses import dataclass

import numpy as np
import pinocchio as pin

from benchmarks.first_call import first_calls
from benchmarks.mechanisms import SUBJECTS, random_states
from benchmarks.native.compiler import compilers
from benchmarks.native.pinocchio_native import (
    CppLoops,
    FunctionLoops,
    NativeTree,
    generated,
)
from benchmarks.pinocchio_model import PinocchioModel
from benchmarks.processes import PROCESSES, in_processes, median_row
from benchmarks.report import Verdict, page, save, section, table, verdict_section
from benchmarks.timing import Case, median_times, use_one_core

SYSTEMS = ("chain of 7", "general chain of 7", "chain of 30", "general chain of 30", "humanoid")
METHODS = {
    "inverse_dynamics_derivatives": "pin.computeRNEADerivatives(model, data, q, v, x)",
    "forward_dynamics_derivatives": "pin.computeABADerivatives(model, data, q, v, x)",
}
SECOND = "inverse_dynamics_second_derivatives"
"""The method of second derivatives, whose tensors are in Pinocchio's order."""
SOURCE, CASADI_SOURCE = "pinocchio_derivatives.cpp", "pinocchio_casadi_derivatives.cpp"
TOLERANCE = 1e-9
"""Of the comparison with Pinocchio; the chain of 30 has mass matrices of condition 3e5."""
LOOP, LARGE = 512, 4096
"""States in loops and small batches, and in large ones."""
SINGLE_TARGETS = {True: 6.0, False: 2.5}
"""Of one call, for seven joints and for more."""
BATCH_TARGETS = {True: (8.0, 8.0), False: (4.0, 3.0)}
"""Of batches, inverse and forward."""
SECOND_TARGETS = (4.0, 10.0)
"""Of second derivatives, one call and batches."""
FIRST_TARGET = 2.0
"""Seconds of a first call."""


@dataclass(frozen=True)
class Row:
    """Seconds a state of one quantity of one system, and how large the results are."""

    system: str
    method: str
    single: float
    small: float
    large: float
    python: float
    native: dict[str, float]
    first: float
    first_batch: float
    bytes: int
    fill: float
    error: float

    @property
    def is_few(self) -> bool:
        """Whether it has seven joints."""
        return self.system.endswith(" 7")

    @property
    def best(self) -> tuple[str, float]:
        """Who of the others is fastest in machine code, and how fast."""
        return fastest(self.native)


@dataclass(frozen=True)
class SecondRow:
    """Seconds of all second derivatives of the joint forces of one system."""

    system: str
    single: float
    batch: float
    first: float
    native: dict[str, float]
    error: float


def fastest(times: dict[str, float]) -> tuple[str, float]:
    """Return the name that takes least, and how long."""
    name = min(times, key=times.__getitem__)
    return name, times[name]


def measure(name: str, method: str, *, repeats: int) -> Row:
    """Compare results and times of one quantity of one system."""
    system = SUBJECTS[name].make()
    first = first_calls(name, method)
    states = random_states(system, method, LARGE)
    peer = PinocchioModel(system)
    few = {key: array[:LOOP] for key, array in states.items()}
    theirs = [peer.order(key, x) for key, x in few.items()]
    expected = getattr(system, method)(**{key: x[-1] for key, x in few.items()})
    which = [*METHODS].index(method)
    loops, error = native_loops(peer, which, theirs, expected, casadi=name.endswith(" 7"))
    arguments = ", ".join(states)
    names = dict(zip("qvx", (x[0].copy() for x in theirs), strict=True))
    cases = [
        Case(METHODS[method], {"pin": pin, "model": peer.model, "data": peer.data, **names}),
        Case(f"system.{method}({arguments})", {"system": system, **single(states)}),
        *(
            Case(f"system.{method}({arguments}, out=out)", {"system": system, "out": out, **given})
            for given, out in ((few, results(expected, LOOP)), (states, results(expected, LARGE)))
        ),
        Case("out.fill(1.0)", {"out": results(expected, LARGE)}),
        *(Case("loop()", {"loop": loop}) for loop in loops.values()),
    ]
    python, ours, small, large, fill, *others = median_times(cases, repeats=repeats)
    native = {label: t / LOOP for label, t in zip(loops, others, strict=True)}
    return Row(
        name, method, ours, small / LOOP, large / LARGE, python, native, first["single"],
        first["batch"], expected.nbytes, expected.nbytes / (fill / LARGE), error,
    )  # fmt: skip


def measure_second(name: str, *, repeats: int) -> SecondRow:
    """Compare results and times of the second derivatives of one system."""
    system = SUBJECTS[name].make()
    states = random_states(system, "inverse_dynamics", LOOP)
    peer = PinocchioModel(system)
    theirs = [peer.order(key, x) for key, x in states.items()]
    first = first_calls(name, SECOND)
    batch = getattr(system, SECOND)(**states)
    loops, error = native_loops(peer, len(METHODS), theirs, batch[-1], casadi=False)
    cases = [
        Case(f"system.{SECOND}(q, v, a)", {"system": system, **single(states)}),
        Case(f"system.{SECOND}(q, v, a, out=out)", {"system": system, "out": batch, **states}),
        *(Case("loop()", {"loop": loop}) for loop in loops.values()),
    ]
    one, many, *others = median_times(cases, repeats=repeats)
    native = {label: t / LOOP for label, t in zip(loops, others, strict=True)}
    slowest = max(first["single"], first["batch"])
    return SecondRow(name, one, many / LOOP, slowest, native, error)


def measure_all(repeats: int) -> tuple[list[Row], list[SecondRow]]:
    """Measure everything once, in this process."""
    rows = [measure(name, method, repeats=repeats) for name in SYSTEMS for method in METHODS]
    second = [measure_second(name, repeats=repeats) for name in SYSTEMS if name.endswith(" 7")]
    return rows, second


def native_loops(peer, which, states, expected, *, casadi):
    """Return the loops of machine code by who made it, and how far their results are from ours."""
    native, loops, errors = NativeTree(peer), {}, []
    for compiler in compilers():
        cpp = CppLoops(compiler, native, SOURCE)
        label = f"C++, {compiler}"
        loops[label] = cpp.loop(which, states)
        loops[label]()
        errors.append(error_of(expected, back(peer, cpp.last(which, expected.shape))))
        if casadi and which < len(METHODS):
            path, n_work = generated(compiler, native, (which,), CASADI_SOURCE)
            values, label = np.zeros(expected.size), f"CasADi's C, {compiler}"
            loops[label] = FunctionLoops(compiler).generated(path, n_work, states, values)
            loops[label]()
            errors.append(error_of(expected, back(peer, values.reshape(expected.shape))))
    return loops, max(errors, default=float("nan"))


def back(peer, result):
    """Return matrices or tensors of Pinocchio's in our order; of the third matrix the whole."""
    if result.shape[0] == 3:
        result = np.stack([*result[:2], np.triu(result[2]) + np.triu(result[2], 1).T])
    index = peer.v(np.arange(result.shape[-1]))
    whole = np.empty_like(result)
    whole[np.ix_(range(len(result)), *[index] * (result.ndim - 1))] = result
    return whole


def error_of(ours, theirs) -> float:
    """Return the largest relative difference of any matrix; an error if it is large."""
    pairs = zip(ours, theirs, strict=True)
    error = max(float(np.abs(x - y).max() / np.abs(y).max()) for x, y in pairs)
    if not error < TOLERANCE:
        raise ValueError(f"results differ by {error:.1e}")
    return error


def single(states):
    """Return the first state."""
    return {name: array[0].copy() for name, array in states.items()}


def results(expected, n):
    """Return an array for the results of n states."""
    return np.zeros((n, *expected.shape))


def time_section(rows: list[Row]) -> str:
    """Return the table of times."""
    heads = (
        "system", "derivatives", "one call [µs]", "Pinocchio, Python", "ratio",
        "batch of 512 [µs]", "of 4096", "best machine code of the others [µs]", "ratios", "error",
    )  # fmt: skip
    lines = []
    for row in rows:
        name, best = row.best
        lines.append([
            row.system, label_of(row.method), f"{row.single * 1e6:.2f}",
            f"{row.python * 1e6:.2f}", f"{row.python / row.single:.1f}",
            f"{row.small * 1e6:.3f}", f"{row.large * 1e6:.3f}", f"{best * 1e6:.2f} ({name})",
            f"{best / row.small:.1f}, {best / row.large:.1f}", f"{row.error:.0e}",
        ])  # fmt: skip
    return section("Times of a state", table(heads, lines))


def process_section(measured: list[list[Row]]) -> str:
    """Return the table of single calls in each process."""
    heads = ("system", "derivatives", "ours [µs]", "Pinocchio, Python [µs]", "ratios")
    lines = [
        [
            same[0].system, label_of(same[0].method),
            ", ".join(f"{row.single * 1e6:.2f}" for row in same),
            ", ".join(f"{row.python * 1e6:.2f}" for row in same),
            ", ".join(f"{row.python / row.single:.1f}" for row in same),
        ]
        for same in zip(*measured, strict=True)
    ]  # fmt: skip
    return section("Single calls in each process", table(heads, lines))


def memory_section(rows: list[Row]) -> str:
    """Return the table of memory and first calls."""
    heads = (
        "system", "derivatives", "bytes", "stores [GB/s]", "filling [GB/s]", "first call [s]",
        "first batch [s]",
    )  # fmt: skip
    lines = [
        [
            row.system, label_of(row.method), str(row.bytes), f"{row.bytes / row.large / 1e9:.1f}",
            f"{row.fill / 1e9:.1f}", f"{row.first:.2f}", f"{row.first_batch:.2f}",
        ]
        for row in rows
    ]  # fmt: skip
    return section("Memory and first calls", table(heads, lines))


def second_section(rows: list[SecondRow]) -> str:
    """Return the table of second derivatives."""
    heads = (
        "system", "one call [µs]", "batches of 512 [µs]", "best of Pinocchio's C++ [µs]",
        "ratios", "slowest first call [s]", "error",
    )  # fmt: skip
    lines = []
    for row in rows:
        name, best = fastest(row.native)
        lines.append([
            row.system, f"{row.single * 1e6:.2f}", f"{row.batch * 1e6:.3f}",
            f"{best * 1e6:.2f} ({name})", f"{best / row.single:.2f}, {best / row.batch:.1f}",
            f"{row.first:.2f}", f"{row.error:.0e}",
        ])  # fmt: skip
    return section("Second derivatives of inverse dynamics", table(heads, lines, left=1))


def every_time_section(rows: list[Row]) -> str:
    """Return the table of all that Pinocchio's machine code takes."""
    heads = ("system", "derivatives", "made by", "µs a state")
    lines = [
        [row.system, label_of(row.method), name, f"{t * 1e6:.2f}"]
        for row in rows
        for name, t in row.native.items()
    ]
    return section("Machine code of Pinocchio", table(heads, lines, left=3))


def label_of(method: str) -> str:
    """Return the method in words."""
    return method.replace("_dynamics_", " ").replace("_", " ").removesuffix(" derivatives")


def verdicts(rows: list[Row], second: list[SecondRow]) -> list[Verdict]:
    """Return all targets."""
    result = []
    for row in rows:
        what = f"{row.system}, {label_of(row.method)}"
        name, best = row.best
        ratio = row.python / row.single
        result.append(Verdict(f"{what}, one call", SINGLE_TARGETS[row.is_few], ratio))
        target = BATCH_TARGETS[row.is_few][[*METHODS].index(row.method)]
        for n, seconds in ((LOOP, row.small), (LARGE, row.large)):
            result.append(Verdict(f"{what}, batches of {n}", target, best / seconds, note=name))
    for row in second:
        name, best = fastest(row.native)
        for what, target, seconds in zip(
            ("one state", "batches"), SECOND_TARGETS, (row.single, row.batch), strict=True
        ):
            label = f"{row.system}, second order, {what}"
            result.append(Verdict(label, target, best / seconds, note=name))
    firsts = {
        f"{row.system}, {label_of(row.method)}": max(row.first, row.first_batch) for row in rows
    }
    firsts |= {f"{row.system}, second order": row.first for row in second}
    result += [
        Verdict(f"{what}, first calls", FIRST_TARGET, seconds, at_least=False, unit="s")
        for what, seconds in firsts.items()
    ]
    return result


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.derivatives", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--quick", action="store_true", help="fewer repeats")
    parser.add_argument("--save", action="store_true", help="write benchmarks/results")
    options = parser.parse_args()
    os.environ["POINSOT_CACHE"] = "0"
    core = use_one_core()
    repeats = 5 if options.quick else 30
    measured = in_processes(measure_all, repeats, count=1 if options.quick else PROCESSES)
    rows = [median_row([*same]) for same in zip(*(first for first, _ in measured), strict=True)]
    second = [median_row([*same]) for same in zip(*(last for _, last in measured), strict=True)]
    sections = [
        time_section(rows), second_section(second), verdict_section(verdicts(rows, second)),
        process_section([first for first, _ in measured]), memory_section(rows),
        every_time_section(rows),
    ]  # fmt: skip
    text = page(__doc__, sections, facts={"core": str(core)})
    print(text)
    if options.save:
        print(f"\nsaved: {save(text, 'derivatives')}")


if __name__ == "__main__":
    main()
