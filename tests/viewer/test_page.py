"""Pages of motions: what they carry is what the run is; names stay text."""

import base64
import json
import re

import numpy as np
import pytest

import poinsot as ps
from poinsot.library import (
    double_pendulum,
    n_link_pendulum,
    planar_linkage,
    slider_crank,
    slider_crank_configuration,
)
from poinsot.plots.picture_file import PlotError

EVIL = '</script><script>alert("x")</script>'


def carried(text):
    """Return the data of a page."""
    (found,) = re.findall(r'<script type="application/json" id="scene">(.*?)</script>', text, re.S)
    return json.loads(found)


def floats(text):
    """Return the numbers of a base64 text."""
    return np.frombuffer(base64.b64decode(text), dtype="<f4")


@pytest.fixture(scope="module")
def run():
    """Return a short motion of a closed mechanism with a slider."""
    system = slider_crank()
    return ps.simulate(system, slider_crank_configuration(0.7), np.zeros(system.nv), 0.5)


def test_a_page_carries_the_motion(run, tmp_path):
    """Compare times, poses and curves with those of the run."""
    path = run.save_html(tmp_path / "run.html")
    text = path.read_text(encoding="utf-8")
    assert path.stat().st_size < 1_000_000
    data = carried(text)
    (motion,) = data["motions"]
    t = floats(motion["times"])
    poses = floats(motion["poses"]).reshape(len(t), len(run.system.bodies), 7)
    q = run.at(t.astype(float))[0]
    for i, body in enumerate(run.system.body_names):
        pose = run.system.pose(body, q)
        np.testing.assert_allclose(poses[:, i, :3], pose[:, :3, 3], atol=2e-6)
        x, y, z, w = poses[:, i, 3:].T
        np.testing.assert_allclose(1 - 2 * (y * y + z * z), pose[:, 0, 0], atol=2e-6)
        np.testing.assert_allclose(2 * (x * y + z * w), pose[:, 1, 0], atol=2e-6)
    arrow = next(arrow for arrow in data["arrows"] if arrow["name"] == "rod")
    force = floats(arrow["values"]).reshape(-1, 3)
    np.testing.assert_allclose(force[0], run.reactions(axes="world")["rod"][0, :3], rtol=1e-5)
    assert (arrow["body"], arrow["point"]) == (run.system.body_names.index("rod"), [0, 0, 0])
    angles = data["panels"][0]
    assert angles["title"] == "Angles"
    np.testing.assert_allclose(floats(angles["curves"][0]["values"])[0], run.q[0, 0], rtol=1e-6)
    assert [body["name"] for body in data["bodies"]] == list(run.system.body_names)


def test_nothing_is_loaded_from_elsewhere(run, tmp_path):
    """Look for addresses in what the browser would fetch."""
    text = run.save_html(tmp_path / "run.html").read_text(encoding="utf-8")
    assert not re.search(r'(src|href)\s*=\s*["\']?(https?:)?//', text)
    assert "default-src 'none'" in text
    assert not re.search(r"<script[^>]*type=.module", text)


def test_names_stay_text(tmp_path):
    """Call bodies and the system like scripts: pages and reports hold no such element."""
    rod = ps.Body(EVIL, joint=ps.Revolute("y"), mass=1.0, com=(0, 0, -0.5))
    run = ps.simulate(ps.System(EVIL, [rod]), [0.5], [0.0], 0.2)
    page = run.save_html(tmp_path / "a.html").read_text(encoding="utf-8")
    report = run.report(tmp_path / "b.html").read_text(encoding="utf-8")
    assert carried(page)["bodies"][0]["name"] == EVIL
    for text in (page, report, run._repr_html_(), run.system._repr_html_()):
        assert "<script>alert" not in text
        assert "&lt;script&gt;alert" in text


