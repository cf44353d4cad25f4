"""Impacts at contacts, also those of runs: impulses in joints, and pictures."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import poinsot as ps

INERTIA = {"mass": 1.4, "com": (0.1, -0.05, -0.3), "inertia": (0.3, 0.2, 0.25)}


def branched():
    """Return a tree with two branches, in space."""
    return ps.System(
        "tree",
        [
            ps.Body("root", joint=ps.Revolute("y"), **INERTIA),
            ps.Body("left", "root", ps.Revolute((1, 1, 0)), ps.Pose((0.4, 0, -0.2)), **INERTIA),
            ps.Body("right", "root", ps.Prismatic((0, 1, 1)), ps.Pose((0, 0.5, 0)), **INERTIA),
        ],
    )


def plane(system, q, body, point, normal, **numbers):
    """Return a contact that is closed at q, and the point in inertial space."""
    place = (system.pose(body, q) @ [*point, 1.0])[:3]
    factors = np.asarray(normal, float).tolist()
    terms = "+".join(f"({n!r})*{x}" for n, x in zip(factors, "xyz", strict=True))
    surface = f"{terms}-({float(place @ normal)!r})"
    return ps.Contact(ps.PointOnSurface("it", (body, point), surface), 0.5, **numbers), place


def momenta(system, q, v):
    """Return linear momentum and angular momentum about the origin of each body, in the world."""
    result = {}
    for body in system.bodies:
        pose = system.pose(body.name, q)
        R, p = pose[:3, :3], pose[:3, 3]
        twist = system.velocity(body.name, q, v, axes="world")
        w = twist[3:]
        c = R @ np.asarray(body.com, float)
        linear = body.mass * (twist[:3] + np.cross(w, c))
        spin = R @ np.diag(body.inertia[:3]) @ R.T @ w + np.cross(p + c, linear)
        result[body.name] = np.concatenate([linear, spin])
    return result


def in_the_world(system, q, body, wrench):
    """Return a wrench in axes of a body at its origin, in the world about the origin."""
    pose = system.pose(body, q)
    f, n = wrench.reshape(2, 3) @ pose[:3, :3].T
    return np.concatenate([f, n + np.cross(pose[:3, 3], f)])


@pytest.mark.parametrize("friction", [0.0, 0.4])
@pytest.mark.parametrize("seed", range(3))
def test_impulses_in_joints_change_the_momentum_of_each_body(seed, friction):
    rng = np.random.default_rng(seed)
    system = branched()
    q, v = rng.uniform(-1, 1, (2, 3))
    normal = rng.normal(size=3)
    normal /= np.linalg.norm(normal)
    contact, place = plane(system, q, "left", (0.2, 0.1, -0.5), normal, friction=friction)
    if system.velocity("left", q, v, (0.2, 0.1, -0.5), axes="world")[:3] @ normal > 0.0:
        v = -v
    hit = ps.impact(system, q, v, [contact])
    assert hit.impulses["it"] > 0.0
    before, after = momenta(system, q, v), momenta(system, q, hit.v)
    carried = {
        name: in_the_world(system, q, name, wrench) for name, wrench in hit.joint_impulses.items()
    }
    assert list(carried) == ["root", "left", "right"]
    push = after["left"] - before["left"] - carried["left"]  # what only the contact can have done
    assert_allclose(push[:3] @ normal, hit.impulses["it"], atol=1e-9)
    across = push[:3] - (push[:3] @ normal) * normal
    size = np.linalg.norm(hit.friction_impulses.get("it", np.zeros(2)))
    assert_allclose(np.linalg.norm(across), size, atol=1e-9)
    assert_allclose(push[3:], np.cross(place, push[:3]), atol=1e-9)
    assert_allclose(after["right"] - before["right"], carried["right"], atol=1e-9)
    root = carried["root"] - carried["left"] - carried["right"]
    assert_allclose(after["root"] - before["root"], root, atol=1e-9)


def test_impulses_in_joints_are_those_of_points_of_two_systems():
    """A closed system is hit: with a contact, and as one of two systems."""
    bar = ps.library.four_bar()
    q = ps.library.four_bar_configuration(0.9)
    v = bar.consistent_velocity(q, [2.0, 0, 0], joints=["crank"])
    point, normal = (0.1, 0.05, 0), np.array([1.0, 0, 0])
    speed = bar.velocity("coupler", q, v, point, axes="world")[:3] @ normal
    normal *= -np.sign(speed)
    contact, place = plane(bar, q, "coupler", point, normal)
    hit = ps.impact(bar, q, v, [contact])
    there = ps.ImpactPoint("world", "coupler", point=place, normal=normal, restitution=0.5)
    other = ps.collide(ps.MovingSystem(), ps.MovingSystem(bar, q, v), [there]).joint_impulses[1]
    assert set(hit.joint_impulses) == set(other)
    for name, wrench in hit.joint_impulses.items():
        assert_allclose(wrench, other[name], atol=1e-9)


def test_a_constraint_that_is_imposed_acts_through_the_joints():
    """A rod that swings is caught at its tip: hook and pivot share m l ω / 2 by moments."""
    mass, l, speed = 1.2, 0.8, 3.0
    moment = mass * l**2 / 12
    rod = ps.Body("rod", joint=ps.Revolute("y"), mass=mass, com=(0, 0, -l / 2),
                  inertia=(moment, moment, 0))  # fmt: skip
    hook = ps.Loop("hook", ("world", ps.Pose((0, 0, -l))), ("rod", ps.Pose((0, 0, -l))),
                   ps.Revolute("y"))  # fmt: skip
    hit = ps.impact(ps.System("caught", [rod], loops=[hook]), [0.0], [speed])
    at_hook = (moment + mass * l**2 / 4) * speed / l
    at_pivot = mass * l * speed / 2 - at_hook
    assert_allclose(hit.v, 0.0, atol=1e-12)
    assert_allclose(np.abs(hit.joint_impulses["hook"][0]), at_hook, rtol=1e-9)
    assert_allclose(np.abs(hit.joint_impulses["rod"][0]), at_pivot, rtol=1e-9)


def test_impacts_of_runs(tmp_path):
    """Table, impulses in joints and picture of each, also of a run from a file, and parameters."""
    body = ps.Body("ball", joint=ps.Translation(), mass=0.5)
    ball = ps.System("ball", [body], parameters={"level": 0.1}, free=["level"])
    floor = ps.Contact(ps.PointOnSurface("floor", ("ball", (0, 0, 0)), "z - level"), 0.8)
    wall = ps.Contact(ps.PointOnSurface("wall", ("ball", (0, 0, 0)), "0.9 - x"), 0.5)
    late = ps.Event("late", "t - 0.7")
    options = {"contacts": [floor, wall], "events": [late], "parameters": {"level": 0.2}}
    run = ps.simulate(ball, [0, 0, 1.2], [1.6, 0, 0], 1.0, **options)
    assert [event.name for event in run.events] == ["floor", "wall", "late"]
    for each in (run, ps.load_run(run.save(tmp_path / "run.npz"))):
        first, second = (each.impact(event) for event in each.events[:2])
        assert_allclose(first.impulses["floor"], 0.5 * 1.8 * np.sqrt(2 * 9.81), rtol=1e-9)
        assert_allclose(first.v, each.events[0].v, atol=1e-12)
        assert_allclose(second.impulses["wall"], 0.5 * 1.5 * 1.6, rtol=1e-9)
        assert_allclose(second.joint_impulses["ball"], 0.0, atol=1e-12)  # nothing holds a ball
        assert "floor" in str(first)
    figure = run.impact(run.events[1]).draw(tmp_path / "wall.png")
    assert (tmp_path / "wall.png").stat().st_size > 10_000
    texts = [text.get_text() for axes in figure.axes for text in axes.texts]
    assert "wall\n1.2 N s" in texts
    for wrong in (run.events[2], "floor", None):
        with pytest.raises(ps.ModelError, match=r"contact closed \(contacts: 'floor', 'wall'\)"):
            run.impact(wrong)


def test_pictures_show_impulses_where_they_act(tmp_path):
    """Friction on a slope, a rope between two bodies, and the end of a joint."""

    def shown(hit):
        figure = hit.draw(tmp_path / "hit.png")
        scene = figure.axes[0]
        (arrows,) = (x for x in scene.collections if x.get_label().startswith("impulse"))
        return {text.get_text() for text in scene.texts}, arrows

    bead = ps.System("bead", [ps.Body("bead", joint=ps.Translation(), mass=2.0)])
    floor = ps.Contact(ps.PointOnSurface("floor", ("bead", (0, 0, 0)), "z"), 0.0, friction=0.5)
    texts, arrows = shown(ps.impact(bead, [0.4, 0, 0], [9.0, 0, -3.0], [floor]))
    assert f"floor\n{6.0 * np.hypot(1.0, 0.5):.3g} N s" in texts
    assert_allclose(arrows.XY, [[0.4, 0.0]], atol=1e-9)
    assert_allclose(arrows.U / arrows.V, [-0.5], atol=1e-9)
    two = ps.System("two", [ps.Body(x, joint=ps.Translation(), mass=1.0) for x in "ab"])
    line = ps.rope("line", ("a", (0, 0, 0)), ("b", (0, 0, 0)), length=1.0)
    texts, arrows = shown(ps.impact(two, [0, 0, 0, 0.6, 0, 0.8], [0, 0, 0, 3, 0, 4], [line]))
    assert "line\n2.5 N s" in texts  # relative 5 m/s, reduced mass 1/2
    assert arrows.U[0] < 0.0  # it pulls b back to a
    hinge = ps.Revolute("y", limits=ps.Limits(position=(-0.5, 0.9)))
    swing = ps.System("swing", [ps.Body("rod", joint=hinge, mass=1.0, com=(0, 0, -1))])
    stops = ps.contacts_from_limits(swing, restitution=0.8)
    hit = ps.impact(swing, [0.9], [2.0], stops)
    scene = hit.draw(tmp_path / "stop.png").axes[0]
    label = "rod.upper\n3.6 N m s in its joint"  # 1 kg m² (1 + 0.8) 2 rad/s
    assert [text.get_text() for text in scene.texts] == [label]
    assert not scene.collections  # no arrows, and none in the legend
    assert "impulse [N s or N m s]  closes with [m/s or rad/s]" in str(hit)
    slide = ps.Prismatic("x", limits=ps.Limits(position=(-0.5, 0.9)))
    cart = ps.System("cart", [ps.Body("cart", joint=slide, mass=2.0)])
    hit = ps.impact(cart, [0.9], [2.0], ps.contacts_from_limits(cart, restitution=0.0))
    (text,) = hit.draw(tmp_path / "end.png").axes[0].texts
    assert text.get_text() == "cart.upper\n4 N s in its joint"
    assert "impulse [N s]  closes with [m/s]" in str(hit)


@pytest.mark.parametrize("friction", [0.0, 0.3])
def test_a_ball_is_pictured_where_it_touches(tmp_path, friction):
    """Not at its centre: there the velocity of its point differs by its spin."""
    system = ps.System("ball", [ps.Body("ball", joint=ps.Free(), mass=0.5, inertia=[0.002] * 3)])
    ground = ps.Contact(ps.RollingBall("ground", "ball", radius=0.1, rolling=False), 0.8, friction)
    q = np.array([0.3, 0.0, 0.1, 1.0, 0.0, 0.0, 0.0])
    hit = ps.impact(system, q, [1.0, 0.0, -2.0, 0.0, -80.0, 0.0], [ground])
    scene = hit.draw(tmp_path / "ball.png").axes[0]
    arrows = {x.get_label().split(",")[0].split(" (")[0]: x for x in scene.collections}
    for quiver in arrows.values():
        assert_allclose(quiver.XY, [[0.3, 0.0]], atol=1e-12)
    before, push = arrows["velocity before"], arrows["impulse on the second body"]
    assert_allclose(before.U / before.V, (1.0 + 0.1 * 80.0) / -2.0)  # the slip of its lowest point
    assert_allclose(push.U / push.V, -friction, atol=1e-12)
    (normal,) = (line for line in scene.lines if line.get_label() == "normal")
    assert_allclose(np.ptp(normal.get_xdata()), 0.0, atol=1e-12)
    assert np.ptp(normal.get_ydata()) > 0.0


def test_pictures_of_impacts_without_contacts_and_without_loss(tmp_path):
    """A rod caught by a hook: the constraint takes the energy; an elastic blow takes none."""
    rod = ps.Body("rod", joint=ps.Revolute("y"), mass=2.0, com=(0, 0, -0.5), inertia=(0.2, 0.2, 0))
    hook = ps.Loop("hook", ("world", ps.Pose((0, 0, -1.0))), ("rod", ps.Pose((0, 0, -1.0))),
                   ps.Revolute("y"))  # fmt: skip
    hit = ps.impact(ps.System("caught", [rod], loops=[hook]), [0.0], [3.0])
    bars = hit.draw(tmp_path / "caught.png").axes[1]
    assert [label.get_text() for label in bars.get_yticklabels()] == ["constraints"]
    assert_allclose([bar.get_width() for bar in bars.patches], -hit.energy_lost)
    stop = ps.Contact(ps.PointOnSurface("stop", ("rod", (0, 0, -0.7)), "x"), 1.0)
    blow = ps.impact(ps.System("elastic", [rod]), [0.0], [1.0 / 3.0], [stop])
    bars = blow.draw(tmp_path / "elastic.png").axes[1]
    assert [bar.get_width() for bar in bars.patches] == [0.0]  # rounding is not drawn as loss
    assert bars.get_title() == "energy: none lost"


def test_contacts_are_no_links_in_pictures(tmp_path):
    """Two balls that hit each other: their distance is no rod between them."""
    balls = [ps.Body(name, joint=ps.Prismatic("x"), mass=1.0) for name in "ab"]
    pair = ps.System("pair", balls)
    gap = ps.Contact(ps.Distance("gap", ("a", (0, 0, 0)), ("b", (0, 0, 0)), 0.5), 0.6)
    figure = ps.impact(pair, [0.0, 0.5], [1.0, 0.0], [gap]).draw(tmp_path / "pair.png")
    between = [
        line for line in figure.axes[0].lines
        if line.get_linestyle() == "-" and len(line.get_xdata()) and np.ptp(line.get_xdata()) > 0.4
    ]  # fmt: skip
    assert not between


def test_ropes_are_drawn_taut_between_their_ends(tmp_path):
    """Two rods that a rope stops: a line between them, velocities of one end from the other."""
    rods = [
        ps.Body(name, joint=ps.Revolute("y"), pose=ps.Pose((x, 0, 0)), mass=1.0, com=(0, 0, -1))
        for name, x in (("a", 0.0), ("b", 2.0))
    ]
    pair = ps.System("pair", rods)
    tow = ps.rope("tow", ("a", (0, 0, -1)), ("b", (0, 0, -1)), 2.0, restitution=0.25)
    hit = ps.impact(pair, [0.0, 0.0], [1.0, -3.0], [tow])
    axes = hit.draw(tmp_path / "tow.png").axes[0]
    (rope,) = (line for line in axes.lines if line.get_label() == "rope")
    assert_allclose(sorted(rope.get_xdata()), [0.0, 2.0], atol=1e-12)
    assert_allclose(rope.get_ydata(), -1.0)
    texts = axes.figure.legends[0].get_texts()
    shown = [text.get_text() for text in texts]
    assert "velocity before (second from first), up to 4 m/s" in shown
    assert "velocity after, up to 1 m/s" in shown
    arrows = {x.get_label().split(",")[0]: x for x in axes.collections}
    push = arrows["impulse on the second body"]
    before = arrows["velocity before (second from first)"]
    assert push.U[0] * before.U[0] < 0.0  # it pulls back
    to_wall = ps.rope("line", ("world", (0, 0, 0)), ("b", (0, 0, -1)), np.sqrt(5.0))
    axes = ps.impact(pair, [0.0, 0.0], [0.0, -3.0], [to_wall]).draw(tmp_path / "line.png").axes[0]
    assert [line.get_label() for line in axes.lines].count("rope") == 1


def test_points_at_rest_are_zero_without_a_sign():
    ball = ps.System("ball", [ps.Body("ball", joint=ps.Prismatic("z"), mass=1.0)])
    point = ps.ImpactPoint("world", "ball", point=(0, 0, 0), normal=(0, 0, 1), restitution=0.5)
    for law in ("printed", "unilateral", "poisson", "stronge"):
        hit = ps.collide(ps.MovingSystem(), ps.MovingSystem(ball, [0.0], [0.0]), [point], law=law)
        assert "-0 " not in str(hit).splitlines()[1] + " "
