"""Expressions of the state, as functions and as formulas."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import poinsot as ps
from poinsot.errors import FormulaError, ModelError, PoinsotError
from poinsot.evaluate.expression import expression


def system() -> ps.System:
    m = ps.symbols("m")
    bodies = [
        ps.Body("base", joint=ps.Free(), mass=1, inertia=(1, 1, 1)),
        ps.Body("upper arm", "base", ps.Revolute("x"), mass=m, inertia=(1, 1, 1)),
        ps.Body("m", "base", ps.Prismatic("x"), mass=1, inertia=(1, 1, 1)),
    ]
    return ps.System("arm", bodies, parameters={"m": 3.0}, free=["m"])


def value(given, *, t=0.7):
    mechanism = system().mechanism
    rng = np.random.default_rng(1)
    q, v = mechanism.random(rng), rng.normal(size=mechanism.nv)
    a, tau = rng.normal(size=(2, mechanism.nv))
    arrays = {"t": np.array([t]), "q": q, "v": v, "a": a, "tau": tau, "parameters": np.array([5.0])}
    kernel = expression(mechanism, given, "evaluate")
    ports = kernel.signature.inputs
    (port,) = kernel.signature.outputs
    result = np.empty((1, port.size))
    kernel.run([arrays[one.name][None] for one in ports], [result])
    return result.reshape(port.shape), arrays, [one.name for one in ports]


def test_formulas_name_coordinates_velocities_accelerations_and_forces():
    found, x, ports = value("base.qw * v.base.wz + cos(upper_arm) * t - a.upper_arm*tau.m + q.m*m")
    q, v = x["q"], x["v"]
    expected = q[3] * v[5] + np.cos(q[7]) * 0.7 - x["a"][6] * x["tau"][7] + q[8] * 5.0
    assert_allclose(found, expected, rtol=1e-14)
    assert ports == ["t", "q", "v", "a", "tau", "parameters"]


def test_only_what_is_used_is_asked_for():
    assert value("base.x + 1")[2] == ["q", "parameters"]
    assert value(lambda t, q, v: 2.0)[2] == ["q", "parameters"]


def test_functions_keep_their_shape():
    found, x, _ = value(lambda t, q, v: [[q[0], t * v[1]], [np.where(q[7] > 0, v[6], -v[6]), 1.0]])
    sign = 1.0 if x["q"][7] > 0 else -1.0
    expected = [[x["q"][0], 0.7 * x["v"][1]], [sign * x["v"][6], 1.0]]
    assert_allclose(found, expected, rtol=1e-15)


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ("sin(uper_arm)", FormulaError, "did you mean 'upper_arm'"),
        ("elbow.", FormulaError, "unexpected '.'"),
        (lambda t, q, v: float(q[0]), PoinsotError, "could not be traced"),
        (3.0, ModelError, "must be a formula or a function of t, q and v, got float"),
    ],
)
def test_mistakes(given, error, message):
    with pytest.raises(error, match=message):
        value(given)


def test_names_that_could_mean_several():
    bodies = [
        ps.Body(name, joint=ps.Revolute("x"), mass=1, inertia=(1, 1, 1)) for name in ("a b", "a/b")
    ]
    with pytest.raises(FormulaError, match="'a_b' may be one of several coordinates"):
        expression(ps.System("two", bodies).mechanism, "a_b", "evaluate")


@pytest.mark.parametrize("text", ["pose.link 2.z - 0.5", "v.link 2", "sin(link 2)"])
def test_names_with_blanks_say_how_they_are_written(text):
    """Check that a name without its quotes is recognised."""
    with pytest.raises(ps.FormulaError, match='stand in quotes: "link 2", or as link_2'):
        expression(ps.library.chain(2).mechanism, text, "evaluate")
    expression(ps.library.chain(2).mechanism, text.replace("link 2", '"link 2"'), "evaluate")
    with pytest.raises(ps.FormulaError, match="unknown name 'elbow'") as caught:
        expression(ps.library.chain(2).mechanism, 'elbow + "link 2"', "evaluate")
    assert "quotes" not in str(caught.value)
