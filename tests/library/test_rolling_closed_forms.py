"""What rolls in the library, against closed forms."""

import numpy as np
import pytest

import poinsot as ps
from poinsot import library

G = 9.81


@pytest.fixture(scope="module")
def disc():
    """Return a disc that is not uniform: mass, radius and moments are all different numbers."""
    return library.rolling_disc(mass=1.7, radius=0.4, axial=0.11, diametral=0.07, g=G)


@pytest.mark.parametrize(("lean", "turn"), [(0.4, 1.3), (-0.9, 2.5), (1.2, -4.0)])
def test_steady_motions_of_a_disc(disc, lean, turn):
    """Heading, lean and spin do not accelerate at A Ω² s c - (C + m r²) n Ω c - m g r s = 0."""
    m, r, C, A = 1.7, 0.4, 0.11, 0.07
    s, c = np.sin(lean), np.cos(lean)
    n = (A * turn**2 * s * c - m * G * r * s) / ((C + m * r**2) * turn * c)
    q = np.array([0.3, -0.2, r * c, 0.0, lean, 0.7])
    v = np.array([r * n, 0.0, 0.0, turn, 0.0, n - turn * s])
    assert np.abs(disc.constraint_residual(q)).max() < 1e-14
    assert np.abs(disc.constraint_rate(q, v)).max() < 1e-13
    a = disc.forward_dynamics(q, v)
    np.testing.assert_allclose(a, [0, r * n * turn, 0, 0, 0, 0], atol=1e-10)
    forces = disc.multipliers(q, v).values  # load, traction, side force
    np.testing.assert_allclose(forces, [m * G, 0.0, m * r * n * turn], atol=1e-9)


@pytest.mark.parametrize(("lean", "turn"), [(0.4, 1.3), (1.2, -4.0), (0.05, 0.1)])
def test_circles_of_a_disc_are_found_and_linearised(disc, lean, turn):
    """Newton's method finds n; the lean swings with λ² = k / (A + m r²), k from (ω3, n) over φ:

    A ω3' = (A Ω s - C n) φ',  (C + m r²) n' = -m r² ω3 φ',  ω3 = Ω cos φ.
    """
    m, r, C, A = 1.7, 0.4, 0.11, 0.07
    s, c = np.sin(lean), np.cos(lean)
    n = (A * turn**2 * s * c - m * G * r * s) / ((C + m * r**2) * turn * c)
    guess = [0.3, -0.2, 0.3, 1.1, lean, 0.7], [0, 0, 0, turn, 0.1, 0.7 * n]
    q, v = ps.steady_motion(
        disc, *guess, constant=["lean"], steady=["heading", "spin"], keep=["lean", "v.heading"]
    )
    assert (q[4], v[3]) == (lean, turn)
    np.testing.assert_allclose(v[5], n - turn * s, rtol=1e-10)
    M, D, K = ps.linearize(disc, q, v, motion=True).second_order(["heading", "lean", "spin"])
    A1 = np.block([[0 * M, np.eye(3)], [-np.linalg.solve(M, K), -np.linalg.solve(M, D)]])
    poles = np.linalg.eigvals(A1)
    w3 = turn * c
    k = m * G * r * c - A * w3**2 / c**2 - m * r**2 * w3**2
    k += ((C + m * r**2) * n - 2 * A * w3 * s / c) * (turn * s - C * n / A)
    found = poles[np.argmax(np.abs(poles))] ** 2
    assert abs(found - k / (A + m * r**2)) < 1e-10 * (1 + abs(found))


def test_what_steady_motion_refuses(disc):
    """Too much is kept: what changes most is named; and so is the nearest name."""
    q, v = library.rolling_disc_state(disc, 2.0)
    q[4] = 0.4
    with pytest.raises(ps.EquilibriumError, match="the acceleration of 'lean' is"):
        ps.steady_motion(disc, q, v, constant=["lean"], keep=["lean", "v.heading", "v.spin"])
    with pytest.raises(
        ps.ModelError, match="keep names the unknown velocity 'spinn'; did you mean 'spin'"
    ):
        ps.steady_motion(disc, q, v, constant=["lean"], keep=["v.spinn"])
    with pytest.raises(ps.ShapeError, match="q and v must have shapes"):
        ps.steady_motion(disc, q[:3], v)