def test_meshes_are_shown_or_named(tmp_path):
    """Load a model with a mesh that is there and one that is broken."""
    (tmp_path / "good.stl").write_text(
        "solid x\nfacet\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n"
    )
    (tmp_path / "bad.stl").write_text("solid x\nvertex 1\n")
    links = "".join(
        f'<link name="{name}"><visual><geometry><mesh filename="{name}.stl" scale="2 2 2"/>'
        '</geometry></visual><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" '
        'ixz="0" iyz="0"/></inertial></link>'
        for name in ("good", "bad")
    )
    joint = '<joint name="j" type="continuous"><parent link="good"/><child link="bad"/></joint>'
    file = tmp_path / "model.urdf"
    file.write_text(f'<robot name="r">{links}{joint}</robot>')
    system = ps.load(file)
    run = ps.simulate(system, [0.1], [0.0], 0.1)
    with pytest.warns(ps.ModelWarning, match="body 'bad': mesh 'bad.stl' is not shown, since"):
        data = carried(run.save_html(tmp_path / "a.html").read_text(encoding="utf-8"))
    (solid,) = data["bodies"][0]["solids"]
    assert solid["size"] == [2.0, 2.0, 2.0]
    mesh = data["meshes"][solid["mesh"]]
    wide = np.frombuffer(base64.b64decode(mesh["vertices"]), dtype="<u2").reshape(-1, 3)
    points = np.array(mesh["low"]) + wide * np.array(mesh["step"])
    np.testing.assert_allclose(
        sorted(points.tolist()), [[0, 0, 0], [0, 1, 0], [1, 0, 0]], atol=1e-4
    )


def test_springs_hold_on_to_their_bodies():
    """Find the ends of a spring in the coordinates of its bodies."""
    from poinsot.viewer.made_scene import scene_of

    cart = ps.Body("cart", joint=ps.Prismatic("x"), mass=1.0)
    spring = ps.Spring(("world", (-1, 0, 0)), ("cart", (0.1, 0, 0)), stiffness=10.0)
    scene = scene_of(ps.System("cart", [cart], forces=[spring]), np.array([[0.3]]))
    (strut,) = scene.struts
    assert (strut.kind, strut.bodies, strut.points) == (
        "spring",
        (-1, 0),
        ((-1, 0, 0), (0.1, 0, 0)),
    )


def test_mistakes_are_named(run, tmp_path):
    """Try wrong endings, and ghosts of another system."""
    with pytest.raises(PlotError, match=r"\.html"):
        run.save_html(tmp_path / "run.gif")
    with pytest.raises(PlotError, match=r"\.html or \.pdf"):
        run.report(tmp_path / "run.txt")
    other = ps.simulate(double_pendulum(), [0.1, 0.2], [0, 0], 0.1)
    with pytest.raises(PlotError, match="ghosts must have the bodies of 'slider-crank'"):
        run.save_html(tmp_path / "run.html", ghosts=[other])


def test_reports_hold_what_was_checked(run, tmp_path):
    """Write a report: every check is right, and all tables are there."""
    text = run.report(tmp_path / "r.html", verified="verify says this").read_text(encoding="utf-8")
    assert 'class="bad"' not in text
    assert text.count('class="ok"') >= 6
    for part in ("Checks", "Joints", "Largest loads in joints", "Bodies", "verify says this"):
        assert part in text


def test_up_is_against_gravity():
    """Turn gravity round: up turns round too."""
    from poinsot.viewer.made_scene import scene_of

    rod = ps.Body("rod", joint=ps.Revolute("x"), mass=1.0, com=(0, 0, -0.5))
    for gravity, up in (((0, 0, -9.81), "z"), ((0, 9.81, 0.1), "-y"), ((0, 0, 0), "z")):
        scene = scene_of(ps.System("rod", [rod], gravity=gravity), np.zeros((1, 1)))
        assert (scene.up, scene.has_gravity) == (up, any(gravity))


def test_what_slides_leaves_no_ball_behind():
    """A pendulum's pivot is fixed to the world; a vehicle in the plane has none."""
    from poinsot.viewer.made_scene import scene_of

    car = ps.Body("car", joint=ps.Planar(), mass=1.0, inertia=(1, 1, 1))
    rod = ps.Body("rod", joint=ps.Revolute("x"), mass=1.0, com=(0, 0, -0.5))
    assert scene_of(ps.System("car", [car]), np.zeros((1, 3))).ground == ()
    assert len(scene_of(ps.System("rod", [rod]), np.zeros((1, 1))).ground) == 1


