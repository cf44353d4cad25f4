"""Units used alone, with numbers at their ports, against the mechanisms that they are units of."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import poinsot as ps
from poinsot.expr import build, symbol_array
from poinsot.formulations.composable.sweep import equations_of
from poinsot.kernels.interpreter import InterpreterKernel
from poinsot.library import planar_linkage
from poinsot.model.planar.linkage import PlanarLink, PlanarLinkage
from tests.formulations.test_composable import CLEAR, FORMS, assembled_as, grown, joint_between
from tests.formulations.test_triads import LEGS
from tests.random_examples import examples


def numbers_at_ports(alone, ports, motions, own):
    """Return coordinates, rates or accelerations of a unit's ports and of its own drivers."""
    columns = []
    for port in ports:
        is_guide = f"{port} angle" in alone.linkage.drivers
        columns += [motions[port][..., k] for k in range(3 if is_guide else 2)]
    return np.stack([*columns, *own], axis=-1)


def check_units_alone(whole, q, v, a):
    """Check every unit of a mechanism alone: motions, joint forces, forces at ports."""
    poses, rates = whole.positions(q), whole.velocities(q, v)
    changes, forces = whole.accelerations(q, v, a), whole.reactions(q, v, a)
    drives = whole.inverse_dynamics(q, v, a)
    drivers = whole.linkage.drivers
    # What a unit puts on those before it is a load for them.
    loads = {name: np.zeros((*q.shape[:-1], 3)) for name in (*whole.linkage.links, "0")}
    for unit in reversed(whole.units):
        part = whole.unit(str(unit.bodies[0]))
        alone = part.alone()
        own = [drivers.index(name) for name in unit.drivers]
        given = [
            numbers_at_ports(alone, part.linkage.ports, motion, [x[..., k] for k in own])
            for motion, x in ((poses, q), (rates, v), (changes, a))
        ]
        mine = {str(b): loads[str(b)] for b in unit.bodies}
        found = alone.positions(given[0]), alone.velocities(*given[:2]), alone.accelerations(*given)
        for body in map(str, unit.bodies):
            turn = found[0][body] - poses[body]
            turn[..., 2] = np.sin(turn[..., 2] / 2)
            assert np.allclose(turn, 0.0, atol=1e-9)
            assert np.allclose(found[1][body], rates[body], rtol=1e-9, atol=1e-9)
            assert np.allclose(found[2][body], changes[body], rtol=1e-9, atol=1e-8)
        reactions = alone.reactions(*given, loads=mine)
        for name in (pair.name for pair in (*unit.outer, *unit.inner)):
            assert np.allclose(reactions[name], forces[name], rtol=1e-8, atol=1e-7)
        torques = alone.inverse_dynamics(*given, loads=mine)
        assert np.allclose(torques[..., len(torques[0]) - len(own) :], drives[..., own], rtol=1e-8)
        at_ports = dict(zip(alone.linkage.drivers, np.moveaxis(torques, -1, 0), strict=True))
        for port in part.linkage.ports:
            force = np.stack([at_ports[f"{port} x"], at_ports[f"{port} y"]], axis=-1)
            couple = at_ports.get(f"{port} angle", 0.0 * force[..., 0])
            link, turn = whole.linkage.links[port], poses[port][..., 2]
            c = np.stack(
                [
                    link.com[0] * np.cos(turn) - link.com[1] * np.sin(turn),
                    link.com[0] * np.sin(turn) + link.com[1] * np.cos(turn),
                ],
                axis=-1,
            )
            couple = couple - (c[..., 0] * force[..., 1] - c[..., 1] * force[..., 0])
            loads[port] -= np.concatenate([force, couple[..., None]], axis=-1)


