"""Derivatives by parameters on which gravity depends, beside a base that is turned and moves."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import poinsot as ps

STEP = 1e-5
NUMBERS = {"g": 9.81, "m": 2.0}
G, M = ps.symbols("g m")


def swinging(n=3):
    """Return a chain under gravity that is no linear function of its parameter."""
    bodies = [
        ps.Body(f"b{k}", f"b{k - 1}" if k else "world", ps.Revolute("xyz"[k % 3], damping=0.1),
                ps.Pose((0.1, 0.0, -0.4)), M if k == n - 1 else 1.0, (0.05, 0.1, -0.2),
                (0.1, 0.2, 0.15))
        for k in range(n)
    ]  # fmt: skip
    return ps.System("swing", bodies, gravity=(0.3 * G, G * G / 40, -G), parameters=NUMBERS,
                     free=list(NUMBERS))  # fmt: skip


def turned_base(shape=()):
    """Return a base in a random pose, with velocity and acceleration."""
    rng = np.random.default_rng(4)
    Q, _ = np.linalg.qr(rng.normal(size=(*shape, 3, 3)))
    Q *= np.linalg.det(Q)[..., None, None]
    X = np.zeros((*shape, 4, 4))
    X[..., :3, :3], X[..., 3, 3] = Q, 1.0
    return ps.BaseMotion(X, rng.normal(size=(*shape, 6)), rng.normal(size=(*shape, 6)))


def state_of(n):
    """Return q, v and a or tau."""
    return np.random.default_rng(7).normal(size=(3, n))


def differences(function, name):
    """Return the central difference of a function of parameters by one of them."""
    ends = [function({name: NUMBERS[name] + s}) for s in (-STEP, STEP)]
    return (ends[1] - ends[0]) / (2 * STEP)


@pytest.mark.parametrize("quantity", ["inverse_dynamics", "forward_dynamics", "bias"])
@pytest.mark.parametrize("shape", [(), (4,)])
def test_first_derivatives(quantity, shape):
    """Compare with differences, of one base and of many: one parameter, all, and products."""
    system, base = swinging(), turned_base(shape)
    state = state_of(3)[: 2 if quantity == "bias" else 3]

    def value(parameters):
        return getattr(system, quantity)(*state, base=base, parameters=parameters)

    columns = {name: differences(value, name) for name in NUMBERS}
    for name, expected in columns.items():
        found = system.derivative(quantity, *state, by=name, base=base)
        assert_allclose(found, expected, atol=1e-8 * np.abs(expected).max())
    every = system.derivative(quantity, *state, by="parameters", base=base)
    order = [columns[name] for name in system.free]
    assert_allclose(every, np.stack(order, -1), atol=1e-7)
    along = system.derivative(quantity, *state, by="parameters", along=[0.3, -2.0], base=base)
    assert_allclose(along, 0.3 * order[0] - 2.0 * order[1], atol=1e-7)
    weights = np.array([0.5, 1.0, -2.0])
    weighted = system.derivative(quantity, *state, by="g", weights=weights, base=base)
    assert_allclose(weighted, columns["g"] @ weights, atol=1e-7)
    again = system.derivative(quantity, *state, by="g", base=base, parameters={"g": 3.7})
    assert not np.allclose(again, columns["g"])


def test_higher_derivatives():
    """Compare mixed and second ones with differences of the first; by the base itself too."""
    system, base, state = swinging(), turned_base(), state_of(3)

    def first(by, **how):
        return lambda p: system.derivative(
            "inverse_dynamics", *state, by=by, base=base, parameters=p, **how
        )

    for by in ("q", "base", "g", "m"):
        expected = differences(first(by), "g")
        for order in (("g", by), (by, "g")):
            found = system.derivative("inverse_dynamics", *state, by=order, base=base)
            assert_allclose(found, expected, atol=1e-7 * max(np.abs(expected).max(), 1.0))


def test_a_base_at_rest_is_no_base():
    """Compare a base that does not move with the system without one."""
    system, state = swinging(), state_of(3)
    for by in ("g", "parameters", ("q", "g"), ("g", "g")):
        found = system.derivative("inverse_dynamics", *state, by=by, base=ps.BaseMotion())
        assert_allclose(found, system.derivative("inverse_dynamics", *state, by=by), atol=1e-12)


def test_long_programs(monkeypatch):
    """Compare along directions, dense and rolled, with differences: a chain of 25."""
    monkeypatch.setattr("poinsot.evaluate.derivative_kernel.LONGEST_DENSE", 500)
    monkeypatch.setattr("poinsot.evaluate.derivative_kernel.LONGEST_ROLLABLE", 500)
    monkeypatch.setenv("POINSOT_CACHE", "0")
    system, base, state = swinging(25), turned_base(), state_of(25)
    expected = differences(
        lambda p: system.inverse_dynamics(*state, base=base, parameters=p), "g"
    )  # fmt: skip
    every = system.derivative("inverse_dynamics", *state, by="parameters", base=base)
    assert_allclose(every[:, system.free.index("g")], expected, atol=1e-7)
    one = system.derivative("inverse_dynamics", *state, by="g", along=[2.0], base=base)
    assert_allclose(one, 2 * expected, atol=1e-7)


def test_linearised_with_gravity_as_an_input():
    """Compare the column of B with the change of acceleration by gravity, base at rest."""
    rod = ps.Body("rod", joint=ps.Revolute("y"), mass=M, com=(0, 0, -1))
    swing = ps.System("swing", [rod], gravity=(0, 0, -G), parameters=NUMBERS, free=list(NUMBERS))
    tilted = ps.BaseMotion(ps.Pose(axis="y", angle=0.3))
    q = [0.4]
    tau = swing.inverse_dynamics(q, [0.0], [0.0], base=tilted)
    model = ps.linearize(swing, q, tau=tau, inputs=["g"], base=tilted)
    assert_allclose(model.B[-1, 0], -np.sin(0.4 + 0.3), rtol=1e-12)
