"""Parameters in constraints: the same as numbers in their places."""

import numpy as np
import pytest

import poinsot as ps
from poinsot.errors import FormulaError, ModelError

VALUES = {"a": 0.7, "b": 1.3}


def system(a, b, texts, **more):
    """Return two bodies with a constraint of every kind.

    Args:
        a, b: Numbers or symbols.
        texts: What stands for them in formulas.
        **more: Parameters.
    """
    mass = {"mass": 1.0, "inertia": (0.3, 0.4, 0.5)}
    bodies = [
        ps.Body("x", joint=ps.Prismatic("x"), **mass),
        ps.Body("y", "x", joint=ps.Revolute("y"), **mass),
        ps.Body("free", joint=ps.Translation(), **mass),
    ]
    ta, tb = texts
    wire = ps.Curve(("s", f"{ta}*s**2", f"{tb}"), (-3, 3))
    helix = ps.Curve(lambda s: (a * np.cos(s), a * np.sin(s), b * s), (-3, 3))
    places = {"u": ("free", (0, 0, a), "z"), "w": "x"}
    constraints = [
        ps.Distance("rod", ("free", (b, 0, 0)), ("y", (0, 0, 1)), 2 * a),
        ps.Gear("gear", "x", "y", a, offset=b),
        ps.RackPinion("rack", "y", "x", b / 2),
        ps.PrescribedMotion("motor", "x", f"sin({ta}*t)"),
        ps.PrescribedMotion("law", "y", lambda t: b * t),
        ps.PointOnSurface("bowl", ("free", (0, 0, 0)), f"x**2 + {ta}*y - {tb}*z", ("y", (0, b, 0))),
        ps.PointOnSurface("dish", ("free", (0, 0, 0)), lambda x, y, z: a * x * y - z),
        ps.PointOnCurve("bead", ("free", (0, 0, 0)), wire, damping=a, stiffness=b, rest=a),
        ps.PointOnCurve("helix", ("free", (0, 0, 0)), helix, "x"),
        ps.FormulaConstraint("rail", [f"u - {ta}*w**2", f"u*{tb}"], places),
        ps.Holonomic("any", lambda q, t: q[0] * a + t * q[1] * q[2] * b),
    ]
    return ps.System("all", bodies, constraints=constraints, **more)


def test_parameters_are_as_numbers():
    rng = np.random.default_rng(4)
    q, v, t = rng.normal(size=5), rng.normal(size=5), 0.3
    plain = system(*VALUES.values(), [f"({x})" for x in VALUES.values()])
    a, b = ps.symbols("a b")
    constants = system(a, b, "ab", parameters={"a": 9.0, "b": 9.0}).with_parameters(**VALUES)
    inputs = system(a, b, "ab", parameters={"a": None, "b": 9.0}, free=("b",))
    for name, state in (
        ("constraint_residual", (q,)),
        ("constraint_jacobian", (q,)),
        ("constraint_rate", (q, v)),
        ("forward_dynamics", (q, v)),
    ):
        expected = getattr(plain, name)(*state, t=t)
        assert getattr(constants, name)(*state, t=t) == pytest.approx(expected, rel=1e-12)
        found = getattr(inputs, name)(*state, t=t, parameters=VALUES)
        assert found == pytest.approx(expected, rel=1e-9, abs=1e-11)
    assert plain.potential_energy(q) == pytest.approx(
        inputs.potential_energy(q, parameters=VALUES), rel=1e-12
    )


def test_numbers_in_place_of_parameters_are_checked():
    rod = ps.Distance("rod", "world", "b", ps.symbols("l"))
    bodies = [ps.Body("b", joint=ps.Translation(), mass=1)]
    with pytest.raises(ModelError, match="'rod': length must be positive, got -1"):
        ps.System("m", bodies, constraints=[rod], parameters={"l": -1.0})


def test_names_in_texts_must_be_declared():
    """A slip of the pen must not become a parameter."""
    bodies = [ps.Body("b", joint=ps.Translation(), mass=1)]
    point = ("b", (0, 0, 0))
    for one in (
        ps.PointOnSurface("s", point, "x - radius"),
        ps.PointOnCurve("c", point, ps.Curve(("s", "radius", 0), (0, 1))),
        ps.FormulaConstraint("f", "u - radius", {"u": (*point, "x")}),
    ):
        with pytest.raises(FormulaError, match="unknown name 'radius'"):
            ps.System("m", bodies, constraints=[one])
        ps.System("m", bodies, constraints=[one], parameters={"radius": 1.0})
        with pytest.raises(FormulaError, match="unknown name 'radius'; did you mean 'radios'"):
            ps.System("m", bodies, constraints=[one], parameters={"radios": 1.0})
    with pytest.raises(FormulaError, match="'x' is a parameter, and has a meaning of its own"):
        ps.System(
            "m", bodies, constraints=[ps.PointOnSurface("s", point, "x")], parameters={"x": 1.0}
        )
