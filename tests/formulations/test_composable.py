"""Planar units against the closed-loop formulations of System, and laws that they must obey."""

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

import poinsot as ps
from poinsot.expr import build, symbol_array
from poinsot.formulations.composable.joint_rows import joint_rows
from poinsot.formulations.composable.plane import direction, point_at, rotated
from poinsot.formulations.composable.sweep import equations_of, port_inertia
from poinsot.kernels.interpreter import InterpreterKernel
from poinsot.model.planar.linkage import PlanarJoint, PlanarLink, PlanarLinkage
from tests.random_examples import examples

FORMS = ["RRR", "RRP", "PRR", "RPR", "PRP", "RPP", "PPR"]
CLEAR = 1e-2
"""Nearness of units that are far from singular."""


def joint_between(rng, name, kind, ends, poses):
    """Return a joint with random places that fit the poses of its links."""
    a, b = ends if rng.random() < 0.5 or ends[0] == "0" else ends[::-1]
    place, along, stroke = rng.normal(size=2), rng.uniform(-3, 3), rng.normal()
    other = place + stroke * direction(along) * (kind == "P")
    pa, pb = (
        rotated(-poses[x][2], p - poses[x][:2]) for x, p in ((a, place), (b, other))
    )  # fmt: skip
    guide = along - poses[a][2], poses[b][2] - poses[a][2]
    return PlanarJoint(name, kind, a, b, pa, pb, *(guide if kind == "P" else (0.0, 0.0)))


def grown(seed, forms, on=None):
    """Return a mechanism of a crank and dyads (on given links), q, poses as it was drawn."""
    rng = np.random.default_rng(seed)
    n = 1 + 2 * len(forms)
    poses = {str(i): rng.normal(size=3) for i in range(1, n + 1)} | {"0": np.zeros(3)}
    links = {
        str(i): PlanarLink(rng.uniform(0.5, 2), rng.uniform(0.1, 1), rng.normal(size=2))
        for i in range(1, n + 1)
    }
    joints = [joint_between(rng, "crank", "R", ("0", "1"), poses)]
    for k, form in enumerate(forms):
        first, last = 2 * k + 2, 2 * k + 3
        hosts = rng.choice(first, size=2, replace=False) if k == 0 else rng.integers(0, first, 2)
        hosts = on[k] if on else hosts
        ends = [(hosts[0], first), (first, last), (hosts[1], last)]
        for i, (a, b) in enumerate(ends):
            joints.append(joint_between(rng, f"{k}{i}", form[i], (str(a), str(b)), poses))
    linkage = PlanarLinkage(links, tuple(joints), ("crank",), (0.3, -9.81))
    return ps.PlanarMechanism(linkage), poses["1"][2:], poses


def assembled_as(mechanism, q, poses):
    """Return the mechanism in the one assembly that has these poses."""
    same = []
    for modes in mechanism.assemblies(q):
        chosen = mechanism.with_modes(**modes)
        placed = chosen.positions(q)
        check_closed(chosen.linkage, placed)
        if all(
            np.allclose(point_at(placed[i], s), point_at(poses[i], s), atol=1e-7)
            for i in placed
            for s in ((0.0, 0.0), (1.0, 0.0))
        ):
            same.append(chosen)
    assert len(same) == 1
    return same[0]


def check_closed(linkage, poses):
    for joint in linkage.joints:
        residual = joint_rows(joint, poses[joint.a], poses[joint.b]).residual
        turns = residual[1:] / (2 * np.pi) if joint.kind == "P" else 0.0
        assert np.allclose(residual[:1], 0.0, atol=1e-8)
        assert np.allclose(turns, np.round(turns), atol=1e-8)


