"""Motions that repeat: linear maps and maps with orbits in closed form, gaits, mistakes."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import poinsot as ps


def affine(seed, n):
    """Return a map, its matrix and its fixed point by numpy."""
    rng = np.random.default_rng(seed)
    matrix, shift = rng.normal(size=(n, n)), 10.0 ** rng.uniform(-3, 4) * rng.normal(size=n)
    return lambda x: matrix @ x + shift, matrix, np.linalg.solve(np.eye(n) - matrix, shift)


@pytest.mark.parametrize("seed", range(12))
def test_affine_maps_of_any_size(seed):
    n = 1 + seed % 5
    step, matrix, fixed = affine(seed, n)
    orbit = ps.periodic(step, np.zeros(n))
    assert_allclose(orbit.state, fixed, rtol=1e-8, atol=1e-9 * np.abs(fixed).max())
    values = np.linalg.eigvals(matrix)
    assert_allclose(np.sort(np.abs(orbit.multipliers)), np.sort(np.abs(values)), rtol=1e-6)
    assert_allclose(orbit.derivative, matrix, rtol=1e-6, atol=1e-7)
    assert orbit.is_stable == (np.abs(values).max() < 1.0)


@pytest.mark.parametrize("shift", [1e-12, 0.3, 1.3, -2.6, 15.0, 5e3, -1e9])
def test_one_number_however_large(shift):
    orbit = ps.periodic(lambda x: 0.5 * x + shift, [0.0], scale=min(1.0, abs(shift)))
    assert_allclose(orbit.state, [2.0 * shift], rtol=1e-9)
    assert_allclose(orbit.multipliers, [0.5], rtol=1e-6)


def test_numbers_of_different_size():
    """The first in millions, the second in millionths, coupled; fixed point (1e6, 1e-6)."""
    sizes = np.array([1e6, 1e-6])
    matrix = np.array([[0.4, 0.3], [-0.2, 0.1]])

    def step(x):
        y = x / sizes
        return sizes * (1.0 + matrix @ (y - 1.0) + 0.1 * (y - 1.0) ** 2)

    orbit = ps.periodic(step, 0.7 * sizes, scale=sizes)
    assert_allclose(orbit.state, sizes, rtol=1e-9)
    assert_allclose(np.sort(orbit.multipliers), np.sort(np.linalg.eigvals(matrix)), rtol=1e-6)


def test_slow_map_with_a_far_fixed_point():
    assert_allclose(ps.periodic(lambda x: 0.999 * x + 1.0, [0.0]).state, [1000.0], rtol=1e-9)


def test_two_periods_of_the_logistic_map():
    """x ← r x (1 - x): x = (r + 1 ± sqrt((r - 3) (r + 1))) / (2 r), multiplier 4 + 2 r - r²."""
    r = 3.3
    root = np.sqrt((r - 3.0) * (r + 1.0))

    def logistic(x):
        return r * x * (1.0 - x)

    for guess, sign in ((0.45, -1.0), (0.85, 1.0)):
        orbit = ps.periodic(lambda x: logistic(logistic(x)), [guess])
        assert_allclose(orbit.state, [(r + 1.0 + sign * root) / (2.0 * r)], rtol=1e-10)
        assert_allclose(orbit.multipliers, [4.0 + 2.0 * r - r**2], rtol=1e-8)
        assert orbit.is_stable
    alone = ps.periodic(logistic, [0.6])
    assert_allclose(alone.state, [1.0 - 1.0 / r], rtol=1e-10)
    assert_allclose(alone.multipliers, [2.0 - r], rtol=1e-8)
    assert not alone.is_stable


def test_henon_map():
    """(x, y) ← (1 - a x² + y, b x): a x² + (1 - b) x - 1 = 0, multipliers λ² + 2 a x λ - b = 0."""
    a, b = 1.4, 0.3
    orbit = ps.periodic(lambda x: [1.0 - a * x[0] ** 2 + x[1], b * x[0]], [0.5, 0.1])
    x = (b - 1.0 + np.sqrt((1.0 - b) ** 2 + 4.0 * a)) / (2.0 * a)
    assert_allclose(orbit.state, [x, b * x], rtol=1e-10)
    assert_allclose(
        np.sort(orbit.multipliers), np.sort(np.roots([1.0, 2.0 * a * x, -b])), rtol=1e-8
    )


def test_steps_are_halved():
    """x ← x - atan(x): whole steps lead away from 0, out to where there is no map."""

    def step(x):
        if abs(x[0]) > 4.0:
            raise ps.ModelError("too far")
        return x - np.arctan(x)

    orbit = ps.periodic(step, [3.0])
    assert_allclose(orbit.state, [0.0], atol=1e-10)
    assert_allclose(orbit.multipliers, [0.0], atol=1e-7)


def test_what_has_no_fixed_point_is_told():
    with pytest.raises(ps.ModelError, match="does not converge"):
        ps.periodic(lambda x: x**2 + 1.0, [1.5])


@pytest.mark.parametrize("foot", [0.1, 0.2])
def test_gait_on_round_feet(foot):
    walker = ps.Walker(
        hip_mass=10, leg_mass=5, leg_inertia=0.1, length=0.8, com=0.3, slope=0.03, foot_radius=foot
    )
    gait = walker.gait()
    assert_allclose(walker.step(gait.state).after, gait.state, atol=1e-10)
    h = 1e-5
    columns = [
        (walker.step(gait.state + e).after - walker.step(gait.state - e).after) / (2.0 * h)
        for e in h * np.eye(4)
    ]
    values = np.linalg.eigvals(np.stack(columns, axis=1))
    assert_allclose(
        np.sort(np.abs(gait.multipliers)), np.sort(np.abs(values)), rtol=1e-5, atol=1e-6
    )
    assert gait.is_stable
    step = walker.step(gait.state)  # the slope gives what the strike takes
    assert step.kinetic[1] < step.kinetic[0]


@pytest.mark.parametrize(
    ("arguments", "options", "words"),
    [
        ((lambda x: x, []), {}, "at least one number"),
        ((lambda x: x, [[1.0]]), {}, "shape"),
        ((lambda x: x, [np.nan]), {}, "finite"),
        ((3, [1.0]), {}, "function"),
        ((lambda x: [1.0, 2.0], [1.0]), {}, "1 finite numbers"),
        ((lambda x: x * np.nan, [1.0]), {}, "finite"),
        ((lambda x: x + 1.0, [1.0]), {}, "does not converge"),
        ((lambda x: x, [1.0]), {"tolerance": 0.0}, "tolerance must be positive"),
        ((lambda x: x, [1.0]), {"tolerance": [1.0, 1.0]}, "tolerance must be one number"),
        ((lambda x: x, [1.0]), {"scale": -1.0}, "scale must be positive"),
        ((lambda x: x, [1.0]), {"scale": [1.0, 2.0]}, "as many as the guess"),
    ],
)
def test_mistakes_are_named(arguments, options, words):
    with pytest.raises(ps.ModelError, match=words):
        ps.periodic(*arguments, **options)


def test_a_map_that_ends_at_the_guess_says_where():
    def step(x):
        raise ps.ModelError("it fell")

    with pytest.raises(ps.ModelError, match=r"the map ends at \[2\.0\]: it fell"):
        ps.periodic(step, [2.0])


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"com": 1.2}, r"com must be at most length \+ foot_radius = 1 from the hip.*got 1\.2"),
        ({"com": 1.4, "foot_radius": 0.3}, r"= 1\.3 from the hip"),
        ({"hip_mass": -1.0}, r"hip_mass must not be negative, got -1"),
        ({"foot_radius": -0.1}, r"foot_radius must not be negative"),
        ({"leg_inertia": -0.1}, r"leg_inertia must not be negative"),
        ({"length": 0.0}, r"length must be positive"),
        ({"slope": np.nan}, r"Walker: slope"),
    ],
)
def test_walkers_that_cannot_be_are_refused(changed, words):
    numbers = {"hip_mass": 10, "leg_mass": 5, "leg_inertia": 0, "length": 1, "com": 0.5}
    with pytest.raises(ps.ModelError, match=words):
        ps.Walker(**(numbers | {"slope": 0.05} | changed))
