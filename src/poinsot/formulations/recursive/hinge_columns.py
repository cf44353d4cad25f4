"""Hinges side by side: the links of a tree as the columns of a program, and what they share.

Column k is the link that velocity k moves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from poinsot.expr.column_program import (
    COLUMNS,
    CONSTANTS,
    ROWS,
    SPREAD,
    Alike,
    ColumnProgram,
    Lanes,
    Moved,
    Stage,
    Sums,
)
from poinsot.expr.passes import optimise
from poinsot.expr.program import Port, Program, build, fresh_symbols
from poinsot.formulations.passive_forces import PassiveCoefficients
from poinsot.formulations.recursive.articulated import base_acceleration
from poinsot.formulations.recursive.fused_sums import plus_matrix
from poinsot.formulations.recursive.links import regrouped_links
from poinsot.formulations.recursive.planar_rotation import PlanarTurn
from poinsot.model import Environment, Mechanism, Revolute
from poinsot.spatial import Array

_UPPER = np.triu_indices(3)
NO_PLACES: Mapping[str, tuple[str, int | None]] = MappingProxyType({})


def are_hinges(mechanism: Mechanism) -> bool:
    """Say whether a mechanism is a tree of a few hinges without further loads or parameters."""
    if mechanism.forces or mechanism.closures or mechanism.parameter_inputs:
        return False
    if mechanism.depends_on_time or not 0 < mechanism.nv <= COLUMNS:
        return False
    return all(isinstance(link.joint, Revolute) for link in regrouped_links(mechanism))


class HingeColumns:
    """Links by column, and the stages of a program.

    Values are rows with a name: ``row`` says where the first of them is, ``tables`` where those
    are that do not change.

    Attributes:
        n: Columns in use.
        parent: The column that carries each column, or -1.
        passive: The passive forces of each joint.
        base: Acceleration of the base, less gravity.
        row: The first row of what has been computed.
    """

    def __init__(
        self, mechanism: Mechanism, inputs: tuple[str, ...], output: tuple[str, tuple[int, ...]]
    ) -> None:
        links = regrouped_links(mechanism)
        self.n = n = len(links)
        self._inputs = tuple(Port(key, (n,)) for key in inputs)
        self._output = Port(*output)
        self._links, self._stages = links, list[Stage]()
        self._programs = dict[tuple[object, ...], Program]()
        self._constants, self._n_rows = list[Array](), 0
        self.base: list[float] = base_acceleration(Environment.of(mechanism)).tolist()
        self._columns = [link.v.start for link in links]
        parent = [-1] * COLUMNS
        for link, k in zip(links, self._columns, strict=True):
            parent[k] = self._columns[link.parent] if link.parent >= 0 else -1
        self.parent: Lanes = tuple(parent)
        self.row = {key: self.rows(1) for key in inputs}
        passive: list[PassiveCoefficients | None] = [None] * n
        for body, v in zip(mechanism.bodies, mechanism.v_slices, strict=True):
            if body.joint.nv:
                passive[v.start] = PassiveCoefficients.from_joint(body.joint)
        self.passive = passive
        self._described()

    def rows(self, count: int) -> int:
        """Allocate rows and return the first."""
        self._n_rows += count
        return self._n_rows - count

    def append(self, *stages: Stage) -> None:
        """Append stages."""
        self._stages += stages

    def program(self) -> ColumnProgram:
        """Return all that was appended."""
        constants = np.zeros((len(self._constants), COLUMNS))
        constants[:, : self.n] = self._constants
        return ColumnProgram(
            self._inputs, self._output, self.n, self._n_rows, constants, tuple(self._stages)
        )

    def carries(self, i: int, k: int) -> bool:
        """Return whether column i carries column k, or is the same."""
        while k >= 0 and k != i:
            k = self.parent[k]
        return k == i

    def _described(self) -> None:
        """Store what is known of the links."""
        by_column = sorted(zip(self._columns, self._links, strict=True), key=lambda pair: pair[0])
        links = [link for _, link in by_column]
        turns = []
        for link in links:
            about = {t.axis: (t.c, t.s) for t in link.turns if isinstance(t, PlanarTurn)}
            turns.append([*about.get(2, (1.0, 0.0)), *about.get(0, (1.0, 0.0))])
        total = [link.mass for link in links]
        for k, link in reversed([*zip(self._columns, self._links, strict=True)]):
            if link.parent >= 0:
                total[self._columns[link.parent]] += total[k]
        tables: dict[str, Any] = {
            "turns": np.transpose(turns),
            "offset": [[link.offset for link in links]],
            "place": np.transpose([link.p for link in links]),
            "mass": [[link.mass for link in links]],
            "total": [total],
            "h": np.transpose([link.h for link in links]),
            "sigma": np.transpose([link.sigma[_UPPER] for link in links]),
        }
        if any(self.passive):
            numbers = np.zeros((self.n, 3))
            for k, joint in enumerate(self.passive):
                if joint is not None and joint.stiffness is not None and joint.rest is not None:
                    numbers[k] = joint.damping.item(), joint.stiffness.item(), joint.rest.item()
            tables["passive"] = numbers.T
        self.tables: dict[str, int] = {}
        for name, table in tables.items():
            self.tabulate(name, table)

    def tabulate(self, name: str, table: ArrayLike) -> None:
        """Give rows that do not change a name."""
        self.tables[name] = len(self._constants)
        self._constants += list(np.asarray(table, float))

    def alike(
        self, function: Callable[..., Mapping[str, Any]], reads: Mapping[str, int],
        writes: Mapping[str, int], places: Mapping[str, tuple[str, int | None]] = NO_PLACES,
        *, again: bool = False,
    ) -> dict[str, int]:  # fmt: skip
        """Append a function that is the same for all joints; return where its results are.

        Args:
            function: Gives results by name, of arrays by name.
            reads: How many rows each argument has.
            writes: How many rows each result has.
            places: Arguments that are rows of another name, and in which column, if they are the
                same for all joints.
            again: Whether results take the place of those of the same name before.
        """
        key = function, *reads.items()
        program = self._programs.get(key)
        if program is None:
            symbols = {name: fresh_symbols(name, size) for name, size in reads.items()}
            results = function(**symbols)
            program = program_of(symbols, {name: results[name] for name in writes})
            self._programs[key] = program
        ports = []
        for name in reads:
            rows, column = places.get(name, (name, None))
            if column is not None:
                ports.append((SPREAD, COLUMNS * self.row[rows] + column))
            elif rows in self.tables:
                ports.append((CONSTANTS, self.tables[rows]))
            else:
                ports.append((ROWS, self.row[rows]))
        starts = {
            name: self.row[name] if again and name in self.row else self.rows(size)
            for name, size in writes.items()
        }
        self.append(Alike(program, (*ports, *((ROWS, start) for start in starts.values()))))
        self.row |= starts
        return starts

    def frames(self) -> None:
        """Append the frames of links in the base, by products with carriers 1, 2, 4 joints away."""
        unmoved = [*np.eye(3).ravel(), *np.zeros(3)]
        for lanes in self._carriers():
            self.moved("frame", "carrier_frame", unmoved, lanes)
            self.alike(_composed, {"carrier_frame": 12, "frame": 12}, {"frame": 12})
        self.row["R"], self.row["p"] = self.row["frame"], self.row["frame"] + 9

    def sums(
        self, name: str, count: int, *, outward: bool, first: Sequence[float] | None = None,
        to: str | None = None,
    ) -> None:  # fmt: skip
        """Append sums over carriers, outward, or over subtrees, in place or to other rows.

        Args:
            name: The rows.
            count: How many.
            outward: Whether sums are over carriers.
            first: What the base adds to each row.
            to: The name of the rows that the sums go to.
        """
        rows = tuple(range(self.row[name], self.row[name] + count))
        turns = list[tuple[Lanes, ...]]()
        for apart in self._carriers():
            if outward:
                turns.append((apart,))
            else:
                carried = [[k for k in range(self.n) if apart[k] == i] for i in range(COLUMNS)]
                most = max(map(len, carried))
                turns.append(
                    tuple(
                        tuple(ks[m] if m < len(ks) else -1 for ks in carried) for m in range(most)
                    )
                )
        start = self.row[to or name]
        self.append(Sums(rows, start, tuple(turns), None if first is None else tuple(first)))

    def moved(
        self, name: str, to: str, otherwise: Sequence[float], lanes: Lanes | None = None
    ) -> None:
        """Append rows of the carriers, or other columns, and numbers where there are none."""
        rows = tuple(range(self.row[name], self.row[name] + len(otherwise)))
        self.row[to] = self.rows(len(rows))
        self.append(Moved(rows, self.row[to], lanes or self.parent, tuple(otherwise)))

    def _carriers(self) -> Iterator[Lanes]:
        """Yield the carriers 1, 2, 4, ... joints away."""
        apart = self.parent
        while any(k >= 0 for k in apart):
            yield apart
            apart = tuple(apart[k] if k >= 0 else -1 for k in apart)


def _composed(*, carrier_frame: Array, frame: Array) -> dict[str, Any]:
    R, p = carrier_frame[:9].reshape(3, 3), carrier_frame[9:]
    return {"frame": [*(R @ frame[:9].reshape(3, 3)).ravel(), *plus_matrix(p, R, frame[9:])]}


def program_of(symbols: Mapping[str, Array], results: Mapping[str, Any]) -> Program:
    """Return the program of traced results; outputs have their names, with ``to_`` before."""
    outputs = {f"to_{name}": np.array(list(entries), object) for name, entries in results.items()}
    return optimise(build(symbols, outputs))


def symmetric(entries: Array) -> Array:
    """Return a symmetric matrix from its upper half by rows, shape (3, 3)."""
    matrix = np.zeros((3, 3), object)
    matrix[_UPPER] = entries
    matrix.T[_UPPER] = entries
    return matrix
