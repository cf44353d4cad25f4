"""Liu's RRP arm on its rail against Lagrange's equations, derived here from the geometry."""

from functools import cache

import numpy as np
import pytest
from numpy.testing import assert_allclose

from poinsot.library import circular_rail, rrp_arm, rrp_arm_at, rrp_arm_on_rail

sp = pytest.importorskip("sympy", reason="SymPy derives the equations")

SIGN = np.array([1.0, -1.0, 1.0])  # q2 = π/2 - θ2
NAMES = ("b1", "b2", "b4", "rho", "m", "J", "g", "D", "K")


@cache
def lagrange():
    """Return (parameters, q, v) -> M and n of M q'' + n = 0, and the tip with its two rates.

    q = (θ1, θ2, z3).  The column turns about the vertical; the shoulder's axis u is level and the
    arm points along d, θ2 below the horizontal; its third axis is e.
    """
    q, v = (sp.Matrix(sp.symbols(f"{name}1:4")) for name in "qv")
    th1, th2, z3 = q
    b1, b2, b4, g = sp.symbols("b1 b2 b4 g")
    rho, m, D, K = (sp.symbols(f"{name}1:4") for name in ("rho", "m", "D", "K"))
    J = [sp.symbols(f"J{i}_1:4") for i in (1, 2, 3)]
    up = sp.Matrix([0, 0, 1])
    out = sp.Matrix([sp.cos(th1), sp.sin(th1), 0])
    u = sp.Matrix([sp.sin(th1), -sp.cos(th1), 0])
    d = sp.cos(th2) * out - sp.sin(th2) * up
    e = sp.sin(th2) * out + sp.cos(th2) * up
    turn = v[0] * up
    tilt = turn - v[1] * u
    shoulder = b1 * up + b2 * u
    bodies = [  # origin, angular velocity, axes, mass centre
        (b1 * up, turn, (out, up.cross(out), up), -rho[0] * up),
        (shoulder, tilt, (e, -d, u), -rho[1] * u),
        (shoulder + z3 * d, tilt, (e, u, d), -rho[2] * d),
    ]
    T = V = sp.S.Zero
    for (origin, w, axes, centre), mass, moments in zip(bodies, m, J, strict=True):
        speed = origin.jacobian(q) * v
        T += mass * (speed.dot(speed) / 2 + speed.dot(w.cross(centre)))
        T += sum(I * w.dot(axis) ** 2 for I, axis in zip(moments, axes, strict=True)) / 2
        V += mass * g * (origin + centre).dot(up)
    V += sum(k * x**2 for k, x in zip(K, q, strict=True)) / 2
    momentum = sp.Matrix([T]).jacobian(v).T
    M = momentum.jacobian(v)
    n = momentum.jacobian(q) * v - sp.Matrix([T - V]).jacobian(q).T
    n += sp.Matrix([c * rate for c, rate in zip(D, v, strict=True)])
    tip = shoulder + (z3 + b4) * d
    Jt = tip.jacobian(q)
    bias = (Jt * v).jacobian(q) * v
    given = [b1, b2, b4, rho, m, J, g, D, K]
    return sp.lambdify([given, list(q), list(v)], [M, n, tip, Jt, bias], cse=True)


def solved(parameters, rail, C, Dc, x, v):
    """Return accelerations and the force of the rail on the tip without friction.

    The tip stays at the height of the circle and at its radius; friction is -Dc times its velocity.
    """
    M, n, tip, Jt, bias = lagrange()([parameters[name] for name in NAMES], x, v)
    out = tip.ravel() - rail["centre"]
    normals = np.array([[0.0, 0.0, 1.0], [out[0], out[1], 0.0]])
    speed = Jt @ v
    G = normals @ Jt
    gamma = normals @ bias.ravel() + [0.0, speed[0] ** 2 + speed[1] ** 2]
    A = np.block([[M, -G.T], [G, np.zeros((2, 2))]])
    b = np.concatenate([C - n.ravel() - Dc * Jt.T @ speed, -gamma])
    solution = np.linalg.solve(A, b)
    return solution[:3], normals.T @ solution[3:]


@pytest.mark.parametrize("seed", range(3))
def test_arm_on_rail(seed):
    """Check accelerations and reactions for random arms, rails and states."""
    rng = np.random.default_rng(seed)
    m = rng.uniform(0.5, 4.0, 3)
    rho = rng.uniform(0.05, 0.4, 3)
    moments = rng.uniform(0.05, 0.1, (3, 3)) + 0.2
    moments[:, :2] += (m * rho**2)[:, None]  # about the origins
    parameters = {
        "b1": rng.uniform(0.6, 1.2), "b2": rng.uniform(0.1, 0.4), "b4": rng.uniform(0.1, 0.5),
        "rho": rho, "m": m, "J": moments, "g": 9.81,
        "D": rng.uniform(0.0, 1.0, 3), "K": rng.uniform(0.0, 20.0, 3),
    }  # fmt: skip
    rail = {
        "radius": rng.uniform(0.4, 0.7),
        "centre": np.array([1.2, 0.3, rng.uniform(-0.2, 0.3)]),
        "phase": rng.uniform(-1.0, 1.0),
    }
    Dc = rng.uniform(0.0, 2.0)
    curve = circular_rail(**rail)
    system = rrp_arm_on_rail(curve, arm=rrp_arm(**parameters), Dc=Dc)
    for _ in range(10):
        C, xi, rate = rng.normal(size=3), *rng.uniform(-1.0, 1.0, 2)
        at = curve.at(xi)
        q = rrp_arm_at(at.c, **{name: parameters[name] for name in ("b1", "b2", "b4")})
        x = np.array([q[0], np.pi / 2 - q[1], q[2]])
        tip, Jt = lagrange()([parameters[name] for name in NAMES], x, np.zeros(3))[2:4]
        assert_allclose(tip.ravel(), at.c, atol=1e-14)
        velocity = np.linalg.solve(Jt, at.dc * rate)
        a, force = solved(parameters, rail, C, Dc, x, velocity)
        v, tau = SIGN * velocity, SIGN * C
        assert_allclose(system.constraint_residual(q), np.zeros(2), atol=1e-14)
        assert_allclose(system.loop_velocity("rail", q, v), [rate], rtol=1e-12)
        assert_allclose(SIGN * system.forward_dynamics(q, v, tau), a, rtol=1e-11, atol=1e-11)
        found = system.reactions(q, v, tau=tau, axes="world")["rail"]
        assert_allclose(found[:3], force - Dc * rate * at.dc, rtol=1e-11, atol=1e-11)
        assert_allclose(found[3:], np.zeros(3), atol=1e-11)


def test_free_arm():
    """Check mass matrix and bias of the arm without its rail at random states."""
    arm, rng = rrp_arm(), np.random.default_rng(3)
    parameters = [
        0.9, 0.25, 0.35, (0.3, 0.12, 0.28), (4.0, 2.5, 1.5),
        ((0.6, 0.6, 0.2), (0.15, 0.13, 0.1), (0.25, 0.26, 0.03)), 9.81,
        (0.2, 0.3, 0.4), (1.0, 2.0, 30.0),
    ]  # fmt: skip
    for x, v in rng.normal(size=(10, 2, 3)):
        M, n, *_ = lagrange()(parameters, x, v)
        q = [x[0], np.pi / 2 - x[1], x[2]]
        assert_allclose(SIGN * arm.mass_matrix(q) * SIGN[:, None], M, rtol=1e-12, atol=1e-12)
        assert_allclose(SIGN * arm.bias(q, SIGN * v), n.ravel(), rtol=1e-12, atol=1e-11)
