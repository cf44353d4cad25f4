"""Dynamics of trees against Pinocchio, both called from Python on one core: one command, one table.

    python -m benchmarks.tree [--quick] [--save]

Times are the best of many short repeats in which both libraries take turns; that is done three
times, and the median of the three counts.  A single call is what
a user writes, `system.inverse_dynamics(q, v, a)` and `pin.rnea(model, data, q, v, a)`, on float64
arrays that are there already.  The batch is one call for many states (4096; 256, 64 and 16 for
chains of 100, 1000 and 10 000 joints); Pinocchio's is `pin.rneaInParallel` and `pin.abaInParallel`
with one thread, into a new array or one that is there, whichever is faster; for the mass matrix it
has none.  Ours allocates its results; Pinocchio's single call writes into its `data`.  4096 mass
matrices of 30 joints are 29 MB, more than the caches hold, and those of the humanoid 42 MB, which
the C library takes anew from the system at every call; so there are batches of 512 as well.  States
of 10 000 joints in lanes are beyond the caches, and a batch of them gains little or nothing.

Ratios and verdicts are to Pinocchio's fastest form: it has two conventions for forward dynamics and
mass matrix, LOCAL and WORLD, of which neither is always the faster, and a batch of ours is set
against its batch call or its single call, whichever takes less.  Its mass matrix is the upper half
only, ours is full.  Pinocchio from Python is its wheel: SSE2 code that runs on any x86-64, without
AVX or FMA.  Ours is always made for its processor, and so the table of machine code alone has
Pinocchio's C++ compiled for it as well (`-O3 -march=native`, by g++ and, where installed, clang++),
and the C that CasADi generates from its algorithms, compiled the same way: all in one compiled loop
over 512 states, no Python, results of Pinocchio's C++ left in its `data`.  The last column there is
our batch called from Python.  Pinocchio's `Data` takes 6 nv³ numbers: 48 GB for 1000 joints.

Error: the largest max|x - y| / max|y| of any of the states, y Pinocchio's result; of the chains
that Pinocchio cannot hold, against the Newton-Euler equations of `benchmarks/newton_euler.py`
(forward dynamics: what is left of tau = ID(FD(tau)) against max|tau| + max|bias|).  Operations:
steps of the program, each sum, product, quotient, sine and cosine one.  GFLOP/s: those operations
in the faster of the two batches, so a sine counts as one of the about 20 it takes; the peak counts
a fused multiply-add as two.  First call: tracing and compiling, in a new process without cache that
has imported llvmlite; first batch: the first call for a batch that follows it; the best of three
processes (one with --quick).
"""

import argparse
import sys

import numpy as np
import pinocchio as pin

import poinsot as ps
from benchmarks.agreement import (
    TOLERANCE,
    error_against_newton_euler,
    error_against_pinocchio,
)
from benchmarks.first_call import first_calls
from benchmarks.mechanisms import SUBJECTS, Subject, random_states
from benchmarks.peak import peak_gflops
from benchmarks.pinocchio_model import PinocchioModel
from benchmarks.report import page, save, verdict_section
from benchmarks.timing import Case, median_times, use_one_core
from benchmarks.tree_native import measure_native
from benchmarks.tree_report import (
    SMALL,
    Row,
    code_section,
    native_section,
    small_section,
    time_section,
    verdicts,
)
from poinsot.evaluate.evaluator import Evaluator
from poinsot.evaluate.request import Request
from poinsot.kernels.llvm.rolled_kernel import RolledKernel

BATCHES = {
    "inverse_dynamics": (
        "pin.rneaInParallel(1, pool, q, v, a)",
        "pin.rneaInParallel(1, pool, q, v, a, result)",
    ),
    "forward_dynamics": (
        "pin.abaInParallel(1, pool, q, v, tau)",
        "pin.abaInParallel(1, pool, q, v, tau, result)",
    ),
    "mass_matrix": (),
}
"""Pinocchio's calls for many states."""

PEERS = {
    "inverse_dynamics": ("pin.rnea(model, data, q, v, a)",),
    "forward_dynamics": (
        "pin.aba(model, data, q, v, tau)",
        "pin.aba(model, data, q, v, tau, WORLD)",
        "pin.aba(model, data, q, v, tau, LOCAL)",
    ),
    "mass_matrix": (
        "pin.crba(model, data, q)",
        "pin.crba(model, data, q, WORLD)",
        "pin.crba(model, data, q, LOCAL)",
    ),
}
"""The ways to ask Pinocchio for one state."""


