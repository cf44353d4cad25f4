"""Two systems on moving bases are one system whose roots have a prescribed motion."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

import poinsot as ps
from tests.random_examples import examples

ARM = ps.library.double_pendulum()
POINTS = [
    ps.ImpactPoint(name, name, point=(-0.18, 0.02, z), normal=(-1, 0, 0), restitution=e)
    for name, z, e in (("upper", -0.9, 0.4), ("lower", -1.7, 0.6))
]


def arm(rng, speed, **motion):
    """Return an arm in a random state on a random base."""
    pose = ps.Pose(0.1 * rng.normal(size=3), rpy=0.2 * rng.normal(size=3))
    v = [speed, 0.5] + 0.3 * rng.normal(size=2)
    return ps.MovingSystem(ARM, rng.uniform(-0.3, 0.3, 2), v, ps.BaseMotion(pose, **motion))


def four_bar(base):
    """Return a four-bar linkage, whose loop has redundant rows, in motion."""
    bar, q = ps.library.four_bar(), ps.library.four_bar_configuration(0.9)
    v = bar.consistent_velocity(q, [2.0, 0, 0], joints=["crank"])
    return ps.MovingSystem(bar, q, v, base)


def check(parties, points, **law):
    """Compare the impact of two systems with that within the whole; return the former."""
    whole = ps.side_by_side(*parties)
    n = len(whole.v) - sum(len(party.v) for party in parties)
    M = whole.system.mass_matrix(whole.q)
    first = slice(n, n + len(parties[0].v))
    second = slice(first.stop, None)
    assert not M[first, second].any()
    for own, party in ((first, parties[0]), (second, parties[1])):
        if party.system is not None:
            assert_allclose(M[own, own], party.mass_matrix(), rtol=1e-12, atol=1e-14)
    hit = ps.collide(*parties, points, **law)
    names = [("base" if p.first == "world" else p.first, p.second) for p in points]
    inside = [
        ps.ImpactPoint(f"first/{a}", f"second/{b}", point=p.point, normal=p.normal,
                       restitution=p.restitution, friction=p.friction)
        for (a, b), p in zip(names, points, strict=True)
    ]  # fmt: skip
    same = ps.collide(whole, None, inside, **law)
    assert_allclose(same.rates_before, hit.rates_before, rtol=0, atol=1e-11)
    assert_allclose(same.impulses, hit.impulses, rtol=0, atol=1e-9)
    assert_allclose(same.friction_impulses, hit.friction_impulses, rtol=0, atol=1e-9)
    assert_allclose(same.v[0][:n], whole.v[:n], rtol=0, atol=1e-9)  # bases move on
    assert_allclose(same.v[0][n:], np.concatenate(hit.v), rtol=0, atol=1e-9)
    assert np.isclose(hit.contact_work, same.contact_work, rtol=1e-8)
    check_matrices_and_loads(whole, same, hit)
    return hit


def check_matrices_and_loads(whole, same, hit):
    """Hold everything else that ``collide`` tells against the one mechanism: matrices and loads."""
    n = len(whole.v) - hit.A.shape[1]
    assert_allclose(same.A[:, n:], hit.A, rtol=0, atol=1e-11)
    assert_allclose(same.G, hit.G, rtol=1e-9, atol=1e-11)  # drives hold the bases
    assert_allclose(same.H, hit.H, rtol=0, atol=1e-11)
    assert same.rank == hit.rank
    assert same.unique == hit.unique
    rows = same.constraint_impulses[0]
    drives = [name for name in rows if name.startswith("drive of ")]
    assert len(drives) == n
    works = np.array([rows[name] for name in drives]) * whole.v[:n]
    size = 1.0 + np.abs(works).sum()
    assert_allclose(same.base_work, hit.base_work, atol=1e-9 * size)
    for number, prefix in enumerate(("first/", "second/")):
        for name, wrench in hit.joint_impulses[number].items():
            assert_allclose(same.joint_impulses[0][prefix + name], wrench, rtol=0, atol=1e-8)
        for name, impulse in hit.constraint_impulses[number].items():
            assert np.isclose(rows[prefix + name], impulse, rtol=1e-7, atol=1e-8)
    assert_allclose(works.sum(), hit.base_work, rtol=1e-7, atol=1e-8 * size)


@settings(max_examples=examples(5), deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from(["unilateral", "poisson"]))
def test_impacts(seed, law):
    rng = np.random.default_rng(seed)
    check([arm(rng, v, velocity=0.1 * rng.normal(size=6)) for v in (3.0, 0.0)], POINTS, law=law)


def test_impacts_of_closed_systems_and_of_a_moving_table():
    """A loop on a base that turns, with friction; and a table without a system."""
    turned = ps.BaseMotion(ps.Pose((0.1, 0, 0), rpy=(0.1, 0.2, 0.3)), (0.1, 0.2, 0, 0, 0.3, 0.5))
    upright = ps.System("arm", ARM.bodies, gravity=(0, -9.81, 0))  # as the linkage has it
    pair = [four_bar(turned), ps.MovingSystem(upright, [0.4, -0.3], [1.0, -2.0])]
    knock = ps.ImpactPoint("coupler", "lower", point=(0.3, 0.4, 0.0), normal=(1, 0.3, 0),
                           restitution=0.5, friction=0.2)  # fmt: skip
    if ps.collide(*pair, [knock], law="unilateral").rates_before[0] > 0.0:
        knock = ps.ImpactPoint("coupler", "lower", point=(0.3, 0.4, 0.0), normal=(-1, -0.3, 0),
                               restitution=0.5, friction=0.2)  # fmt: skip
    assert check(pair, [knock], law="stronge").impulses[0] > 0.0
    table = ps.MovingSystem(base=ps.BaseMotion(velocity=(0.2, 0, 1.0, 0, 0, 0)))
    body = ps.Body("box", joint=ps.Free(), mass=2.0, inertia=(0.1, 0.2, 0.15))
    box = ps.System("box", [body])
    falls = ps.MovingSystem(box, box.neutral(), [0.5, 0, -1.0, 0.3, 0, 0])
    foot = ps.ImpactPoint("world", "box", point=(0.1, 0.05, -0.2), normal=(0, 0, 1),
                          restitution=0.5, friction=0.3)  # fmt: skip
    assert check([table, falls], [foot], law="unilateral").impulses[0] > 0.0


@settings(max_examples=examples(5), deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_accelerations_are_those_on_the_bases(seed):
    """Coordinates of slides and hinges have the second rates that the bases' accelerations need."""
    rng = np.random.default_rng(seed)
    numbers = {"velocity": rng.normal(size=6), "acceleration": rng.normal(size=6)}
    parties = [arm(rng, 1.0, **numbers), arm(rng, 2.0)]
    whole = ps.side_by_side(*parties)
    a = whole.system.forward_dynamics(whole.q, whole.v)
    wanted = [ARM.forward_dynamics(p.q, p.v, base=p.base) for p in parties]
    assert_allclose(a[6:], np.concatenate(wanted), rtol=1e-9, atol=1e-9)


