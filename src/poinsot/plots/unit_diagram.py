"""Block diagrams of units: what they pass on, motions forwards and forces backwards [Wang2007]."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from poinsot.formulations.composable.coupling import Coupling, UnitPort
from poinsot.model.planar.decomposition import Unit
from poinsot.plots.figure import FIGURES, put_out
from poinsot.plots.picture_file import checked_target
from poinsot.plots.style import GREY, INK, RC, SERIES, label_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH: Final = 1.9
STRIDE: Final = 3.5
"""Of a block, and from one to the next; the ground is a bar below all of them."""
BAR: Final = 0.5
"""Height of the bar."""
GAP: Final = 0.3
"""Between two arrows."""

Point = tuple[float, float]
Block = tuple[float, float, float, float]
"""Middle, width and height."""


def draw_units(coupling: Coupling, units: Sequence[Unit], path: str | Path | None) -> Figure:
    """Draw the coupling of units; see ``PlanarMechanism.diagram``."""
    target = None if path is None else checked_target(path, FIGURES, "figure")
    from matplotlib import style
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    links = _links(coupling)
    heights = [_height(number, links) for number in range(1, len(units) + 1)]
    with style.context(["default", dict(RC)]):
        size = (0.8 + 2.5 * len(units), 2.2 + 0.75 * max(heights))
        figure = Figure(figsize=size, layout="constrained")
        FigureCanvasAgg(figure)
        axes = figure.add_subplot()
        axes.set_axis_off()
        axes.set_aspect("equal")
        blocks = {k: (STRIDE * k, 0.0, WIDTH, h) for k, h in enumerate(heights, start=1)}
        bottom = -max(heights) / 2 - 1.3
        span = STRIDE * (len(units) - 1) + WIDTH
        blocks[0] = (STRIDE * (len(units) + 1) / 2, bottom, span, BAR)
        for number, block in blocks.items():
            title = "ground" if number == 0 else _title(number, units[number - 1])
            colour = GREY if number == 0 else SERIES[(number - 1) % len(SERIES)]
            _draw_block(axes, block, title, colour)
            _draw_inputs(axes, block, _given(coupling, number))
        _draw_links(axes, links, blocks)
        axes.set_xlim(STRIDE - WIDTH, STRIDE * len(units) + WIDTH)
        axes.set_ylim(bottom - BAR, max(heights) / 2 + 1.2)
        put_out(figure, target)
    return figure


def _links(coupling: Coupling) -> list[tuple[UnitPort, UnitPort]]:
    """Return pairs of an output and the input that it is, motions and forces."""
    return [
        (offered, taken)
        for i, taken in enumerate(coupling.inputs)
        for j, offered in enumerate(coupling.outputs)
        if coupling.L[i, j]
    ]


def _height(number: int, links: Sequence[tuple[UnitPort, UnitPort]]) -> float:
    between = [(a.unit, b.unit) for a, b in links if a.group == "k" and a.unit]
    right, left = (sum(pair[k] == number for pair in between) for k in (0, 1))
    return max(1.5, GAP * (2.2 * max(left, right) + 0.4))


def _title(number: int, unit: Unit) -> str:
    kind = f"driver unit {unit.form}" if unit.drivers else unit.form
    return f"unit {number}\n{kind}\n" + "\n".join(label_of(str(body), 16) for body in unit.bodies)


def _given(coupling: Coupling, number: int) -> list[str]:
    return [port.label for port in coupling.global_inputs if port.unit == number]


def _draw_block(axes: Axes, block: Block, title: str, colour: str) -> None:
    from matplotlib.colors import to_rgb
    from matplotlib.patches import FancyBboxPatch

    x, y, width, height = block
    pale = tuple(1.0 - 0.16 * (1.0 - c) for c in to_rgb(colour))
    corner = x - width / 2, y - height / 2
    # Arrows between blocks that are not neighbours pass behind those in between.
    axes.add_patch(
        FancyBboxPatch(
            corner, width, height, boxstyle="round,pad=0.02", fc=pale, ec=colour, zorder=3
        )
    )
    axes.text(x, y, title, ha="center", va="center", fontsize=9, zorder=4)


def _draw_inputs(axes: Axes, block: Block, labels: Sequence[str]) -> None:
    """Draw loads and forces of drivers from above."""
    x, y, width, height = block
    top = y + height / 2
    for k, label in enumerate(labels):
        column = x + width * ((k + 1) / (len(labels) + 1) - 0.5)
        length = 0.3 + 0.25 * (k % 3)
        _arrow(axes, (column, top + length), (column, top + 0.02), dashed=True)
        axes.text(column, top + length, _mathematics(label), ha="center", va="bottom", fontsize=7)


def _draw_links(
    axes: Axes, links: Sequence[tuple[UnitPort, UnitPort]], blocks: Mapping[int, Block]
) -> None:
    """Draw a pair of arrows for each joint between units: the motion there, the force back."""
    forces = {(a.unit, b.unit, str(a.key[-1])): a for a, b in links if a.group == "f"}
    used: dict[tuple[int, str], int] = {}
    for offered, taken in links:
        if offered.group != "k":
            continue
        grounded = offered.unit == 0
        if grounded:
            ends, shift = _below(blocks, taken.unit, used), (GAP, 0.0)
        else:
            ends, shift = _beside(blocks, offered.unit, taken.unit, used), (0.0, -GAP)
        start, end = ends
        _arrow(axes, start, end, dashed=False)
        share = 0.5 if grounded or taken.unit == offered.unit + 1 else 0.93
        x, y = (p + share * (q - p) for p, q in zip(start, end, strict=True))
        side: dict[str, Any] = (
            {"ha": "right", "va": "center"} if grounded else {"ha": "center", "va": "bottom"}
        )
        axes.text(x - 0.04 * grounded, y, _mathematics(offered.label), fontsize=7, zorder=5, **side)
        force = forces.get((taken.unit, offered.unit, str(offered.key[-1])))
        if force is not None:
            back = [(px + shift[0], py + shift[1]) for px, py in (end, start)]
            _arrow(axes, back[0], back[1], dashed=True)
            side = {"ha": "left", "va": "center"} if grounded else {"ha": "center", "va": "top"}
            text = f"$-${_mathematics(force.label)}"
            place = x + shift[0] + 0.04 * grounded, y + shift[1]
            axes.text(*place, text, fontsize=7, zorder=5, **side)


def _beside(
    blocks: Mapping[int, Block], first: int, last: int, used: dict[tuple[int, str], int]
) -> tuple[Point, Point]:
    """Return the next free points at the right of one block and at the left of another."""
    ends = []
    for unit, side, sign in ((first, "right", 0.5), (last, "left", -0.5)):
        row = used[unit, side] = used.get((unit, side), 0) + 1
        x, y, width, height = blocks[unit]
        ends.append((x + sign * width, y + height / 2 - GAP * (2.2 * (row - 1) + 0.5)))
    return ends[0], ends[1]


def _below(
    blocks: Mapping[int, Block], unit: int, used: dict[tuple[int, str], int]
) -> tuple[Point, Point]:
    """Return points on the bar of the ground and at the bottom of a block."""
    column = used[unit, "below"] = used.get((unit, "below"), 0) + 1
    x, y, width, height = blocks[unit]
    across = x - width / 2 + GAP * (2.4 * (column - 1) + 1.6)
    return (across, blocks[0][1] + blocks[0][3] / 2), (across, y - height / 2)


def _arrow(
    axes: Axes, start: tuple[float, float], end: tuple[float, float], *, dashed: bool
) -> None:
    axes.annotate(
        "", end, start, zorder=2,
        arrowprops={
            "arrowstyle": "-|>", "color": GREY if dashed else INK, "lw": 0.9,
            "ls": "--" if dashed else "-", "shrinkA": 0, "shrinkB": 0,
        },
    )  # fmt: skip


def _mathematics(label: str) -> str:
    """Return a label such as r_{rod,B} or [F_2,M_2] for matplotlib."""
    names = []
    for name in label.strip("[]").split(",") if label.startswith("[") else [label]:
        letter, _, rest = name.partition("_")
        index = rest.strip("{}").replace("_", r"\_").replace(" ", r"\ ")
        names.append(rf"{letter}_{{\mathrm{{{index}}}}}" if rest else letter)
    return f"${','.join(names)}$"
