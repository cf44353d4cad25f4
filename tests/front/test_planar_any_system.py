"""Any system that moves in a plane as units: random ones with everything that systems have."""

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from scipy.linalg import null_space

import poinsot as ps
from tests.planar_systems import LAWS, SHAPE, RandomPlane, at_state
from tests.random_examples import examples

CLOSING = {
    "pin": lambda: ps.Revolute("z", stiffness=2.0, rest=0.3, damping=0.1),
    "pin backwards": lambda: ps.Revolute("-z"),
    "slide": lambda: ps.Prismatic((0.6, 0.8, 0.0), damping=0.3, stiffness=4.0),
    "weld": ps.Fixed,
    "ball": ps.Spherical,
    "cylinder": lambda: ps.Cylindrical("z", stiffness=(2.0, 3.0), damping=0.2),
    "rod": lambda: ps.Cylindrical("x", damping=(0.2, 0.1)),
    "cardan": lambda: ps.Universal("z", "x", stiffness=1.5),
    "guide": lambda: ps.Planar("x", "z", stiffness=(1.0, 2.0, 3.0)),
    "table": lambda: ps.Planar("x", "y", damping=(0.1, 0.2, 0.3)),
    "no turning": ps.Translation,
}
ACTING = {
    "shaker": lambda first, last: ps.FormulaForce(last, force=("sin(3*t)", "x*t", "vy")),
    "pulse": lambda first, last: ps.JointForce("a0", "2*cos(t) - 0.3*v*t"),
    "spring": lambda first, last: ps.Spring((first, (0.1, 0.2, 0.3)), (last, (0.2, 0.1, 0)),
                                            stiffness=8.0, damping=0.5, length=0.1),
    "fan": lambda first, last: ps.ConstantForce(last, force=(1.0, 2.0, -1.0), axes="body"),
}  # fmt: skip
OBEYED = {
    "nothing": lambda first, last: None,
    "driven joint": lambda first, last: ps.PrescribedMotion("obeyed", "b0", LAWS[0]),
    "driven coordinate": lambda first, last: ps.FormulaConstraint(
        "obeyed", "u - 0.3*w - 0.1*sin(t)", where={"u": "b0", "w": "a0"}),
    "gear": lambda first, last: ps.Gear("obeyed", "a0", "b0", 1.5),
    "function": lambda first, last: ps.Holonomic("obeyed", lambda q, t: q[0] - q[-1] - 0.1 * t * t),
    "knife edge": lambda first, last: ps.KnifeEdge("obeyed", (last, (0.2, 0.1, 0.0))),
    "speed": lambda first, last: ps.PrescribedSpeed("obeyed", "b0", "0.3 + cos(2*t)"),
    "point speed": lambda first, last: ps.PointSpeed(
        "obeyed", (last, (0.1, 0.3, 0)), "x", speed="sin(t)", on=first),
    "rates": lambda first, last: ps.VelocityConstraint(
        "obeyed", "u_dot*(1 + w*w) - 2*w_dot - 0.3*sin(t)", where={"u": "b0", "w": "a0"}),
    "rates of all": lambda first, last: ps.Nonholonomic(
        "obeyed", lambda q, v, t: v[0] - np.sin(q[-1]) * v[-1] - t),
}  # fmt: skip


def drawn(seed, closing, acting, obeyed):
    """Return a random system at a state."""
    plane = RandomPlane(seed)
    first = plane.chain("a", ["R", *plane.rng.choice(["R", "P", "F"], 2), "R"])
    last = plane.chain("b", [plane.rng.choice(["R", "P"]), "R", plane.rng.choice(["R", "F"])])
    loops = [plane.loop(first, last, CLOSING[closing]())] if closing else []
    rule = OBEYED[obeyed](first, last)
    system = ps.System(
        "random", plane.bodies, loops=loops, constraints=[rule] if rule else [],
        forces=[ACTING[name](first, last) for name in acting], gravity=tuple(plane.numbers(3) * 9),
    )  # fmt: skip
    t = float(plane.rng.uniform(0, 0.5))
    start = system.assemble(plane.rng.uniform(-0.1, 0.1, system.nq), joints=[], t=t)
    return at_state(system, start, plane.rng, t), plane.rng


