"""Animations: the file is what its suffix says, plays at the right pace and shows the motion."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import poinsot as ps
from poinsot.plots import animate_runs, draw_runs
from poinsot.plots.animation_file import durations
from poinsot.plots.picture_file import PlotError
from poinsot.plots.style import PAPER
from poinsot.plots.tip_trace import liveliest_tip
from tests.plots.motions import Motion, cart, double_pendulum, satellite, swing


def frames_of(path):
    """Return the pictures of a file as arrays, and how long each stands [ms]."""
    pictures, times = [], []
    with Image.open(path) as film:
        for k in range(film.n_frames):
            film.seek(k)
            film.load()  # WebP knows the duration only then
            pictures.append(np.asarray(film.convert("RGB"), dtype=int))
            times.append(film.info.get("duration", 0))
    return pictures, times


@pytest.fixture(scope="module")
def pendulum_gif(tmp_path_factory):
    path = tmp_path_factory.mktemp("film") / "new folder" / "swing.gif"
    return animate_runs([swing(double_pendulum())], path).path


def test_gif_plays_in_real_time_for_ever(pendulum_gif):
    """Check format, number of pictures, their time and the loop of one second of motion."""
    assert pendulum_gif.name == "swing.gif"
    with Image.open(pendulum_gif) as film:
        assert film.format == "GIF"
        assert film.info["loop"] == 0
    pictures, times = frames_of(pendulum_gif)
    assert len(pictures) == 26
    assert set(times) == {40}
    assert pendulum_gif.stat().st_size < 300_000


def test_pictures_are_light_and_move(pendulum_gif):
    """Check the background, that nothing touches the border, and that pictures differ."""
    pictures, _ = frames_of(pendulum_gif)
    paper = np.array([int(PAPER[i : i + 2], 16) for i in (1, 3, 5)])
    for picture in pictures:
        border = (picture[:8], picture[-8:], picture[:, :8], picture[:, -8:])
        assert all(np.abs(edge - paper).max() < 6 for edge in border)
    changes = [np.abs(b - a).max(axis=-1) > 60 for a, b in pairwise(pictures)]
    assert all(change.any() for change in changes)
    # The name, the scale and the arrow stand still.
    assert not any(change[:30].any() or change[-40:].any() for change in changes)


def test_colours_are_those_of_the_bodies(pendulum_gif):
    """Check that the shared colours of the film do not change those of the rods."""
    pictures, _ = frames_of(pendulum_gif)
    for colour in ((0x00, 0x72, 0xB2), (0xD5, 0x5E, 0x00)):
        near = np.abs(pictures[10] - np.array(colour)).max(axis=-1) <= 3
        assert np.count_nonzero(near) > 200


@pytest.mark.parametrize(("suffix", "kind"), [(".apng", "PNG"), (".PNG", "PNG"), (".webp", "WEBP")])
def test_other_formats(tmp_path, suffix, kind):
    """Check the formats beside GIF, and a pace of our own."""
    run = swing(double_pendulum())
    path = animate_runs([run], str(tmp_path / f"swing{suffix}"), seconds=0.5, fps=20).path
    with Image.open(path) as film:
        assert film.format == kind
        assert film.n_frames == 11
    assert sum(frames_of(path)[1]) == pytest.approx(550)


@pytest.mark.parametrize("fps", [7, 24, 30, 50])
def test_durations_add_up(fps):
    """Check that rounding to hundredths of a second does not accumulate."""
    times = durations(300, fps)
    assert sum(times) == pytest.approx(300_000 / fps, abs=6)
    assert all(time % 10 == 0 for time in times)


def test_every_kind_of_system_is_drawn(tmp_path):
    """Check a cart, a body in flight, one that tumbles, and one that cannot move."""
    flight = np.array([3.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0])
    still = ps.System("still", [ps.Body("block", mass=1.0)])
    runs = [
        swing(cart(), 0.2),
        Motion(
            satellite((0, 0, -9.81)),
            lambda t: np.array(
                [30 * t, t, -100 * t, np.cos(t), 0.6 * np.sin(t), 0, 0.8 * np.sin(t)]
            ),
            np.linspace(0, 1, 11),
        ),
        Motion(satellite(), lambda t: flight * (t + 1) / (t + 1), np.array([0.0])),
        swing(still, 0.1),
    ]
    for k, run in enumerate(runs):
        path = animate_runs([run], tmp_path / f"{k}.gif", fps=10).path
        assert len(frames_of(path)[0]) >= 1


def test_states_that_are_not_finite_are_left_out(tmp_path):
    """Check that a run which ended in NaN is drawn up to there, and one of nothing else refused."""
    system = double_pendulum()
    good = swing(system)
    broken = Motion(system, lambda t: good.path(t) if t < 0.5 else np.full(2, np.nan), good.t)
    assert len(frames_of(animate_runs([broken], tmp_path / "a.gif").path)[0]) == 13
    empty = Motion(system, lambda t: np.full(2, np.nan), good.t)
    with pytest.raises(PlotError, match="no state is finite"):
        animate_runs([empty], tmp_path / "b.gif")


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("a.avi", {}, r"'.avi'; known are .gif, .apng, .png, .webp, .mp4"),
        ("a", {}, "no suffix"),
        ("a.gif", {"fps": 0}, "fps must be above 0"),
        ("a.gif", {"fps": 100}, "at most 50"),
        ("a.gif", {"seconds": -1.0}, "not negative"),
        ("a.gif", {"seconds": float("nan")}, "finite"),
        ("a.gif", {"seconds": 1e4}, "seconds=30"),
    ],
)
def test_what_cannot_be_made_is_refused(tmp_path, name, options, message):
    """Check that messages say what is wrong and what to do, and that nothing is written."""
    with pytest.raises(PlotError, match=message):
        animate_runs([swing(double_pendulum())], tmp_path / name, **options)
    assert not list(tmp_path.iterdir())


def test_trace_follows_the_tip_that_moves_most():
    """Check the choice, and that straight paths and rest leave no trace."""
    t = np.linspace(0, 1, 20)
    circle = np.stack([np.sin(t), np.cos(t), 0 * t], -1)
    straight = np.stack([5 * t, 0 * t, 0 * t], -1)
    assert liveliest_tip(np.stack([0.1 * circle, circle], axis=1)) == 1
    assert liveliest_tip(straight[:, None]) is None
    assert liveliest_tip(0 * straight[:, None]) is None
    assert liveliest_tip(np.zeros((20, 0, 3))) is None


def traced(figure):
    """Return the paths in a figure [pixel]: thin lines of bodies' colours."""
    lines = [c for c in figure.axes[0].collections if list(c.get_linewidths()) == [1.6]]
    return [path for c in lines for path in c.get_segments()]


