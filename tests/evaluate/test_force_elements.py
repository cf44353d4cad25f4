"""Force elements in use: time as an input, machine code, simulation, verify."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose

import poinsot as ps
from poinsot.formulations.forces import element_energy
from poinsot.library import chain
from tests.formulations.loaded import generalized, random_forces, slider, system_with
from tests.oracles.agreement import assert_agree
from tests.strategies import random_case


@pytest.mark.parametrize("method", ["dp8", "dp5"])
def test_driven_oscillator_is_the_closed_form(method):
    """Simulate m x'' + c x' + k x = F cos(w t), all of it force elements."""
    m, k, c, F, w = 2.0, 8.0, 0.8, 3.0, 2.5
    spring = ps.Spring(("mass", (0, 0, 0)), ("world", (0, 0, 0)), k, c)
    system = slider(spring, ps.FormulaForce("mass", (f"{F}*cos({w}*t)", 0, 0)))
    t = np.linspace(0, 10, 201)
    run = ps.simulate(system, [1.0], [0.0], 10.0, save=t, integrator=method)
    response = F / (k - m * w**2 + 1j * c * w)
    d, wd = c / (2 * m), math.sqrt(k / m - (c / (2 * m)) ** 2)
    start = 1.0 - response.real
    slope = (d * start + w * response.imag) / wd
    x = (response * np.exp(1j * w * t)).real
    x += np.exp(-d * t) * (start * np.cos(wd * t) + slope * np.sin(wd * t))
    assert_allclose(run.q[:, 0], x, atol=3e-8)
    assert_allclose(np.squeeze(run.at(3.21)[0]), np.interp(3.21, t, run.q[:, 0]), atol=2e-3)


def test_time_is_an_array_like_any_other():
    """Check single times, batches, broadcasting and what is refused."""
    system = slider(ps.FormulaForce("mass", ("t", 0, 0)))
    assert_allclose(system.forward_dynamics([0.0], [0.0]), [0.0])
    assert_allclose(system.forward_dynamics([0.0], [0.0], t=3.0), [1.5])
    assert_allclose(system.bias(np.zeros(1), np.zeros(1), t=3), [-3.0])
    times = np.arange(12.0).reshape(3, 4)
    result = system.inverse_dynamics(np.zeros((4, 1)), [0.0], [0.0], t=times)
    assert_allclose(result, -times[..., None])
    assert_allclose(system.forward_dynamics(np.zeros(1), np.zeros(1), np.zeros(1)), [0.0])
    out = np.empty((2, 1))
    assert system.forward_dynamics(np.zeros((2, 1)), np.zeros((2, 1)), t=2.0, out=out) is out
    assert_allclose(out, 1.0)
    with pytest.raises(TypeError):  # time is a keyword, compiled or not
        system.bias(np.zeros(1), np.zeros(1), np.zeros(1))
    with pytest.raises(ps.ArrayTypeError, match="bias: t must hold real numbers"):
        system.bias([0.0], [0.0], t="now")
    with pytest.raises(ps.ShapeError, match="do not broadcast"):
        system.bias(np.zeros((3, 1)), np.zeros((3, 1)), t=[0.0, 1.0])


def test_methods_with_forces_are_native():
    """Check that springs, and forces that depend on the time, leave methods their machine code."""
    spring = ps.Spring(("mass", (0, 0, 0)), ("world", (0, 0, 0)), 8.0)
    for forces in ((), (spring,), (ps.FormulaForce("mass", ("t", 0, 0)),)):
        system = slider(*forces)
        state = np.ones(1), np.ones(1), np.ones(1)
        first = system.forward_dynamics(*state)
        assert "forward_dynamics" in vars(system)
        assert_allclose(system.forward_dynamics(*state), first)
        assert_allclose(system.forward_dynamics(*state, t=0.0), first)


def test_large_systems_with_forces_agree_with_jacobians():
    """Compare rolled dynamics of a chain and a spring with the bare chain and Jᵀ F."""
    bare = chain(60)
    force = ps.Spring((bare.body_names[-1], (0, 0, 0)), ("world", (1, 2, 3)), 50.0, length=0.2)
    system = system_with(bare.mechanism, [force])
    rng = np.random.default_rng(0)
    q, v, a = rng.normal(size=(3, bare.nv))
    expected = bare.inverse_dynamics(q, v, a) - generalized(system.mechanism, q, v)
    for backend in ("auto", "rolled", "interpreter"):
        assert_agree(system.inverse_dynamics(q, v, a, backend=backend), expected)
    stored = system.potential_energy(q, backend="rolled") - bare.potential_energy(q)
    assert_allclose(stored, element_energy(system.mechanism, q), rtol=1e-9)
    rolled = system.mass_matrix(q, backend="rolled")
    assert_agree(rolled, bare.mass_matrix(q))


def test_large_systems_with_forces_run():
    """Simulate a net whose springs are damped: energy falls, and no faster than they can."""
    bare = chain(60)
    names = bare.body_names
    springs = [
        ps.Spring((a, (0, 0, 0.1)), (b, (0, 0.1, 0)), 20.0, 0.5, 0.05)
        for a, b in zip(names, names[2:], strict=False)
    ]
    system = ps.System("net", bare.bodies, gravity=(0, 0, 0), forces=springs)
    rng = np.random.default_rng(1)
    q, v = 0.3 * rng.normal(size=(2, bare.nv))
    run = ps.simulate(system, q, v, 0.02)
    assert run.status.ok
    energy = system.kinetic_energy(run.q, run.v) + system.potential_energy(run.q)
    assert (np.diff(energy) < 0).all()


def test_verify_agrees_on_systems_with_forces():
    """Run every check of ``verify`` on a tree with all kinds of elements."""
    case = random_case(seed=11, n_bodies=5, kinds=("revolute", "prismatic", "free"))
    assert ps.verify(system_with(case.mechanism, random_forces(case))).ok
