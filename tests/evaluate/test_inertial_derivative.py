"""Derivatives by inertial parameters: through the regressor, by differentiation, by differences."""

import numpy as np
import pytest
from hypothesis import given, settings
from numpy.testing import assert_allclose

import poinsot as ps
from poinsot.evaluate import derivative
from poinsot.evaluate.derivative import trace_derivative
from poinsot.evaluate.inertial_derivative import inertial_routes, outside_inertias
from poinsot.evaluate.request import Derivative, Request
from poinsot.expr import build
from poinsot.expr.replay import replay
from poinsot.model import LoadInputs, Mechanism
from poinsot.model.changed import changed
from tests.parametric import parametric
from tests.random_examples import examples
from tests.strategies import cases

DENSE = Derivative(("parameters",), (False,))
LOADED = LoadInputs(base=True, wrenches=(0,))


def with_free_inertias(case, rng):
    """Return the mechanism of a case with parameters in inertias only, and their values."""
    free, values = parametric(rng, case.mechanism, 0.6)
    bodies = [
        changed(body, mass=other.mass, com=other.com, inertia=other.inertia)
        for body, other in zip(case.mechanism.bodies, free.bodies, strict=True)
    ]
    mechanism = Mechanism(free.name, bodies, case.mechanism.gravity)
    names = mechanism.free_parameters
    return mechanism, np.array([values[name] for name in names])


def by_differentiation(mechanism, request, monkeypatch):
    """Return the program that differentiates."""
    monkeypatch.setattr(derivative, "inertial_routes", lambda *_: [])
    return trace_derivative(mechanism, request)


def both_routes(mechanism, request, numbers):
    """Return the derivative by each of both algorithms of the regressor, then the graph's."""
    results = []
    for route in inertial_routes(mechanism, request):
        inputs, result = route.trace()
        program = build(inputs | derivative.parameter_symbols(mechanism), {"y": result})
        results.append(replay(program, *numbers)[0])
    with pytest.MonkeyPatch.context() as patch:
        results.append(replay(by_differentiation(mechanism, request, patch), *numbers)[0])
    return results


@pytest.mark.parametrize("quantity", ["inverse_dynamics", "bias", "gravity_force"])
@settings(max_examples=examples(6), deadline=None)
@given(case=cases(max_bodies=9, kinds=("revolute", "prismatic", "spherical", "free", "universal")))
def test_both_routes_agree(quantity, case):
    """Compare the regressor's columns with differentiation on random trees, loads included."""
    mechanism, values = with_free_inertias(case, case.rng)
    if not len(values):
        return
    loads = LoadInputs() if quantity == "gravity_force" else LOADED
    request = Request(quantity, loads=loads, derivative=DENSE)
    state = {"inverse_dynamics": [case.v, case.a], "bias": [case.v], "gravity_force": []}[quantity]
    outside = [] if quantity == "gravity_force" else [case.rng.normal(size=n) for n in (15, 6)]
    first, *others = both_routes(mechanism, request, [case.q, *state, *outside, values])
    assert others
    for other in others:
        assert_allclose(other, first, atol=1e-10 * max(np.abs(first).max(initial=0.0), 1e-9))


@settings(max_examples=examples(5), deadline=None)
@given(case=cases(max_bodies=6, kinds=("revolute", "prismatic", "spherical", "free")))
def test_forward_dynamics(case):
    """Compare both routes of the derivatives of accelerations on random trees."""
    mechanism, values = with_free_inertias(case, case.rng)
    if not len(values):
        return
    request = Request("forward_dynamics", derivative=DENSE)
    first, *others = both_routes(mechanism, request, [case.q, case.v, case.tau, values])
    M = np.array(
        [[float(x) for x in row] for row in ps.System(
            "s", case.mechanism.bodies, gravity=case.mechanism.gravity).mass_matrix(case.q)]
    )  # fmt: skip
    scale = np.abs(first).max(initial=0.0) * np.linalg.cond(M) * 1e-14 + 1e-10
    for other in others:
        assert_allclose(other, first, rtol=1e-9, atol=max(scale, 1e-9 * np.abs(first).max()))


def crank():
    """Return a slider crank with a free mass, a free mass centre and a free length."""
    m, c, l = ps.symbols("m c l")
    bodies = [
        ps.Body("crank", joint=ps.Revolute("y"), mass=m, com=(c, 0, 0), inertia=(0.1, 0.2, 0.3)),
        ps.Body("rod", "crank", ps.Revolute("y"), ps.Pose((l, 0, 0)), 2.0 * m, (0.4, 0, 0),
                (0.1, 0.3, 0.2)),
        ps.Body("slider", joint=ps.Prismatic("x"), mass=m * m),
    ]  # fmt: skip
    loop = ps.Loop("pin", ("rod", (1.2, 0, 0)), "slider", ps.Revolute("y"))
    return ps.System("crank", bodies, loops=[loop], parameters={"m": 1.3, "c": 0.2, "l": 0.5},
                     free=["m", "c", "l"])  # fmt: skip


