"""Constraints that make no sense, and systems at the edge of it: words or numbers, never NaN."""

import math

import numpy as np
import pytest

import poinsot as ps

ARM = ps.Body("arm", joint=ps.Revolute("z"), mass=1.0, com=(0.5, 0, 0), inertia=(0.1, 0.1, 0.1))
FORE = ps.Body(
    "fore", "arm", ps.Revolute("z"), ps.Pose((1, 0, 0)), 1.0, (0.5, 0, 0), (0.1, 0.1, 0.1)
)
BALL = ps.Body("ball", joint=ps.Spherical(), mass=1.0, inertia=(0.1, 0.1, 0.1))
Q, V = np.array([0.3, 0.4]), np.array([1.0, 2.0])
SLOW = {"backend": "interpreter"}


def arm(*constraints, loops=(), bodies=(ARM, FORE)):
    """Return an arm of two links in a plane, with constraints."""
    return ps.System("arm", bodies, constraints=constraints, loops=loops)


WRONG = {
    "no name": (lambda: ps.FormulaConstraint("c", "1.0", {}), "depends on nothing that moves"),
    "only time": (lambda: ps.FormulaConstraint("c", "t - 1", {"x": "arm"}), "depends on nothing"),
    "cancels": (lambda: ps.FormulaConstraint("c", "x - x", {"x": "arm"}), "depends on nothing"),
    "one of two": (
        lambda: ps.FormulaConstraint("c", ["x - 1", "t"], {"x": "arm"}),
        "equation 2 depends on nothing",
    ),
    "point at rest": (
        lambda: ps.FormulaConstraint("c", "x - 1", {"x": ("world", (1, 0, 0), "x")}),
        "depends on nothing",
    ),
    "no equation": (lambda: ps.FormulaConstraint("c", [], {"x": "arm"}), "there is no equation"),
    "no place": (lambda: ps.FormulaConstraint("c", "x", {"x": 3}), "must be a body, a point"),
    "no mapping": (lambda: ps.FormulaConstraint("c", "x", None), "where must say"),
    "no axis": (
        lambda: ps.FormulaConstraint("c", "x", {"x": ("arm", (0, 0, 0), "w")}),
        "'x', 'y' or 'z'",
    ),
    "time as a name": (lambda: ps.FormulaConstraint("c", "t", {"t": "arm"}), "'t' is the time"),
    "constant function": (lambda: ps.Holonomic("h", lambda q, t: 1.0), "depends on nothing"),
    "nothing": (lambda: ps.Holonomic("h", lambda q, t: None), "cannot be traced"),
    "empty": (lambda: ps.Holonomic("h", lambda q, t: []), "there is no equation"),
    "NaN": (lambda: ps.Holonomic("h", lambda q, t: q[0] + math.nan), "not finite: nan"),
    "branch": (lambda: ps.Holonomic("h", lambda q, t: q[0] if q[0] > 0 else q[1]), "select"),
    "text": (lambda: ps.Holonomic("h", lambda q, t: "a"), "cannot be traced"),
    "too far": (lambda: ps.Holonomic("h", lambda q, t: q[7]), "2 numbers and t"),
    "math.sin": (lambda: ps.Holonomic("h", lambda q, t: math.sin(q[0])), "NumPy"),
    "no function": (lambda: ps.Holonomic("h", 3), "must be a function"),
    "point": (lambda: ps.Curve((1, 0, 0), (0, 1)), "stands still at s = 0"),
    "cusp": (lambda: ps.Curve(("s**3", 0, 0), (-1, 1)), "stands still at s = 0"),
    "root of negatives": (lambda: ps.Curve(("sqrt(s)", 0, 0), (-1, 1)), "not finite"),
    "plane curve": (lambda: ps.Curve(("s", 0), (0, 1)), "x, y and z"),
    "branching curve": (lambda: ps.Curve(lambda s: (s if s > 0 else 0, 0, 0), (0, 1)), "select"),
    "backwards": (lambda: ps.Curve(("s", 0, 0), (1, 0)), "smallest and the largest"),
    "no surface": (lambda: ps.PointOnSurface("p", ("arm", (1, 0, 0)), "1"), "depends on nothing"),
    "two surfaces": (
        lambda: ps.PointOnSurface("p", ("arm", (1, 0, 0)), lambda x, y, z: (x, y)),
        "one number",
    ),
    "one joint": (lambda: ps.Gear("g", "arm", "arm", 2.0), "cannot be coupled to itself"),
    "unknown joint": (lambda: ps.Gear("g", "arm", "for", 2.0), "did you mean 'fore'"),
    "ratio": (lambda: ps.Gear("g", "arm", "fore", math.inf), "ratio must be finite"),
    "name of a joint": (lambda: ps.Gear("arm", "arm", "fore", 2.0), "a joint is called 'arm'"),
    "unknown body": (
        lambda: ps.Distance("d", ("arn", (0, 0, 0)), ("world", (1, 0, 0)), 1.0),
        "did you mean 'arm'",
    ),
    "one body": (
        lambda: ps.Distance("d", ("arm", (0, 0, 0)), ("arm", (1, 0, 0)), 1.0),
        "both ends are on 'arm'",
    ),
    "no motion": (lambda: ps.PrescribedMotion("p", "arm", lambda t: None), "cannot be traced"),
    "half a formula": (lambda: ps.PrescribedMotion("p", "arm", "t +"), "something is missing"),
    "NaN motion": (lambda: ps.PrescribedMotion("p", "arm", math.nan), "must be finite"),
    "loop among constraints": (
        lambda: ps.Loop("l", ("arm", ps.Pose()), ("world", ps.Pose()), ps.Revolute("z")),
        "belongs to loops",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_is_refused_with_words(name):
    """Make the constraint, and a system with it: an error that says what is wrong."""
    make, message = WRONG[name]
    with pytest.raises(ps.PoinsotError, match=message):
        arm(make())


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: ps.Loop("l", ("arm", ps.Pose()), ("arm", ps.Pose()), ps.Fixed()), "both ends"),
        (lambda: ps.Loop("l", ("arm", ps.Pose()), ("world", ps.Pose()), ps.Free()), "free joint"),
        (lambda: ps.Loop("l", ("arm", ps.Pose()), ("world", ps.Pose()), ps.Fixed), "e.g. Revolute"),
        (lambda: ps.Loop("l", ("arm",), ("world", ps.Pose()), ps.Fixed()), "name and a pose"),
        (lambda: ps.Loop("l", ("leg", ps.Pose()), ("world", ps.Pose()), ps.Fixed()), "'leg'"),
        (
            lambda: ps.Loop("l", "arm", "world", ps.Revolute("z", armature=1.0)),
            "cannot have armature",
        ),
    ],
)
def test_loops_are_refused_with_words(make, message):
    """Make a loop that closes nothing, or holds what is not there."""
    with pytest.raises(ps.ModelError, match=message):
        arm(loops=[make()])