def test_a_run_of_both_hits_as_collide_does():
    """A pendulum on a cart that travels swings against a pendulum that hangs."""
    rod = ps.library.pendulum()
    travels = ps.BaseMotion(ps.Pose((-1.2, 0, 0)), velocity=(0.5, 0, 0, 0, 0, 0))
    whole = ps.side_by_side(ps.MovingSystem(rod, [0.0], [0.0], travels),
                            ps.MovingSystem(rod, [0.0], [0.0]))  # fmt: skip
    assert whole.system.row_names == ("drive of first/base slides x: motion",)
    ends = [(f"{name}/bob", (0, 0, -1.0)) for name in ("first", "second")]
    balls = ps.Contact(ps.Distance("balls", *ends, length=0.2), restitution=0.8)
    run = ps.simulate(whole.system, whole.q, whole.v, duration=3.0, contacts=[balls])
    event = run.events[0]
    assert_allclose(run.q[:, 0], 0.5 * run.t, atol=1e-12)
    (x, *angles), (_, *rates) = event.q_before, event.v_before
    moved = ps.BaseMotion(ps.Pose((-1.2 + x, 0, 0)), velocity=(0.5, 0, 0, 0, 0, 0))
    parties = [ps.MovingSystem(rod, [angles[0]], [rates[0]], moved),
               ps.MovingSystem(rod, [angles[1]], [rates[1]])]  # fmt: skip
    tips = [(whole.system.pose(name, event.q_before) @ [*place, 1])[:3] for name, place in ends]
    touch = ps.ImpactPoint("bob", "bob", point=np.mean(tips, axis=0), normal=tips[1] - tips[0],
                           restitution=0.8)  # fmt: skip
    hit = ps.collide(*parties, [touch])
    assert_allclose(event.v[1:], np.concatenate(hit.v), rtol=1e-9)


def test_the_mass_matrix_is_block_diagonal_as_a_formula():
    """As derived, for all states: nothing between the two, nor from one to the other's base."""
    lifted = ps.BaseMotion(velocity=(0, 0, 0.3, 0, 0.1, 0))
    whole = ps.side_by_side(ps.MovingSystem(ARM, [0.1, 0.2], [1, 0]),
                            ps.MovingSystem(ARM, [0, 0], [0, 0], lifted))  # fmt: skip
    lines = ps.derive(whole.system).text("mass_matrix").splitlines()
    entries = dict(line.split(" = ") for line in lines if line.startswith("  M["))
    assert whole.system.velocity_names[3:5] == ("first/upper", "first/lower")
    first, others = {4, 5}, {1, 2, 3, 6, 7}  # slides and a hinge of the second base come first
    for k in range(1, 8):
        for j in range(k, 8):
            is_between = len({k, j} & first) == len({k, j} & others) == 1
            assert not is_between or entries[f"  M[{k},{j}]"] == "0"
    assert all(entries[f"  M[{k},{j}]"] != "0" for k, j in ((4, 5), (6, 7), (1, 6), (3, 6)))


def test_mistakes_are_named():
    still = ps.MovingSystem(ARM, [0, 0], [0, 0])
    other = ps.System("moon", ARM.bodies, gravity=(0, 0, -1.6))
    wrong = [
        ("both are bases alone", (ps.MovingSystem(), ps.MovingSystem())),
        (r"gravity of 'double pendulum' is .* that of 'moon'",
         (still, ps.MovingSystem(other, [0, 0], [0, 0]))),
        ("got many", (ps.MovingSystem(ARM, np.zeros((3, 2)), [0, 0]), still)),
        (r"side_by_side: give each system with its state, ps\.MovingSystem", (ARM, still)),
    ]  # fmt: skip
    for match, parties in wrong:
        with pytest.raises(ps.ModelError, match=match):
            ps.side_by_side(*parties)
    for prefixes in (("", ""), ("a/",), "ab", None, ("a/", 2)):
        with pytest.raises(ps.ModelError, match="tell the systems apart"):
            ps.side_by_side(still, still, prefixes=prefixes)
