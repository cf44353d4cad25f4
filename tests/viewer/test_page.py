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
    """Load a model with a mesh that is there, one that is broken and one that is elsewhere."""
    (tmp_path / "good.stl").write_text(
        "solid x\nfacet\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n"
    )
    (tmp_path / "bad.stl").write_text("solid x\nvertex 1\n")
    links = "".join(
        f'<link name="{name}"><visual><geometry><mesh filename="{name}.stl" scale="2 2 2"/>'
        '</geometry></visual><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" '
        'ixz="0" iyz="0"/></inertial></link>'
        for name in ("good", "bad", "../secret")
    )
    joint = "".join(
        f'<joint name="j{child}" type="continuous"><parent link="good"/><child link="{child}"/>'
        "</joint>"
        for child in ("bad", "../secret")
    )
    (tmp_path / "secret.stl").write_bytes((tmp_path / "good.stl").read_bytes())
    tmp_path = tmp_path / "model"
    tmp_path.mkdir()
    for name in ("good", "bad"):
        (tmp_path.parent / f"{name}.stl").rename(tmp_path / f"{name}.stl")
    file = tmp_path / "model.urdf"
    file.write_text(f'<robot name="r">{links}{joint}</robot>')
    with pytest.warns(ps.ModelWarning, match="secret.stl' is kept as text and not looked for"):
        system = ps.load(file)
    run = ps.simulate(system, [0.1, 0.2], [0.0, 0.0], 0.1)
    with pytest.warns(ps.ModelWarning) as warned:
        data = carried(run.save_html(tmp_path / "a.html").read_text(encoding="utf-8"))
    texts = [str(warning.message) for warning in warned]
    assert any("body 'bad': mesh 'bad.stl' is not shown, since the file" in text for text in texts)
    secret = "body '../secret': mesh '../secret.stl' is not shown"
    assert any(secret in text for text in texts)
    assert len(data["meshes"]) == 1
    (solid,) = [solid for solid in data["bodies"][0]["solids"] if solid["kind"] == "mesh"]
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
    for part in (
        "Checks", "Motion", "Loads and residuals", "Joints", "Largest loads in joints", "Bodies",
        "verify says this", "How it was made", "settings", "versions", "to reproduce",
    ):  # fmt: skip
        assert part in text
    assert text.count("data:image/png") == 3


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


def test_pages_of_ten_bodies_are_small(tmp_path):
    """Write 10 s of a chain of ten rods, all curves and arrows: less than 1 MB."""
    chain = n_link_pendulum(10)
    run = ps.simulate(chain, np.full(10, 0.1), np.zeros(10), 10.0, integrator="rk4", step=0.01)
    assert run.save_html(tmp_path / "a.html").stat().st_size < 1_000_000


def test_short_motions_have_pictures_enough():
    """A motion of 0.03 s that turns at 1000 rad/s is no straight line between two pictures."""
    from poinsot.front.motion_page import pictures

    rotor = ps.System(
        "rotor", [ps.Body("rotor", joint=ps.Revolute("z"), inertia=(1, 1, 1), mass=1)]
    )
    t, q, _ = pictures(ps.simulate(rotor, [0.0], [1000.0], 0.03))
    assert t.size > 100
    t, q, _ = pictures(ps.simulate(rotor, [0.0], [100.0], 10.0))
    assert np.diff(q[:, 0]).max() < 0.61


@pytest.mark.parametrize("ghosts", [None, 3, "run", [None], [3.0], {"a": 1}])
def test_ghosts_must_be_motions(run, tmp_path, ghosts):
    """Give what is no run: the message says what it was."""
    given = ghosts[0] if isinstance(ghosts, list) else ghosts
    kind = "str" if isinstance(ghosts, dict) else type(given).__name__
    with pytest.raises(PlotError, match=f"ghosts must be runs or studies of .* got {kind}"):
        run.save_html(tmp_path / "run.html", ghosts=ghosts)
    with pytest.raises(PlotError, match="ghosts must be runs"):
        run.view(ghosts=ghosts, show=False)


def test_wrong_paths_and_curves_are_named(run, tmp_path):
    """Give no path, the ending of a film, and curves that are none."""
    with pytest.raises(PlotError, match=r"a page is a file \.html, got None"):
        run.save_html(None)
    with pytest.raises(PlotError, match=r"films are made by animate"):
        run.save_html(tmp_path / "run.mp4")
    with pytest.raises(ps.PoinsotError, match="what must be a list"):
        run.save_html(tmp_path / "run.html", what="q")
    with pytest.raises(ps.PoinsotError, match="what must be a list"):
        run.view(5, show=False)
    with pytest.raises(PlotError, match=r"a report is a file .html or .pdf, got None"):
        run.report(None)
    with pytest.raises(
        PlotError, match=r"film: give the path of a file, e\.g\. 'swing\.mp4', got 5"
    ):
        run.save_mp4(5)
    with pytest.raises(PlotError, match=r"known are \.mp4"):
        run.save_mp4(tmp_path / "run.gif")
    for where in ({"host": None}, {"host": 5}, {"port": "80"}, {"port": 1.5}):
        with pytest.raises(ps.PoinsotError, match="host must be an address"):
            run.view(["q"], show=False, **where)
    with pytest.raises(ps.PoinsotError, match="parameters must be values by name"):
        run.repeat(parameters=[1.0])