def test_names_repeat():
    """Call two constraints alike."""
    with pytest.raises(ps.ModelError, match="another loop or constraint is called 'g'"):
        arm(ps.Gear("g", "arm", "fore", 1.0), ps.PrescribedMotion("g", "arm", 0.0))


def test_joints_of_several_coordinates():
    """Couple a ball, whose four numbers are no angle."""
    with pytest.raises(ps.ModelError, match="'ball' has 4; couple single joints"):
        arm(ps.Gear("g", "arm", "ball", 1.0), bodies=(ARM, BALL))


def test_drives_are_checked():
    """Drive a loop with forces of a wrong shape, and loops that are not there."""
    pin = ps.Loop("pin", ("fore", (1, 0, 0)), ("world", (1.2, 0, 0)), ps.Revolute("z"))
    system = arm(loops=[pin])
    for wrong in ([1.0, 2.0], 1.0):
        with pytest.raises(ps.ShapeError, match=r"drive of 'pin' must have shape \(..., 1\)"):
            system.forward_dynamics(Q, V, drives={"pin": wrong}, **SLOW)
    with pytest.raises(ps.ModelError, match="did you mean 'pin'"):
        system.forward_dynamics(Q, V, drives={"pim": [1.0]}, **SLOW)
    with pytest.raises(ps.ModelError, match="it has none at all"):
        arm(ps.Gear("g", "arm", "fore", 1.0)).loop_position("g", Q)


def test_a_loop_that_cannot_close_stays_finite():
    """Look at a rod far too short: the report says what is missed, dynamics are finite."""
    system = arm(ps.Distance("rod", ("fore", (1, 0, 0)), ("world", (9, 0, 0)), 1.0))
    assert np.isfinite(system.forward_dynamics(Q, V, **SLOW)).all()
    report = system.constraint_report(Q, V)
    assert not report.ok
    assert report.position[0] == pytest.approx(system.constraint_residual(Q)[0])
    assert "positions miss: rod: distance" in str(report)
    with pytest.raises(ps.PoinsotError, match="rod"):
        system.assemble(Q)