def test_closed_systems():
    """Compare accelerations under constraints with differences."""
    system = crank()
    q = system.assemble(np.array([0.4, 0.3, 1.0]))
    v = system.consistent_velocity(q, np.array([1.0, 0.0, 0.0]))
    tau = np.array([0.7, -0.2, 0.4])
    assert inertial_routes(
        system._mechanism, Request("forward_dynamics", derivative=Derivative(("m",), (False,)))
    )
    for name, value in (("m", 1.3), ("c", 0.2)):
        found = system.derivative("forward_dynamics", q, v, tau, by=name)
        ends = [
            system.forward_dynamics(q, v, tau, parameters={name: value + s}) for s in (-1e-5, 1e-5)
        ]
        assert_allclose(found, (ends[1] - ends[0]) / 2e-5, rtol=1e-7, atol=1e-8)


def test_second_derivatives_begin_with_the_regressor(monkeypatch):
    """Compare derivatives by q of those by masses with the derivative of the graph's."""
    monkeypatch.setenv("POINSOT_CACHE", "0")
    names = [f"m{i}" for i in range(4)]
    masses = [ps.symbols(name) for name in names]
    bodies = [
        ps.Body(f"b{i}", f"b{i - 1}" if i else "world", ps.Revolute("xyz"[i % 3]),
                ps.Pose((0.1, 0.2, 0.3)), m, (0.1, 0.05, 0.2), (0.1, 0.2, 0.2))
        for i, m in enumerate(masses)
    ]  # fmt: skip
    system = ps.System("arm", bodies, parameters=dict.fromkeys(names, 1.5), free=names)
    rng = np.random.default_rng(2)
    q, v, a, u = rng.normal(size=(4, 4))
    for by, along in ((("q", "parameters"), None), (("v", "parameters"), (u, None)),
                      (("parameters", "parameters"), None)):  # fmt: skip
        through = system.derivative("inverse_dynamics", q, v, a, by=by, along=along)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(derivative, "inertial_routes", lambda *_: [])
            other = ps.System("arm 2", bodies, parameters=dict.fromkeys(names, 1.5), free=names)
            graph = other.derivative("inverse_dynamics", q, v, a, by=by, along=along)
        assert through.shape == graph.shape
        assert_allclose(through, graph, atol=1e-12 * max(np.abs(graph).max(), 1.0))


def test_the_shorter_route_is_taken(monkeypatch):
    """Count operations: centres of mass go through the regressor, a single mass does not."""
    c = [ps.symbols(f"c{i}x c{i}y c{i}z") for i in range(7)]
    m = ps.symbols("m")
    names = ["m", *(f"c{i}{x}" for i in range(7) for x in "xyz")]
    bodies = [
        ps.Body(f"b{i}", f"b{i - 1}" if i else "world", ps.Revolute("xyz"[i % 3]),
                ps.Pose((0.0, 0.0, 0.4)), m if i == 6 else 1.5, c[i], (0.1, 0.2, 0.2))
        for i in range(7)
    ]  # fmt: skip
    system = ps.System("arm", bodies, parameters=dict.fromkeys(names, 0.2), free=names)
    centres = Request("inverse_dynamics", derivative=DENSE)
    mass = Request("inverse_dynamics", derivative=Derivative(("m",), (False,)))
    chosen = {x: trace_derivative(system._mechanism, x).n_operations for x in (centres, mass)}
    graph = {x: by_differentiation(system._mechanism, x, monkeypatch) for x in (centres, mass)}
    assert chosen[centres] < 0.7 * graph[centres].n_operations
    assert chosen[mass] == graph[mass].n_operations


def test_parameters_outside_inertias_are_differentiated():
    """Check what counts as inertial: a length of a loop does not, a state does not."""
    mechanism = crank()._mechanism
    pushed = mechanism.rebuilt(forces=[ps.JointForce("crank", "3*m*q")])
    assert outside_inertias(pushed) == {"l", "m"}
    assert outside_inertias(mechanism) == {"l"}
    for name, has_route in (("m", True), ("l", False), ("parameters", False)):
        request = Request("inverse_dynamics", derivative=Derivative((name,), (False,)))
        assert bool(inertial_routes(mechanism, request)) is has_route
