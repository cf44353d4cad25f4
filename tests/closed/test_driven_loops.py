"""Joints that close loops are driven like others: it does not matter where loops are cut."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

import poinsot as ps
from tests.random_examples import examples

NAMES = ("ground", "elbow", "knee", "ankle")


def linkage(cut, forces=(), constraints=(), seed=None, **more):
    """Return a four-bar in space or plane as a graph that is cut at one joint."""
    rng = np.random.default_rng(seed)
    corners = np.array([(0, 0, 0), (0.3, 0.1, 0), (0.8, 0.7, 0), (1.1, -0.1, 0)])
    if seed is not None:
        corners[:, :2] += rng.uniform(-0.1, 0.1, (4, 2))
    bodies = [
        ps.Body(name, mass=1.0 + k, com=(0.2 * k, 0.1, 0), inertia=(0.04, 0.04, 0.05 + 0.01 * k))
        for k, name in enumerate("abc")
    ]
    chain = ("world", "a", "b", "c", "world")
    joints = [
        ps.Connection(name, (chain[k], corners[k]), (chain[k + 1], corners[k]), ps.Revolute("z"))
        for k, name in enumerate(NAMES)
    ]
    driven = [name for name in NAMES if name != cut]
    system = ps.System.from_graph("linkage", bodies, joints, forces=forces, gravity=(0, -9.81, 0),
                                  constraints=constraints, driven=driven, **more)  # fmt: skip
    assert [loop.name for loop in system.loops] == [cut]
    return system


def state(system, rate=0.7):
    """Return the configuration at which all joints are at zero, and a motion of the first."""
    q = system.neutral()
    v = system.consistent_velocity(q, system.v(ground=rate), joints=["ground"])
    return q, v


def elements():
    """Return elements of all kinds, one at least at each joint."""
    return [
        ps.JointForce("ground", "-0.1*v", potential="1.5*(q - 0.2)**2"),
        ps.JointFriction("elbow", 0.4, 0.5),
        ps.JointSpring("knee", ps.Table([-2, 0, 2], [-6, 0.5, 9])),
        ps.JointForce("ankle", "2*sin(3*t) + 0.5*w - 0.1*v", where={"w": ("elbow", "v")}),
        ps.JointStop("ankle", -0.5, -0.1, stiffness=40.0, dissipation=0.2),
        ps.JointFriction("ankle", 0.2),
    ]


@pytest.mark.parametrize("prescribed", [False, True])
@settings(max_examples=examples(2))
@given(st.integers(0, 2**32 - 1), st.sampled_from(NAMES[1:3]))
def test_it_does_not_matter_where_a_loop_is_cut(prescribed, seed, cut):
    """Compare accelerations, reactions, energies and powers with elements at every joint."""
    laws = [ps.PrescribedMotion("law", "ankle", "0.2*sin(2*t)")] if prescribed else []
    results = []
    for where in ("ankle", cut):
        system = linkage(where, elements(), laws, seed)
        q, t = system.neutral(), 0.0
        if prescribed:  # nothing is free: the law says how fast it moves
            v = system.consistent_velocity(q, np.zeros(3))
            assert np.abs(v).max() > 0.1
        else:
            (_, v), t = state(system), 0.3
        a = system.forward_dynamics(q, v, t=t)
        numbers = [system.acceleration(body, q, v, a, axes="world") for body in "abc"]
        wrenches = system.reactions(q, v, t=t, axes="world")
        numbers += [wrenches[name] for name in NAMES]
        numbers.append([system.potential_energy(q)])
        results.append(np.concatenate(numbers))
    assert_allclose(results[1], results[0], rtol=1e-7, atol=1e-7)


@pytest.mark.parametrize("cut", NAMES[1:])
def test_energy_balance_with_elements_at_cut_joints(cut):
    """Check that friction, damper and drive take out what the energy loses, to the tolerance."""
    system = linkage(cut, [
        ps.JointForce(cut, potential="2.5*(q - 0.3)**2", name="spring"),
        ps.JointFriction(cut, 0.4, name="friction"),
        ps.JointForce(cut, "sin(3*t) - 0.1*v", name="drive"),
    ])  # fmt: skip
    q, v = state(system)
    run = ps.simulate(system, q, v, 0.5, rtol=1e-10, atol=1e-12)
    lost = run.energy() - run.energy()[0]
    assert abs(lost[-1]) > 0.01
    assert_allclose(run.work("power.friction") + run.work("power.drive"), lost, atol=1e-7)


@pytest.mark.parametrize("cut", ["knee", "ankle"])
def test_work_of_drives_dampers_and_prescribed_motions(cut):
    """Check that what they do together is the gain in energy, with dampers in tree and loop."""
    hinge = ps.Revolute("z", damping=0.3)
    plain = linkage(cut)
    bodies = [replace(body, joint=replace(body.joint, damping=0.2)) if body.joint.nv else body
              for body in plain.bodies]  # fmt: skip
    loops = [replace(loop, joint=hinge) for loop in plain.loops]
    law = ps.PrescribedMotion("law", "ground", "0.3*sin(2*t)")
    for laws in ([], [law]):
        system = ps.System("damped", bodies, loops=loops, constraints=laws, gravity=plain.gravity)
        q = system.neutral()
        v = system.consistent_velocity(q, np.zeros(3))
        tau = lambda t, q, v: np.array([0.0, np.sin(5 * t), 0.0])  # noqa: E731
        run = ps.simulate(system, q, v, 0.4, tau=tau, rtol=1e-10, atol=1e-12)
        done = {name: run.work(name) for name in ("drives", "dampers", "constraints")}
        assert_allclose(sum(done.values()), run.energy() - run.energy()[0], atol=1e-8)
        assert (np.diff(done["dampers"]) <= 0.0).all()
        assert abs(done["dampers"][-1]) > 1e-3
        assert (abs(done["constraints"][-1]) > 1e-3) == bool(laws)


def test_motions_of_a_cut_joint_are_those_of_the_tree():
    """Drive one joint, cut or not, through the same motion: positions, torque and reactions."""
    results = {}
    for cut in NAMES[1:]:
        system = linkage(cut)
        study = ps.drive(
            system, system.neutral(), {"ankle": "-0.2*sin(2*t)"}, duration=1.0, positions=9
        )
        assert study.ok
        wrenches = study.reactions(axes="world")
        results[cut] = np.concatenate(
            [study.drive_forces()["ankle"][:, None], study.pose("b").reshape(9, 16)]
            + [wrenches[name] for name in NAMES], axis=1,
        )  # fmt: skip
    assert_allclose(results["ankle"], results["elbow"], rtol=1e-7, atol=1e-7)
    assert_allclose(results["knee"], results["elbow"], rtol=1e-7, atol=1e-7)


def test_a_cut_crank_goes_round():
    """Drive a joint that is cut by whole turns: its angle is known up to these."""
    turn = ps.Revolute("z")
    bodies = [ps.Body(name, mass=1.0, com=(0.1, 0, 0), inertia=(1, 1, 1)) for name in "abc"]
    joints = [
        ps.Connection("ground", "world", "a", turn),
        ps.Connection("elbow", ("a", (0.3, 0, 0)), "b", turn),
        ps.Connection("knee", ("b", (0.8, 0, 0)), ("c", (0.6, 0, 0)), turn),
        ps.Connection("ankle", "c", ("world", (0.7, 0, 0)), turn),
    ]
    turns = {"ground": (0.4, 0.4 + 4 * np.pi)}
    torques = []
    for cut in ("ground", "knee"):
        driven = [joint.name for joint in joints if joint.name != cut]
        system = ps.System.from_graph("crank", bodies, joints, driven=driven)
        guess = {"ground": 0.4, "elbow": -0.1, "knee": -1.9, "ankle": -1.0}
        study = ps.drive(
            system, [guess[name] for name in system.coordinate_names], turns, positions=40
        )
        assert study.ok
        torques.append(study.drive_forces()["ground"])
    assert_allclose(torques[0], torques[1], atol=1e-7)


@pytest.mark.parametrize("gear", [ps.Gear("gear", "left", "right", -2.0, 0.1),
                                  ps.Gear("gear", "right", "left", 1.5, 1.05)])  # fmt: skip
def test_a_gear_turns_a_cut_joint_round(gear):
    """Turn a geared five-bar round twice, cut at the top and at either of the joints geared."""
    turn = ps.Revolute("z")
    bodies = [ps.Body(name, mass=1.0, com=(0.1, 0, 0), inertia=(1, 1, 1)) for name in "abcd"]
    joints = [
        ps.Connection("left", "world", "a", turn),
        ps.Connection("elbow", ("a", (0.2, 0, 0)), "b", turn),
        ps.Connection("top", ("b", (0.7, 0, 0)), ("c", (0.7, 0, 0)), turn),
        ps.Connection("knee", "c", ("d", (0.2, 0, 0)), turn),
        ps.Connection("right", "d", ("world", (0.8, 0, 0)), turn),
    ]
    guess = {"left": 0.3, "elbow": 0.5, "top": -1.6, "knee": 1.0, "right": -0.5}
    results = []
    for cut in ("top", "left", "right"):
        driven = [joint.name for joint in joints if joint.name != cut]
        system = ps.System.from_graph("five", bodies, joints, driven=driven, constraints=[gear])
        assert [loop.name for loop in system.loops] == [cut]
        start = [guess[name] for name in system.coordinate_names]
        study = ps.drive(system, start, {"left": (0.3, 0.3 + 4 * np.pi)}, positions=12)
        assert study.ok
        results.append([*study.pose("c").ravel(), *study.drive_forces()["left"]])
    assert_allclose(results[1:], [results[0]] * 2, atol=1e-9)


def test_a_law_drives_a_cut_joint(tmp_path):
    """Drive one joint by a law, where it is in the tree by tau, where it is cut by drives."""
    tree, cut = linkage("elbow"), linkage("ankle")
    place = tree.coordinate_names.index("ankle")

    def in_tree(t, q, v):
        return np.eye(3)[place] * (np.sin(3 * t) - 4 * q[place] - 0.2 * v[place])

    def in_loop(t, q, v):
        angle, rate = cut.loop_position("ankle", q), cut.loop_velocity("ankle", q, v)
        return np.sin(3 * t) - 4 * angle - 0.2 * rate

    how = {"rtol": 1e-10, "atol": 1e-12}
    wanted = ps.simulate(tree, *state(tree), 0.5, tau=in_tree, **how)
    q, v = state(cut)
    for law in (in_loop, "sin(3*t) - 4*ankle - 0.2*v.ankle"):
        run = ps.simulate(cut, q, v, 0.5, drives={"ankle": law}, **how)
        assert_allclose(run.pose("b")[-1], wanted.pose("b")[-1], atol=1e-9)
        assert_allclose(run.work("drives")[-1], wanted.work("drives")[-1], atol=1e-9)
        assert_allclose(run.work("drives"), run.energy() - run.energy()[0], atol=1e-8)
        assert_allclose(run.evaluate("ankle"), cut.loop_position("ankle", run.q)[:, 0])
    force = run.drive_forces()["ankle"]
    assert_allclose(force[-1], wanted.tau()[-1, place], atol=1e-8)
    a = cut.forward_dynamics(run.q, run.v, drives={"ankle": force})
    assert_allclose(run.acceleration(), a, atol=1e-9)
    run.save(tmp_path / "run.npz")
    loaded = ps.load_run(tmp_path / "run.npz")
    assert (loaded.repeat().q == run.q).all()
    assert (loaded.continued(0.1).q == run.continued(0.1).q).all()
    free = run.continued(0.1, drives=None)
    assert free.drive_forces() == {}
    assert abs(free.q[-1] - run.continued(0.1).q[-1]).max() > 1e-4
    many = ps.simulate(cut, [q, q], v, 0.5, drives={"ankle": in_loop}, integrator="rk4", step=1e-3)
    assert_allclose(many.q[1, -1], run.q[-1], atol=1e-8)
    assert many.drive_forces()["ankle"].shape == (2, 501, 1)
    stiff = ps.simulate(cut, q, v, 0.5, drives={"ankle": in_loop}, integrator="stiff")
    assert_allclose(stiff.q[-1], run.q[-1], atol=1e-7)


@pytest.mark.parametrize(
    ("drives", "said"),
    [
        ({"ankel": 1.0}, "did you mean 'ankle'"),
        ({"knee": 1.0}, "'knee' is a joint of the tree, whose entries are in q, v and tau"),
        ({"ankle": [1.0, 2.0]}, r"drive of 'ankle' must have shape \(1,\), got \(2,\)"),
        ({"ankle": np.nan}, "drive of 'ankle' must be finite"),
        ({"ankle": ps.Callback(lambda t, q, v: v)}, "cannot be a Callback"),
        ({"ankle": "tau.knee"}, "contains 'tau'; it may contain t, q and v only"),
        ({"ankle": "2*v.ankel"}, r"unknown name 'v\.ankel'; did you mean 'v\.ankle'"),
        ([1.0], "drives must name joints that close loops"),
    ],
)
def test_wrong_laws_along_cut_joints_are_said(drives, said):
    system = linkage("ankle")
    with pytest.raises(ps.PoinsotError, match=said):
        ps.simulate(system, *state(system), 0.1, drives=drives)


@pytest.mark.parametrize(
    ("held", "other"), [("elbow", "knee"), ("knee", "ankle"), ("ankle", "elbow")]
)
def test_a_joint_is_held_where_the_loop_is_cut(held, other):
    """Hold the cut joint from a rough guess; a system that is cut elsewhere agrees."""
    system, elsewhere = linkage(held), linkage(other)
    guess = system.neutral()
    guess[:2] += (0.05, -0.03)
    angle = system.loop_position(held, guess)
    assert abs(angle) > 0.01
    q = system.assemble(guess, joints=[held])
    assert_allclose(system.loop_position(held, q), angle, atol=1e-10)
    known = system.named(q) | {held: float(angle[0])}
    names = elsewhere.coordinate_names
    same = elsewhere.assemble([known[name] for name in names], joints=[held])
    assert_allclose(elsewhere.pose("b", same), system.pose("b", q), atol=1e-9)
    v = system.consistent_velocity(q, system.v(ground=0.4), joints=["ground"])
    a = system.consistent_acceleration(q, v, np.ones(3), joints=["ground"])
    assert_allclose(system.consistent_velocity(q, v, joints=[held]), v, atol=1e-9)
    assert_allclose(system.consistent_acceleration(q, v, a, joints=[held]), a, atol=1e-8)
    rough = np.stack([guess, guess + 0.01])
    closed = system.assemble(rough, joints=[held])
    expected = system.loop_position(held, rough)
    assert_allclose(system.loop_position(held, closed), expected, atol=1e-10)


def test_one_coordinate_of_several_is_held_and_driven():
    """Hold and drive the height of a ladder's end that slides on the floor: Pythagoras."""
    ladder = ps.Body(
        "ladder", joint=ps.Planar("x", "y"), mass=2.0, com=(0.5, 0, 0), inertia=(1, 1, 1)
    )
    wall = ps.FormulaConstraint("wall", "x", where={"x": ("ladder", (1, 0, 0), "x")})
    floor = ps.PrescribedMotion("floor", "ladder.y", 0.0)
    system = ps.System("ladder", [ladder], constraints=[wall, floor])
    q = system.assemble([-0.6, 0.1, 0.8], joints=["ladder.x"])
    assert q[:2] == pytest.approx([-0.6, 0.0], abs=1e-10)
    assert np.cos(q[2]) == pytest.approx(0.6)
    study = ps.drive(system, q, {"ladder.x": (-0.6, -0.2)}, positions=5)
    assert_allclose(np.cos(study.q[:, 2]), np.linspace(0.6, 0.2, 5), atol=1e-9)
    assert (study.tau()[:, 0] == study.drive_forces()["ladder.x"]).all()
    with pytest.raises(ps.ModelError, match=r"no joint 'ladder\.z'; did you mean 'ladder\.y'"):
        system.assemble(q, joints=["ladder.z"])