def test_many_runs_are_one_page(tmp_path):
    """Save three pendulums: one is shown in full, two as ghosts, with a curve each."""
    runs = ps.simulate(double_pendulum(), [[0.1, 0], [0.2, 0], [0.3, 0]], [0.0, 0.0], 0.5, save=0.1)
    data = carried(runs.save_html(tmp_path / "a.html", ["upper"]).read_text(encoding="utf-8"))
    assert len(data["motions"]) == 3
    (panel,) = data["panels"]
    starts = [floats(curve["values"])[0] for curve in panel["curves"]]
    np.testing.assert_allclose(starts, [0.1, 0.2, 0.3], rtol=1e-6)
    shown = runs._repr_html_()
    assert "all 3 runs reached" in shown
    assert "iframe" in shown
    for rows in ([5], "a", 1, []):
        with pytest.raises(ps.PoinsotError, match="rows must be a list of numbers of runs, from 0"):
            runs.save_html(tmp_path / "a.html", rows=rows)
    some = carried(runs.save_html(tmp_path / "a.html", rows=[2]).read_text(encoding="utf-8"))
    assert len(some["motions"]) == 1


def test_axes_of_joints_are_where_they_turn():
    """Compare the axes of a page with the motions of joints: points on them stay."""
    from poinsot.viewer.made_scene import scene_of

    arm = ps.Body("arm", joint=ps.Universal("x", "y"), pose=ps.Pose((0, 0, 1)), mass=1.0)
    hand = ps.Body("hand", "arm", ps.Revolute((0, 1, 1)), ps.Pose((0.5, 0, 0)), mass=1.0)
    system = ps.System("arm", [arm, hand])
    axes = scene_of(system, np.zeros((1, 3))).axes
    assert [(axis.joint, axis.body) for axis in axes] == [("arm", -1), ("arm", 0), ("hand", 1)]
    still, q = np.array([0.3, 0.7, 1.1]), np.array([0.3, 0.7, 1.1])
    for k, axis in enumerate(axes):
        q = still.copy()
        q[k] += 0.5  # moves nothing on its own axis
        for s in (-1.0, 2.0):
            point = np.array([*(np.array(axis.point) + s * np.array(axis.direction)), 1.0])
            before, after = (
                point if axis.body < 0 else system.pose(system.body_names[axis.body], x) @ point
                for x in (still, q)
            )
            np.testing.assert_allclose(after, before, atol=1e-12)


def test_free_parameters_do_not_hinder_pages(tmp_path):
    """Save a run of a system with a free parameter, energies and all."""
    rod = ps.Body("rod", joint=ps.Revolute("y"), mass=ps.symbols("m"), com=(0, 0, -0.5))
    system = ps.System("rod", [rod], parameters={"m": 2.0}, free=["m"])
    run = ps.simulate(system, [0.5], [0.0], 0.2)
    panels = carried(run.save_html(tmp_path / "a.html").read_text(encoding="utf-8"))["panels"]
    energies = next(panel for panel in panels if panel["title"] == "Energies")
    kinetic = floats(energies["curves"][0]["values"])
    np.testing.assert_allclose(kinetic[-1], run.kinetic_energy()[-1], rtol=1e-5)


def test_wheels_are_round():
    """A body with the inertia of a disc that turns is a disc as large; a cart stays a box."""
    from poinsot.viewer.made_scene import scene_of

    mass, radius, width = 3.0, 0.4, 0.1
    across, about = mass * (3 * radius**2 + width**2) / 12, mass * radius**2 / 2
    given = {"mass": mass, "inertia": (across, about, across)}
    wheel = ps.Body("wheel", joint=ps.Revolute("y"), **given)
    cart = ps.Body("cart", joint=ps.Prismatic("x"), **given)
    scene = scene_of(ps.System("both", [wheel, cart]), np.zeros((1, 2)))
    disc = scene.bodies[0].solids[0]
    assert disc.kind == "cylinder"
    np.testing.assert_allclose(disc.size, [radius, width])
    np.testing.assert_allclose(np.abs(disc.pose[:3, 2]), [0, 1, 0], atol=1e-12)
    assert scene.bodies[1].solids[0].kind == "box"
