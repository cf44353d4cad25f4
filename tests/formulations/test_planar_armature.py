"""Rotors in pins and slides of planar mechanisms, against closed systems that have them too."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import poinsot as ps
from poinsot.expr import build, symbol_array
from poinsot.formulations.composable.sweep import equations_of, port_inertia
from poinsot.kernels.interpreter import InterpreterKernel
from tests.formulations.test_composable import FORMS, grown, mechanism_nearness
from tests.random_examples import examples

AGREEMENT = 1e-10
GUIDED = {
    "bodies": {"crank": {"m": 2.0, "J": 0.3, "c": (0.1, 0.0)}, "block": {"m": 0.5, "J": 0.1}},
    "joints": [
        {"id": "A", "a": "ground", "b": "crank"},
        {"id": "G", "type": "P", "a": "crank", "b": "block", "pa": (0.0, 0.1), "ua": 0.4},
    ],
    "drivers": ["A", "G"],
}


def with_rotors(mechanism, seed):
    """Return the mechanism with armature in every joint."""
    rng = np.random.default_rng(seed)
    rotors = {joint.name: {"armature": rng.uniform(0.2, 2.0)} for joint in mechanism.linkage.joints}
    return mechanism.with_forces(joints=rotors)


@given(st.integers(0, 10**6), st.lists(st.sampled_from(FORMS), min_size=1, max_size=3))
@settings(max_examples=examples(8), deadline=None)
def test_units_move_and_bear_as_the_closed_system(seed, forms):
    """Check accelerations, energy and reactions of random linkages with rotors in all joints."""
    bare, q, poses = grown(seed, forms)
    assume(min(mechanism_nearness(bare, poses)) > 1e-2)
    bare = bare.with_modes(**bare.assemblies(q)[0])
    assume(min(map(float, bare.nearness(q).values())) > 1e-2)
    mechanism, v, tau = with_rotors(bare, seed), np.array([1.3]), np.array([0.7])
    system = mechanism.system()
    state = mechanism.system_state(q, v)
    full = np.zeros(system.nv)
    full[system.v_slice("crank")] = tau
    expected = system.forward_dynamics(*state, full, backend="floats")[system.v_slice("crank")]
    found = mechanism.forward_dynamics(q, v, tau)
    close = {"rtol": AGREEMENT, "atol": AGREEMENT * np.abs(expected).max()}
    assert np.allclose(found, expected, **close)
    by_units = system.forward_dynamics(*state, full, method="composable")
    assert np.allclose(by_units[system.v_slice("crank")], expected, **close)
    again = ps.PlanarMechanism.from_system(system, ["crank"], state[0])
    assert np.allclose(again.forward_dynamics(q, v, tau), expected, **close)
    assert {j.name: j.armature for j in again.linkage.joints} == {
        j.name: j.armature for j in mechanism.linkage.joints
    }
    energy = system.kinetic_energy(*state, backend="floats")
    assert np.isclose(v @ mechanism.mass_matrix(q) @ v / 2, energy, rtol=AGREEMENT)
    assert not np.isclose(v @ bare.mass_matrix(q) @ v / 2, energy, rtol=1e-3)
    assert np.allclose(mechanism.inverse_dynamics(q, v, found), tau, rtol=0, atol=1e-8)
    symbols = {name: symbol_array(name, (1,)) for name in ("q", "v", "tau")}
    program = build(symbols, {"a": mechanism.forward_dynamics(*symbols.values())})
    computed = np.empty((1, 1))
    states = np.concatenate([q, v, tau])[None]
    InterpreterKernel(program).run([states[:, k : k + 1] for k in range(3)], [computed])
    assert np.allclose(computed[0], expected, rtol=1e-8)
    batch = mechanism.forward_dynamics(np.tile(q, (3, 1)), v, tau)
    assert np.allclose(batch, np.tile(expected, (3, 1)), rtol=1e-9)


def test_verification_compares_reactions_and_energy():
    """Check every line of the report of a linkage of pins and slides with rotors."""
    mechanism = with_rotors(grown(3, ["RRP", "PRP"])[0], 3)
    report = ps.verify(mechanism, n_states=2)
    names = [check.name for check in report.checks]
    assert "reactions: units, closed system" in names
    assert "vᵀ M v / 2 is the kinetic energy" in names
    assert report.ok


def test_a_motor_on_a_carried_slide_by_hand():
    """Check M of a block that a motor moves along a guide on a crank: B along the stroke alone."""
    bare = ps.PlanarMechanism.from_description(GUIDED)
    driven = bare.with_forces(joints={"A": {"armature": 0.7}, "G": {"armature": 3.0}})
    q = [0.4, 0.6]
    more = driven.mass_matrix(q) - bare.mass_matrix(q)
    assert np.allclose(more, np.diag([0.7, 3.0]), rtol=0, atol=1e-12)
    v = [1.0, -2.0]
    assert np.allclose(driven.bias(q, v), bare.bias(q, v), rtol=0, atol=1e-12)
    # The rotor is between crank and block: the ground bears that of A alone.
    a = [5.0, 7.0]
    more = driven.shaking_force(q, v, a) - bare.shaking_force(q, v, a)
    assert np.allclose(more, 0.0, atol=1e-12)
    assert np.allclose(driven.reactions(q, v, a)["A"], bare.reactions(q, v, a)["A"])


def test_rotors_make_ports_heavier():
    """Check the inertia of a dyad at its port against two joints that are held apart."""
    mechanism, q, _ = grown(1, ["RRR"])
    rotor = with_rotors(mechanism, 1)
    poses = rotor.positions(q)
    units = equations_of(rotor.linkage, poses)
    name = next(pair.name for pair in rotor.units[1].outer)
    more = port_inertia(rotor.linkage, units[1], poses, name)
    less = port_inertia(mechanism.linkage, units[1], poses, name)
    assert np.all(np.linalg.eigvalsh(more) >= np.linalg.eigvalsh(less) - 1e-12)
    assert not np.allclose(more, less)
    assert np.allclose(more, more.T, rtol=1e-12)


def test_files_keep_armature_and_negative_ones_are_named(tmp_path):
    mechanism = ps.PlanarMechanism.from_description(GUIDED).with_forces(
        joints={"G": {"armature": 3.0}}
    )
    again = ps.load_planar(mechanism.save(tmp_path / "guided.json"))
    assert again.linkage.by_name["G"].armature == 3.0
    with pytest.raises(ps.ModelError, match=r"joint 'G': armature must not be negative, got -1"):
        mechanism.with_forces(joints={"G": {"armature": -1.0}})


def test_rotors_bend_the_ends_of_a_rod():
    """Check bending at both pins of an engine's rod against B times relative accelerations."""
    engine = ps.library.planar_linkage("slider-crank")
    rotors = {j.name: {"armature": 0.05} for j in engine.linkage.joints}
    turn = engine.with_forces(joints=rotors).turn(50.0, positions=20)
    rod = engine.linkage.links["rod"]
    length = 2 * rod.com[0]
    loads = turn.section_loads(ps.Bar("rod", (0, 0, 0), (length, 0, 0), density=rod.mass / length))
    pins = {j.other("rod"): j.name for j in engine.linkage.joints if "rod" in (j.a, j.b)}
    for end, link in ((0, "crank"), (-1, next(name for name in pins if name != "crank"))):
        spin = turn.accelerations["rod"][:, 2] - turn.accelerations[link][:, 2]
        bending = np.abs(loads.bending[:, end]).max(axis=-1)
        assert np.allclose(bending, np.abs(0.05 * spin), rtol=1e-9, atol=1e-9)
        force = np.hypot(loads.normal[:, end], np.linalg.norm(loads.shear[:, end], axis=-1))
        assert np.allclose(force, np.hypot(*turn.reactions[pins[link]].T), rtol=1e-9)