def test_actuator_forces_of_cut_joints_are_those_of_the_tree():
    """Actuate two joints of three systems; reactions and accelerations agree too."""
    results = []
    for cut in NAMES[1:]:
        system = linkage(cut, elements())
        q, v = state(system)
        a = system.consistent_acceleration(q, v, system.v(ground=1.5), joints=["ground"])
        forces = system.actuator_forces(q, v, a, joints=["knee", "ankle"], t=0.2)
        wrenches = system.reactions(q, v, a=a, joints=["knee", "ankle"], t=0.2, axes="world")
        numbers = [forces["knee"], forces["ankle"], *(wrenches[name] for name in NAMES)]
        results.append(np.concatenate(numbers))
        tau = system.v({name: x for name, x in forces.items() if name != cut})
        drives = {cut: forces[cut]} if cut in forces else {}
        again = system.forward_dynamics(q, v, tau, t=0.2, drives=drives)
        assert_allclose(again, a, atol=1e-8)
        assert system.actuation(q, ["knee", "ankle"]).rank == 1
        assert system.actuation(q, [cut]).missing == 0
    assert_allclose(results[1:], [results[0]] * 2, rtol=1e-7, atol=1e-7)
    with pytest.raises(ps.ModelError, match="'ankle' closes a loop and has no entries in v"):
        system.inverse_dynamics(q, v, a, joints=["ankle"])