@given(st.integers(0, 10**6), st.lists(st.sampled_from(FORMS), min_size=1, max_size=3))
@settings(max_examples=examples(25), deadline=None)
def test_positions_close_all_joints_in_every_mode(seed, forms):
    """Check all assemblies of random dyads, one of which is the one that was drawn."""
    mechanism, q, poses = grown(seed, forms)
    assume(min(mechanism_nearness(mechanism, poses)) > CLEAR)
    chosen = assembled_as(mechanism, q, poses)
    v, a = np.array([0.7]), np.array([-0.4])
    h = 1e-5
    steps = chosen.positions(q + h * v * np.array([[-1.0], [0.0], [1.0]]) + h**2 / 2 * a)
    for body, rate in chosen.velocities(q, v).items():
        before, _, after = steps[body] if body != "0" else np.zeros((3, 3))
        difference = (after - before + np.pi) % (2 * np.pi) - np.pi
        difference[:2] = (after - before)[:2]
        assert np.allclose(difference / (2 * h), rate, rtol=1e-5, atol=1e-5)


def mechanism_nearness(mechanism, poses):
    return [unit.nearness for unit in equations_of(mechanism.linkage, poses)]


@given(st.integers(0, 10**6), st.lists(st.sampled_from(FORMS), min_size=1, max_size=5))
@example(0, ["RRR", "PRP", "RPR", "RRP", "RPP"])
@settings(max_examples=examples(8), deadline=None)
def test_dynamics_is_that_of_the_closed_system(seed, forms):
    """Check accelerations, forces of drivers and every reaction of up to 12 bars against loops."""
    mechanism, q, poses = grown(seed, forms)
    assume(min(mechanism_nearness(mechanism, poses)) > CLEAR / len(forms))
    mechanism = assembled_as(mechanism, q, poses)
    system = mechanism.system()
    v, tau = np.array([1.3]), np.array([2.0])
    q_all, v_all = mechanism.system_state(q, v)
    names = [name for name in system.joint_names if name in mechanism.linkage.by_name]
    drives = np.where(np.array(names) == "crank", tau, 0.0)
    expected = system.forward_dynamics(q_all, v_all, drives, backend="floats")
    a = mechanism.forward_dynamics(q, v, tau)
    assert np.allclose(a, expected[drives != 0.0], rtol=1e-10, atol=1e-10)
    M = mechanism.mass_matrix(q)
    size = float(np.abs(M @ a).max()) + 2.0  # what cancels
    assert np.allclose(mechanism.inverse_dynamics(q, v, a), tau, rtol=0, atol=1e-12 * size)
    wrenches = system.reactions(q_all, v_all, tau=drives, axes="world", backend="floats")
    reactions = mechanism.reactions(q, v, a)
    scale = max(np.abs(force).max() for force in reactions.values())
    for joint in mechanism.linkage.joints:
        found, wrench = reactions[joint.name], wrenches[joint.name]
        if joint.kind == "R":
            assert np.allclose(found, wrench[:2], rtol=1e-9, atol=1e-10 * scale)
        else:
            u = direction(poses[joint.a][2] + joint.ua)
            normal = [u[0] * wrench[1] - u[1] * wrench[0], wrench[5]]
            assert np.allclose(found, normal, rtol=1e-9, atol=1e-10 * scale)


def test_reduced_inertia_is_twice_the_kinetic_energy_at_unit_rate():
    """Check M_red against masses and unit velocities, power balance, and batches of states."""
    mechanism, q, poses = grown(11, ["RRR", "RPR"])
    mechanism = assembled_as(mechanism, q, poses)
    states = q + np.linspace(-0.01, 0.01, 4)[:, None]
    M = mechanism.mass_matrix(states)
    assert M.shape == (4, 1, 1)
    for row, state in zip(M, states, strict=True):
        placed, moved = mechanism.positions(state), mechanism.velocities(state, [1.0])
        energy = 0.0
        for name, link in mechanism.linkage.links.items():
            x, y = rotated(placed[name][2], link.com)
            vx, vy, w = moved[name]
            speed = (vx - w * y) ** 2 + (vy + w * x) ** 2
            energy += link.mass * speed + link.inertia * w**2
        assert np.allclose(row, energy, rtol=1e-11)


