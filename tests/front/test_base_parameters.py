"""Base parameters: counts, textbook combinations, and what they promise."""

import numpy as np
import pytest

import poinsot as ps
from poinsot.spatial import Inertia
from tests.strategies import random_case


def rod(name, parent="world", x=0.0, axis="z"):
    return ps.Body(
        name, parent, ps.Revolute(axis), ps.Pose((x, 0, 0)), mass=1.0, com=(0.4, 0.1, 0.05),
        inertia=(0.1, 0.2, 0.25),
    )  # fmt: skip


def test_puma_560_has_36():
    """Count one of the upright first link and, behind hinges in general position, seven of five.

    A hinge hides three of ten, ``test_groups_of_a_hinge_and_of_a_slider``.
    """
    assert ps.base_parameters(ps.library.puma560()).count == 36


def test_the_planar_arm_of_two_links():
    """Check the textbook's: izz1 + l² m2, mx1 + l m2, my1, izz2, mx2, my2; 4 without gravity."""
    arm = [rod("one"), rod("two", "one", 0.5)]
    base = ps.base_parameters(ps.System("arm", arm, gravity=(0, -9.8, 0)))
    assert base.combinations == (
        "mcx[one] + 0.5 m[two]",
        "mcy[one]",
        "izz[one] + 0.25 m[two]",
        "mcx[two]",
        "mcy[two]",
        "izz[two]",
    )
    np.testing.assert_allclose(base.values[2], 0.25 + 0.17 + 0.25, rtol=1e-12)
    lying = ps.base_parameters(ps.System("arm", arm, gravity=(0, 0, 0)))
    assert [lying.names[k] for k in lying.columns] == [
        "izz[one]",
        "mcx[two]",
        "mcy[two]",
        "izz[two]",
    ]
    assert "mcx[one]" in lying.without_effect


def test_groups_of_a_hinge_and_of_a_slider():
    """Check Khalil's rules: of a hinge m, mz and iyy, of a slider all inertias go inwards."""
    arm = [
        ps.Body("root", joint=ps.Free(), mass=1.0, inertia=(1, 1, 1)),
        rod("turning", "root"),
        ps.Body("sliding", "turning", ps.Prismatic("x"), mass=1.0, inertia=(1, 1, 1)),
    ]
    base = ps.base_parameters(ps.System("arm", arm))
    kept = [base.names[k] for k in base.columns]
    assert [name for name in kept if "turning" in name] == [
        f"{name}[turning]" for name in ("mcx", "mcy", "ixx", "izz", "ixy", "ixz", "iyz")
    ]
    assert [name for name in kept if "sliding" in name] == [
        f"{name}[sliding]" for name in ("m", "mcx", "mcy", "mcz")
    ]
    assert base.count == 10 + 7 + 4


@pytest.mark.parametrize("seed", range(4))
def test_base_columns_give_the_same_forces(seed):
    """Compare Y pi with the kept columns at new states, and pi changed where nothing shows it."""
    case = random_case(seed=seed, n_bodies=5, passive=False)
    system = ps.System.from_mechanism(case.mechanism)
    base = ps.base_parameters(system, seed=1)
    Y = system.regressor(case.q, case.v, case.a, backend="interpreter")
    tau = Y @ system.inertial_parameters()
    size = np.max(np.abs(Y)) * np.max(np.abs(base.values))
    np.testing.assert_allclose(Y[:, list(base.columns)] @ base.values, tau, atol=1e-9 * size)
    _, _, rows = np.linalg.svd(base.matrix)
    hidden = rows[base.count :]
    assert len(hidden) == 50 - base.count
    np.testing.assert_allclose(Y @ hidden.T, 0.0, atol=1e-9 * np.max(np.abs(Y)))


def hidden_behind(joint, rng):
    """Count the inertias that neither the joint nor, whatever its position, its carrier feels.

    They do not resist any motion of the joint, I s = 0, and look the same from the carrier.
    """
    parts = []
    for k in range(10):
        e = np.eye(10)[k]
        tensor = [[e[4], e[7], e[8]], [e[7], e[5], e[9]], [e[8], e[9], e[6]]]
        parts.append(Inertia(e[0], e[1:4], tensor))
    rows, first = [], None
    for _ in range(8):
        q = joint.random(rng)
        X, S = joint.transform(q), np.array(joint.motion_subspace(q), float)
        seen = np.array([one.to_parent(X).matrix().ravel() for one in parts], float)
        first = seen if first is None else first
        felt = np.array([(one.matrix() @ S).ravel() for one in parts], float)
        rows += [(seen - first).T, felt.T]
    return 10 - np.linalg.matrix_rank(np.concatenate(rows), tol=1e-9)