def test_points_that_coincide_are_pushed_nowhere():
    """Bring the ends of a rod together: no direction, no force, no NaN."""
    system = arm(ps.Distance("rod", ("fore", (1, 0, 0)), ("world", (2, 0, 0)), 0.5))
    q, v = np.zeros(2), np.ones(2)
    free = arm().forward_dynamics(q, v, **SLOW)
    np.testing.assert_allclose(system.forward_dynamics(q, v, **SLOW), free, atol=1e-12)
    assert system.constraint_jacobian(q).tolist() == [[0.0, 0.0]]


def test_contradictions_are_named_and_the_first_one_counts():
    """Prescribe two motions of one joint, and two gears that differ in their offset."""
    fast, slow = (ps.PrescribedMotion(f, "arm", f) for f in ("3*t**2", "t**2"))
    system = arm(fast, slow)
    a = system.forward_dynamics(Q, V, t=1.0, **SLOW)
    assert np.isfinite(a).all()
    assert a[0] == pytest.approx(6.0)
    values = system.multipliers(Q, V, t=1.0, **SLOW)
    assert np.isfinite(values.values).all()
    assert not values.determined.any()
    report = system.constraint_report([1.0, 0.4], [6.0, 1.0], t=1.0)
    assert report.contradictory == ("3*t**2: motion", "t**2: motion")
    np.testing.assert_allclose(report.open_acceleration, [-2.0, 2.0], atol=1e-12)
    assert "no acceleration obeys together" in str(report)
    gears = arm(ps.Gear("g", "arm", "fore", 1.0), ps.Gear("h", "arm", "fore", 1.0, 0.5))
    report = gears.constraint_report([0.3, 0.3], [1.0, 1.0])
    assert not report.ok
    assert "no small step closes: g: coupling (0.25), h: coupling (-0.25)" in str(report)


def test_a_report_of_what_holds():
    """Look at a state in order."""
    report = arm(ps.Gear("g", "arm", "fore", 2.0)).constraint_report([0.3, 0.6], [1.0, 2.0])
    assert report.ok
    assert report.contradictory == ()
    assert str(report) == "all constraints hold, and can go on holding"
    with pytest.raises(ps.ShapeError, match="v must be one velocity"):
        arm().constraint_report(Q, np.zeros((3, 2)))


def test_bodies_of_different_trees():
    """Join two free bodies at a point: their mass centre falls freely."""
    bodies = [ps.Body(n, joint=ps.Free(), mass=2.0, inertia=(1, 1, 1)) for n in ("a", "b")]
    joint = ps.Loop("ball", ("a", (0.5, 0, 0)), ("b", (-0.5, 0, 0)), ps.Spherical())
    system = ps.System("pair", bodies, loops=[joint])
    q = np.r_[0.0, 0, 0, 1, 0, 0, 0, 1.0, 0, 0, 1, 0, 0, 0]
    v = system.consistent_velocity(q, np.arange(12.0))
    a = system.forward_dynamics(q, v, **SLOW)
    v1, w1, v2, w2 = v[:3], v[3:6], v[6:9], v[9:]
    fall = 0.5 * (a[:3] + np.cross(w1, v1) + a[6:9] + np.cross(w2, v2))
    np.testing.assert_allclose(fall, [0.0, 0.0, -9.81], atol=1e-12)


def test_links_without_mass_are_held_by_a_loop():
    """Compare a rod that is a body without mass with one that is a distance."""
    rod = ps.Body("rod", "arm", ps.Revolute("z"), ps.Pose((0.2, 0, 0)))
    slider = ps.Body("slider", joint=ps.Prismatic("x"), mass=2.0)
    pin = ps.Loop("pin", ("rod", (0.5, 0, 0)), ("slider", (0, 0, 0)), ps.Revolute("z"))
    linked = ps.System("linked", [ARM, rod, slider], loops=[pin], gravity=(0, -9.81, 0))
    distance = ps.Distance("rod", ("arm", (0.2, 0, 0)), ("slider", (0, 0, 0)), 0.5)
    held = ps.System("held", [ARM, slider], constraints=[distance], gravity=(0, -9.81, 0))
    q = linked.assemble([0.7, -1.0, 0.6], joints=["arm"])
    v = linked.consistent_velocity(q, [3.0, 0, 0], joints=["arm"])
    tau = np.array([0.3, 0.0, 0.4])
    expected = held.forward_dynamics(q[::2], v[::2], tau[::2], **SLOW)
    for method in ("recursive", "kane", "screw_matrix", "newton_euler", "embedding"):
        a = linked.forward_dynamics(q, v, tau, method=method, **SLOW)
        np.testing.assert_allclose(a[::2], expected, rtol=1e-11)
    push = held.multipliers(q[::2], v[::2], tau[::2], **SLOW).values[0]
    force = linked.reactions(q, v, tau=tau, **SLOW)["pin"][:3]
    assert np.linalg.norm(force) == pytest.approx(abs(push), rel=1e-10)