@given(st.integers(0, 10**6), st.lists(st.sampled_from(FORMS), min_size=1, max_size=3))
@settings(max_examples=examples(8), deadline=None)
def test_units_alone_do_what_they_do_in_a_mechanism(seed, forms):
    """Check random dyads and cranks on moving points and guides."""
    mechanism, q, poses = grown(seed, forms)
    near = [unit.nearness for unit in equations_of(mechanism.linkage, poses)]
    assume(min(near) > CLEAR)
    mechanism = assembled_as(mechanism, q, poses)
    states = q + np.linspace(0.0, 1e-3, 3)[:, None]
    check_units_alone(mechanism, states, np.full((3, 1), 0.7), np.full((3, 1), -0.4))


@pytest.mark.parametrize("name", ["Watt I", "Jansen", "excavator arm", "crank and slotted lever"])
def test_units_of_the_library_alone(name):
    """Check dyads, cylinders between moving links, blocks in slots."""
    mechanism = planar_linkage(name)
    q = mechanism.drawn + np.linspace(0.0, 0.01, 3)[:, None]
    check_units_alone(mechanism, q, np.full(q.shape, 0.5), np.full(q.shape, -0.3))


def loose_dyad(**options):
    """Return a dyad of pins between two points, one of which is no origin of its link."""
    return ps.planar(
        {"link": {"m": 0.5, "J": 0.01, "c": (0.15, 0)}, "lever": {"m": 0.5, "J": 0.02}},
        [{"id": "E", "a": "in", "b": "link"},
         {"id": "F", "a": "link", "pa": (0.3, 0), "b": "lever", "pb": (0.3, 0)},
         {"id": "G", "a": "base", "pa": (0, 0.1), "b": "lever"}],
        drivers=[], ports=["in", "base"], **options,
    )  # fmt: skip


def test_ports_are_points_or_guides():
    """Check drivers of ports, all modes, forces on points, inertia at them, compiled batches."""
    alone = loose_dyad(gravity=(0, -9.81)).alone()
    assert alone.linkage.drivers == ("in x", "in y", "base x", "base y", "base angle")
    q = np.array([0.0, 0.0, 0.4, 0.0, 0.0])
    assert alone.assemblies(q) == [{"F": 1}, {"F": -1}]
    assert alone.nearness(q)["link", "lever"] > 0.05
    v, a = 0.0 * q, np.array([0.3, -0.2, 0.0, 0.0, 0.0])
    force = alone.inverse_dynamics(q, v, a)
    assert np.allclose(force[:2], alone.reactions(q, v, a)["E"])
    rest = alone.inverse_dynamics(q, v, 0 * a)
    assert np.isclose(rest[1] + rest[3], 9.81)
    R_1 = alone.port_inertia("link", "E", q)
    assert np.allclose(alone.mass_matrix(q)[:2, :2], R_1)
    assert np.allclose((force - rest)[:2], R_1 @ a[:2])
    many = q + np.linspace(0, 0.1, 200)[:, None]
    batch = alone.with_modes(F=-1).positions(many)["lever"]
    one = alone.with_modes(F=-1).positions(many[77])["lever"]
    assert np.allclose(batch[77], one, rtol=1e-12)
    x = symbol_array("x", (5,))
    computed = np.empty((1, 3))
    program = build({"x": x}, {"pose": alone.positions(x)["link"]})
    InterpreterKernel(program).run([many[77:78]], [computed])
    assert np.allclose(computed[0], alone.positions(many[77])["link"])
    assert alone.alone().linkage.drivers == alone.linkage.drivers
    sprung = loose_dyad(springs=[{"id": "s", "a": "in", "pa": (0.1, 0), "b": "lever", "k": 9.0}])
    assert "in angle" in sprung.alone().linkage.drivers


