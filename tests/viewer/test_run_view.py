"""Motions with a server behind them: long runs piece by piece, other parameters."""

import base64
import json
import re
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import numpy as np
import pytest

import poinsot as ps
from poinsot.errors import PoinsotError
from poinsot.front.motion_page import pictures
from poinsot.library import pendulum

ROWS = 1_000_001


def asked(url, name, **given):
    """Return the answer to a request of the page, and its size."""
    request = Request(url + name, data=json.dumps(given).encode(), method="POST")
    with urlopen(request, timeout=30) as answer:
        text = answer.read()
    return json.loads(text), len(text)


def page_of(url):
    """Return the data of a page, and its size."""
    with urlopen(url, timeout=30) as answer:
        text = answer.read()
    (data,) = re.findall(rb'id="scene">(.*?)</script>', text, re.S)
    return json.loads(data), len(text)


def floats(text):
    """Return the numbers of a base64 text."""
    return np.frombuffer(base64.b64decode(text), dtype="<f4")


def test_a_million_rows_are_never_sent_whole():
    """Scrub through 1000 s at 1 kHz: page and pieces are small, poses are those of the run."""
    run = ps.simulate(pendulum(), [1.0], [0.0], 1000.0, save=1e-3, integrator="dp5", rtol=1e-5)
    assert run.t.size == ROWS
    viewer = run.view(["q"], show=False)
    data, size = page_of(viewer.url)
    handed, chunk = size, data["served"]["chunk"]
    for t in (0.0, 0.5, 437.2, 999.99):
        number = int(t // chunk)
        told, bytes_ = asked(viewer.url, "pictures", number=number)
        times = floats(told["times"])
        poses = floats(told["poses"]).reshape(len(times), 1, 7)
        assert times[0] == pytest.approx(number * chunk)
        assert np.diff(times).max() < 0.026
        q = run.at(times[:400].astype(float))[0][:, 0]
        np.testing.assert_allclose(poses[:400, 0, 4], np.sin(q / 2.0), atol=1e-4)
        handed += bytes_
    assert "no chunk" in asked(viewer.url, "pictures", number=10**6)[0]["error"]
    viewer.close()
    assert data["served"]["count"] == np.ceil(1000.0 / chunk)
    assert size < 1_000_000
    assert handed < size + 4 * 20_000  # the states alone are 24 MB
    saved, _, _ = pictures(run)  # of save_html: at most 4000, evenly spread
    np.testing.assert_allclose(np.diff(saved), 1000.0 / 3999, rtol=1e-9)


@pytest.fixture(scope="module")
def swing():
    """Return a run of a pendulum whose length, and whose spring, are free."""
    length, k = ps.symbols("length k")
    bob = ps.Body("bob", joint=ps.Revolute("y"), mass=1.0, com=(0, 0, -length))
    tip = ps.Body("tip", "bob", ps.Fixed(), ps.Pose((0, 0, -length)), mass=0.1)
    spring = ps.Spring(("world", (1, 0, 0)), ("tip", (0, 0, 0)), stiffness=k, length=0.5)
    values = {"length": 0.5, "k": 3.0}
    system = ps.System("p", [bob, tip], forces=[spring], parameters=values, free=list(values))
    return ps.simulate(system, [0.4], [0.1], 2.0)


def test_curves_follow_parameters(swing):
    """Move the slider of a length: motion, curves and made links are those of another run."""
    viewer = swing.view(["q", "energy"], show=False)
    data, _ = page_of(viewer.url)
    sliders = {slider["name"]: slider["value"] for slider in data["served"]["parameters"]}
    assert sliders == {"length": 0.5, "k": 3.0}
    told, _ = asked(viewer.url, "parameters", parameters={"length": 0.8, "k": 1.0})
    viewer.close()
    other = ps.simulate(swing.system, [0.4], [0.1], 2.0, parameters={"length": 0.8, "k": 1.0})
    times = floats(told["motion"]["times"])
    q = other.at(times.astype(float))[0][:, 0]
    poses = floats(told["motion"]["poses"]).reshape(len(times), 2, 7)
    np.testing.assert_allclose(poses[:, 0, 4], np.sin(q / 2.0), atol=1e-6)
    np.testing.assert_allclose(poses[:, 1, 0], -0.8 * np.sin(q), atol=1e-6)
    angles = told["panels"][0]
    drawn = np.interp(other.t, floats(angles["t"]), floats(angles["curves"][0]["values"]))
    np.testing.assert_allclose(drawn, other.q[:, 0], atol=1e-3)
    (bar, *_) = told["scene"]["bodies"][0]["solids"]
    assert bar["size"][1] == pytest.approx(0.8)


def test_runs_again_with_other_parameters(swing):
    """Repeat a run with other values: it is the run simulated with them; loops are closed first."""
    again = swing.repeat(parameters={"k": 5.0})
    other = ps.simulate(swing.system, [0.4], [0.1], 2.0, parameters={"k": 5.0})
    np.testing.assert_array_equal(again.q, other.q)
    assert again.parameters == {"length": 0.5, "k": 5.0}
    np.testing.assert_array_equal(swing.repeat(parameters={}).q, swing.q)
    with pytest.raises(PoinsotError, match="'kk'"):
        swing.repeat(parameters={"kk": 1.0})


def test_pieces_of_fast_rotors_have_pictures_enough():
    """Ask for ten seconds of a rotor at 100 rad/s: from picture to picture it turns little."""
    rotor = ps.Body("rotor", joint=ps.Revolute("z"), inertia=(1, 1, 1), mass=1.0)
    run = ps.simulate(ps.System("rotor", [rotor]), [0.0], [100.0], 30.0)
    viewer = run.view(["q"], show=False)
    told, _ = asked(viewer.url, "pictures", number=2)
    viewer.close()
    poses = floats(told["poses"]).reshape(-1, 7)
    half = np.arccos(np.clip(np.abs((poses[1:, 3:] * poses[:-1, 3:]).sum(axis=1)), 0, 1))
    assert 2.0 * half.max() < 0.65


def test_nonsense_about_parameters_is_answered(swing):
    """Ask for values that make no run: the page is told why."""
    viewer = swing.view(["q"], show=False)
    for values in ({"length": "x"}, {"other": 1.0}, [1.0], None):
        assert asked(viewer.url, "parameters", parameters=values)[0]["error"]
    with pytest.raises(HTTPError, match="404"):
        asked(viewer.url, "files")
    viewer.close()