def checked_mechanism(state, demand):
    """Return it in units, away from singular positions."""
    mechanism = ps.PlanarMechanism.from_system(state.system, state.drivers, state.q, t=state.t)
    q = state.q[state.numbers]
    demand(min(mechanism.nearness(q, t=state.t).values(), default=1.0) > 1e-2)
    return mechanism


def must(holds):
    """Check what random states are only asked for."""
    assert holds


def agree(found, expected, size=1.0):
    """Check numbers to 1e-10 of what they are among."""
    found, expected = np.asarray(found), np.asarray(expected)
    scale = max(size, 1.0 + np.max(np.abs(expected), initial=0.0))
    assert np.max(np.abs(found - expected), initial=0.0) < 1e-10 * scale


def least_forces(state, a):
    """Return the forces of the drivers that make ``a``: of least norm, orthogonal to velocities."""
    system, (q, v, t) = state.system, (state.q, state.v, state.t)
    M = system.mass_matrix(q, backend="floats")
    J = system.constraint_jacobian(q, t=t, backend="floats") if system.row_names else None
    free = null_space(J, rcond=1e-9) if J is not None and len(J) else np.eye(system.nv)
    needed = free.T @ (M @ a + system.bias(q, v, t=t, backend="floats"))
    return np.linalg.lstsq(free.T[:, state.numbers], needed, rcond=1e-11)[0]


def composable_agrees(state, tau):
    """Check accelerations and wrenches of the closed system by method="composable"."""
    system, given = state.system, (state.q, state.v)
    a = system.forward_dynamics(*given, tau, t=state.t, backend="floats")
    agree(system.forward_dynamics(*given, tau, t=state.t, method="composable"), a)
    how = {"tau": tau, "t": state.t, "backend": "floats"}
    wrenches = system.reactions(*given, **how)
    found = system.reactions(*given, **how, method="composable")
    size = 10.0 * max(1.0, *(np.max(np.abs(wrench)) for wrench in wrenches.values()))
    for name, wrench in wrenches.items():
        agree(found[name], wrench, size)


def compare(state, rng, demand):
    """Compare accelerations, forces of drivers, multipliers and forces in hinges."""
    mechanism = checked_mechanism(state, demand)
    system, numbers, t = state.system, state.numbers, state.t
    tau = np.zeros(system.nv)
    tau[numbers] = rng.uniform(-1, 1, len(numbers))
    given = state.q[numbers], state.v[numbers]
    inertia = mechanism.mass_matrix(given[0], t=t)
    demand(np.linalg.cond(inertia) < 1e4)
    a = system.forward_dynamics(state.q, state.v, tau, t=t, backend="floats")
    size = 1.0 + np.max(np.abs(a))
    agree(mechanism.forward_dynamics(*given, tau[numbers], t=t), a[numbers], size)
    agree(mechanism.inverse_dynamics(*given, a[numbers], t=t), least_forces(state, a), size)
    shared = {"tau": tau[numbers]} if mechanism.linkage.velocity_rows else {}
    reactions = mechanism.reactions(*given, a[numbers], t=t, **shared)
    wrenches = system.reactions(state.q, state.v, tau=tau, t=t, axes="world", backend="floats")
    first = "a0" if "a0" in system.body_names else None
    normal = np.asarray(system.pose(first, state.q, backend="floats"))[:3, 2] if first else None
    for joint in mechanism.linkage.joints:
        if first and joint.kind == "R" and joint.name in wrenches:
            force = wrenches[joint.name][:3]
            in_plane = np.linalg.norm(force - normal * (normal @ force))
            agree(np.linalg.norm(reactions[joint.name]), in_plane, 10.0 * size)
    composable_agrees(state, tau)
    if "obeyed" in reactions:
        multipliers = system.multipliers(state.q, state.v, tau, t=t).values
        own = [lam for name, lam in zip(system.row_names, multipliers, strict=True)
               if name.startswith("obeyed")]  # fmt: skip
        if len(own) == 1:
            agree(reactions["obeyed"], own, 10.0 * size)
        else:  # two directions of which one is in the plane
            agree(np.abs(reactions["obeyed"]), np.linalg.norm(own), 10.0 * size)
    return mechanism