def test_peaks_of_all_curves_stay():
    """Thin out two curves with one peak each: both are there."""
    from poinsot.front.motion_page import POINTS, thinned
    from poinsot.plots.panels import Panel, PlottedCurve

    values = np.zeros((2, 40_000))
    values[0, 12_345], values[1, 23_456] = 1.0, -2.0
    curves = tuple(PlottedCurve(f"c{k}", row) for k, row in enumerate(values))
    thin = thinned(Panel("p", "", np.arange(40_000.0), curves))
    assert thin.t.size <= POINTS + 2
    assert (thin.curves[0].values.max(), thin.curves[1].values.min()) == (1.0, -2.0)


def test_one_ghost_needs_no_list(run, tmp_path):
    """Give a run itself as ghost."""
    page = run.save_html(tmp_path / "a.html", ghosts=run).read_text(encoding="utf-8")
    assert len(carried(page)["motions"]) == 2


def test_large_systems_are_shown_at_once(monkeypatch):
    """Show a chain of 300 links: no program is compiled for it, which would take 20 s."""
    from poinsot.evaluate.evaluator import Evaluators

    monkeypatch.setattr(Evaluators, "find", lambda *_: pytest.fail("a program is compiled"))
    shown = n_link_pendulum(300)._repr_html_()
    assert "pendulum of 300 links" in shown
    assert len(shown) < 1_000_000


def test_the_slider_of_a_turn_is_the_crank(tmp_path):
    """Turn a four-bar backwards: angles grow, links are where the turn has them."""
    turn = planar_linkage("four-bar").turn(2.0, stop=-np.pi, positions=30)
    data = carried(turn.save_html(tmp_path / "a.html").read_text(encoding="utf-8"))
    (motion,) = data["motions"]
    x = floats(motion["times"])
    np.testing.assert_allclose(x, np.degrees(turn.x[::-1]), atol=1e-4)
    assert (data["axis"]["name"], data["axis"]["unit"]) == (turn.driver, "°")
    assert data["axis"]["rate"] == pytest.approx(180.0 / 3.0)  # π/2 s, slowed down to 3 s
    poses = floats(motion["poses"]).reshape(len(x), -1, 7)
    for i, body in enumerate(data["bodies"]):
        # Origins of a system's bodies are at their joints, those of links are where they were made.
        angle = turn.positions[body["name"]][::-1, 2]
        turned = 2.0 * np.arctan2(poses[:, i, 5], poses[:, i, 6])
        np.testing.assert_allclose(np.cos(turned - angle), 1.0, atol=1e-9)
    assert {event["name"] for event in data["events"]} == {str(point) for point in turn.points}
    assert str(turn).splitlines()[0] in turn._repr_html_()
    with pytest.raises(PlotError, match=r"\.html"):
        turn.save_html(tmp_path / "a.gif")


def test_the_slider_of_a_study_is_its_drive(tmp_path):
    """Drive a crank one way, and to and fro: the slider is the crank, or time."""
    system, q = slider_crank(), slider_crank_configuration(0.0)
    for law, name in (("2*t", "crank"), ("0.5*sin(6*t)", "t")):
        study = ps.drive(system, q, {"crank": law}, 1.0, positions=20)
        data = carried(study.save_html(tmp_path / "a.html", ["q"]).read_text(encoding="utf-8"))
        assert data["axis"]["name"] == name
        scale = 180.0 / np.pi if name == "crank" else 1.0
        expected = scale * (study.q[:, 0] if name == "crank" else study.t)
        np.testing.assert_allclose(floats(data["motions"][0]["times"]), expected, rtol=1e-6)
        np.testing.assert_allclose(floats(data["panels"][0]["t"]), expected, rtol=1e-6)
