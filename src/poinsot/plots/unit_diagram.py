"""Block diagrams of units: what they pass on, motions forwards and forces backwards [Wang2007]."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from poinsot.formulations.composable.coupling import Coupling, UnitPort, with_indices
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
LANE: Final = 0.62
"""Height of a pair of arrows that passes blocks below."""

Point = tuple[float, float]
Way = list[Point]
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
    n_far = sum(_is_far(*link) for link in links)
    n_loads = max(len(_given(coupling, number)) for number in range(1, len(units) + 1))
    with style.context(["default", dict(RC)]):
        size = (0.8 + 2.5 * len(units), 2.0 + 0.75 * (max(heights) + LANE * n_far + 0.2 * n_loads))
        figure = Figure(figsize=size, layout="constrained")
        FigureCanvasAgg(figure)
        axes = figure.add_subplot()
        axes.set_axis_off()
        axes.set_aspect("equal")
        top = max(heights) / 2
        blocks = {k: (STRIDE * k, top - h / 2, WIDTH, h) for k, h in enumerate(heights, start=1)}
        bottom = -max(heights) / 2 - 1.3 - LANE * n_far
        span = STRIDE * (len(units) - 1) + WIDTH
        blocks[0] = (STRIDE * (len(units) + 1) / 2, bottom, span, BAR)
        for number, block in blocks.items():
            title = "ground" if number == 0 else _title(number, units[number - 1])
            colour = GREY if number == 0 else SERIES[(number - 1) % len(SERIES)]
            _draw_block(axes, block, title, colour)
            _draw_inputs(axes, block, _given(coupling, number))
        _draw_links(axes, links, blocks)
        axes.set_xlim(STRIDE - WIDTH, STRIDE * len(units) + WIDTH)
        axes.set_ylim(bottom - BAR, max(heights) / 2 + 0.6 + 0.25 * n_loads)
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


def _is_far(offered: UnitPort, taken: UnitPort) -> bool:
    """Whether a motion passes blocks in between."""
    return offered.group == "k" and offered.unit > 0 and taken.unit > offered.unit + 1


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
        length = 0.3 + 0.25 * (len(labels) - 1 - k)
        _arrow(axes, [(column, top + length), (column, top + 0.02)], dashed=True)
        _write(
            axes,
            (column, top + length),
            f"${with_indices(label.strip('[]'))}$",
            (2, 0),
            "left",
            "center",
        )


def _draw_links(
    axes: Axes, links: Sequence[tuple[UnitPort, UnitPort]], blocks: Mapping[int, Block]
) -> None:
    """Draw a pair of arrows for each joint between units: the motion there, the force back."""
    forces = {(a.unit, b.unit, str(a.key[-1])): a for a, b in links if a.group == "f"}
    used: dict[tuple[int, str], int] = {}
    motions = [link for link in links if link[0].group == "k"]
    lanes = 0
    # Those of neighbours first: they are straight.
    for offered, taken in sorted(motions, key=lambda link: _is_far(*link)):
        grounded = offered.unit == 0
        if grounded:
            there, back = _below(blocks, taken.unit, used)
            above = 0.3 + 0.4 * (used[taken.unit, "below"] % 2)
            places = [(x, y + above) for x, y in (there[0], back[-1])]
            sides = ((-2, 0), "right", "center"), ((2, 0), "left", "center")
        else:
            ends = _beside(blocks, offered.unit, taken.unit, used)
            there, back, places = _passed(ends)
            if _is_far(offered, taken):
                base = min(y - h / 2 for k, (_, y, _, h) in blocks.items() if k)
                there, back, places = _around(ends, base - 0.25 - LANE * lanes, lanes)
                lanes += 1
            centre = "left" if _is_far(offered, taken) else "center"
            sides = ((0, 2), centre, "bottom"), ((0, -2), centre, "top")
        _arrow(axes, there, dashed=False)
        _write(axes, places[0], f"${with_indices(offered.label)}$", *sides[0])
        force = forces.get((taken.unit, offered.unit, str(offered.key[-1])))
        if force is not None:
            _arrow(axes, back, dashed=True)
            _write(axes, places[1], f"$-{with_indices(force.label)}$", *sides[1])


def _passed(ends: tuple[Point, Point]) -> tuple[Way, Way, list[Point]]:
    """Return the way from one block to the next, the way back below, and places of labels."""
    (x, y), (u, w) = ends
    back = [(u, w - GAP), (x, y - GAP)]
    return list(ends), back, [((x + u) / 2, (y + w) / 2), ((x + u) / 2, (y + w) / 2 - GAP)]


def _around(ends: tuple[Point, Point], lane: float, number: int) -> tuple[Way, Way, list[Point]]:
    """Return ways that pass blocks in between on a lane below them."""
    (x, y), (u, w) = ends
    right, left = x + 0.75 - 0.2 * (number % 3), u - 0.75 + 0.2 * (number % 3)
    there = [(x, y), (right, y), (right, lane), (left, lane), (left, w), (u, w)]
    right, left, low = right - 0.1, left + 0.1, lane - 0.8 * GAP
    back = [
        (u, w - GAP), (left, w - GAP), (left, low), (right, low), (right, y - GAP), (x, y - GAP)
    ]  # fmt: skip
    return there, back, [(right + 0.2, lane), (right + 0.2, low)]


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
) -> tuple[Way, Way]:
    """Return ways from the bar of the ground to the bottom of a block, and back."""
    column = used[unit, "below"] = used.get((unit, "below"), 0) + 1
    x, y, width, height = blocks[unit]
    across = x - width / 2 + GAP * (2.4 * (column - 1) + 1.6)
    low, high = blocks[0][1] + blocks[0][3] / 2, y - height / 2
    return [(across, low), (across, high)], [(across + GAP, high), (across + GAP, low)]


def _arrow(axes: Axes, path: Way, *, dashed: bool) -> None:
    """Draw a line through points with an arrow at its end."""
    colour, form = (GREY, "--") if dashed else (INK, "-")
    axes.plot(*zip(*path[:-1], strict=True), color=colour, lw=0.9, ls=form, zorder=2)
    axes.annotate(
        "", path[-1], path[-2], zorder=2,
        arrowprops={
            "arrowstyle": "-|>", "color": colour, "lw": 0.9, "ls": form, "shrinkA": 0,
            "shrinkB": 0,
        },
    )  # fmt: skip


def _write(
    axes: Axes, place: Point, text: str, shift: tuple[float, float], across: str, along: str
) -> None:
    """Write beside an arrow, over those that cross it."""
    axes.annotate(
        text, place, shift, textcoords="offset points", fontsize=7, ha=across, va=along, zorder=5,
        bbox={"fc": "white", "ec": "none", "pad": 0.4},
    )  # fmt: skip