@pytest.mark.slow
@settings(max_examples=examples(40), deadline=None)
@given(
    seed=st.integers(0, 10**6),
    closing=st.sampled_from([None, *CLOSING]),
    acting=st.sets(st.sampled_from(list(ACTING)), max_size=3),
    obeyed=st.sampled_from(list(OBEYED)),
)
@example(seed=452443, closing="slide", acting={"fan"}, obeyed="nothing")  # springs across π
@example(seed=407490, closing="pin", acting=set(), obeyed="rates")
def test_random_systems_have_the_same_dynamics_as_units(seed, closing, acting, obeyed):
    """Check forward and inverse dynamics, multipliers and hinges against the closed system."""
    try:
        state, rng = drawn(seed, closing, sorted(acting), obeyed)
    except ps.AssemblyError:
        assume(False)
    compare(state, rng, assume)


@pytest.mark.parametrize(
    "obeyed", ["nothing", "driven joint", "knife edge", "rates", "point speed"]
)
@pytest.mark.parametrize("closing", ["pin", "rod"])
def test_runs_and_batches_go_with_the_system(obeyed, closing):
    """Check a run with elements of time against the system's, and its states all at once."""
    state, rng = drawn(7, closing, ["pulse", "shaker"], obeyed)
    state = at_state(state.system, state.q, rng)  # runs begin at t = 0
    mechanism = ps.PlanarMechanism.from_system(state.system, state.drivers, state.q)
    q, v = state.q[state.numbers], state.v[state.numbers]
    accuracy = {"rtol": 1e-10, "atol": 1e-12}
    run = mechanism.simulate(q, v, 0.2, **accuracy)
    whole = ps.simulate(state.system, state.q, state.v, 0.2, **accuracy)
    assert np.max(np.abs(run.q[-1] - whole.q[-1][state.numbers])) < 1e-8
    assert np.max(np.abs(run.q[-1] - q)) > 1e-3
    rows = np.resize(np.arange(len(run.t)), 100)  # enough of them for machine code
    near = None if run.near is None else {name: pose[rows] for name, pose in run.near.items()}
    given = run.q[rows], run.v[rows]
    a = mechanism.forward_dynamics(*given, 0.0 * given[1], t=run.t[rows], near=near)
    forces = mechanism.inverse_dynamics(*given, a, t=run.t[rows], near=near)
    reactions = mechanism.reactions(*given, a, t=run.t[rows], near=near)
    assert np.allclose(forces, 0.0, atol=1e-8)  # what moves freely needs none
    for k in (0, len(run.t) // 2, len(run.t) - 1):
        own = None if near is None else {name: pose[k] for name, pose in near.items()}
        state = {"t": run.t[rows[k]], "near": own}
        single = mechanism.forward_dynamics(*(x[k] for x in given), 0.0 * q, **state)
        assert np.allclose(a[k], single, rtol=1e-9, atol=1e-9)
        forced = mechanism.reactions(*(x[k] for x in given), single, **state)
        for name, force in forced.items():
            assert np.allclose(reactions[name][k], force, rtol=1e-8, atol=1e-8), name


def test_driven_joints_are_followed_in_time():
    """Check positions long after the drawing: several turns of a joint that is no driver."""
    crank = ps.Body("crank", joint=ps.Revolute("z"), mass=1.0, inertia=(0.1, 0.1, 0.1))
    rod = ps.Body("rod", "crank", ps.Revolute("z"), ps.Pose((0.2, 0, 0)), mass=1.0,
                  inertia=(0.1, 0.1, 0.1))  # fmt: skip
    arm = ps.Body("arm", "rod", ps.Revolute("z"), ps.Pose((0.5, 0, 0)), mass=1.0, com=(0.1, 0, 0),
                  inertia=(0.1, 0.1, 0.1))  # fmt: skip
    rail = ps.PointOnSurface("rail", ("rod", (0.5, 0, 0)), "y - 0.05")
    drive = ps.PrescribedMotion("drive", "crank", "0.3 + 9*t")
    system = ps.System("engine", [crank, rod, arm], constraints=[rail, drive])
    q = system.assemble([0.3, 0.0, 0.4], joints=["crank", "arm"])
    mechanism = ps.PlanarMechanism.from_system(system, ["arm"], q)
    t = np.array([0.0, 1.1, 2.4])
    places = mechanism.positions(np.full((3, 1), 0.4), t=t)
    assert np.allclose(places["crank"][:, 2], 0.3 + 9.0 * t, atol=1e-10)
    ends = np.array([*(0.2 * np.cos(places["crank"][:, 2]),), 0.2 * np.sin(places["crank"][:, 2])])
    assert np.allclose(places["rod"][:, :2], ends.T, atol=1e-12)
    assert np.all(np.cos(places["rod"][:, 2]) > 0.5)  # the same assembly
    rates = mechanism.velocities(np.full((3, 1), 0.4), np.zeros((3, 1)), t=t)
    assert np.allclose(rates["crank"][:, 2], 9.0)
    late = mechanism.positions([0.4], t=2.4)["rod"]
    assert np.allclose(late, places["rod"][2], atol=1e-12)


def test_designs_name_constraints_of_time():
    """Check a five-bar with a led crank: targets are at coordinates, not at times."""
    state, _ = drawn(7, "pin", [], "driven joint")
    mechanism = ps.PlanarMechanism.from_system(state.system, state.drivers, state.q, t=state.t)
    q = state.q[state.numbers]
    with pytest.raises(ps.ModelError, match=r"synthesise: constraints \['obeyed'\] change with t"):
        mechanism.synthesise("a0", np.zeros(2), ["a0.pa"], q=[q, q])
    with pytest.raises(ps.ModelError, match=r"balanced: constraints \['obeyed'\] change with time"):
        mechanism.balanced({"a0": 0.1})


def test_constraints_on_velocities_say_what_is_wrong():
    """Check rates that violate one, and what files cannot hold."""
    hull = ps.Body("hull", joint=ps.Planar("x", "y"), mass=1.0, inertia=(1, 1, 1))
    edge = ps.KnifeEdge("edge", ("hull", (0, 0, 0)))
    q = np.array([0.1, 0.2, 0.3])
    sled = ps.PlanarMechanism.from_system(
        ps.System("sled", [hull], constraints=[edge]), ["hull"], q
    )
    with pytest.raises(ps.ModelError, match=r"violate the constraint 'edge' by .*consistent_vel"):
        sled.simulate(q, [1.0, 0.0, 0.0], 0.1)
    with pytest.raises(ps.ModelError, match=r"\['edge'\] come from another System"):
        sled.system()
    with pytest.raises(ps.ModelError, match=r"\['edge'\] come from a System"):
        _ = sled.description


@pytest.mark.parametrize("name", ["ball", "disc", "curve"])
def test_contacts_and_wires_in_the_plane(name):
    """Check a ball and a disc that roll on a slope, a bead on a wire with a damper."""
    plane = RandomPlane(3)
    last = plane.chain("a", ["R", "R", "R"])
    plane.chain("b", ["R"])
    tree = ps.System("tree", plane.bodies)
    table, tip = (np.asarray(tree.pose(x, tree.neutral())) for x in ("table", last))
    x, y, z, _ = np.linalg.inv(table) @ tip @ (0.3, 0.1, 0.0, 1.0)
    slope = ("table", ps.Pose((0.0, y - 0.2, 0.0), rpy=(-np.pi / 2, 0.0, 0.0)))
    wire = ps.Curve((f"{x - 1.4} + 1.4*cos(s)", f"{y} + 0.9*sin(s)", f"{z}"), (-3.2, 3.2))
    rules = {
        "ball": lambda: ps.RollingBall("obeyed", (last, (0.3, 0.1, 0)), radius=0.2, on=slope),
        "disc": lambda: ps.RollingDisc("obeyed", (last, (0.3, 0.1, 0)), radius=0.2, axis="z",
                                       on=slope),
        "curve": lambda: ps.PointOnCurve("obeyed", (last, (0.3, 0.1, 0)), wire, damping=0.3,
                                         stiffness=2.0, on=("table", ps.Pose())),
    }  # fmt: skip
    system = ps.System("contact", plane.bodies, constraints=[rules[name]()], gravity=(1, -9, 2))
    state = at_state(system, plane.rng.uniform(-0.1, 0.1, system.nq), plane.rng)
    mechanism = compare(state, plane.rng, must)
    assert len(mechanism.linkage.velocity_rows) == (name != "curve")


@pytest.mark.parametrize("axis", ["z", "-z"])
@pytest.mark.parametrize("rule", ["motion", "speed"])
def test_the_motion_of_a_pin_that_closes_a_loop(rule, axis):
    """Check a five-bar whose cut pin is led across half a turn, in its angle or its speed."""
    plane = RandomPlane(12)
    first, last = plane.chain("a", ["R", "R"]), plane.chain("b", ["R", "R"])
    end = plane.loop(first, last, ps.Revolute(axis))
    body, there = end.second
    R = there.transform().R
    turned = ps.Pose(there.xyz, rpy=(0, 0, np.arctan2(R[1, 0], R[0, 0]) + np.pi))
    end = ps.Loop("end", end.first, (body, turned), ps.Revolute(axis))
    rules = {
        "motion": ps.PrescribedMotion("obeyed", "end", f"{np.pi} + 0.4*t"),
        "speed": ps.PrescribedSpeed("obeyed", "end", "0.4 + t"),
    }
    system = ps.System("five-bar", plane.bodies, loops=[end], constraints=[rules[rule]],
                       gravity=(1, -9, 2))  # fmt: skip
    for t in (0.0, -0.3, 0.3):
        state = at_state(system, np.zeros(system.nq), plane.rng, t)
        compare(state, plane.rng, must)


@pytest.mark.parametrize(
    "kind", ["slides across", "one slide", "several roots", "bare", "pin of a loop"]
)
def test_planes_that_slides_span(kind):
    """Check systems whose plane no hinge of the tree tells: gantries, a press, rails with a rod."""
    rng = np.random.default_rng(5)
    weight = {"mass": 2.0, "com": (0.1, 0.2, 0.3), **SHAPE}
    if kind == "slides across":
        bodies = [ps.Body("bridge", joint=ps.Prismatic("x"), **weight),
                  ps.Body("hook", "bridge", ps.Prismatic("z", damping=0.2), **weight)]  # fmt: skip
    elif kind == "one slide":
        bodies = [ps.Body("ram", joint=ps.Prismatic("z", stiffness=3.0), **weight)]
    elif kind == "bare":
        bodies = [ps.Body("base", joint=ps.Fixed(), **weight),
                  ps.Body("arm", "base", ps.Revolute("y"), **weight)]  # fmt: skip
    elif kind == "several roots":
        bodies = [ps.Body("left", joint=ps.Prismatic("z"), **weight),
                  ps.Body("right", joint=ps.Revolute("x"), **weight),
                  ps.Body("plate", joint=ps.Planar("y", "z"), **weight)]  # fmt: skip
    else:
        bodies = [ps.Body("left", joint=ps.Prismatic("z"), **weight),
                  ps.Body("right", joint=ps.Prismatic("z"), **weight),
                  ps.Body("rod", "right", ps.Prismatic("y"), **weight)]  # fmt: skip
    loops = []
    if kind == "pin of a loop":
        loops = [ps.Loop("end", ("left", (0, 1.0, 0)), ("rod", (0, 0.5, 0)), ps.Revolute("x"))]
    system = ps.System("plane", bodies, loops=loops, gravity=(0.5, 0.7, -9.81))
    compare(at_state(system, rng.uniform(-0.2, 0.2, system.nq), rng), rng, must)


@pytest.mark.parametrize("obeyed", ["driven joint", "driven coordinate", "function"])
def test_velocities_and_accelerations_hold_the_rate_of_time(obeyed):
    """Check them against derivatives by the time, drivers at rest, by complex steps."""
    state, _ = drawn(7, "pin", [], obeyed)
    mechanism = ps.PlanarMechanism.from_system(state.system, state.drivers, state.q, t=state.t)
    q, h = state.q[state.numbers], 1e-30
    still, later = np.zeros(len(q)), state.t + 1j * h
    moved = mechanism.positions(q.astype(complex), t=later)
    rates = mechanism.velocities(q, still, t=state.t)
    changed = mechanism.velocities(q.astype(complex), still, t=later)
    bends = mechanism.accelerations(q, still, still, t=state.t)
    for name, rate in rates.items():
        assert np.allclose(moved[name].imag / h, rate, rtol=1e-12, atol=1e-13)
        assert np.allclose(changed[name].imag / h, bends[name], rtol=1e-11, atol=1e-12)
    assert max(np.max(np.abs(rate)) for rate in rates.values()) > 1e-4
