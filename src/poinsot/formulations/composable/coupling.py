"""How units are coupled: U = L Y, inputs of all units from outputs of all units.

Inputs and outputs are vectors at ports, kinematic ones first, then sorted by unit and port; unit 0
is the frame.  u_k are points and guides that a unit hangs on, y_k those that it offers; u_f are
loads, reactions of units that hang on it and, in forward dynamics, the forces of its drivers; y_f
are reactions on its own links.  L^kk holds 0 and 1, L^ff 0 and -1, the other blocks vanish
[Wang2007, (25)-(30)].
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from poinsot.model.planar.decomposition import Unit, decompose
from poinsot.model.planar.graph import BodyName, KinematicPair, PlanarGraph
from poinsot.spatial import Array

MARKS = {"R": {"r": "r", "R": "R"}, "P": {"r": "g", "R": "N"}, "H": {"r": "c", "R": "Q"}}
"""Letters of motions and forces by the kind of a pair."""


@dataclass(frozen=True)
class UnitPort:
    """One vector at the border of a unit.

    Attributes:
        letter: "u" for inputs, "y" for outputs.
        group: "k" for motions, "f" for forces.
        unit: Number of the unit, 0 for the frame.
        number: Number of the port among those of its unit, letter and group.
        label: What it is: "r_12", the place of link 1 in hinge 2.
        key: (link, pair) for couplings, empty for loads and drivers.
    """

    letter: str
    group: str
    unit: int
    number: int
    label: str
    key: tuple[BodyName, ...] = ()

    def __str__(self) -> str:
        return f"{self.letter}_{self.group}^{{{self.unit},{self.number}}}={self.label}"


@dataclass(frozen=True, eq=False)
class Coupling:
    """U = L Y of a planar mechanism.

    Attributes:
        inputs: U, the rows of L.
        outputs: Y, its columns.
        L: The matrix, shape (inputs, outputs), of -1, 0 and 1; each stands for a block.
    """

    inputs: tuple[UnitPort, ...]
    outputs: tuple[UnitPort, ...]
    L: Array

    @property
    def global_inputs(self) -> tuple[UnitPort, ...]:
        """Inputs that no unit gives: rows of zeros."""
        return tuple(port for port, row in zip(self.inputs, self.L, strict=True) if not row.any())

    @property
    def global_outputs(self) -> tuple[UnitPort, ...]:
        """Outputs that no unit takes: columns of zeros."""
        return tuple(
            port for port, column in zip(self.outputs, self.L.T, strict=True) if not column.any()
        )

    def __str__(self) -> str:
        """Return one line for each input: what it is equal to; then the global outputs."""
        lines = [f"{port} {self._source(row)}" for port, row in self._rows()]
        lines += [f"{port} is a global output" for port in self.global_outputs]
        return "\n".join(lines)

    def markdown(self) -> str:
        """Return L as a table."""
        head = ["", *(f"`{port}`" for port in self.outputs)]
        lines = [head, ["---"] * len(head)]
        lines += [[f"`{port}`", *(str(int(x)) for x in row)] for port, row in self._rows()]
        return "\n".join(f"| {' | '.join(line)} |" for line in lines)

    def latex(self) -> str:
        """Return U = L Y with its three matrices written out."""
        matrix = r" \\ ".join(" & ".join(str(int(x)) for x in row) for row in self.L)
        columns = "r" * len(self.outputs)
        U, Y = (
            r"\begin{bmatrix} " + r" \\ ".join(map(_latex, ports)) + r" \end{bmatrix}"
            for ports in (self.inputs, self.outputs)
        )
        left, right = r"\left[\begin{array}", r"\end{array}\right]"
        return f"{U} = {left}{{{columns}}} {matrix} {right} {Y}"

    def _rows(self) -> list[tuple[UnitPort, Array]]:
        return list(zip(self.inputs, self.L, strict=True))

    def _source(self, row: Array) -> str:
        terms = [
            f"{'-' if entry < 0 else '+'} {port}"
            for port, entry in zip(self.outputs, row, strict=True)
            if entry
        ]
        return f"= {' '.join(terms).removeprefix('+ ')}" if terms else "is a global input"


def forward_coupling(graph: PlanarGraph) -> Coupling:
    """Return the coupling where forces of drivers are given and motions follow.

    Examples:
        >>> from poinsot.model.planar.graph import graph_of
        >>> bars = [("H1", 0, 1, "R"), ("H2", 1, 2, "R"), ("H3", 2, 3, "R"), ("H4", 0, 3, "R")]
        >>> print(forward_coupling(graph_of([1, 2, 3], bars, ["H1"])))  # doctest: +ELLIPSIS
        u_k^{1,1}=r_11 = y_k^{0,1}=r_01
        u_k^{2,1}=r_22 = y_k^{1,1}=r_12
        ...
    """
    return _coupling(graph, "u")


def inverse_coupling(graph: PlanarGraph) -> Coupling:
    """Return the coupling where motions of drivers are given and their forces follow."""
    return _coupling(graph, "y")


def _coupling(graph: PlanarGraph, drivers: str) -> Coupling:
    ports: list[UnitPort] = []
    units = decompose(graph)
    empty = Unit((graph.frame,), (), ())
    for number, unit in enumerate((empty, *units)):
        ports += _ports(number, unit, units, graph, drivers)
    inputs, outputs = (
        tuple(p for group in "kf" for p in ports if (p.letter, p.group) == (letter, group))
        for letter in "uy"
    )
    L = np.zeros((len(inputs), len(outputs)), int)
    bodies = {pair.name: pair.bodies for pair in graph.pairs}
    kinds = {pair.name: pair.kind for pair in graph.pairs}
    for i, taken in enumerate(inputs):
        for j, offered in enumerate(outputs):
            if taken.key and offered.key and taken.group == offered.group:
                (body, pair), (other, same) = taken.key, offered.key
                # A gear names the link that it hears of, a pin the one on the other side.
                fits = (body == other) is (kinds[str(pair)] == "H")
                if pair == same and {body, other} <= set(bodies[str(pair)]) and fits:
                    L[i, j] = 1 if taken.group == "k" else -1
    return Coupling(inputs, outputs, L)


def _ports(
    number: int, unit: Unit, units: Sequence[Unit], graph: PlanarGraph, drivers: str
) -> list[UnitPort]:
    """Return the ports of one unit: its pairs to earlier units, its loads, what hangs on it."""
    hanging = [
        (body, pair)
        for pair in graph.pairs
        for body in pair.bodies
        if body in unit.bodies and any(pair in other.outer for other in units if other != unit)
    ]
    own = [
        (next(b for b in pair.bodies if b in unit.bodies), pair)
        for pair in unit.outer
        if pair.kind != "H"
    ]
    # A gear or a cam hears of each known link that it touches, and gives back to each.
    meshed = [
        (body, pair)
        for pair in unit.outer
        if pair.kind == "H"
        for body in pair.bodies
        if body not in unit.bodies
    ]
    inner = [(pair.bodies[0], pair) for pair in unit.inner]
    lone = len(graph.drivers) == 1
    driven = [_load("d" if lone else f"d,{name}") for name in unit.drivers]
    is_crank = lone and len(unit.bodies) == 1 and bool(unit.drivers)
    marks = ["r" if is_crank else body for body in unit.bodies if body != graph.frame]
    loads = [_load(str(mark)) for mark in marks]
    hinges = _hinges(graph)
    labelled = {
        ("u", "k"): _labelled("r", [*own, *meshed], hinges),
        ("y", "k"): _labelled("r", [*inner, *(end for end in hanging if end not in own)], hinges),
        ("u", "f"): [
            *(driven if drivers == "u" else ()),
            *loads,
            *_labelled("R", [end for end in hanging if end not in own], hinges),
        ],
        ("y", "f"): [
            *(driven if drivers == "y" else ()),
            *_labelled("R", [*own, *meshed], hinges),
        ],
    }
    return [
        UnitPort(letter, group, number, i, label, key)
        for (letter, group), entries in labelled.items()
        for i, (label, key) in enumerate(entries, start=1)
    ]


def _load(index: str) -> tuple[str, tuple[BodyName, ...]]:
    """Return the label of a force and a couple."""
    short = index if re.fullmatch(r"\w+", index) else f"{{{index}}}"
    return f"[F_{short},M_{short}]", ()


def _hinges(graph: PlanarGraph) -> dict[str, str]:
    """Return what pairs are called in labels: by their numbers, "2" for "H2", if these tell."""
    names = [pair.name for pair in graph.pairs]
    numbers = [match[1] for x in names if (match := re.fullmatch(r"[A-Za-z]+(\d+)", x))]
    short = len(set(numbers)) == len(names)
    return dict(zip(names, numbers if short else names, strict=True))


def _labelled(
    letter: str,
    ends: Sequence[tuple[BodyName, KinematicPair]],
    hinges: Mapping[str, str],
) -> list[tuple[str, tuple[BodyName, ...]]]:
    """Return labels r_ij of points, g_ij of guides; R_ij of forces, N_ij of loads of slides.

    Of gears and cams c_ij, coordinates of links, and Q_ij, forces along them.
    """
    labels: list[tuple[str, tuple[BodyName, ...]]] = []
    for body, pair in ends:
        mark = MARKS[pair.kind][letter]
        hinge = hinges[pair.name]
        short = len(str(body)) == len(hinge) == 1
        index = f"{body}{hinge}" if short else f"{{{body},{hinge}}}"
        labels.append((f"{mark}_{index}", (body, pair.name)))
    return labels


def _latex(port: UnitPort) -> str:
    label = with_indices(port.label)
    return rf"{port.letter}_{port.group}^{{{port.unit},{port.number}}} = {label}"


def with_indices(label: str) -> str:
    """Return a label such as r_{rod,B} or [F_2,M_2] as mathematics of LaTeX, names upright."""

    def index(match: re.Match[str]) -> str:
        name = match[1].strip("{}")
        upright = len(name) > 2 and not name.replace(",", "").isdigit()
        spaced = name.replace("_", r"\_").replace(" ", r"\ ")
        return rf"_{{\mathrm{{{spaced}}}}}" if upright else f"_{{{name}}}"

    return re.sub(r"_(\{[^}]*\}|\w+)", index, label)
