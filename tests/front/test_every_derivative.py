"""Derivatives of every quantity by each of its arguments, against differences along integrate."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import poinsot as ps
from poinsot.evaluate.registry import QUANTITIES
from tests.front.test_linearize import adjustable

RNG = np.random.default_rng(5)
STEP = 2e-3
WEIGHTS = {1: 4 / 5, 2: -1 / 5, 3: 4 / 105, 4: -1 / 280}
"""Of f(k h) - f(-k h), for a difference of eighth order."""


def carried():
    """Return a ball joint and a hinge on a cart, with free parameters; and q, v, a and tau."""
    m, l, k = ps.symbols("m l k")
    cart = ps.Body("cart", joint=ps.Prismatic("x", damping=0.5, stiffness=k), mass=2.0)
    ball = ps.Body("ball", "cart", ps.Spherical(), ps.Pose((0, 0, 0.1)), m, (0.05, 0.02, -l))
    arm = ps.Body("arm", "ball", ps.Revolute("y"), ps.Pose((0, 0, -l)), 0.7, (0, 0, -0.3))
    numbers = {"m": 1.3, "l": 0.6, "k": 3.0}
    system = ps.System("carried ball", [cart, ball, arm], parameters=numbers, free=numbers)
    q = system.integrate(system.neutral(), 0.4 * RNG.normal(size=system.nv))
    v, a, tau = RNG.normal(size=(3, system.nv))
    return system, {"q": q, "v": v, "a": a, "tau": tau}


def closed():
    """Return the four-bar linkage with q, v, a and tau."""
    system = ps.library.four_bar()
    q = ps.library.four_bar_configuration(0.7)
    v = system.consistent_velocity(q, [1.0, 0, 0])
    return system, {"q": q, "v": v, "a": RNG.normal(size=3), "tau": RNG.normal(size=3)}


def lengthened():
    """Return a slider-crank whose length is a parameter, with q, v, a and tau."""
    system = adjustable()
    q = system.assemble([0.7, -1.2, 1.5])
    v = system.consistent_velocity(q, [1.0, 0, 0])
    return system, {"q": q, "v": v, "a": RNG.normal(size=3), "tau": RNG.normal(size=3)}


def options(system, quantity, axes):
    """Return body, loop, joints and axes of a quantity where it has them."""
    values = {"axes": axes} | {
        "body": system.body_names[-1],
        "joints": list(system.joint_names[:1]),
    }
    if system.loops:
        values["loop"] = system.loops[0].name
    return {key: values[key] for key in quantity.options if key in values}


@pytest.mark.parametrize("make", [carried, closed, lengthened])
def test_every_quantity(make):
    """Compare the derivative along a direction with differences, for every argument."""
    system, state = make()
    state |= {"point": np.array([0.1, 0.2, 0.3]), "lam": RNG.normal(size=len(system.row_names))}
    state["gravity"] = np.array([1.0, 2.0, -9.0])
    bar = ps.Bar(system.body_names[-1], (0, 0, 0), (0.1, 0.2, -0.3), density=0.8)
    state["section"] = bar.section(0.15).numbers()
    numbers = np.array([system.parameters[name] for name in system.free])
    compared = set()
    asked = [(name, q, axes) for name, q in QUANTITIES.items() for axes in q.axes or ("body",)]
    for name, quantity, axes in asked:
        if any(key not in state for key in quantity.inputs):
            continue
        if "loop" in quantity.options and not system.loops:
            continue
        how = options(system, quantity, axes)
        given = {key: state[key] for key in quantity.inputs}
        for by in (*given, *(["parameters"] if system.free else [])):
            sizes = {"q": system.nv, "parameters": numbers.size}
            u = RNG.normal(size=sizes[by] if by in sizes else given[by].size)

            def along(s, name=name, by=by, u=u, given=given, how=how):
                """Return the quantity with one argument moved by s u."""
                if by == "parameters":
                    moved = dict(zip(system.free, numbers + s * u, strict=True))
                    return system.evaluate(name, *given.values(), parameters=moved, **how)
                x = system.integrate(given["q"], s * u) if by == "q" else given[by] + s * u
                return system.evaluate(name, *(given | {by: x}).values(), **how)

            found = system.derivative(name, *given.values(), by=by, along=u, **how)
            difference = sum(w * (along(k * STEP) - along(-k * STEP)) for k, w in WEIGHTS.items())
            scale = 1 + np.abs(difference).max(initial=0.0) / STEP
            assert_allclose(
                found, difference / STEP, atol=1e-9 * scale, err_msg=f"{name} by {by}, {how}"
            )
            compared.add((name, axes, by))
    assert len(compared) > 120
    loads = {("section_load", "body", by) for by in ("q", "v", "a", "lam", "section")}
    assert loads | {("velocity", "world", "q"), ("reactions", "joint", "lam")} <= compared


def test_what_is_too_long_says_so(monkeypatch):
    """Check what is told where a program along directions would be too long as well."""
    system = ps.library.slider_crank()
    state = RNG.normal(size=(3, system.nv))
    for name in ("LONGEST_DENSE", "LONGEST_STRAIGHT"):
        monkeypatch.setattr(f"poinsot.evaluate.derivative_kernel.{name}", 100)
    with pytest.raises(ps.PoinsotError, match="actuator_forces: this derivative of 'slider-crank"):
        system.derivative("actuator_forces", *state, by="q")


def test_long_programs_of_closed_systems():
    """Check that a quantity without loops over bodies is differentiated however long it is."""
    system = ps.library.bicycle()
    v = system.consistent_velocity(system.neutral(), RNG.normal(size=9))
    u, a = RNG.normal(size=(2, 9))
    found = system.derivative("actuator_forces", system.neutral(), v, a, by="a", along=u)
    linear = system.evaluate("actuator_forces", system.neutral(), v, a + u)
    assert_allclose(
        found, linear - system.evaluate("actuator_forces", system.neutral(), v, a), atol=1e-9
    )
