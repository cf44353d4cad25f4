"""Groups without closed form: runs, poses nearby and variants, against the closed system."""

import numpy as np
import pytest

import poinsot as ps
from poinsot.evaluate import planar_following

POINTS = {"O": (0, 0), "A": (0.01, 0.02), "B": (0.45, 0.25), "C": (0.7, 0.3), "D": (0.5, 0.42),
          "P": (0.9, -0.1), "Q": (0.3, 0.0)}  # fmt: skip
LINKS = {"ground": "OPQ", "crank": "OA", "rod": "AB", "plate": "BCD", "left": "QD", "right": "PC"}


def triad(**points):
    """Return a plate on a rod and two rockers, a class-III triad of pins, with a crank."""
    return ps.sketch({**POINTS, **points}, LINKS, drivers=["O"], gravity=(0, -9.81))


def undrawn(parts):
    """Return the same by numbers; the triad is a part of it, or not."""
    drawn = triad().linkage
    bodies = {
        name: {"m": link.mass, "J": link.inertia, "c": tuple(link.com)}
        for name, link in drawn.links.items()
    }
    pins = [
        {"id": j.name, "a": j.a, "b": j.b, "pa": tuple(j.pa), "pb": tuple(j.pb)}
        for j in drawn.joints
    ]
    if not parts:
        return ps.planar(bodies, pins, ["O"], gravity=(0, -9.81))
    crank = {"crank": bodies.pop("crank")}
    inside = [pin if pin["id"] != "A" else pin | {"a": "port"} for pin in pins if pin["id"] != "O"]
    part = ps.planar(bodies, inside, [], ports=["port"])
    holder = {"mechanism": part, "ports": {"port": ("crank", (0, 0, 0))}}
    pins = [pin for pin in pins if pin["id"] == "O"]
    return ps.planar(crank, pins, ["O"], gravity=(0, -9.81), parts={"plate": holder})


def closed_run(mechanism, q, v, duration, **options):
    """Return coordinates and rates of the drivers of the closed system at the same times."""
    system = mechanism.system()
    run = ps.simulate(system, *mechanism.system_state(q, v), duration, **options)
    columns = [system.v_slice(name).start for name in mechanism.linkage.drivers]
    return run.q[:, columns], run.v[:, columns]


def test_run_is_that_of_the_closed_system_under_laws_and_events():
    """Check a triad with a damping law, a load and an event; energy without them."""
    mechanism = triad()
    q, v = mechanism.drawn, np.array([20.0])
    free = mechanism.simulate(q, v, 0.4, rtol=1e-10, save=0.02)
    assert np.ptp(free.energy()) < 1e-10 * np.abs(free.energy()).max()
    expected = closed_run(mechanism, q, v, 0.4, rtol=1e-10, save=0.02)
    assert np.allclose(free.q, expected[0], rtol=0, atol=1e-9)
    assert np.allclose(free.v, expected[1], rtol=0, atol=1e-8)
    drift = max(np.abs(free.near[link] - free.positions[link]).max() for link in free.near)
    assert drift < 1e-9
    force = np.array([0.3, -0.2, 0.01])
    turned = ps.Event("turned", lambda t, q, v: ps.symbols("q0") - 3.0)
    driven = mechanism.simulate(
        q, v, 0.4, rtol=1e-10, tau=lambda t, q, v: -0.02 * np.sin(q), loads={"plate": force},
        events=[turned],
    )  # fmt: skip
    assert [event.name for event in driven.run.events] == ["turned"]
    pose, com = driven.positions["plate"], mechanism.linkage.links["plate"].com
    c, s = np.cos(pose[:, 2]), np.sin(pose[:, 2])
    centre = pose[:, :2] + np.stack([c * com[0] - s * com[1], s * com[0] + c * com[1]], axis=-1)
    potential = -0.02 * np.cos(driven.q[:, 0]) - centre @ force[:2] - pose[:, 2] * force[2]
    total = driven.energy() + potential
    assert np.ptp(total) < 1e-9 * np.ptp(potential)