def test_all_formulations_and_files_know_cut_joints(tmp_path):
    """Check ``verify``, a file, and what is attached to another system and taken off again."""
    system = linkage("ankle", elements())
    assert ps.verify(system, n_states=1, q=system.neutral()).ok
    driven = linkage("ankle", elements(), [ps.PrescribedMotion("law", "ankle", "0.1*sin(t)")])
    ps.save(driven, tmp_path / "linkage.json")
    assert ps.load(tmp_path / "linkage.json") == driven
    table = ps.Body("table", joint=ps.Prismatic("x"), mass=1.0)
    whole = ps.System("whole", [table], gravity=driven.gravity)
    whole = whole.attach(driven, to="table", prefix="l/")
    assert whole.constraints[0].joint == "l/ankle"
    assert {name for force in whole.forces for name in force.joints} == {f"l/{n}" for n in NAMES}
    part = whole.subsystem("l/")
    assert part.forces == driven.forces
    assert part.constraints[0].joint == "ankle"


def test_what_is_wrong_at_cut_joints_is_said():
    system = linkage("knee")
    motor = ps.Motor("knee", 1.0, inertia=0.1)
    with pytest.raises(ps.ModelError, match="closes a loop and cannot carry the inertia"):
        ps.System("m", system.bodies, loops=system.loops, forces=[motor])
    twice = [*system.loops, replace(system.loops[0], name="hip")]
    gear = ps.Gear("gear", "knee", "hip", 2.0)
    known = "known up to whole turns only; and so is the other; keep this joint"
    with pytest.raises(ps.ModelError, match=known):
        ps.System("g", system.bodies, loops=twice, constraints=[gear])
    joint = ps.Connection("knee", "world", "a", ps.Revolute())
    with pytest.raises(ps.ModelError, match="driven names the unknown joint 'kne'; did you mean"):
        ps.System.from_graph("g", [ps.Body("a", mass=1.0)], [joint], driven=["kne"])
