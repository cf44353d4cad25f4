"""Pictures and tables of planar mechanisms by what is in them."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.text import Text

from poinsot.library import planar_linkage, planetary_gear
from poinsot.plots.style import SERIES


def test_links_have_the_colours_of_their_units(tmp_path):
    """Check the colour of each link's name and line, and that the file is written."""
    mechanism = planar_linkage("Watt II")
    figure = mechanism.draw(mechanism.drawn, tmp_path / "units.png")
    axes = figure.axes[0]
    written = {text.get_text(): to_rgb(text.get_color()) for text in axes.texts}
    drawn = {to_rgb(line.get_color()) for line in axes.lines}
    for number, unit in enumerate(mechanism.units):
        for body in unit.bodies:
            assert written[body] == to_rgb(SERIES[number])
        assert to_rgb(SERIES[number]) in drawn
    assert (tmp_path / "units.png").stat().st_size > 1000


@pytest.mark.parametrize("name", ["Watt II", "Klann", "3-RRR"])
def test_arrows_of_the_diagram_are_the_entries_of_the_coupling(name, tmp_path):
    """Check the blocks at both ends of each solid arrow against L^kk, and of dashed ones."""
    mechanism = planar_linkage(name)
    coupling = mechanism.coupling
    axes = mechanism.diagram(tmp_path / "units.svg").axes[0]
    numbers = [*range(1, len(mechanism.units) + 1), 0]
    boxes = {n: np.array([[p.get_x(), p.get_x() + p.get_width()],
                          [p.get_y(), p.get_y() + p.get_height()]])
             for n, p in zip(numbers, axes.patches[: len(numbers)], strict=True)}  # fmt: skip

    def block(point):
        gaps = {n: np.abs(np.clip(point, *box.T) - point).max() for n, box in boxes.items()}
        nearest = min(gaps, key=gaps.get)
        return nearest if gaps[nearest] < 0.05 else None

    heads = [note for note in axes.texts if not note.get_text()]
    solid, dashed = Counter(), Counter()
    for line, head in zip(axes.lines, heads, strict=True):
        ends = block(line.get_xydata()[0]), block(np.array(head.xy))
        (solid if line.get_linestyle() == "-" else dashed)[ends] += 1
    motions = Counter(
        (offered.unit, taken.unit)
        for i, taken in enumerate(coupling.inputs) for j, offered in enumerate(coupling.outputs)
        if coupling.L[i, j] == 1
    )  # fmt: skip
    assert solid == motions
    forces = Counter({(b, a): n for (a, b), n in motions.items()})
    for port in coupling.global_inputs:
        forces[None, port.unit] += 1
    assert dashed == forces


def test_rounding_is_no_torque_and_titles_are_free(tmp_path):
    """Check a balanced train at constant speed, and powers of ten of large forces."""
    train = planetary_gear().turn(5.0, positions=24)
    panels = {axes.get_title(loc="left"): axes for axes in train.plot(tmp_path / "train.png").axes}
    assert np.abs(train.driver_force).max() > 0.0
    for title, zero in (("Driver", "O"), ("Shaking moment about the origin", "M")):
        (values,) = [x.get_ydata() for x in panels[title].get_lines() if x.get_label() == zero]
        assert not np.any(values)
    assert "driver: 0 to 0 N m" in str(train)
    press = planar_linkage("slider-crank")
    figure = press.turn(loads={"slider": (3e6, 0, 0)}, positions=24).plot(tmp_path / "press.png")
    renderer = figure.canvas.get_renderer()
    powers = 0
    for axes in figure.axes:
        power = axes.yaxis.get_offset_text()
        powers += bool(power.get_text())
        (title,) = [x for x in axes.findobj(Text) if x.get_text() == axes.get_title(loc="left")]
        ends = [x.get_window_extent(renderer) for x in (title, power)]
        assert not power.get_text() or not ends[0].overlaps(ends[1])
    assert powers >= 3


def test_driven_pins_are_seen_where_several_are_in_one_place(tmp_path):
    """Check that the driven pin of a train is above the arm's in the same place."""
    train = planetary_gear()
    assert train.linkage.drivers == ("O",)
    dots = [
        x for x in train.draw([0.0], tmp_path / "train.png").axes[0].lines if x.get_marker() == "o"
    ]
    here = [x for x in dots if np.allclose(np.ravel(x.get_data()), 0.0)]
    top = max(here, key=lambda x: x.get_zorder())
    assert len(here) == 2
    assert to_rgb(top.get_markerfacecolor()) != to_rgb("white")


def test_excel_table_of_a_turn_holds_its_numbers(tmp_path):
    """Check each column of the file against the turn, and the header's units."""
    openpyxl = pytest.importorskip("openpyxl")
    turn = planar_linkage("slider-crank").turn(10.0, positions=12)
    sheet = openpyxl.load_workbook(turn.save_table(tmp_path / "turn.xlsx")).worksheets[0]
    rows = [[cell.value for cell in row] for row in sheet.iter_rows()]
    names = [str(name) for name in rows[0]]
    first = next(k for k, row in enumerate(rows) if isinstance(row[0], int | float))
    table = np.array(rows[first:], float)
    assert table.shape == (13, len(turn.columns()))
    for k, (name, column) in enumerate(turn.columns().items()):
        assert names[k].startswith(name)
        assert any(column.unit in str(row[k]) for row in rows[:first])
        assert np.allclose(table[:, k], column.values, rtol=1e-9, atol=1e-12)
    assert np.allclose(table[:, 0], np.linspace(0, 2 * np.pi / 10, 13))


def test_gif_of_a_turn_moves_and_lasts(tmp_path):
    """Check the frames of the file: several, different, as long as they were asked to last."""
    Image = pytest.importorskip("PIL.Image")
    turn = planar_linkage("four-bar").turn(positions=24)
    turn.animate(tmp_path / "bar.gif", fps=10, seconds=1.0)
    with Image.open(tmp_path / "bar.gif") as film:
        frames, milliseconds = [], 0
        for k in range(film.n_frames):
            film.seek(k)
            milliseconds += film.info["duration"]
            frames.append(np.asarray(film.convert("L"), float))
    assert len(frames) >= 8
    assert abs(milliseconds - 1000) <= 200
    moved = [np.abs(b - a).max() for a, b in pairwise(frames)]
    assert min(moved) > 50
