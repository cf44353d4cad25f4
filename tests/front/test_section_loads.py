"""Loads in sections of links: textbook values, joint reactions, welds and mistakes."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from numpy.testing import assert_allclose

import poinsot as ps
from poinsot.library.slider_crank import slider_crank_configuration
from poinsot.model.pose_products import composed, inverse
from tests.closed.random_closed import assume_well_posed, closed_cases
from tests.random_examples import examples
from tests.strategies import cases

L, M, G = 1.5, 2.0, 9.81
MU = M / L
SLOW = {"backend": "interpreter"}


def rod(joint, gravity=(0, 0, -G)):
    """Return a uniform thin rod along x from the joint, and its bar."""
    inertia = M * L**2 / 12
    body = ps.Body("rod", joint=joint, mass=M, com=(L / 2, 0, 0), inertia=(0, inertia, inertia))
    return ps.System("rod", [body], gravity=gravity), ps.Bar("rod", (0, 0, 0), (L, 0, 0), MU)


def test_cantilever_pendulum_and_falling_rod():
    """Check weight at rest, the swing with its largest bending moment at one third, and fall."""
    boom, bar = rod(ps.Revolute("y"))
    loads = boom.section_loads(bar, [0.0], [0.0], a=[0.0], cuts=7)
    s = loads.s
    assert_allclose(loads.shear[:, 1], -MU * G * (L - s), atol=1e-12)
    assert_allclose(loads.bending[:, 0], MU * G * (L - s) ** 2 / 2, atol=1e-12)
    assert_allclose(loads.inertial, 0.0, atol=1e-12)
    # let go at the angle θ: M(s) = μ g cos θ s (L - s)² / (4 L), largest at L/3
    theta = 0.4
    swing = boom.section_loads(bar, [theta], [0.0], cuts=301)
    s = swing.s
    expected = -MU * G * np.cos(theta) * s * (L - s) ** 2 / (4 * L)
    assert_allclose(swing.bending[:, 0], expected, atol=1e-12)
    heaviest = swing.heaviest()
    assert_allclose([heaviest.s, heaviest.value], [L / 3, np.abs(expected).max()], rtol=1e-12)
    free, bar = rod(ps.Free())
    fall = [0.0, 0.0, -G, 0.0, 0.0, 0.0]
    falling = free.section_loads(bar, free.neutral(), np.zeros(6), a=fall, cuts=5)
    assert_allclose(falling.wrench, 0.0, atol=1e-12)
    assert_allclose(falling.static[0, 2], M * G)


def test_spinning_rod():
    """Check the tension μ w² (L² - s²) / 2 of a rod that spins, in a batch of speeds."""
    rotor, bar = rod(ps.Revolute("z"), gravity=(0, 0, 0))
    w = np.array([[1.0], [5.0]])
    loads = rotor.section_loads(bar, np.zeros((2, 1)), w, cuts=6)
    assert loads.wrench.shape == (2, 6, 6)
    assert_allclose(loads.normal, MU * w**2 * (L**2 - loads.s**2) / 2, atol=1e-12)
    assert_allclose(loads.torsion, 0.0, atol=1e-12)


def test_connecting_rod_at_speed():
    """Compare with a beam on two pins whose points are accelerated across it linearly along it."""
    system, length = ps.library.slider_crank(), 0.4
    q = slider_crank_configuration(0.7)
    v = system.consistent_velocity(q, [30.0, 0.0, 0.0])
    tau = np.array([4.0, 0.0, 0.0])
    a = system.forward_dynamics(q, v, tau)
    mu = system.bodies[1].mass / length
    bar = ps.Bar("rod", (0, 0, 0), (length, 0, 0), mu)
    loads = system.section_loads(bar, q, v, tau=tau, cuts=9)
    R = system.pose("rod", q)[:3, :3]
    felt = np.array([0, G, 0])
    ends = [
        (R.T @ (system.acceleration("rod", q, v, a, (x, 0, 0), axes="world")[:3] + felt))[1]
        for x in (0.0, length)
    ]
    slope, u = (ends[1] - ends[0]) / length, length - loads.s

    def moment(s, u):  # of what accelerates the part beyond
        return mu * (ends[0] * u**2 / 2 + slope * (s * u**2 / 2 + u**3 / 3))

    expected = moment(loads.s, u) - moment(0.0, length) * u / length
    assert_allclose(-loads.bending[:, 1], expected, atol=1e-12 * np.abs(expected).max())
    wrenches = system.reactions(q, v, tau=tau, axes="rod")
    size = np.abs(loads.wrench).max()
    assert_allclose(loads.wrench[0], wrenches["rod"], atol=1e-12 * size)
    assert_allclose(loads.wrench[-1], wrenches["pin"], atol=1e-12 * size)
    determined = system.determined_section_load(bar.section(0.2), q)
    pin = system.determined_reactions(q)["pin"]  # a pin in space: its plane alone is determined
    assert determined.tolist() == [True, True, False, False, False, True]
    assert pin[[0, 1]].all()
    run = ps.simulate(system, q, v, 0.01, save=0.01)
    along = run.section_loads(bar, cuts=2)
    single = system.section_loads(bar, run.q[1], run.v[1], cuts=2)
    assert_allclose(along.wrench[1], single.wrench, atol=1e-12 * size)
    assert_allclose(along.static[1], single.static, atol=1e-12 * size)


@settings(max_examples=examples(6), deadline=None)
@given(cases(max_bodies=4))
def test_sections_are_welds(case):
    """Compare with the wrench in a weld of two bodies that are the link together."""
    rng, k = case.rng, case.body()
    bodies, gravity = case.mechanism.bodies, case.mechanism.gravity
    link = bodies[k]
    pose = ps.Pose(rng.uniform(-1, 1, 3), rpy=rng.uniform(-3, 3, 3))
    X, A = pose.transform(), rng.normal(size=(3, 3))
    mass, com, inertia = rng.uniform(0.1, 2.0), rng.uniform(-1, 1, 3), A @ A.T
    inertia = np.trace(inertia) * np.eye(3) - inertia
    place, total = X.apply_point(com), link.mass + mass
    centre = (link.mass * np.array(link.com) + mass * place) / total
    whole = link.inertia_matrix() + X.R @ inertia @ X.R.T
    for m, arm in ((link.mass, link.com - centre), (mass, place - centre)):
        whole = whole + m * (arm @ arm * np.eye(3) - np.outer(arm, arm))
    one = [replace(link, mass=total, com=centre, inertia=whole) if x is link else x for x in bodies]
    two = [
        replace(x, parent="beyond", pose=composed(inverse(pose), x.pose))
        if x.parent == link.name
        else x
        for x in bodies
    ]
    two.append(ps.Body("beyond", link.name, ps.Fixed(), pose, mass=mass, com=com, inertia=inertia))
    point, wrench = rng.uniform(-1, 1, 3), rng.normal(size=6)
    here = X.inverse().apply_point(point)
    end = ("beyond", here) if here[0] > 0 else (link.name, point)
    far = ("world", (5.0, 1.0, 2.0))
    cut, welded = (
        ps.System("cut", parts, gravity=gravity, forces=[ps.Spring(at, far, 50.0, damping=3.0)])
        for parts, at in ((one, (link.name, point)), (two, end))
    )
    children = {x.name: True for x in bodies if x.parent == link.name}
    section = ps.Section(link.name, pose, mass, com, inertia, children)
    q, v, a = case.q, case.v, case.a
    load = cut.section_load(section, q, v, a=a, wrenches={link.name: wrench}, **SLOW).wrench
    beyond = {"beyond": X.force_to_child(wrench)}
    expected = welded.reactions(q, v, a=a, wrenches=beyond, **SLOW)["beyond"]
    every = welded.reactions(q, v, a=a, wrenches=beyond, **SLOW).values()
    assert_allclose(load, expected, atol=1e-12 * (1 + np.abs(list(every)).max()))


@settings(max_examples=examples(5), deadline=None)
@given(closed_cases(max_bodies=4, max_closures=2))
def test_cuts_close_with_the_reactions_of_random_loops(case):
    """Cut a link in two: what both parts bear together is the reaction of the link's joint."""
    assume_well_posed(case)
    system, rng = ps.System.from_mechanism(case.mechanism), case.rng
    link = system.bodies[int(rng.integers(len(system.bodies)))]
    share = rng.uniform(0.2, 0.8)
    names = [x.name for x in system.bodies if x.parent == link.name]
    names += [x.name for x in case.mechanism.closures] + ["wrenches"]
    beyond = {name: bool(rng.integers(2)) for name in names}
    pose = ps.Pose(rng.uniform(-1, 1, 3), rpy=rng.uniform(-3, 3, 3))
    X, I = pose.transform(), link.inertia_matrix()
    com = X.inverse().apply_point(np.array(link.com))
    near = {name: not side for name, side in beyond.items()}
    sections = (
        ps.Section(link.name, pose, share * link.mass, com, X.R.T @ (share * I) @ X.R, beyond),
        ps.Section(link.name, ps.Pose(), (1 - share) * link.mass, link.com, (1 - share) * I, near),
    )
    state = case.q, case.v
    given = {"tau": case.tau, "t": case.t, "wrenches": {link.name: rng.normal(size=6)}, **SLOW}
    far, rest = (system.section_load(section, *state, **given).wrench for section in sections)
    reactions = system.reactions(*state, **given)
    joint = system.joint_names[system.mechanism.index(link.name)]
    size = 1.0 + max(np.abs(wrench).max() for wrench in reactions.values())
    assert_allclose(X.force_to_parent(far) + rest, reactions[joint], atol=1e-12 * size)