def test_parts_with_triads_run_as_the_whole_does():
    """Check a triad inside of a part against the flat mechanism and its drawing."""
    flat, nested = undrawn(parts=False), undrawn(parts=True)
    q, v = triad().drawn, [20.0]
    wanted = triad().positions(q)
    mode = next(
        mode for mode in flat.assemblies(q)
        if np.allclose(flat.with_modes(**mode).positions(q)["plate"], wanted["plate"])
    )  # fmt: skip
    (number,) = mode.values()
    name = nested.units[-1].inner[0].name
    runs = [
        flat.with_modes(**mode).simulate(q, v, 0.2, save=0.02),
        nested.with_modes(**{name: number}).simulate(q, v, 0.2, save=0.02),
        nested.simulate(
            q, v, 0.2, save=0.02, near={f"plate.{k}": wanted[k] for k in LINKS if k in wanted
                                        and k not in ("ground", "crank")},
        ),
    ]  # fmt: skip
    for run in runs[1:]:
        assert np.allclose(run.q, runs[0].q, rtol=0, atol=1e-12)
        assert np.allclose(run.positions["plate.plate"], runs[0].positions["plate"], atol=1e-12)


def test_run_ends_at_a_dead_point_with_links_and_angle():
    """Check that a crank that is too long for its triad stops where the triad is stretched."""
    mechanism = triad(A=(0.02, 0.04))
    with pytest.warns(ps.SimulationWarning, match=r"plate.* came to a dead point at O = .*°, t ="):
        run = mechanism.simulate(mechanism.drawn, [5.0], 2.0)
    assert run.t[-1] < 2.0
    nearness = mechanism.nearness(run.q[-1], near={k: x[-1] for k, x in run.near.items()})
    assert min(nearness.values()) < 1e-3
    with pytest.raises(ps.AssemblyError, match=r"a dead point is passed.*\(at O = .*°\)"):
        mechanism.positions(mechanism.drawn + np.pi)


def test_runs_go_on_from_the_last_poses(tmp_path):
    """Check a run in two parts against the whole; that checkpoints are refused with a remedy."""
    mechanism = triad()
    q, v = mechanism.drawn, [10.0]
    whole = mechanism.simulate(q, v, 0.2, rtol=1e-10)
    first = mechanism.simulate(q, v, 0.1, rtol=1e-10)
    last = {link: pose[-1] for link, pose in first.positions.items()}
    second = mechanism.simulate(first.q[-1], first.v[-1], 0.1, rtol=1e-10, near=last)
    assert np.allclose(second.q[-1], whole.q[-1], atol=1e-9)
    assert np.allclose(second.positions["plate"][-1], whole.positions["plate"][-1], atol=1e-9)
    with pytest.raises(ps.ModelError, match=r"no checkpoints.*system\(\)"):
        mechanism.simulate(q, v, 0.1, checkpoint=tmp_path / "run.npz")


def test_many_states_are_those_of_the_drawing_followed_one_by_one(monkeypatch):
    """Check machine code over a turn against floats, poses nearby, and what is wrong with such."""
    q = triad().drawn + np.linspace(0, 2 * np.pi, 60)[:, None]
    together = triad().positions(q)
    monkeypatch.setattr(planar_following, "FEW", 10**6)
    by_floats = triad().positions(q)
    monkeypatch.undo()
    mechanism = triad()
    again = mechanism.positions(q + 0.05, near=together)
    one_by_one = mechanism.positions(q + 0.05)
    for link in mechanism.linkage.links:
        assert np.allclose(together[link], by_floats[link], rtol=0, atol=1e-11)
        assert np.allclose(again[link], one_by_one[link], rtol=0, atol=1e-11)
        assert np.allclose(together[link][0, :2], together[link][-1, :2], atol=1e-11)
    v = np.full_like(q, 2.0)
    forces = mechanism.reactions(q, v, 0 * v, near=together)
    expected = mechanism.reactions(q, v, 0 * v)
    assert all(np.allclose(forces[joint], expected[joint], atol=1e-10) for joint in expected)
    with pytest.raises(ps.ModelError, match=r"near must have the poses of rod, plate.*'left' is"):
        mechanism.positions(q, near={k: together[k] for k in ("rod", "plate")})
    with pytest.raises(ps.ModelError, match="near: there is no link 'plates'"):
        mechanism.positions(q, near={"plates": (0, 0, 0)})
    with pytest.raises(ps.ShapeError, match=r"near: the pose of 'plate' must have the shape"):
        mechanism.positions(q, near={"plate": (0, 0)})
    far = {link: pose + np.array([3.0, 1.0, 2.0]) for link, pose in together.items()}
    with pytest.raises(ps.AssemblyError, match="near the poses they come from"):
        mechanism.positions(q, near=far)


