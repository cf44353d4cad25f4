"""Derivatives whose dense programs are too long: along directions, and traced once only."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import poinsot as ps
from poinsot.evaluate import derivative_kernel as derivatives

RNG = np.random.default_rng(11)
ORDERS = (("q", "q"), ("v", "v"), ("q", "v"), ("a", "q"))


def tree():
    """Return a floating tree with ball joints and a free mass: 17 velocities."""
    m = ps.symbols("m")
    rod = {"com": (0.1, 0.2, 0.05), "inertia": (0.3, 0.2, 0.4)}
    bodies = [ps.Body("hull", joint=ps.Free(), mass=m, **rod)]
    for side in ("left", "right"):
        pose = ps.Pose((0.3, 0.1, 0.2))
        bodies += [
            ps.Body(f"{side} upper", "hull", ps.Spherical(), pose, 1.1, **rod),
            ps.Body(f"{side} lower", f"{side} upper", ps.Revolute("y", damping=0.3), pose, 0.7,
                    **rod),
            ps.Body(f"{side} foot", f"{side} lower", ps.Prismatic("x"), pose, 0.4, **rod),
        ]  # fmt: skip
    return ps.System("tree", bodies, parameters={"m": 2.0}, free=["m"])


def test_second_derivatives_of_large_trees():
    """Compare with differences of the first along integrate, with loads, values and out=."""
    system, h = tree(), 1e-6
    n = system.nv
    q = np.stack([system.random(RNG) for _ in range(2)])
    v, a = RNG.normal(size=(2, 2, n))
    loads = {"wrenches": {"hull": RNG.normal(size=(2, 6))}, "parameters": {"m": [1.5, 3.0]}}
    found = system.inverse_dynamics_second_derivatives(q, v, a, **loads)
    assert found.shape == (2, 4, n, n, n)
    by_q, by_v = [], []
    for unit in np.eye(n):
        first = [
            [system.inverse_dynamics_derivatives(system.integrate(q, s * unit), v, a, **loads),
             system.inverse_dynamics_derivatives(q, v + s * unit, a, **loads)]
            for s in (h, -h)
        ]  # fmt: skip
        over = (np.array(first[0]) - np.array(first[1])) / (2 * h)
        by_q.append(over[0])
        by_v.append(over[1])
    D_q, D_v = np.stack(by_q, axis=-1), np.stack(by_v, axis=-1)  # (2, 3, n, n, n): α last
    expected = [
        D_q[:, 0].swapaxes(-1, -2), D_v[:, 1].swapaxes(-1, -2), D_q[:, 1].swapaxes(-1, -2),
        D_q[:, 2],
    ]  # fmt: skip
    assert_allclose(found, np.stack(expected, axis=1), atol=1e-6 * np.abs(found).max())
    out = np.empty_like(found)
    assert system.inverse_dynamics_second_derivatives(q, v, a, out=out, **loads) is out
    assert_allclose(out, found)
    one = {"wrenches": {"hull": loads["wrenches"]["hull"][1]}, "parameters": {"m": 3.0}}
    for k, by in enumerate(ORDERS):
        each = system.derivative("inverse_dynamics", q[1], v[1], a[1], by=by, **one)
        assert_allclose(found[1, k], each, atol=1e-10 * np.abs(found).max())


@pytest.mark.parametrize(("quantity", "by"), [("inverse_dynamics", "qv"), ("bias", "qq")])
def test_what_is_too_long_is_traced_once(quantity, by, monkeypatch):
    """Count traces: the second call has none."""
    traces = []
    trace = derivatives.trace_derivative
    monkeypatch.setattr(
        derivatives, "trace_derivative", lambda *given: traces.append(given) or trace(*given)
    )
    monkeypatch.setattr(derivatives, "LONGEST_DENSE", 500)
    system = ps.library.chain(5)
    state = RNG.normal(size=(3 if quantity == "inverse_dynamics" else 2, 5))
    first = system.derivative(quantity, *state, by=tuple(by))
    assert traces
    traces.clear()
    again = system.derivative(quantity, *state, by=tuple(by))
    assert not traces
    assert_allclose(again, first, rtol=0, atol=0)
