"""The platform of Stewart and Gough: Dietmaier's poses, and forces by virtual work."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

import poinsot as ps
from poinsot.library import stewart_platform, stewart_platform_configuration
from poinsot.library.stewart_platform import BASE, PLATFORM
from tests.library.published import case

LEGS = [f"leg {i}" for i in range(1, 7)]
LENGTHS = slice(2, 18, 3)
"""Where the legs' lengths are in q."""


def test_published_poses():
    """Check that held legs lead from rounded poses to four of the forty published ones."""
    example = case("kin-dietmaier-sgp")
    model = example["model"]
    points = {"base": model["base"], "platform": model["platform"]}
    system = stewart_platform(**points)
    for row in example["reference"]["some"]:
        w, x, y, z, *place = np.round(row, 3)
        guess = stewart_platform_configuration(ps.Pose(place, quat=(w, x, y, z)), **points)
        guess[LENGTHS] = model["leg_lengths"]
        q = system.assemble(guess, joints=LEGS)
        assert_allclose(q[LENGTHS], model["leg_lengths"], rtol=1e-15)
        found = np.array([*q[21:], *q[18:21]])
        sign = np.sign(found[:4] @ row[:4])
        assert_allclose(found * ([sign] * 4 + [1] * 3), row, atol=example["tolerance"]["abs"])


def test_holding_forces_by_virtual_work():
    """Check the forces of the legs against slopes of the energy over poses."""
    system = stewart_platform()
    place, turn, h = np.array([0.05, -0.1, 0.7]), np.array([0.1, -0.15, 0.2]), 1e-6

    def legs(x):
        R = Rotation.from_rotvec(x[3:]).as_matrix()
        return x[:3] + PLATFORM @ R.T - np.array(BASE)

    def energy(x):  # cylinders have their mass 0.15 m from the base, rods 0.15 m from the top
        height = 10.0 * x[2]
        for d in legs(x):
            up = d[2] / np.linalg.norm(d)
            height += 2.0 * 0.15 * up + 1.0 * (d[2] - 0.15 * up)
        return 9.81 * height

    x = np.concatenate([place, turn])
    sides = [(x + h * e, x - h * e) for e in np.eye(6)]
    slope = np.array([(energy(a) - energy(b)) / (2 * h) for a, b in sides])
    length = [[np.linalg.norm(legs(y), axis=1) for y in pair] for pair in sides]
    by_pose = np.array([(a - b) / (2 * h) for a, b in length])  # d length / d pose, transposed
    q = stewart_platform_configuration(
        ps.Pose(place, matrix=Rotation.from_rotvec(turn).as_matrix())
    )
    assert_allclose(system.constraint_residual(q), np.zeros(18), atol=1e-14)
    assert system.mobility(q).degrees == 6
    still = np.zeros(24)
    tau = system.inverse_dynamics(q, still, still, joints=LEGS)
    assert_allclose(tau[LENGTHS], np.linalg.solve(by_pose, slope), rtol=1e-7)


def test_all_modes_of_a_planar_platform():
    """Check that legs of equal lengths let the platform stand in two ways, one below the base."""
    q = stewart_platform_configuration(ps.Pose((0.0, 0.0, 0.7)))
    legs = zip(BASE, PLATFORM, q[LENGTHS], strict=True)
    rods = [
        ps.Distance(f"leg {i}", ("world", foot), ("platform", hold), length)
        for i, (foot, hold, length) in enumerate(legs)
    ]
    body = ps.Body("platform", joint=ps.Free(), mass=1.0, inertia=(1.0, 1.0, 1.0))
    frame = ps.System("frame", [body], constraints=rods)
    modes = frame.assembly_modes(q[18:], joints=[], starts=60)
    level = [one for one in modes if abs(one[3]) > 1 - 1e-9]
    assert_allclose(sorted(one[2] for one in level), [-0.7, 0.7], atol=1e-9)
    for one in modes:
        assert np.abs(frame.constraint_residual(one)).max() < 1e-10
        mirrored = one * [1, 1, -1, 1, -1, -1, 1]  # in the plane of the base, where all feet are
        assert np.abs(frame.constraint_residual(mirrored)).max() < 1e-9


@pytest.mark.parametrize("leg", [2, 5])
def test_one_leg_moves_the_platform(leg):
    """Check the velocity of the leg that alone changes its length, by d·(v + w × r) / |d|."""
    system = stewart_platform()
    q = stewart_platform_configuration(ps.Pose((0.05, -0.1, 0.7), rpy=(0.1, 0.2, -0.1)))
    rates = np.zeros(24)
    rates[2 + 3 * leg] = 0.3
    v = system.consistent_velocity(q, rates, joints=LEGS)
    V = system.velocity("platform", q, v, axes="world")
    R = system.pose("platform", q)[:3, :3]
    for i in range(6):
        r = R @ PLATFORM[i]
        d = q[18:21] + r - BASE[i]
        rate = d @ (V[:3] + np.cross(V[3:], r)) / np.linalg.norm(d)
        assert_allclose(rate, 0.3 if i == leg else 0.0, atol=1e-12)