def test_modes_of_drawn_triads_count():
    """Check that a mode takes another assembly than the drawing, or is refused by name."""
    mechanism = triad()
    q = mechanism.drawn
    other = mechanism.with_modes(B=1).positions(q)
    assert not np.allclose(other["plate"], mechanism.positions(q)["plate"])
    assert np.allclose(other["plate"], undrawn(parts=False).with_modes(B=1).positions(q)["plate"])
    moved = mechanism.with_modes(B=1).positions(q + 0.1)
    assert np.allclose(moved["plate"], other["plate"], atol=0.05)
    with pytest.raises(ps.AssemblyError, match=r"no assembly mode 9 here; there are \[1, 2\]"):
        mechanism.with_modes(B=9).positions(q)
    other = mechanism.with_modes(B=1)
    place = other.positions(q)["plate"][2]
    turned = other.synthesise("plate", [place + 0.01], ["P.pa"], q=q[None])[0]
    assert np.isclose(turned.positions(q)["plate"][2], place + 0.01)


def test_variants_of_triads_are_those_of_other_sketches():
    """Check places and forces of variants in one call, and NaN of those that cannot be."""
    mechanism = triad()
    q = mechanism.drawn + np.array([[0.0], [0.4]])
    places = {"P.pa": np.array([[[0.9, -0.1]], [[0.93, -0.08]], [[1.9, -0.1]]])}
    many = mechanism.positions(q, dimensions=places)
    torques = mechanism.inverse_dynamics(q, 0 * q, 0 * q, dimensions=places)
    block = mechanism.description
    moved = [j | {"pa": (0.93, -0.08)} if j["id"] == "P" else j for j in block["joints"]]
    bodies = {
        name: entry | {"pose": many[name][1, 0].tolist()} for name, entry in block["bodies"].items()
    }
    other = ps.PlanarMechanism.from_description(block | {"joints": moved, "bodies": bodies})
    assert many["plate"].shape == (3, 2, 3)
    assert np.allclose(many["plate"][0], mechanism.positions(q)["plate"], atol=1e-12)
    assert np.allclose(many["plate"][1], other.positions(q)["plate"], atol=1e-11)
    assert np.allclose(torques[1], other.inverse_dynamics(q, 0 * q, 0 * q), rtol=1e-9)
    assert np.all(np.isnan(many["plate"][2]))
    assert np.all(np.isnan(torques[2]))


def test_turns_follow_triads_from_position_to_position():
    """Check a triad by its mode against its drawing, and one whose crank cannot go round."""
    mechanism, numbers = triad(), undrawn(parts=False)
    q, pose = mechanism.drawn, mechanism.positions(mechanism.drawn)["plate"]
    modes = [numbers.with_modes(**mode) for mode in numbers.assemblies(q)]
    same = next(x for x in modes if np.allclose(x.positions(q)["plate"], pose))
    turns = [x.turn(start=float(q[0]), positions=30) for x in (mechanism, same)]
    assert np.allclose(turns[0].positions["plate"], turns[1].positions["plate"], atol=1e-11)
    assert np.allclose(turns[0].driver_force, turns[1].driver_force, atol=1e-10)
    long = triad(A=(0.02, 0.04))
    with pytest.warns(ps.SimulationWarning, match=r"limit at O = .*rod, plate, left, right are in"):
        turn = long.turn(start=float(long.drawn[0]), positions=30)
    assert turn.points[-1].kind == "limit"
    end = long.nearness([turn.points[-1].coordinate])
    assert min(end.values()) < 1e-3
    assert np.isfinite(turn.driver_force).all()
