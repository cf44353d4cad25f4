"""Figures: formats, panels for every kind of coordinate, names that matplotlib could misread."""

import warnings
from types import SimpleNamespace

import numpy as np
import pytest
from PIL import Image

import poinsot as ps
from poinsot.plots.figure import dense_states
from poinsot.plots.picture_file import PlotError
from poinsot.plots.series import rows_of
from tests.plots.motions import Motion, cart, double_pendulum, plot_motion, satellite, swing


@pytest.mark.parametrize(
    ("suffix", "opening"), [(".png", b"\x89PNG"), (".SVG", b"<?xml"), (".pdf", b"%PDF")]
)
def test_suffix_says_the_format(tmp_path, suffix, opening):
    """Check the file's own mark, and that missing folders are made."""
    path = plot_motion(swing(double_pendulum()), str(tmp_path / "a" / "b" / f"run{suffix}"))
    assert path == tmp_path / "a" / "b" / f"run{suffix}"
    assert path.read_bytes().startswith(opening)


def test_svg_names_everything_with_its_unit(tmp_path):
    """Check title, curves and units in the text of the file, and that it is the same every time."""
    run = swing(cart())
    path = plot_motion(run, tmp_path / "run.svg")
    text = path.read_text(encoding="utf-8")
    for word in ("cart", "rod", "[rad]", "[m]", "[rad/s]", "[m/s]", "[J]", "kinetic", "time [s]"):
        assert f"<!-- {word} -->" in text, word
    assert plot_motion(run, tmp_path / "again.svg").read_bytes() == path.read_bytes()


def test_rows_sort_coordinates_by_kind():
    """Check columns and labels of a free body that carries a slider and a hinge."""
    bodies = [
        ps.Body("hub", joint=ps.Free(), mass=1.0),
        ps.Body("leg", parent="hub", joint=ps.Prismatic("z"), mass=1.0),
        ps.Body("fin", parent="hub", joint=ps.Revolute("z", name="hinge"), mass=1.0),
    ]
    angles, positions, orientations = rows_of(ps.System("craft", bodies))
    assert [(c.column, c.label) for c in angles.q.curves] == [(8, "hinge")]
    assert [(c.column, c.label) for c in angles.v.curves] == [(7, "hinge")]
    labels = [(c.column, c.label) for c in positions.q.curves]
    assert labels == [(0, "hub.x"), (1, "hub.y"), (2, "hub.z"), (7, "leg")]
    assert [c.column for c in positions.v.curves] == [0, 1, 2, 6]
    assert [c.label for c in orientations.q.curves] == ["hub.qw", "hub.qx", "hub.qy", "hub.qz"]
    assert [c.column for c in orientations.v.curves] == [3, 4, 5]


def test_rows_hold_every_column_once():
    """Check that no coordinate and no velocity is lost, whatever the joints."""
    joints = [ps.Revolute(), ps.Spherical(), ps.Fixed(), ps.Prismatic(), ps.Free()]
    system = ps.System("all", [ps.Body(f"b{i}", joint=joint) for i, joint in enumerate(joints)])
    rows = rows_of(system)
    assert sorted(c.column for row in rows for c in row.q.curves) == list(range(system.nq))
    assert sorted(c.column for row in rows for c in row.v.curves) == list(range(system.nv))


def test_few_states_still_give_smooth_curves(tmp_path):
    """Check that between the states of a run which took long steps its motion is asked for."""
    asked = []
    coarse = swing(double_pendulum(), n=3)
    run = Motion(coarse.system, lambda t: (asked.append(t), coarse.path(t))[1], coarse.t)
    plot_motion(run, tmp_path / "run.png")
    assert len(set(asked)) > 500
    assert min(asked) == 0.0
    assert max(asked) == 1.0


def size_of(path):
    with Image.open(path) as image:
        return image.size


def test_size_grows_with_the_rows(tmp_path):
    """Check that many curves do not make the picture larger, and more kinds of them do."""
    many = [ps.Body(f"link {i}", joint=ps.Revolute()) for i in range(40)]
    paths = [
        plot_motion(swing(double_pendulum()), tmp_path / "few.png"),
        plot_motion(swing(ps.System("forty", many)), tmp_path / "many.png"),
        plot_motion(
            Motion(satellite(), lambda t: np.full(7, t), np.arange(3.0)), tmp_path / "free.png"
        ),
    ]
    few, forty, free = (size_of(path) for path in paths)
    assert few == forty
    assert free[1] > few[1]


def test_difficult_names_and_values_pass(tmp_path):
    """Check names with markup, a single state, NaN, and a system that does not move."""
    bodies = [
        ps.Body("_hidden", joint=ps.Revolute()),
        ps.Body("$x_{", joint=ps.Revolute()),
        ps.Body("line\nbreak", joint=ps.Revolute()),
        ps.Body("a very long name of a joint that would push the axes aside", joint=ps.Revolute()),
    ]
    run = swing(ps.System("50 $ \\alpha_", bodies), n=1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        text = plot_motion(run, tmp_path / "a.svg").read_text(encoding="utf-8")
        broken = SimpleNamespace(
            system=run.system, t=np.arange(2.0), q=np.full((2, 4), np.nan),
            v=np.full((2, 4), np.nan), at=lambda t: (np.full(4, np.nan), np.full(4, np.nan)),
            kinetic_energy=lambda: np.array([0.0, np.nan]),
            potential_energy=lambda: np.array([1.0, np.nan]),
        )  # fmt: skip
        plot_motion(broken, tmp_path / "b.png")
        plot_motion(swing(ps.System("still", [ps.Body("block")])), tmp_path / "c.png")
    assert "_hidden -->" in text


@pytest.mark.parametrize(
    ("name", "message"),
    [("a.jpg", "'.jpg'; known are .png, .svg, .pdf"), ("a", "no suffix"), ("file/a.png", "not a")],
)
def test_what_cannot_be_written_is_refused(tmp_path, name, message):
    """Check that the message names the path and the known suffixes."""
    (tmp_path / "file").touch()
    with pytest.raises(PlotError, match=message):
        plot_motion(swing(double_pendulum()), tmp_path / name)
    (tmp_path / "dir.png").mkdir()
    with pytest.raises(PlotError, match="is a folder"):
        plot_motion(swing(double_pendulum()), tmp_path / "dir.png")


def test_of_many_curves_those_that_change_most_are_named(tmp_path):
    """Check that the legend leaves out what stands still, and says how many there are."""
    bodies = [ps.Body(f"joint {k}", joint=ps.Revolute()) for k in range(12)]
    size = np.where(np.arange(12) % 2, 1.0 + np.arange(12), 0.001)
    motion = Motion(ps.System("many", bodies), lambda t: size * np.sin(3 * t), np.linspace(0, 1, 9))
    text = plot_motion(motion, tmp_path / "run.svg").read_text(encoding="utf-8")
    assert "<!-- joint 11 -->" in text
    assert "<!-- 4 others -->" in text
    assert "<!-- joint 0 -->" not in text.split("Angular velocities")[0]


def test_a_jump_is_drawn_as_one():
    """Two states at one time, before and after an event, both stay where they are."""
    t = np.array([0.0, 1.0, 1.0, 2.0])
    q = np.array([[0.0], [1.0], [5.0], [6.0]])
    times, dense, _ = dense_states(t, q, q, lambda more: (more[:, None], more[:, None]))
    before, after = np.flatnonzero(times == 1.0)
    assert (dense[before, 0], dense[after, 0]) == (1.0, 5.0)
    assert (np.diff(times) >= 0.0).all()