def test_along_a_run(tmp_path):
    """Compare with single states and the export; check heaviest instant, envelope and figure."""
    boom, bar = rod(ps.Revolute("y"))
    run = ps.simulate(boom, [0.2], [0.0], 0.6, save=0.1)
    loads = run.section_loads(bar, cuts=4)
    single = boom.section_loads(bar, run.q[3], run.v[3], cuts=4)
    assert_allclose(loads.wrench[3], single.wrench, atol=1e-12)
    assert_allclose(loads.static[3], single.static, atol=1e-12)
    names, section = {}, bar.section(0.5)
    exec(boom.export("python", "section_load:rod", name="rod")["rod.py"], names)
    exported = names["section_load_rod"]([0.3], [2.0], [-1.0], [], section.numbers())
    assert_allclose(exported, boom.section_load(section, [0.3], [2.0], a=[-1.0]).wrench, rtol=1e-12)
    t, s, value = loads.heaviest("normal")
    assert value == loads.normal.max() == loads.normal[np.argmax(run.t == t), 0]
    assert s == 0.0
    low, high = loads.envelope()
    assert_allclose(high - low, np.ptp(loads.wrench, axis=0))
    figure = loads.plot(tmp_path / "loads.svg")
    assert [axes.get_title(loc="left") for axes in figure.axes] == [
        "Normal force", "Torsion", "Shear", "Bending"
    ]  # fmt: skip