def test_group_is_felt_through_its_port_inertia():
    """Check that a six-bar's reduced inertia is that of its four-bar and J^T R1 J of the dyad."""
    mechanism, q, poses = grown(5, ["RRR", "RRR"], [(1, 0), (2, 0)])
    linkage = mechanism.linkage
    inner = PlanarLinkage({i: linkage.links[i] for i in "123"}, linkage.joints[:4], ("crank",))
    mechanism = assembled_as(mechanism, q, poses)
    alone = ps.PlanarMechanism(inner, {"01": mechanism.modes["01"]}).mass_matrix(q)
    port = linkage.by_name["10"]
    R1 = port_inertia(linkage, equations_of(linkage, poses)[-1], poses, port.name)
    assert np.allclose(R1, R1.T, atol=1e-12)
    assert np.min(np.linalg.eigvalsh(R1)) > -1e-12
    x, y = rotated(poses["2"][2], port.point("2"))
    vx, vy, w = mechanism.velocities(q, [1.0])["2"]
    J_p = np.array([vx - w * y, vy + w * x])
    assert np.allclose(mechanism.mass_matrix(q), alone + J_p @ R1 @ J_p, rtol=1e-12)


def test_units_run_on_expressions():
    """Check forward dynamics of a linkage of dyads as a program against floats."""
    mechanism, q, poses = grown(11, ["RRR", "RPR"])
    mechanism = assembled_as(mechanism, q, poses)
    x = symbol_array("x", (3,))
    a = mechanism.forward_dynamics(x[:1], x[1:2], x[2:])
    states = np.array([[q[0], 1.0, 2.0], [q[0] + 0.01, -2.0, 0.5]])
    computed = np.empty((2, 1))
    InterpreterKernel(build({"x": x}, {"a": a})).run([states], [computed])
    expected = mechanism.forward_dynamics(states[:, :1], states[:, 1:2], states[:, 2:])
    assert np.allclose(computed, expected, rtol=1e-10)


def test_mistakes_are_named():
    """Check messages of dead points, links that do not reach, unknown names and wrong shapes."""
    pins = [("A", "ground", (0, 0), "crank", (0, 0)), ("B", "crank", (1, 0), "rod", (0, 0))]
    pins += [("C", "rod", (2, 0), "rocker", (2, 0)), ("D", "ground", (3, 0), "rocker", (0, 0))]
    joints = [{"id": name, "a": a, "pa": pa, "b": b, "pb": pb} for name, a, pa, b, pb in pins]
    bodies = {"crank": {"m": 1.0}, "rod": {}, "rocker": {}}
    bar = ps.planar(bodies, joints, ["A"])
    assert bar.assemblies([1.0]) == [{"C": 1}, {"C": -1}]
    with pytest.raises(ps.SingularUnitError, match=r"\['rod', 'rocker'\] \(RRR\).*dead point"):
        bar.velocities([np.pi], [1.0])
    assert np.allclose(bar.positions([np.pi])["rod"][2], 0.0, atol=1e-7)
    assert bar.nearness([np.pi])["rod", "rocker"] < 1e-7
    longer = [*joints[:3], joints[3] | {"pa": (3.1, 0)}]
    with pytest.raises(ps.AssemblyError, match="'rod' and 'rocker' cannot be joined in 'C'"):
        ps.planar(bodies, longer, ["A"]).positions([[1.0], [np.pi]])
    assert ps.planar(bodies, longer, ["A"]).assemblies([np.pi]) == []
    with pytest.raises(ps.AssemblyError, match="no assembly mode 2"):
        bar.with_modes(C=2).positions([1.0])
    with pytest.raises(ps.ModelError, match="modes: 'c' is no undriven joint inside a unit"):
        bar.with_modes(c=1)
    with pytest.raises(ps.ModelError, match=r"'boom cylinder' is no undriven joint .* 'C', 'E'"):
        ps.library.planar_linkage("excavator arm").with_modes(**{"boom cylinder": -1})
    with pytest.raises(ps.ModelError, match="loads: there is no link 'rods'; did you mean 'rod'"):
        bar.bias([1.0], [0.0], loads={"rods": (0, 0, 1)})
    with pytest.raises(ps.ShapeError, match=r"q must have the shape \(..., 1\).*\(A\)"):
        bar.positions([1.0, 2.0])
    with pytest.raises(ps.ModelError, match="joint 'A': there is no key 'pos'"):
        ps.planar(bodies, [joints[0] | {"pos": 1}], [])
    with pytest.raises(ps.ModelError, match="kind 'stroke' does not fit the joint; write 'angle'"):
        ps.planar(bodies, joints, [{"joint": "A", "kind": "stroke"}])
    with pytest.raises(ps.ModelError, match=r"none of R .pin., P .slide., gear"):
        ps.planar(bodies, [joints[0] | {"type": "X"}], [])
    slides = [PlanarJoint(f"{k}", "P", a, b) for k, (a, b) in enumerate(["01", "02"])]
    parallel = PlanarLinkage(
        {"1": PlanarLink(), "2": PlanarLink()}, (*slides, PlanarJoint("B", "R", "1", "2"))
    )
    with pytest.raises(ps.AssemblyError, match="guides of their slides are parallel"):
        ps.PlanarMechanism(parallel).positions([])