def test_triads_alone_are_assembled_in_all_modes():
    """Check a triad with a slide on three moving ports by its modes, by poses nearby, compiled."""
    joints = []
    for leg, pin, length in (("p", (0, 0), 0.5), ("q", (0.4, 0), 0.6), ("r", (0.2, 0.3), 0.0)):
        kind = "R" if length else "P"
        joints.append({"id": f"A{leg}", "type": kind, "a": f"in {leg}", "b": leg})
        joints.append({"id": f"C{leg}", "a": leg, "pa": (length, 0), "b": "plate", "pb": pin})
    bodies = {name: {"m": 1.0, "J": 0.1} for name in ("p", "q", "r", "plate")}
    triad = ps.planar(bodies, joints, [], ports=["in p", "in q", "in r"]).alone()
    assert triad.linkage.drivers[-3:] == ("in r x", "in r y", "in r angle")
    q = np.array([0.0, 0.0, 0.5, 0.1, 0.3, 0.8, 0.2])
    modes = triad.assemblies(q)
    assert len(modes) >= 2
    v, a = np.linspace(-1, 1, 7), np.linspace(1, -1, 7)
    states = q + np.linspace(0, 0.02, 40)[:, None]
    for mode in modes:
        chosen = triad.with_modes(**mode)
        near = chosen.positions(q)
        batch = triad.positions(states, near=near)
        assert np.allclose(batch["plate"][0], near["plate"])
        rates = triad.velocities(states, np.broadcast_to(v, states.shape), near=near)
        assert np.allclose(rates["plate"][0], chosen.velocities(q, v)["plate"])
        force = triad.inverse_dynamics(q, v, a, near=near)
        assert np.allclose(force, chosen.inverse_dynamics(q, v, a))
        power = sum(
            m @ (M * x)
            for body in bodies
            for M, x, m in [(np.array([1, 1, 0.1]), chosen.accelerations(q, v, a)[body],
                             chosen.velocities(q, v)[body])]
        )  # fmt: skip
        assert np.isclose(force @ v, power)


def test_groups_without_closed_form_alone_start_from_their_drawing():
    """Check the class-III group of a sketch on its crank, and what is wrong with ports."""
    points = {"O": (0, 0), "A": (0.01, 0.02), "B": (0.45, 0.25), "C": (0.7, 0.3), "D": (0.5, 0.42),
              "P": (0.9, -0.1), "Q": (0.3, 0)}  # fmt: skip
    links = {"ground": "OPQ", "crank": "OA", "rod": "AB", "plate": "BCD", "left": "QD"}
    plate = ps.sketch(points, {**links, "right": "PC"}, drivers=["O"])
    part = plate.unit("plate")
    assert part.linkage.ports == ("crank",)
    alone = part.alone(drawn=plate.linkage.drawn and {"crank": plate.linkage.drawn["crank"]})
    assert alone.linkage.drivers == ("crank x", "crank y", "crank angle")
    q = plate.drawn + np.linspace(0, 0.5, 30)[:, None]
    motion = numbers_at_ports(alone, ["crank"], plate.positions(q), [])
    assert np.allclose(alone.positions(motion)["plate"], plate.positions(q)["plate"], atol=1e-9)
    with pytest.raises(ps.ModelError, match="alone: there is no port 'crnk'; did you mean 'crank'"):
        part.alone(drawn={"crnk": (0, 0, 0)})
    with pytest.raises(ps.ModelError, match="unit: there is no link 'plat'; did you mean 'plate'"):
        plate.unit("plat")
    with pytest.raises(ps.ModelError, match=r"free ports \['crank'\].*mechanism.alone\(\)"):
        part.positions([])


def dyad_at_links(kinds):
    """Return a dyad alone between links p and r, of three pins and slides."""
    ends = [
        {"a": "p", "b": "l1", "pa": (0.02, 0.01)},
        {"a": "l1", "b": "l2", "pa": (0.3, 0.02), "pb": (0.01, 0.0), "ua": 0.4},
        {"a": "r", "b": "l2", "pa": (0.01, 0), "pb": (0.35, 0.03), "ua": 1.2},
    ]
    joints = [
        {"id": name, "type": kind, **end} | ({"beta": 0.3} if kind == "P" else {"ua": 0.0})
        for name, kind, end in zip("ABC", kinds, ends, strict=True)
    ]
    bodies = {"l1": {"m": 1.0, "J": 0.01, "c": (0.1, 0)}, "l2": {"m": 1.2, "c": (0.1, 0.02)}}
    return ps.planar(bodies, joints, [], ports=["p", "r"]).alone()


