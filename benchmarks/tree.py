"""Dynamics of trees against Pinocchio, both called from Python on one core: one command, one table.

    python -m benchmarks.tree [--quick] [--save]

Times are the best of many short repeats in which both libraries take turns.  A single call is what
a user writes, `system.inverse_dynamics(q, v, a)` and `pin.rnea(model, data, q, v, a)`, on float64
arrays that are there already.  The batch is one call of ours for 4096 states; Pinocchio has no such
call in Python, and looping over its single call can only add to it, so its figure for a state of a
batch is that of the single call.  Ours allocates its results; Pinocchio writes into its `data`.
Of Pinocchio's two conventions for forward dynamics and mass matrix (LOCAL, WORLD) the faster one
counts.  Pinocchio is its wheel for Python: SSE2 code that runs on any x86-64, without AVX or FMA; a
build for this processor may be faster (not measured).  Ours is always made for its processor.
"""

import argparse
import sys
from dataclasses import dataclass

import numpy as np
import pinocchio as pin

import poinsot as ps
from benchmarks.mechanisms import mechanisms
from benchmarks.peak import peak_gflops
from benchmarks.pinocchio_model import PinocchioModel
from benchmarks.report import Row, report, save
from benchmarks.timing import Case, best_times, timed, use_one_core
from poinsot.evaluate.trace import trace
from poinsot.kernels.llvm.straight import batch_ir, single_ir
from poinsot.kernels.llvm.target import Target, compile_object

BATCH = 4096
TOLERANCE = 1e-10
SINGLES = 32
"""How many of the states are also compared one call at a time."""


@dataclass(frozen=True)
class Quantity:
    """A quantity: the names of its inputs, and the ways to ask Pinocchio for it."""

    name: str
    inputs: tuple[str, ...]
    peers: tuple[str, ...]

    @property
    def ours(self) -> str:
        """The statement that asks poinsot for it."""
        return f"system.{self.name}({', '.join(self.inputs)})"


QUANTITIES = (
    Quantity("inverse_dynamics", ("q", "v", "a"), ("pin.rnea(model, data, q, v, a)",)),
    Quantity(
        "forward_dynamics",
        ("q", "v", "tau"),
        ("pin.aba(model, data, q, v, tau)", "pin.aba(model, data, q, v, tau, WORLD)"),
    ),
    Quantity(
        "mass_matrix", ("q",), ("pin.crba(model, data, q)", "pin.crba(model, data, q, WORLD)")
    ),
)


def measure(system: ps.System, quantity: Quantity, *, repeats: int) -> Row:
    """Compare results and times of one quantity of one system."""
    program, trace_time = timed(trace, system.mechanism, quantity.name)
    target = Target.host()
    _, single_compile = timed(lambda: compile_object(single_ir(program, target), target))
    _, batch_compile = timed(lambda: compile_object(batch_ir(program, target), target))
    states = random_states(system, quantity.inputs)
    peer = PinocchioModel(system)
    error = disagreement(system, peer, quantity, states)

    single = {name: array[0].copy() for name, array in states.items()}
    theirs = {name: peer_order(peer, name, array) for name, array in single.items()}
    known = {"pin": pin, "model": peer.model, "data": peer.data, "WORLD": pin.Convention.WORLD}
    out = getattr(system, quantity.name)(**states)
    given = f"{quantity.ours[:-1]}, out=out)"
    cases = [
        Case(quantity.ours, {"system": system, **single}),
        Case(quantity.ours, {"system": system, **states}),
        Case(given, {"system": system, "out": out, **states}),
        *(Case(statement, {**known, **theirs}) for statement in quantity.peers),
    ]
    ours, batch, batch_out, *peers = best_times(cases, repeats=repeats)
    return Row(
        system=system.name,
        quantity=quantity.name.replace("_", " "),
        operations=program.n_operations,
        ours=ours,
        batch=batch / BATCH,
        batch_out=batch_out / BATCH,
        peer=min(peers),
        trace=trace_time,
        single_compile=single_compile,
        batch_compile=batch_compile,
        error=error,
    )


def random_states(system: ps.System, inputs: tuple[str, ...]) -> dict[str, np.ndarray]:
    """Return a batch of states, positions as the joints allow and all else normal."""
    rng = np.random.default_rng(7)
    return {
        name: np.array([system.random(rng) for _ in range(BATCH)])
        if name == "q"
        else rng.normal(size=(BATCH, system.nv))
        for name in inputs
    }


def peer_order(peer: PinocchioModel, name: str, array: np.ndarray) -> np.ndarray:
    """Return an input as Pinocchio takes it."""
    return peer.q(array) if name == "q" else peer.v(array)


def disagreement(system: ps.System, peer: PinocchioModel, quantity: Quantity, states) -> float:
    """Return the largest max|x - y| / max|y| of any state, y Pinocchio's; batch and single."""
    expected = np.array(pinocchio_results(peer, quantity, states))
    method = getattr(system, quantity.name)
    single = np.array([method(*[array[k] for array in states.values()]) for k in range(SINGLES)])
    batch = method(*states.values())
    return max(relative_error(batch, expected), relative_error(single, expected[:SINGLES]))


def pinocchio_results(peer: PinocchioModel, quantity: Quantity, states):
    """Yield Pinocchio's result for every state, in poinsot's order."""
    function = {"inverse_dynamics": pin.rnea, "forward_dynamics": pin.aba, "mass_matrix": pin.crba}
    call = function[quantity.name]
    back = peer.matrix_back if quantity.name == "mass_matrix" else peer.vector_back
    arrays = [peer_order(peer, name, array) for name, array in states.items()]
    return [back(call(peer.model, peer.data, *state)) for state in zip(*arrays, strict=True)]


def relative_error(x: np.ndarray, y: np.ndarray) -> float:
    """Return the largest max|x - y| / max|y| over the first axis; infinite if anything is NaN."""
    axes = tuple(range(1, y.ndim))
    errors = np.max(np.abs(x - y), axis=axes) / np.max(np.abs(y), axis=axes)
    return float(np.max(errors)) if np.all(np.isfinite(errors)) else float("inf")


def main() -> None:
    """Measure everything, print the table, and fail if the libraries disagree."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.tree", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--quick", action="store_true", help="few repeats: rough figures")
    parser.add_argument("--save", action="store_true", help="write benchmarks/results/tree.md")
    parser.add_argument("--core", type=int, help="core to run on; the last by default")
    options = parser.parse_args()
    use_one_core(options.core)
    repeats = 20 if options.quick else 200
    rows = []
    for system in mechanisms():
        for quantity in QUANTITIES:
            print(f"{system.name}: {quantity.name} ...", file=sys.stderr, flush=True)
            rows.append(measure(system, quantity, repeats=repeats))
    text = report(rows, peak=peak_gflops(repeats=repeats), how=__doc__)
    print(text)
    if options.save:
        print(f"\nsaved: {save(text, 'tree')}")
    wrong = [row for row in rows if not row.error < TOLERANCE]
    for row in wrong:
        print(f"DISAGREE: {row.system}, {row.quantity}: {row.error:.1e}", file=sys.stderr)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
