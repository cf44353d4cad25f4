"""The bicycle against published numbers: nonlinear accelerations, critical speeds, energy."""

import numpy as np
import pytest
from scipy.optimize import brentq

import poinsot as ps
from poinsot.library import bicycle, bicycle_state
from poinsot.library.bicycle import BENCHMARK_BICYCLE
from tests.cases.test_motion_cases import case_of, fails, passes

WEAVE, CAPSIZE = 4.292382536341, 6.024262015381
"""Speeds from which the benchmark is stable, and to which [Meijaard2007] [m/s]."""


@pytest.fixture(scope="module")
def bike():
    """Return the benchmark."""
    return bicycle()


def test_canonical_matrices():
    """The case passes, and fails where its tenth digit is another."""
    case = case_of("bicycle-linear")
    passes(case)
    case["reference"]["K2"][0][1] *= 1 + 1e-10
    fails(case)


def test_published_accelerations(bike):
    """A state and its accelerations to the 13 digits of [BasuMandal2007, table 1].

    There psi is the angle of the rear wheel with the ground and the bicycle runs along -x; steer is
    positive to the left.
    """
    q = [0, 0, 0.2440472102925, np.pi, np.pi / 2 - 0.9501292851472, 3.1257073014894 - np.pi,
         0, -0.2311385135743, 0]  # fmt: skip
    v = [-2.8069345714545, -0.1480982396001, 0.1058778746261, 0.7830033527065, -0.6068425835418,
         -0.0119185528069, 8.9129896614890, -0.4859824687093, 8.0133620584155]  # fmt: skip
    a = [-0.5041626315047, -0.3449706619454, -1.4604528332980, 0.8353281706379, 7.8555281128244,
         0.1205543897884, 1.8472554144217, 4.6198904039403, 2.4548072904550]  # fmt: skip
    assert np.abs(bike.constraint_residual(q)).max() < 1e-12
    assert np.abs(bike.constraint_rate(q, v)).max() < 1e-12
    np.testing.assert_allclose(bike.forward_dynamics(q, v), a, atol=1e-11)


def test_critical_speeds(bike):
    """The weave has no damping, and lean and steer no stiffness, at the published speeds."""

    def model(speed):
        return ps.linearize(bike, *bicycle_state(bike, speed))

    def weave(speed):
        poles = model(speed).poles
        return poles[np.abs(poles.imag) > 0.1].real.max()

    def capsize(speed):
        return np.linalg.det(model(speed).second_order(["lean", "steer"])[2])

    assert brentq(weave, 4.0, 4.6, xtol=1e-12) == pytest.approx(WEAVE, abs=1e-9)
    assert brentq(capsize, 5.8, 6.3, xtol=1e-12) == pytest.approx(CAPSIZE, abs=1e-9)


def test_circles_begin_at_the_capsize_speed(bike):
    """Hands-free circles of little lean are run at the speed where capsizing begins."""
    q, v = bicycle_state(bike, 5.9)
    q[bike.q_slice("lean")] = lean = 1e-3
    still, even = ["lean", "pitch", "steer"], ["heading", "rear wheel", "front wheel"]
    q, v = ps.steady_motion(bike, q, v, constant=still, steady=even, keep=["lean"])
    assert v[bike.v_slice("rear wheel")][0] * 0.3 == pytest.approx(CAPSIZE, abs=5 * lean)
    run = ps.simulate(bike, q, v, 1.0)
    np.testing.assert_allclose(run.q[:, 4], lean, atol=1e-10)


def test_energy_and_rolling_along_a_run(bike):
    """A perturbed ride of 10 s keeps its energy, its wheels on the ground, and does not slip."""
    q, v = bicycle_state(bike, 4.6)
    v[bike.v_slice("lean")] = 0.5
    v = bike.consistent_velocity(q, v, joints=["lean"])
    run = ps.simulate(bike, q, v, 10.0, rtol=1e-10)
    energy = bike.kinetic_energy(run.q, run.v) + bike.potential_energy(run.q)
    assert np.abs(energy - energy[0]).max() < 1e-9 * energy[0]
    assert np.abs(bike.constraint_residual(run.q)).max() < 1e-12
    assert np.abs(bike.constraint_rate(run.q, run.v)).max() < 1e-12
    lean = run.q[:, 4]
    assert np.abs(lean[run.t > 9.0]).max() < 0.05 * np.abs(lean).max()  # it is stable at 4.6 m/s


def test_parameters(bike):
    """They may be symbols, with the same masses; of wrong names the nearest is suggested."""
    names = "mB", "zH", "rF", "w"
    free = bicycle(**{name: ps.symbols(name) for name in names})
    numbers = {name: BENCHMARK_BICYCLE[name] for name in names}
    q = np.linspace(-0.3, 0.5, 9)
    expected = bike.mass_matrix(q)
    np.testing.assert_allclose(free.mass_matrix(q, parameters=numbers), expected, atol=1e-12)
    with pytest.raises(ps.ModelError, match="no parameter 'IBxy'; did you mean 'IB"):
        bicycle(IBxy=3.0)