def test_triads_of_pins_have_modes():
    """Check that a triad of pins is assembled in each of its modes."""
    ends = [("A1", 0, 1), ("A2", 0, 2), ("A3", 0, 3), ("C1", 1, 4), ("C2", 2, 4), ("C3", 3, 4)]
    corners = {"A1": ((0, 0), (0, 0)), "A2": ((1, 0), (0, 0)), "A3": ((0, 1), (0, 0))}
    corners |= {"C1": ((1, 0), (0, 0)), "C2": ((1, 0), (0.5, 0)), "C3": ((1, 0), (0, 0.4))}
    bodies = {str(i): {} for i in range(1, 5)}
    joints = [
        {"id": name, "a": a, "b": b, "pa": corners[name][0], "pb": corners[name][1]}
        for name, a, b in ends
    ]
    triad = ps.planar(bodies, joints, [])
    modes = triad.assemblies([])
    assert [mode["C1"] for mode in modes] == list(range(1, len(modes) + 1))
    assert len(modes) in (2, 4, 6)
    for mode in modes:
        check_closed(triad.linkage, triad.with_modes(**mode).positions([]))
    joints[1]["pa"] = (9, 0)
    apart = ps.planar(bodies, joints, [])
    assert apart.assemblies([]) == []
    with pytest.raises(ps.AssemblyError, match="'1', '2', '3', '4'"):
        apart.positions([])


def test_wedge_lifts_by_its_slope():
    """Check a loop of slides only: the follower's rate is the tangent of the wedge's angle."""
    slope, lift = 0.3, np.tan(0.3)
    bodies = {"wedge": {"m": 2.0}, "ram": {"m": 5.0}}
    slides = [
        {"id": "x", "type": "P", "a": "ground", "b": "wedge"},
        {"id": "face", "type": "P", "a": "wedge", "ua": slope, "b": "ram"},
        {"id": "y", "type": "P", "a": "ground", "pa": (1, 0), "ua": np.pi / 2, "b": "ram"},
    ]
    press = ps.planar(bodies, slides, ["x"], gravity=(0, -9.81))
    assert [unit.assur_class for unit in press.units] == [None, "single"]
    q = np.array([[0.2], [0.5]])
    assert np.allclose(press.positions(q)["ram"], [[1, 0.8 * lift, 0], [1, 0.5 * lift, 0]])
    assert np.allclose(press.mass_matrix(q), 2.0 + 5.0 * lift**2)
    assert np.allclose(press.bias(q, 0 * q), -5.0 * 9.81 * lift)
    assert np.allclose(press.reactions(q, 0 * q, 0 * q)["face"][:, 0], 5.0 * 9.81 / np.cos(slope))
    crooked = [*slides[:2], slides[2] | {"beta": 0.1}]
    with pytest.raises(ps.AssemblyError, match="link 'ram' cannot have the angle that 'y' gives"):
        ps.planar(bodies, crooked, ["x"]).positions(q)
