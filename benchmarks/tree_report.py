"""The tables and the targets of ``benchmarks.tree``."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from benchmarks.native.compiler import compilers
from benchmarks.report import Verdict, section, table
from benchmarks.tree_native import CASADI, CPP, OURS, NativeRow

SMALL = 512
"""States of the batch in which mass matrices are measured as well."""


@dataclass(frozen=True)
class Row:
    """One quantity of one system; times in seconds, of a batch per state.

    Attributes:
        system: Name of the system.
        method: Name of the method.
        n_bodies: Bodies of the system.
        operations: Steps of the program.
        rolled: Whether the program is a loop over bodies.
        ours: One call for one state.
        batch: One call for a batch; None if not measured.
        batch_out: Likewise, into an array that is there already.
        n_batch: States in the batch.
        peer: Pinocchio's fastest call for one state; None if it cannot hold the system.
        peer_batch: Its fastest call for many; None if it has none.
        first: First call for one state in a new process.
        first_batch: The first call for a batch that follows it.
        error: Of any state, against the reference.
        small_batch: One call for ``SMALL`` states; None if not measured.
    """

    system: str
    method: str
    n_bodies: int
    operations: int
    rolled: bool
    ours: float
    batch: float | None
    batch_out: float | None
    n_batch: int
    peer: float | None
    peer_batch: float | None
    first: float
    first_batch: float | None
    error: float
    small_batch: float | None = None

    @property
    def name(self) -> str:
        """What to print for it."""
        return f"{self.system}, {self.method.replace('_', ' ')}"

    def peer_best(self) -> float | None:
        """Return Pinocchio's time for a state of a batch, in whichever call takes less."""
        times = [x for x in (self.peer, self.peer_batch) if x is not None]
        return min(times, default=None)

    def gflops(self) -> float | None:
        """Return billions of operations a second in the faster of the two batches."""
        if self.batch is None or self.batch_out is None:
            return None
        return self.operations / min(self.batch, self.batch_out) / 1e9


def time_section(rows: Sequence[Row]) -> str:
    """Return the table of times."""
    heads = (
        "system", "quantity", "Pinocchio", "its batch", "single", "ratio", "batch", "ratio",
        "batch, out=", "ratio", "error",
    )  # fmt: skip
    title = "Time per state [µs], and how many times faster than Pinocchio"
    return section(title, table(heads, [_time_cells(row) for row in rows]))


def code_section(rows: Sequence[Row], peak: float) -> str:
    """Return the table of programs and what they take.

    Args:
        rows: What was measured.
        peak: Of the core [GFLOP/s].
    """
    heads = (
        "system", "quantity", "operations", "code", "first call s", "first batch s", "states",
        "ns/body single", "ns/body batch", "GFLOP/s", "% of FMA peak",
    )  # fmt: skip
    title = "Code: operations, seconds to make it, size and speed of the batch"
    return section(title, table(heads, [_code_cells(row, peak) for row in rows]))


def small_section(rows: Sequence[Row]) -> str:
    """Return the table of mass matrices in batches whose results stay in the caches."""
    heads = ("system", "quantity", "Pinocchio", "batch", "ratio")
    cells = [
        [*_time_cells(row)[:3], _micro(row.small_batch), _ratio_text(row.peer, row.small_batch)]
        for row in rows
        if row.small_batch is not None
    ]
    title = f"The same for batches of {SMALL} states, whose results stay in the caches [µs]"
    return section(title, table(heads, cells))


def _time_cells(row: Row) -> list[str]:
    missing = "does not fit"
    cells = [row.system, row.method.replace("_", " "), _micro(row.peer, missing)]
    cells += [_micro(row.peer_batch), _micro(row.ours), _ratio_text(row.peer, row.ours)]
    for seconds in (row.batch, row.batch_out):
        cells += [_micro(seconds), _ratio_text(row.peer_best(), seconds)]
    return [*cells, f"{row.error:.0e}"]


def _micro(seconds: float | None, missing: str = "-") -> str:
    return missing if seconds is None else f"{seconds * 1e6:.3f}"


def _ratio_text(theirs: float | None, ours: float | None) -> str:
    return "-" if theirs is None or ours is None else f"{theirs / ours:.1f}"


def _code_cells(row: Row, peak: float) -> list[str]:
    speed = row.gflops()
    return [
        row.system,
        row.method.replace("_", " "),
        str(row.operations),
        "rolled" if row.rolled else "straight",
        f"{row.first:.3f}",
        "-" if row.first_batch is None else f"{row.first_batch:.3f}",
        "-" if row.batch is None else str(row.n_batch),
        f"{row.ours / row.n_bodies * 1e9:.1f}",
        "-" if row.batch is None else f"{row.batch / row.n_bodies * 1e9:.1f}",
        "-" if speed is None else f"{speed:.1f}",
        "-" if speed is None else f"{100 * speed / peak:.0f}",
    ]