def test_loads_of_links_apart_add_up_to_the_whole():
    """Carry the weights and inertial loads of all links of an arm to the base and to a section."""
    arm = ps.library.n_link_pendulum(3)
    rng = np.random.default_rng(1)
    q, v, a = rng.normal(size=(3, 4, 3))
    apart = ps.link_loads(arm, q, v, a)
    last = arm.bodies[2]
    whole = ps.Section("rod 1", beyond={"rod 2": True}, mass=arm.bodies[0].mass,
                       com=arm.bodies[0].com, inertia=arm.bodies[0].inertia_matrix())  # fmt: skip
    load = arm.section_load(whole, q, v, a=a)
    X_1 = arm.pose("rod 1", q)
    static, inertial = np.zeros((2, 4, 6))
    for name, (weight, motion) in apart.items():
        X = np.linalg.inv(X_1) @ arm.pose(name, q)
        for sums, wrench in ((static, weight), (inertial, motion)):
            f, n = (np.einsum("kij,kj->ki", X[:, :3, :3], x) for x in np.split(wrench, 2, axis=1))
            sums[:] = sums + np.hstack([f, n + np.cross(X[:, :3, 3], f)])
    size = 1e-12 * np.abs(load.wrench).max()
    assert_allclose(load.static, static, atol=size)
    assert_allclose(load.inertial, inertial, atol=size)
    assert_allclose(load.wrench, load.static + load.inertial, atol=size)
    # the weight acts at the mass centre; a link that falls has the inertial load of its weight
    R = arm.pose("rod 3", q)[:, :3, :3]
    weight = np.swapaxes(R, 1, 2) @ [0, 0, last.mass * G]
    assert_allclose(apart["rod 3"].static, np.hstack([weight, np.cross(last.com, weight)]))
    free, _ = rod(ps.Free())
    fall = ps.link_loads(free, free.neutral(), np.zeros(6), [0.0, 0.0, -G, 0.0, 0.0, 0.0])["rod"]
    assert_allclose(fall.inertial, -fall.static, atol=1e-12)