@pytest.mark.parametrize("kinds", ["RRR", "RRP", "PRR", "RPR", "PRP", "RPP", "PPR"])
def test_dyads_alone_are_verified(kinds):
    """Against the closed system, in all modes: ports without mass get some, and a note says so."""
    alone = dyad_at_links(kinds)
    at = {"r x": 0.4, "r y": 0.1, "p angle": 0.1, "r angle": 0.2}
    modes = alone.assemblies([at.get(name, 0.0) for name in alone.linkage.drivers])
    assert modes
    for mode in modes:
        report = ps.verify(alone.with_modes(**mode))
        assert report.ok, report
        assert "got 1 kg" in report.note
        names = {check.name for check in report.checks}
        assert {"forward dynamics: units, closed system", "reactions: units, closed system"} < names


def test_loops_of_slides_are_verified():
    """A slide that closes a loop of slides has a force and no couple."""
    wedge = ps.planar(
        {"lower": {"m": 1}, "upper": {"m": 2}},
        [{"id": "A", "type": "P", "a": "ground", "b": "lower"},
         {"id": "B", "type": "P", "a": "lower", "b": "upper", "ua": 0.5},
         {"id": "C", "type": "P", "a": "ground", "b": "upper", "ua": np.pi / 2}],
        ["A"], gravity=(0, -9.81),
    )  # fmt: skip
    report = ps.verify(wedge)
    assert report.ok
    assert "reactions: units, closed system" in {check.name for check in report.checks}
    assert repr(wedge) == "PlanarMechanism(2 links, drivers ['A'])"
    # Virtual work: the weight of the upper wedge, through the slope, on the driver.
    assert np.isclose(wedge.inverse_dynamics([0.1], [0.0], [0.0])[0], -2 * 9.81 * np.tan(0.5))


@pytest.mark.parametrize("legs", LEGS)
def test_every_triad_alone_takes_numbers_at_its_ports(legs):
    """Check in each mode that joints stay closed on moving points and guides, and the power."""
    rng = np.random.default_rng(5)
    poses = {str(i): rng.normal(size=3) for i in range(1, 5)}
    poses |= {port: np.append(rng.normal(size=2), 0.0) for port in "uvw"}
    joints = []
    for port, leg, (outer, inner) in zip("uvw", "123", legs, strict=True):
        joints.append(joint_between(rng, f"A{leg}", outer, (port, leg), poses))
        joints.append(joint_between(rng, f"C{leg}", inner, (leg, "4"), poses))
    links = {i: PlanarLink(1.0, 0.1, rng.normal(size=2)) for i in "1234"}
    triad = ps.PlanarMechanism(PlanarLinkage(links, tuple(joints), ports=tuple("uvw")))
    assert (triad.units[0].assur_class, triad.units[0].order) == ("III", 3)
    alone = triad.alone()
    names = [name.split() for name in alone.linkage.drivers]
    for port, leg in zip("uvw", legs, strict=True):
        assert leg[0] == "R" or [port, "angle"] in names
    q = np.array([poses[port][("x", "y", "angle").index(part)] for port, part in names])
    v, a = rng.normal(size=(2, len(q)))
    modes = alone.assemblies(q)
    assert modes
    drawn = 0
    step = 1e-20j
    moved = q + step * v
    rate = v + step * a
    for mode in modes:
        one = alone.with_modes(**mode)
        places, rates, after = one.positions(q), one.velocities(q, v), one.positions(moved)
        drawn += all(np.allclose(np.exp(1j * places[i]), np.exp(1j * poses[i])) for i in "1234")
        for i in "1234":
            assert np.allclose(after[i].imag / step.imag, rates[i], rtol=1e-8, atol=1e-8)
        forces = one.inverse_dynamics(q, v, a)
        energy = rate @ one.mass_matrix(moved) @ rate / 2
        assert abs(energy.imag / step.imag - forces @ v) < 1e-8 * np.abs(forces) @ np.abs(v)
    assert drawn == 1
