"""First derivatives of the dynamics of few hinges, joints side by side: a program on columns.

The closed forms of ``derivative_sweep.py`` in the frame of the base, where motions of links are sums
over their carriers and forces sums over the links that they carry.  All else is the same for every
joint, apart from the frames, which follow from each other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from poinsot.expr.column_program import (
    COLUMNS,
    CONSTANTS,
    ROWS,
    Alike,
    Apart,
    ColumnProgram,
    Combined,
    Inverted,
    Lanes,
    Moved,
    Stage,
    Sums,
)
from poinsot.expr.passes import optimise
from poinsot.expr.program import Port, Program, build, fresh_symbols
from poinsot.formulations.passive_forces import PassiveCoefficients
from poinsot.formulations.recursive.articulated import base_acceleration
from poinsot.formulations.recursive.composite import Composite, base_motions
from poinsot.formulations.recursive.derivative_sweep import (
    MovingBody,
    body_in_base,
    changes,
    force_of,
    left_of,
)
from poinsot.formulations.recursive.fused_sums import plus_cross_motion
from poinsot.formulations.recursive.links import Link, regrouped_links
from poinsot.formulations.recursive.planar_rotation import PlanarTurn
from poinsot.model import Environment, Mechanism, Revolute
from poinsot.spatial import Array

FEWEST: Final = 4
"""Joints from which on columns are faster than straight-line code."""
_UPPER = np.triu_indices(3)


def column_inverse_dynamics_derivatives(mechanism: Mechanism) -> ColumnProgram | None:
    """Return ∂τ/∂q, ∂τ/∂v and M of q, v and a as a program on columns; None if there is none."""
    links = _links(mechanism)
    if links is None:
        return None
    arm = _Arm(mechanism, links, ("q", "v", "a"), "inverse_dynamics_derivatives")
    arm.move()
    arm.accelerate(arm.row["a"])
    arm.sum_bodies()
    arm.change()
    entries = arm.n * np.arange(3 * arm.n)
    for k, name in enumerate(("q", "v", "M")):
        for i in range(arm.n):
            arm.append(arm.product(name, i, int(entries[k * arm.n + i]), is_output=True))
    return arm.program()


def column_forward_dynamics_derivatives(mechanism: Mechanism) -> ColumnProgram | None:
    """Return ∂a/∂q, ∂a/∂v and M⁻¹ of q, v and tau as a program on columns, or None."""
    links = _links(mechanism)
    if links is None:
        return None
    arm = _Arm(mechanism, links, ("q", "v", "tau"), "forward_dynamics_derivatives")
    n, every = arm.n, tuple(range(arm.n))
    arm.move()
    arm.accelerate(None)
    arm.sum_bodies()
    inverse = arm.rows(n)
    for i in every:
        arm.append(arm.product("M", i, inverse + i))
    arm.append(Inverted(tuple(range(inverse, inverse + n))))
    rest = arm.unbalanced()
    a = arm.rows(1)
    terms = tuple((COLUMNS * rest + j, inverse + j) for j in every)
    arm.append(Combined(a, ((every, terms),)))
    arm.accelerate(a)
    arm.sum_forces()
    arm.change()
    start = {name: arm.rows(n) for name in ("q", "v")}
    for name, first in start.items():
        for i in every:
            arm.append(arm.product(name, i, first + i))
    for k, first in enumerate(start.values()):
        for i in every:
            terms = tuple((COLUMNS * (inverse + j) + i, first + j) for j in every)
            to = n * (n * k + i)
            arm.append(Combined(to, ((every, terms),), is_negative=True, is_output=True))
    arm.append(
        *(
            Combined(n * (2 * n + i), ((every, ((-1, inverse + i),)),), is_output=True)
            for i in every
        )
    )
    return arm.program()


def _links(mechanism: Mechanism) -> list[Link] | None:
    """Return the links by their column, the number of their velocity; None if not all are hinges."""
    n = mechanism.nv
    if mechanism.forces or mechanism.closures or mechanism.parameter_inputs:
        return None
    if mechanism.depends_on_time or not FEWEST <= n <= COLUMNS or mechanism.nq != n:
        return None
    links = regrouped_links(mechanism)
    if not all(isinstance(link.joint, Revolute) for link in links):
        return None
    return list(links)


class _Arm:
    """Hinges side by side, and the stages that compute what derivatives are products of."""

    def __init__(
        self, mechanism: Mechanism, links: Sequence[Link], inputs: tuple[str, ...], name: str
    ) -> None:
        self.n = n = len(links)
        self._inputs = tuple(Port(key, (n,)) for key in inputs)
        self._output = Port(name, (3, n, n))
        self._links, self._stages = links, list[Stage]()
        self._constants, self._n_rows = list[Array](), 0
        self._base = base_acceleration(Environment.of(mechanism)).tolist()
        self._columns = [link.v.start for link in links]
        parent = [-1] * COLUMNS
        for link, k in zip(links, self._columns, strict=True):
            parent[k] = self._columns[link.parent] if link.parent >= 0 else -1
        self._parent: Lanes = tuple(parent)
        self.row = {key: self.rows(1) for key in inputs}
        passive: list[PassiveCoefficients | None] = [None] * n
        for body, v in zip(mechanism.bodies, mechanism.v_slices, strict=True):
            if body.joint.nv:
                passive[v.start] = PassiveCoefficients.from_joint(body.joint)
        self._passive = passive
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

    def move(self) -> None:
        """Append frames, screws, velocities, and the moments of bodies alone."""
        turn = self._alike(_turn, {"q": 1, "turns": 4, "offset": 1}, {"R": 9})
        self._frames(turn["R"])
        self._alike(_screws, {"R": 9, "p": 3, "v": 1}, {"screw": 6, "velocity": 6})
        self._sums("velocity", 6, outward=True)
        self._moved("velocity", "carrier_velocity", [0.0] * 6)
        reads = {"mass": 1, "h": 3, "sigma": 6, "R": 9, "p": 3, "velocity": 6}
        self._alike(_moments, reads, {"alone": 21})

    def accelerate(self, a: int | None) -> None:
        """Append accelerations and forces of links alone, of the accelerations in a row.

        Without a row they are 0; what they add may follow then.
        """
        if a is not None:
            self.row["a"] = a
        if "acceleration" in self.row:
            self.row["before"] = self.row["acceleration"]
            self._alike(_by_acceleration, {"screw": 6, "a": 1}, {"acceleration": 6})
            self._sums("acceleration", 6, outward=True)
            self._alike(_added, {"acceleration": 6, "before": 6}, {"acceleration": 6})
        else:
            reads = {"screw": 6, "velocity": 6, "v": 1} | ({} if a is None else {"a": 1})
            self._alike(_increment, reads, {"acceleration": 6})
            self._sums("acceleration", 6, outward=True, first=self._base)
        self._moved("acceleration", "carrier_acceleration", self._base)
        reads = {"mass": 1, "alone": 21, "velocity": 6, "acceleration": 6}
        self._alike(_force, reads, {"force": 6})

    def sum_bodies(self) -> None:
        """Append the sums of bodies and forces over subtrees, and left."""
        self.row["body"] = self.rows(21)
        self._sums("alone", 21, outward=False, to="body")
        self.sum_forces()
        self._alike(_left, {"screw": 6, "total": 1, "body": 21}, {"left": 9})

    def sum_forces(self) -> None:
        """Append the sums of forces over subtrees."""
        self._sums("force", 6, outward=False)

    def change(self) -> None:
        """Append right and up by q and v."""
        reads = {
            "screw": 6, "total": 1, "body": 21, "velocity": 6, "force": 6, "left": 9,
            "carrier_velocity": 6, "carrier_acceleration": 6,
        }  # fmt: skip
        self._alike(_changed, reads, {"right_q": 9, "right_v": 9, "up_q": 6, "up_v": 6})

    def unbalanced(self) -> int:
        """Append tau less the forces without acceleration; return its row."""
        reads = {"screw": 6, "force": 6, "tau": 1}
        if any(self._passive):
            reads |= {"passive": 3, "q": 1, "v": 1}
        return self._alike(_unbalanced, reads, {"rest": 1})["rest"]

    def product(self, name: str, i: int, to: int, *, is_output: bool = False) -> Combined:
        """Return the row i of ∂τ/∂q, ∂τ/∂v or M."""
        right, up = {"q": ("right_q", "up_q"), "v": ("right_v", "up_v"), "M": ("screw", "left")}[
            name
        ]
        size = 6 if name == "M" else 9
        lower = [i]
        while self._parent[lower[-1]] >= 0:
            lower.append(self._parent[lower[-1]])
        upper = [k for k in range(self.n) if k != i and self._carries(i, k)]
        groups = [(lower, "left", right, size)] + ([(upper, "screw", up, 6)] if upper else [])
        added = [0.0] * COLUMNS
        passive = self._passive[i]
        if passive is not None:
            matrix = {"q": passive.stiffness, "v": passive.damping, "M": passive.armature}[name]
            added[i] = 0.0 if matrix is None else float(matrix[0, 0])
        return Combined(
            to,
            tuple(
                (
                    tuple(sorted(columns)),
                    tuple(
                        (COLUMNS * (self.row[single] + e) + i, self.row[rows] + e)
                        for e in range(count)
                    ),
                )
                for columns, single, rows, count in groups
            ),
            tuple(added),
            is_output=is_output,
        )

    def _carries(self, i: int, k: int) -> bool:
        while k >= 0 and k != i:
            k = self._parent[k]
        return k == i

    def _described(self) -> None:
        """Store what is known of the links."""
        by_column = sorted(zip(self._columns, self._links, strict=True), key=lambda pair: pair[0])
        links = [link for _, link in by_column]
        self._placed = {k: (link.p, self._parent[k]) for k, link in by_column}
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
            "mass": [[link.mass for link in links]],
            "total": [total],
            "h": np.transpose([link.h for link in links]),
            "sigma": np.transpose([link.sigma[_UPPER] for link in links]),
        }
        if any(self._passive):
            zero = np.zeros((1, 1))
            tables["passive"] = np.transpose(
                [
                    [0.0] * 3
                    if p is None or p.stiffness is None or p.rest is None
                    else [p.damping[0, 0], (p.stiffness + zero)[0, 0], p.rest[0]]
                    for p in self._passive
                ]
            )
        self._tables = {name: len(self._constants) for name in tables}
        for name, table in tables.items():
            self._tables[name] = len(self._constants)
            self._constants += [np.asarray(row, float) for row in table]

    def _alike(
        self, function: Callable[..., Mapping[str, Any]], reads: Mapping[str, int],
        writes: Mapping[str, int],
    ) -> dict[str, int]:  # fmt: skip
        """Append a function that is the same for all joints; return where its results are."""
        symbols = {name: fresh_symbols(name, size) for name, size in reads.items()}
        results = function(**symbols)
        ports = [
            (CONSTANTS, self._tables[name]) if name in self._tables else (ROWS, self.row[name])
            for name in reads
        ]
        starts = {name: self.rows(size) for name, size in writes.items()}
        program = _program(symbols, {name: results[name] for name in writes})
        self.append(Alike(program, (*ports, *((ROWS, start) for start in starts.values()))))
        self.row |= starts
        return starts

    def _frames(self, turn: int) -> None:
        """Append the frames of links in the base, one after the other."""
        symbols = fresh_symbols("R", 9 * COLUMNS)
        entries = symbols.reshape(3, 3, COLUMNS)
        frames: dict[int, tuple[Array, Array]] = {-1: (np.eye(3), np.zeros(3))}
        R, p = np.zeros((3, 3, COLUMNS), object), np.zeros((3, COLUMNS), object)
        for k in self._columns:
            place, parent = self._placed[k]
            carrier, origin = frames[parent]
            frames[k] = carrier @ entries[:, :, k], origin + carrier @ place
            R[:, :, k], p[:, k] = frames[k]
        self.row["R"], self.row["p"] = start = self.rows(9), self.rows(3)
        program = _program({"turn": symbols}, {"R": R.ravel(), "p": p.ravel()})
        self.append(Apart(program, ((ROWS, turn), *((ROWS, k) for k in start))))

    def _sums(
        self, name: str, count: int, *, outward: bool, first: Sequence[float] | None = None,
        to: str | None = None,
    ) -> None:  # fmt: skip
        rows = tuple(range(self.row[name], self.row[name] + count))
        turns, apart = list[tuple[Lanes, ...]](), list(self._parent)
        while any(k >= 0 for k in apart):  # carriers 1, 2, 4, ... joints away
            if outward:
                turns.append((tuple(apart),))
            else:
                carried = [[k for k in range(self.n) if apart[k] == i] for i in range(COLUMNS)]
                most = max(map(len, carried))
                turns.append(
                    tuple(
                        tuple(ks[m] if m < len(ks) else -1 for ks in carried) for m in range(most)
                    )
                )
            apart = [apart[k] if k >= 0 else -1 for k in apart]
        start = self.row[to or name]
        self.append(Sums(rows, start, tuple(turns), None if first is None else tuple(first)))

    def _moved(self, name: str, to: str, otherwise: Sequence[float]) -> None:
        rows = tuple(range(self.row[name], self.row[name] + len(otherwise)))
        self.row[to] = self.rows(len(rows))
        self.append(Moved(rows, self.row[to], self._parent, tuple(otherwise)))


def _program(symbols: Mapping[str, Array], results: Mapping[str, Any]) -> Program:
    outputs = {f"to_{name}": np.array(list(entries), object) for name, entries in results.items()}
    return optimise(build(symbols, outputs))


def _turn(*, q: Array, turns: Array, offset: Array) -> dict[str, Any]:
    nothing, axes = np.zeros(3), (PlanarTurn(2, *turns[:2]), PlanarTurn(0, *turns[2:]))
    link = Link(
        -1, Revolute("z"), axes, nothing, offset[0], 0.0, nothing, np.zeros((3, 3)), slice(0), slice(0)
    )
    return {"R": link.placed(q).to_parent(np.eye(3)).ravel()}


def _screws(*, R: Array, p: Array, v: Array) -> dict[str, Any]:
    along = np.array([[0.0], [0.0], [0.0], [0.0], [0.0], [1.0]])
    screw = base_motions((R.reshape(3, 3), p), along)[0]
    return {"screw": screw, "velocity": v[0] * screw}


def _moments(
    *, mass: Array, h: Array, sigma: Array, R: Array, p: Array, velocity: Array
) -> dict[str, Any]:
    alone = Composite(mass[0], h, _symmetric(sigma))
    body = body_in_base(alone, (R.reshape(3, 3), p), velocity)
    return {"alone": [*body.h, *body.sigma[_UPPER], *body.P, *body.E.ravel()]}


def _increment(
    *, screw: Array, velocity: Array, v: Array, a: Array | None = None
) -> dict[str, Any]:
    start = np.zeros(6) if a is None else a[0] * screw
    return {"acceleration": plus_cross_motion(start, velocity, v[0] * screw)}


def _by_acceleration(*, screw: Array, a: Array) -> dict[str, Any]:
    return {"acceleration": a[0] * screw}


def _added(*, acceleration: Array, before: Array) -> dict[str, Any]:
    return {"acceleration": acceleration + before}


def _force(*, mass: Array, alone: Array, velocity: Array, acceleration: Array) -> dict[str, Any]:
    return {"force": force_of(_body(mass, alone), velocity, acceleration)}


def _left(*, screw: Array, total: Array, body: Array) -> dict[str, Any]:
    return {"left": left_of(screw[None], _body(total, body))[0]}


def _changed(
    *, screw: Array, total: Array, body: Array, velocity: Array, force: Array, left: Array,
    carrier_velocity: Array, carrier_acceleration: Array,
) -> dict[str, Any]:  # fmt: skip
    right_q, right_v, up_q, up_v, *_ = changes(
        screw[None], _body(total, body), velocity, force, left[None], carrier_velocity,
        carrier_acceleration,
    )  # fmt: skip
    return {"right_q": right_q[0], "right_v": right_v[0], "up_q": up_q[0], "up_v": up_v[0]}


def _unbalanced(
    *, screw: Array, force: Array, tau: Array, passive: Array | None = None,
    q: Array | None = None, v: Array | None = None,
) -> dict[str, Any]:  # fmt: skip
    rest = tau[0] - screw @ force
    if passive is not None and q is not None and v is not None:
        rest = rest - passive[0] * v[0] - passive[1] * (q[0] - passive[2])
    return {"rest": [rest]}


def _body(mass: Array, moments: Array) -> MovingBody:
    return MovingBody(
        mass[0], moments[:3], _symmetric(moments[3:9]), moments[9:12], moments[12:].reshape(3, 3)
    )


def _symmetric(entries: Array) -> Array:
    matrix = np.zeros((3, 3), object)
    matrix[_UPPER] = entries
    matrix.T[_UPPER] = entries
    return matrix