def measure(name: str, method: str, *, repeats: int, processes: int) -> Row:
    """Compare results and times of one quantity of one system.

    Args:
        name: A key of ``SUBJECTS``.
        method: A key of ``METHODS``.
        repeats: How often calls are timed in a round.
        processes: How often first calls are timed.
    """
    subject = SUBJECTS[name]
    has_batch = subject.has_batch(method)
    first = [first_calls(name, method, batch=has_batch) for _ in range(processes)]
    system = subject.make()
    states = random_states(system, method, subject.batch)
    peer = PinocchioModel(system) if subject.in_pinocchio else None
    if peer is None:
        error = error_against_newton_euler(system, method, states, batch=has_batch)
    else:
        error = error_against_pinocchio(system, peer, method, states)
    ours, batch, batch_out, small, theirs = times(system, peer, subject, method, states, repeats)
    singles, batches = theirs[: len(PEERS[method])], theirs[len(PEERS[method]) :]
    kernel = Evaluator(system.mechanism, Request(method)).kernel
    return Row(
        system=name,
        method=method,
        n_bodies=system.mechanism.n_bodies,
        operations=kernel.signature.n_operations,
        rolled=isinstance(kernel, RolledKernel),
        ours=ours,
        batch=batch,
        batch_out=batch_out,
        n_batch=subject.batch,
        peer=min(singles, default=None),
        peer_batch=min(batches, default=None),
        first=min(run["single"] for run in first),
        first_batch=min(run["batch"] for run in first) if has_batch else None,
        error=error,
        small_batch=small,
    )


def times(
    system: ps.System, peer: PinocchioModel | None, subject: Subject, method: str, states, repeats
) -> tuple[float, float | None, float | None, float | None, list[float]]:
    """Return the seconds of one call, of a state in batches, with out= and few, and of the peer.

    The peer's are its calls for one state, then those for many, a state each.
    """
    single = {name: array[0].copy() for name, array in states.items()}
    arguments = ", ".join(states)
    cases = [Case(f"system.{method}({arguments})", {"system": system, **single})]
    if subject.has_batch(method):
        known = {"system": system, "out": getattr(system, method)(**states), **states}
        cases.append(Case(f"system.{method}({arguments})", known))
        cases.append(Case(f"system.{method}({arguments}, out=out)", known))
    if method == "mass_matrix" and subject.batch > SMALL:
        few = {name: array[:SMALL].copy() for name, array in states.items()}
        cases.append(Case(f"system.{method}({arguments})", {"system": system, **few}))
    n_ours = len(cases)
    if peer is not None:
        known = {"pin": pin, "model": peer.model, "data": peer.data}
        known |= {"WORLD": pin.Convention.WORLD, "LOCAL": pin.Convention.LOCAL}
        known |= {name: peer.order(name, array) for name, array in single.items()}
        cases += [Case(statement, known) for statement in PEERS[method]]
        columns = {name: peer.order(name, array).T for name, array in states.items()}
        columns["result"] = np.zeros((system.nv, subject.batch), order="F")
        columns |= {"pin": pin, "pool": pin.ModelPool(peer.model, 1)}
        cases += [Case(statement, columns) for statement in BATCHES[method]]
    seconds = median_times(cases, repeats=repeats)
    for k in range(n_ours + len(PEERS[method]), len(seconds)):
        seconds[k] /= subject.batch
    batch, batch_out = [x / subject.batch for x in seconds[1:3]] if n_ours > 1 else (None, None)
    small = seconds[3] / SMALL if n_ours > 3 else None
    return seconds[0], batch, batch_out, small, seconds[n_ours:]


def main() -> None:
    """Measure everything, print the tables, and fail if the numbers disagree."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.tree", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--quick", action="store_true", help="few repeats: rough figures")
    parser.add_argument("--save", action="store_true", help="write benchmarks/results/tree.md")
    parser.add_argument("--core", type=int, help="core to run on; the last by default")
    parser.add_argument("--only", action="append", choices=SUBJECTS, help="systems to measure")
    options = parser.parse_args()
    use_one_core(options.core)
    repeats, processes = (4, 1) if options.quick else (60, 3)
    rows, natives = [], []
    for name in options.only or SUBJECTS:
        for method in SUBJECTS[name].methods():
            print(f"{name}: {method} ...", file=sys.stderr, flush=True)
            rows.append(measure(name, method, repeats=repeats, processes=processes))
            if not options.quick:  # to compile Pinocchio takes minutes
                natives.append(measure_native(name, SUBJECTS[name].make(), method, repeats=repeats))
    natives = [row for row in natives if row is not None]
    peak = peak_gflops(repeats=repeats)
    tables = [time_section(rows), small_section(rows), native_section(rows, natives)]
    tables.append(code_section(rows, peak))
    text = page(
        __doc__,
        [*tables, verdict_section(verdicts(rows, natives))],
        facts={"FMA peak of the core": f"{peak:.1f} GFLOP/s (measured)"},
    )
    print(text)
    if options.save:
        print(f"\nsaved: {save(text, 'tree')}")
    wrong = [row for row in rows if not row.error < TOLERANCE]
    for row in wrong:
        print(f"DISAGREE: {row.name}: {row.error:.1e}", file=sys.stderr)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