def test_what_no_loop_holds_is_refused():
    """Leave a link without mass free to swing."""
    loose = ps.Body("loose", "arm", ps.Revolute("z"))
    system = arm(ps.Gear("g", "arm", "fore", 1.0), bodies=(ARM, FORE, loose))
    with pytest.raises(ps.ModelError, match="joint 'loose' can move without moving any mass"):
        system.forward_dynamics(np.zeros(3), np.zeros(3), **SLOW)


def test_a_truss_without_mass_carries_a_load():
    """Hold two bars without mass at their feet: nothing moves, and forces are those of statics."""
    bars = [
        ps.Body("left", joint=ps.Revolute("z")),
        ps.Body("right", "left", ps.Revolute("z"), ps.Pose((1, 0, 0))),
    ]
    foot = ps.Loop("foot", ("right", (1, 0, 0)), ("world", (1.2, 0, 0)), ps.Revolute("z"))
    truss = ps.System("truss", bars, loops=[foot])
    angle = np.arccos(0.6)
    q, still = np.array([angle, -2 * angle]), np.zeros(2)
    assert truss.mobility(q).degrees == 0
    R = truss.pose("right", q)[:3, :3]
    load = {"right": np.r_[R.T @ [0.0, -10.0, 0.0], 0.0, 0.0, 0.0]}
    np.testing.assert_allclose(
        truss.forward_dynamics(q, still, wrenches=load, **SLOW), 0, atol=1e-9
    )
    found = truss.reactions(q, still, wrenches=load, axes="world", **SLOW)
    np.testing.assert_allclose(found["left"][:3], [3.75, 5.0, 0.0], atol=1e-10)  # along the bar
    np.testing.assert_allclose(-found["foot"][:3], [-3.75, 5.0, 0.0], atol=1e-10)


def test_a_parallelogram_folded_flat():
    """Go through the configuration where one more motion opens: finite, and right on both sides."""

    def link(name, parent, x, length):
        half = (length / 2, 0, 0)
        inertia = (0.01, 0.01, 0.01)
        return ps.Body(name, parent, ps.Revolute("z"), ps.Pose((x, 0, 0)), length, half, inertia)

    links = [link("crank", "world", 0, 0.2), link("rod", "crank", 0.2, 0.5)]
    links.append(link("rocker", "rod", 0.5, 0.2))
    pin = ps.Loop("pin", ("rocker", (0.2, 0, 0)), ("world", (0.5, 0, 0)), ps.Revolute("z"))
    system = ps.System("parallelogram", links, loops=[pin], gravity=(0, -9.81, 0))
    flat, moving = np.array([0.0, 0.0, np.pi]), np.array([1.0, -1.0, 1.0])
    assert system.mobility(flat).degrees == 2
    assert system.constraint_report(flat, moving).ok
    accelerations = []
    for angle in (-1e-3, 0.0, 1e-3):
        q = flat + angle * moving
        a = system.forward_dynamics(q, moving, **SLOW)
        np.testing.assert_allclose(a, a[0] * moving, atol=1e-9)  # the rod does not turn
        accelerations.append(a[0])
    assert accelerations[1] == pytest.approx((accelerations[0] + accelerations[2]) / 2, rel=1e-5)
    assert "no acceleration" in str(system.constraint_report(flat, [1.0, -1.4, 0.5]))


def test_a_tree_has_no_multipliers():
    """Ask a tree for what closed systems have."""
    system = arm()
    assert system.multipliers(Q, V, **SLOW).values.shape == (0,)
    assert system.constraint_jacobian(Q).shape == (0, 2)
    assert system.mobility(Q).degrees == 2
    assert system.constraint_report(Q, V).ok
    a, tau = system.mixed_dynamics(Q, V, a=np.ones(2), tau=np.zeros(2), joints=["arm"], **SLOW)
    assert a[0] == pytest.approx(1.0)
    np.testing.assert_allclose(system.forward_dynamics(Q, V, tau, **SLOW), a, atol=1e-12)
