"""Random linkages of up to 12 bars of all kinds of units against the closed system."""

import numpy as np
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

import poinsot as ps
from poinsot.formulations.composable.plane import direction
from poinsot.formulations.composable.sweep import equations_of
from poinsot.model.planar.linkage import PlanarLink, PlanarLinkage
from tests.formulations.test_composable import FORMS, joint_between
from tests.formulations.test_triads import LEGS
from tests.random_examples import examples

BARS = 12
"""Links, the ground among them."""
CLEAR = 1e-6
"""Reciprocal condition of K of the units, at least."""
STIFF = 1e6
"""Condition of M, at most."""
AGREEMENT = 1e-10
DRIVERS = ["R", "P", "RRPR", "RPPR"]
"""A crank, a slider, a cylinder that turns or shifts another link; each on any links before it."""
UNITS = [*DRIVERS, *FORMS, *LEGS]


def sizes(unit):
    """Return how many links a unit has."""
    return 4 if isinstance(unit, tuple) else {1: 1, 3: 2, 4: 3}[len(unit)]


def random_linkage(seed, units):
    """Return a drawn mechanism of units, each hung on any links that come before it."""
    rng = np.random.default_rng(seed)
    n = sum(map(sizes, units))
    poses = {str(i): rng.normal(size=3) for i in range(1, n + 1)} | {"0": np.zeros(3)}
    joints, drivers, placed = [], [], 1

    def join(kind, a, b):
        name = f"{len(joints)}{kind}"
        joints.append(joint_between(rng, name, kind, (str(a), str(b)), poses))
        return name

    for unit in units:
        hosts = [int(h) for h in rng.integers(0, placed, 3)]
        k = placed
        if unit in ("R", "P"):
            drivers.append(join(unit, hosts[0], k))
        elif unit in DRIVERS:  # link k on a host, barrel k + 1 on another, piston k + 2 on link k
            join(unit[0], hosts[0], k)
            join("R", hosts[1], k + 1)
            drivers.append(join("P", k + 1, k + 2))
            join("R", k, k + 2) if unit == "RRPR" else join("R", k + 2, k)
        elif isinstance(unit, tuple):
            for leg, (outer, inner) in enumerate(unit):
                join(outer, hosts[leg], k + leg)
                join(inner, k + leg, k + 3)
        else:
            ends = [(hosts[0], k), (k, k + 1), (hosts[1], k + 1)]
            for kind, (a, b) in zip(unit, ends, strict=True):
                join(kind, a, b)
        placed += sizes(unit)
    links = {
        name: PlanarLink(rng.uniform(0.5, 2), rng.uniform(0.1, 1), rng.normal(size=2), pose=pose)
        for name, pose in poses.items() if name != "0"
    }  # fmt: skip
    return PlanarLinkage(links, tuple(joints), tuple(drivers), (0.3, -9.81)), poses, rng


def fitting(units):
    """Return the units that make no more than 12 bars."""
    counts = np.cumsum([sizes(unit) for unit in units])
    return [unit for unit, count in zip(units, counts, strict=True) if count < BARS]


@given(
    st.integers(0, 10**6),
    st.sampled_from(DRIVERS),
    st.lists(st.sampled_from(UNITS), min_size=1, max_size=6),
)
@example(3, "P", [("RR", "PR", "RP"), "RRPR", "RRR"])
@example(4, "RRPR", [("PP", "RR", "PR"), "PRP", "P"])
@settings(max_examples=examples(25), deadline=None)
def test_dynamics_is_that_of_the_closed_system(seed, driver, units):
    """Check M, accelerations, forces of drivers and every reaction, drivers on moving links too."""
    linkage, poses, rng = random_linkage(seed, fitting([driver, *units]))
    try:
        nearness = [unit.nearness for unit in equations_of(linkage, poses)]
    except ps.PoinsotError:
        nearness = [0.0]
    assume(min(nearness) > CLEAR)
    mechanism = ps.PlanarMechanism(linkage)
    q = mechanism.drawn
    placed = mechanism.positions(q)
    for body, pose in poses.items():
        assert np.allclose(np.exp(1j * placed[body]), np.exp(1j * pose), atol=1e-8)
    v, tau = rng.normal(size=len(q)), rng.normal(size=len(q))
    system = mechanism.system()
    q_all, v_all = mechanism.system_state(q, v)
    columns = [system.v_slice(name).start for name in linkage.drivers]
    driven = np.zeros(system.nv)
    driven[columns] = tau
    M = mechanism.mass_matrix(q)
    assert np.allclose(M, M.T, rtol=0, atol=1e-12 * np.abs(M).max())
    assume(np.linalg.cond(M) < STIFF)
    expected = system.forward_dynamics(q_all, v_all, driven, backend="floats")[columns]
    a = mechanism.forward_dynamics(q, v, tau)
    assert np.allclose(a, expected, rtol=0, atol=AGREEMENT * np.abs(expected).max())
    size = float((np.abs(M) @ np.abs(a)).max()) + 1.0  # what cancels
    assert np.allclose(mechanism.inverse_dynamics(q, v, a), tau, rtol=0, atol=AGREEMENT * size)
    wrenches = system.reactions(q_all, v_all, tau=driven, axes="world", backend="floats")
    reactions = mechanism.reactions(q, v, a)
    # Near singular positions forces of velocities and of accelerations cancel.
    cancelling = mechanism.reactions(q, v, 0.0 * a)
    scale = max(np.abs(force).max() for x in (reactions, cancelling) for force in x.values())
    for joint in linkage.joints:
        wrench = wrenches[joint.name]
        if joint.kind == "P":
            x, y = direction(poses[joint.a][2] + joint.ua)
            wrench = np.array([x * wrench[1] - y * wrench[0], wrench[5]])
        assert np.allclose(reactions[joint.name], wrench[:2], rtol=0, atol=AGREEMENT * scale)