def test_distributions():
    """Integrate a polygon with a jump, and take box and cylinder as they are."""
    bar = ps.Bar("rod", (0, 0, 0), (0, 0, 2), [(0.0, 1.0), (1.0, 3.0), (1.0, 2.0), (2.0, 0.0)])
    section = bar.section(0.5)
    # between 0.5 and 1: 2 to 3 kg/m; between 1 and 2: 2 to 0 kg/m
    assert_allclose(section.mass, 1.25 + 1.0)
    s = np.linspace(0.5, 2.0, 30001)
    s = (s[1:] + s[:-1]) / 2
    density = np.where(s < 1, 1 + 2 * s, 4 - 2 * s)
    middle = (density @ s) / density.sum()
    assert_allclose(section.com[0], middle - 0.5, rtol=1e-8)
    across = section.mass * (density @ (s - middle) ** 2) / density.sum()
    assert_allclose(section.inertia[:3], (0, across, across), rtol=1e-8)
    solid = {
        ps.Box((0.1, 0.2, 1.2)): (0.2**2 + 1.2**2, 0.1**2 + 1.2**2, 0.1**2 + 0.2**2),
        ps.Cylinder(0.1, 1.2): (0.03 + 1.2**2, 0.03 + 1.2**2, 0.06),
    }
    for shape, moments in solid.items():
        body = ps.Body("rod", mass=3.0, shapes=[shape])
        whole = ps.Bar.of(body).section(0.0)
        R = whole.pose.transform().R
        assert_allclose(whole.mass, 3.0)
        assert_allclose(whole.pose.transform().apply_point(np.array(whole.com)), 0.0, atol=1e-15)
        inertia = R @ np.diag(whole.inertia[:3]) @ R.T
        assert_allclose(inertia, np.diag(moments) * 3.0 / 12, atol=1e-15)


def test_mistakes_are_named():
    """Cut beyond the end, take away mass, and misspell bodies and what is beyond."""
    boom, bar = rod(ps.Revolute("y"))
    state = [0.0], [0.0]
    with pytest.raises(ps.ModelError, match=r"'rod': s = 1.6 m is beyond .* 0 to 1.5 m"):
        bar.section(1.6)
    with pytest.raises(ps.ModelError, match=r"'rod': density must not be negative, got -1 kg/m"):
        ps.Bar("rod", (0, 0, 0), (L, 0, 0), [(0.0, 1.0), (1.0, -1.0)])
    with pytest.raises(ps.ModelError, match="mass must not be negative"):
        ps.Section("rod", mass=-1.0)
    with pytest.raises(ps.ModelError, match=r"no body 'rodd'.*'rod'"):
        boom.section_load(ps.Section("rodd"), *state)
    with pytest.raises(ps.ModelError, match=r"no child, force element or loop 'tool'"):
        boom.section_load(ps.Section("rod", beyond={"tool": True}), *state)
    for wrong in (["tool"], {"tool": "yes"}, 3):
        with pytest.raises(ps.ModelError, match="'rod': beyond must say of things by name"):
            ps.Section("rod", beyond=wrong)
    with pytest.raises(ps.ModelError, match="give a or tau, not both"):
        boom.section_load(bar.section(0.1), *state, a=[0.0], tau=[0.0])
    with pytest.raises(ps.ModelError, match="no kind 'bend'; did you mean 'bending'"):
        boom.section_loads(bar, *state, cuts=2).heaviest("bend")
    with pytest.raises(ps.ModelError, match="cuts must be a whole number of 2 or more"):
        boom.section_loads(bar, *state, cuts=[0.0, 1.0])
    with pytest.raises(ps.ModelError, match=r"density of a bar .* must be real numbers"):
        ps.Bar("rod", (0, 0, 0), (L, 0, 0), density="steel")
    with pytest.raises(ps.ModelError, match=r"give one section, bar\.section\(s\)"):
        boom.determined_section_load(bar, [0.0])
    steel = ps.Bar("rod", (0, 0, 0), (L, 0, 0), density=7850.0)  # [kg/m³] by mistake
    with pytest.warns(ps.ModelWarning, match="mass per length"):
        boom.section_load(steel.section(0.0), *state)