@pytest.mark.parametrize("factor", [0.5, 0.999, 1.001, 2.0])
def test_stability_limit_of_a_disc(disc, factor):
    """Poles are ± sqrt((A m g r - C (C + m r²) n²) / (A (A + m r²))), real below the limit."""
    m, r, C, A = 1.7, 0.4, 0.11, 0.07
    limit = A * m * G * r / (C * (C + m * r**2))
    n = np.sqrt(factor * limit)
    model = ps.linearize(disc, *library.rolling_disc_state(disc, r * n))
    expected = (A * m * G * r - C * (C + m * r**2) * n**2) / (A * (A + m * r**2))
    largest = model.poles[np.argmax(np.abs(model.poles))]
    assert abs(largest**2 - expected) < 1e-10
    assert (abs(largest.real) > 1e-3) == (factor < 1)


def test_a_ball_swings_in_a_bowl():
    """ω² = g / ((1 + I / (m r²)) (R - r)), twice, at the equilibrium that is found."""
    system = library.ball_in_bowl(mass=0.3, radius=0.06, bowl=0.5, inertia=2e-4)
    rest = ps.equilibrium(system, library.ball_in_bowl_state(system, 0.4)[0])
    poles = ps.linearize(rest).poles
    swinging = poles[np.abs(poles) > 1e-3]
    expected = G / ((1 + 2e-4 / (0.3 * 0.06**2)) * 0.44)
    np.testing.assert_allclose(swinging**2, np.full(4, -expected), atol=1e-10)


def test_a_skateboard_is_stable_when_fast():
    """The lean swings with (2 m h tan(tilt) v² / L + k - m g h) / (I + m h²)."""
    m, h, L, tilt, k = 60.0, 0.8, 0.7, 0.5, 300.0
    board = library.skateboard(mass=m, height=h, wheel_base=L, tilt=tilt, stiffness=k)
    for speed in (1.0, 4.0):
        poles = ps.linearize(board, *library.skateboard_state(board, speed)).poles
        swinging = poles[np.abs(poles) > 1e-3]
        stiffness = 2 * m * h * np.tan(tilt) * speed**2 / L + k - m * G * h
        expected = -stiffness / (1.11 * m * h**2)
        np.testing.assert_allclose(swinging**2, np.full(2, expected), atol=1e-10)


def test_a_balancing_robot_falls():
    """λ² = m g h / (I + m h² - m² h² / (m + 2 m_w + 2 I_w / r²)); redundant rows do no harm."""
    m, h, mw = 10.0, 0.4, 0.5
    robot = library.balancing_robot(mass=m, height=h, wheel_mass=mw)
    q, v = library.balancing_robot_state(robot)
    poles = ps.linearize(robot, q, v).poles
    falling = poles[np.abs(poles) > 1e-3]
    expected = m * G * h / (4 * m * h**2 / 3 - m**2 * h**2 / (m + 3 * mw))
    np.testing.assert_allclose(np.sort(falling.real), np.sqrt(expected) * np.array([-1, 1]))
    determined = robot.multipliers(q, v).determined
    assert determined.tolist() == [False, True, False, False, True, False]


def test_a_rattleback_turns_round():
    """Spun one way it goes on, spun the other way it comes back; energy stays as it is."""
    stone = library.rattleback()
    q, v = library.rattleback_state(stone, spin=5.0, rock=0.5)
    starts = np.stack([v, v * [1, 1, 1, 1, 1, -1]])
    runs = ps.simulate(stone, np.stack([q, q]), starts, 6.0, save=0.05)
    spins = []
    for run in runs:
        energy = stone.kinetic_energy(run.q, run.v) + stone.potential_energy(run.q)
        assert np.abs(energy - energy[0]).max() < 1e-7 * energy[0]
        assert np.abs(stone.constraint_rate(run.q, run.v)).max() < 1e-12 * np.abs(run.v).max()
        spins.append(run.v[:, 5] * np.sign(run.v[0, 5]))
    assert sorted(spin.min() < -0.5 for spin in spins) == [False, True]


def test_wheels_of_a_rover_meet_in_one_point():
    """All wheels roll about the point on the rear axle that the steering gives."""
    car = library.rover(wheel_base=0.8, track=0.5, radius=0.15)
    q = car.assemble(np.array([0, 0, 0.15, 0.3, 0.4, 0.3, 0, 0, 0, 0]), joints=["steer left"])
    v = car.consistent_velocity(q, np.eye(10)[7], joints=["rear left wheel"])
    left = 0.8 / np.tan(q[4])  # from the left wheels to the point
    np.testing.assert_allclose(v[3], v[7] * 0.15 / left, rtol=1e-12)
    np.testing.assert_allclose(0.8 / np.tan(q[5]), left + 0.5, rtol=1e-9)
    np.testing.assert_allclose(v[9] / v[7], (left + 0.5) / left, rtol=1e-12)
    mobility = car.mobility(q)
    assert (mobility.degrees, mobility.configurations) == (2, 8)