ALL = ("inverse_dynamics", "forward_dynamics", "mass_matrix")
FASTER = (
    (("chain of 7", "general chain of 7"), "single", dict(zip(ALL, (4, 4, 2), strict=True))),
    (("chain of 7", "general chain of 7"), "batch", dict(zip(ALL, (30, 30, 15), strict=True))),
    (("chain of 30", "general chain of 30"), "single", dict.fromkeys(ALL, 2.5)),
    (("chain of 30", "general chain of 30"), "batch", dict.fromkeys(ALL, 15)),
    (("humanoid",), "batch", dict(zip(ALL[:2], (10, 8), strict=True))),
)
"""Systems, calls, and how many times faster than Pinocchio each method is to be."""

LONGEST = "chain of 10000"


def native_section(rows: Sequence[Row], natives: Sequence[NativeRow]) -> str:
    """Return the table of machine code alone."""
    title = "Machine code alone, compiled for this processor: time per state [µs]"
    if not natives:
        return section(title, ["Not measured: no C++ compiler, or a quick run."])
    batch = {(row.system, row.method): row.batch for row in rows}
    kinds = [f"{kind}, {compiler}" for kind in (CPP, CASADI) for compiler in compilers()]
    heads = ("system", "quantity", *kinds, OURS, "ratio to the best", "our batch", "ratio")
    cells = []
    for row in natives:
        of_kind = [min(t for key, t in row.seconds.items() if key.startswith(k)) for k in kinds]
        ours, many = row.seconds[OURS], batch.get((row.system, row.method))
        cells.append(
            [row.system, row.method.replace("_", " "), *map(_micro, of_kind), _micro(ours)]
        )
        cells[-1] += [_ratio_text(min(of_kind), ours), _micro(many)]
        cells[-1] += [_ratio_text(min(of_kind), many)]
    return section(title, table(heads, cells))


def verdicts(rows: Sequence[Row], natives: Sequence[NativeRow]) -> list[Verdict]:
    """Return every target of this benchmark with what was measured."""
    return [*_faster(rows), *_native(natives), *_first_calls(rows), *_long_chains(rows)]


def _faster(rows: Sequence[Row]) -> Iterator[Verdict]:
    known = {(row.system, row.method): row for row in rows}
    for systems, call, wanted in FASTER:
        for system in systems:
            for method, target in wanted.items():
                row = known.get((system, method))
                if row is None:
                    continue
                ours, peer = (
                    (row.ours, row.peer) if call == "single" else (row.batch, row.peer_best())
                )
                if ours is None or peer is None:
                    continue
                yield Verdict(f"{row.name}, {call}", target, peer / ours, note=_note(row, call))


def _note(row: Row, call: str) -> str:
    if call == "batch" and row.small_batch is not None and row.peer is not None:
        return f"{row.peer / row.small_batch:.3g} x in batches of {SMALL}"
    return ""


def _native(natives: Sequence[NativeRow]) -> Iterator[Verdict]:
    for row in natives:
        name, seconds = row.best()
        what = f"{row.system}, {row.method.replace('_', ' ')}, machine code alone"
        yield Verdict(what, 1.0, seconds / row.seconds[OURS], note=f"against {name}")


def _first_calls(rows: Sequence[Row]) -> Iterator[Verdict]:
    for what, limit, chosen in (
        ("systems of 7 joints", 0.5, [row for row in rows if row.n_bodies == 7]),
        ("systems of up to 1000 joints", 2.0, [row for row in rows if row.system != LONGEST]),
        (LONGEST, 5.0, [row for row in rows if row.system == LONGEST]),
    ):
        if chosen:
            slowest = max(chosen, key=_slower_call)
            yield Verdict(
                f"longest first call, single or batch, of {what}",
                limit, _slower_call(slowest), at_least=False, unit="s", note=slowest.name,
            )  # fmt: skip


def _slower_call(row: Row) -> float:
    return max(row.first, row.first_batch or 0.0)


def _long_chains(rows: Sequence[Row]) -> Iterator[Verdict]:
    known = {(row.system, row.method): row for row in rows}
    for method in ALL[:2]:
        short, long = known.get(("chain of 1000", method)), known.get((LONGEST, method))
        if short is None or long is None:
            continue
        ratio = (long.ours / long.n_bodies) / (short.ours / short.n_bodies)
        what = f"{method.replace('_', ' ')}, single: cost per body of 10 000 joints against 1000"
        yield Verdict(what, 2.0, ratio, at_least=False)