@pytest.mark.parametrize("seed", [*range(5), 123])  # 123: a hinge that is nearly along x
def test_counts_follow_from_the_joints_where_the_root_is_free(seed):
    """Count by what each joint hides, for random trees of all joints."""
    case = random_case(seed=seed, n_bodies=6, passive=False, root=ps.Free())
    rng = np.random.default_rng(seed)
    hidden = [hidden_behind(b.joint, rng) for b in case.mechanism.bodies if b.parent != "world"]
    system = ps.System.from_mechanism(case.mechanism)
    assert ps.base_parameters(system).count == 60 - sum(hidden)


@pytest.mark.parametrize("make", [ps.library.puma560, ps.library.cart_pole, ps.library.four_bar])
def test_the_energy_shows_as_many(make):
    """Count by the energy model instead, which knows nothing of joint forces."""
    system = make()
    rng = np.random.default_rng(5)
    states = []
    while len(states) < 10 * len(system.bodies):
        try:
            q = system.assemble(system.random(rng))
        except ps.AssemblyError:
            continue
        states.append((q, system.consistent_velocity(q, rng.normal(size=system.nv))))
    q, v = (np.array(part) for part in zip(*states, strict=True))
    rows = system.energy_regressor(q, v, backend="interpreter")
    rows = rows - rows[0]  # energies count from any level
    lengths = np.linalg.norm(rows, axis=0)
    scaled = rows / np.where(lengths > 1e-9, lengths, np.inf)
    rank = np.linalg.matrix_rank(scaled, tol=1e-7)
    assert rank == ps.base_parameters(system).count


def test_closed_systems_show_fewer():
    """Compare projected forces of the four-bar linkage by all and by the base parameters."""
    system = ps.library.four_bar()
    base = ps.base_parameters(system)
    tree = ps.System("open", system.bodies, gravity=system.gravity)
    assert base.count < ps.base_parameters(tree).count
    q = system.assemble([0.8, -0.5, 1.2])
    rng = np.random.default_rng(0)
    v = system.consistent_velocity(q, rng.normal(size=3))
    a = system.consistent_acceleration(q, v, rng.normal(size=3))
    Y = system.regressor(q, v, a, backend="interpreter")
    free = v / np.linalg.norm(v)  # one degree of freedom
    found = free @ Y[:, list(base.columns)] @ base.values
    np.testing.assert_allclose(found, free @ Y @ system.inertial_parameters(), rtol=1e-9)
    tau = system.inverse_dynamics(q, v, a, backend="interpreter")
    np.testing.assert_allclose(free @ tau, found, rtol=1e-9)


def test_printed_and_with_free_parameters():
    """Print them, and ask for those of a system whose masses are symbols."""
    m = ps.symbols("m")
    ball = ps.Body("ball", joint=ps.Prismatic("x"), mass=m)
    system = ps.System("ball", [ball])
    base = ps.base_parameters(system, parameters={"m": 3.0})
    assert str(base).startswith(
        "1 base parameters of 10:\n   3 = m[ball]\nwithout effect: mcx[ball]"
    )
    with pytest.raises(ps.PoinsotError, match="'m'"):
        ps.base_parameters(system)
    with pytest.raises(ps.ModelError, match="give a System, got str"):
        ps.base_parameters("ball")


def test_regressors_of_long_chains_need_no_compiler():
    """Ask for one whose program would take minutes."""
    system = ps.library.chain(60)
    rng = np.random.default_rng(0)
    q = np.array([system.random(rng), system.random(rng)])
    v, a = rng.normal(size=(2, 2, 60))
    tau = system.regressor(q, v, a) @ system.inertial_parameters()
    right = system.inverse_dynamics(q, v, a, backend="interpreter")
    np.testing.assert_allclose(tau, right, rtol=1e-9, atol=1e-9 * np.max(np.abs(right)))


def test_what_never_closes_is_refused():
    """Ask for a linkage whose bars are too short."""
    bar = ps.Body("bar", joint=ps.Revolute("y"), mass=1.0, com=(1, 0, 0))
    far = ps.Distance("rope", ("world", (9, 0, 0)), ("bar", (1, 0, 0)), 1.0)
    with pytest.raises(ps.PoinsotError, match="was not closed from random configurations"):
        ps.base_parameters(ps.System("short", [bar], constraints=[far]))