def test_chosen_points_are_traced_from_a_chosen_side(tmp_path):
    """Compare the path in a picture with where the point was, seen along y and along x."""
    run = swing(double_pendulum())
    figure = draw_runs([run], tmp_path / "a.svg", trace=("lower", (0, 0, -0.5)), view="xz")
    (pixels,) = traced(figure)
    pose = run.system.pose("lower", run.q)
    point = pose[:, :3, :3] @ [0, 0, -0.5] + pose[:, :3, 3]
    ratio = np.ptp(pixels, axis=0) / np.ptp(point[:, [0, 2]], axis=0)
    assert ratio[0] == pytest.approx(ratio[1], rel=1e-2)
    aside = draw_runs(
        [run], tmp_path / "b.svg", [0.0, 0.5], trace=["lower", "upper"], view=(1, 0, 0)
    )
    assert len(traced(aside)) == 2
    assert all(np.ptp(path[:, 0]) < 1e-6 for path in traced(aside))  # edge-on


@pytest.mark.parametrize(
    ("look", "message"),
    [
        ({"view": "xx"}, "two axes that point right and up"),
        ({"view": "front"}, "two axes that point right and up"),
        ({"view": (0, 0, 0)}, "not all 0"),
        ({"trace": "louer"}, "did you mean 'lower'"),
        ({"trace": ("lower", (1, 2))}, "a body and a point of it"),
    ],
)
def test_wrong_looks_are_named(tmp_path, look, message):
    """Check the errors of views and traces."""
    with pytest.raises(PlotError, match=message):
        draw_runs([swing(double_pendulum())], tmp_path / "a.png", **look)


def test_without_a_file_pictures_are_shown(monkeypatch):
    """Check that a browser gets the animation, and that without a screen a warning says so."""
    opened = []
    monkeypatch.setattr("webbrowser.open", lambda url: opened.append(url) or True)
    film = animate_runs([swing(double_pendulum(), 0.1)], fps=10)
    (url,) = opened
    file = Path(url.removeprefix("file://"))
    assert file.read_bytes() == film.data
    file.unlink()
    monkeypatch.setattr("webbrowser.open", lambda url: False)
    with pytest.warns(UserWarning, match=r"no screen to show it on; give a file, animate\('swing"):
        animate_runs([swing(double_pendulum(), 0.1)], fps=10)
    monkeypatch.setattr("matplotlib.get_backend", lambda: "agg")
    with pytest.warns(UserWarning, match=r"no screen to show it on; give a file, plot\('swing"):
        draw_runs([swing(double_pendulum())])
