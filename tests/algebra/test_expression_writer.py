"""What is written means what it says: texts are read back."""

import re

import numpy as np
import pytest
from hypothesis import assume, given, settings
from numpy.testing import assert_allclose

import poinsot as ps
from poinsot.algebra.expression_writer import LATEX, UNICODE, ExpressionWriter
from poinsot.algebra.letter_styles import identifier, latex_name, latex_text, unicode_name
from poinsot.algebra.sum_of_terms import terms_of
from poinsot.expr import symbol
from tests.expr.graphs import INNER, N_LEAVES, follow, is_tame, on_expr, on_floats, points, recipes
from tests.front.latex_structure import check_mathematics
from tests.random_examples import examples

X = [symbol(f"x{k}") for k in range(N_LEAVES)]
RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
LOWERED = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")


def on_floats_only(function):
    """Return a function that takes truths as the numbers that they are."""
    return lambda *operands: function(*map(float, operands))


NUMPY = {
    **{name: getattr(np, name) for name in ("sin", "cos", "tan", "arcsin", "arccos", "exp")},
    **{
        "floor": np.floor,
        "ln": np.log,
        "sgn": np.sign,
        "sqrt": np.sqrt,
        "atan2": np.arctan2,
        "pow": np.power,
    },
    **{"min": min, "max": max, "abs": abs},
}
FUNCTIONS = {name: on_floats_only(function) for name, function in NUMPY.items()} | {"pi": np.pi}


def value(text, at):
    """Return what a text is worth: Unicode signs as Python has them, then evaluated."""
    text = re.sub(r"(sin|cos|tan)([⁰-⁹²³¹]+)\(", r"POWER(\2,\1)(", text)
    text = re.sub(
        r"POWER\((.+?),(\w+)\)\(", lambda m: f"raised({m[1].translate(RAISED)}, {m[2]})(", text
    )
    text = re.sub(r"[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+", lambda m: f"**({m[0].translate(RAISED)})", text)
    text = text.translate(LOWERED).replace("·", "*").replace("√", "sqrt").replace("π", "pi")
    text = text.replace("≤", "<=").replace(" = ", " == ")
    while "|" in text:
        text = re.sub(r"\|([^|]*)\|", r"abs(\1)", text)
    names = dict(zip((f"x{k}" for k in range(N_LEAVES)), at, strict=True))
    raised = {"raised": lambda n, f: lambda x: f(x) ** n}
    with np.errstate(all="ignore"):
        return float(eval(text, {}, {**FUNCTIONS, **raised, **names}))


@settings(max_examples=examples(8), deadline=None)
@given(recipes.filter(lambda recipe: len(recipe) < 8), points)
def test_texts_are_worth_what_they_show(recipe, at):
    """Read random formulas back from their text."""
    assume(is_tame(recipe, at))
    expr = follow(recipe, X, on_expr)[-1]
    text = ExpressionWriter(UNICODE, {})(expr)
    assume(len(text) < 4000 and not re.search(r"\|[^|]*\|[^|]*\|", text))  # bars inside bars
    expected = follow(recipe, at, on_floats)[-1]
    assert_allclose(value(text, at), expected, rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("op", INNER)
def test_every_operation_is_worth_what_it_shows(op):
    """Read each operation back from its text."""
    recipe, at = [(op, 0, 1, 2)], [0.7, 0.4, 0.9]
    text = ExpressionWriter(UNICODE, {})(follow(recipe, X, on_expr)[-1])
    assert_allclose(value(text, at), follow(recipe, at, on_floats)[-1], rtol=1e-12)


@settings(max_examples=examples(15), deadline=None)
@given(recipes)
def test_latex_is_well_formed(recipe):
    """Check brackets, environments and commands of random formulas."""
    expr = follow(recipe, X, on_expr)[-1]
    text = ExpressionWriter(LATEX, {})(expr)
    assume(len(text) < 20_000)
    check_mathematics(text)


m, l, q = ps.symbols("m l q")
z1, z2 = ps.symbols("zeta_1 zeta_2")  # used nowhere else: what was first made comes first


@pytest.mark.parametrize(
    ("expr", "text", "latex"),
    [
        (m * l**2 / 12, "m·l²/12", r"\frac{m\,l^{2}}{12}"),
        (-0.5 * m, "-m/2", r"-\frac{m}{2}"),
        (z1 / (z1 + z2), "ζ₁/(ζ₁ + ζ₂)", r"\frac{\zeta_{1}}{\zeta_{1} + \zeta_{2}}"),
        (np.sin(q) ** 2 * m, "m·sin²(q)", r"m\,\sin^{2}\left(q\right)"),
        (q - np.pi / 2, "q - π/2", r"q - \frac{\pi}{2}"),
        (m + m - l + 0 * q, "2·m - l", r"2\,m - l"),
        ((m - l) * (l - m), "(m - l)·(l - m)", r"\left(m - l\right)\,\left(l - m\right)"),
        (1e-5 * m, "1e-05·m", r"1 \cdot 10^{-5}\,m"),
        (0 * m + 3, "3", "3"),
    ],
)
def test_forms(expr, text, latex):
    """Check how simple formulas look."""
    assert ExpressionWriter(UNICODE, {})(expr * 1.0) == text
    assert ExpressionWriter(LATEX, {})(expr * 1.0) == latex


def test_terms():
    """Take together what is equal, and leave out what cancels."""
    (one,) = terms_of((m + l) * m / 2 - (m + l) * m / 4 + m - m)
    assert float(one.coefficient) == 0.25
    assert len(one.powers) == 2


def test_letters():
    """Write names of every kind, and none that LaTeX cannot read."""
    assert [unicode_name(x) for x in ("rho_1", "Omega", "m12", "mass", "m_1_2")] == [
        *("ρ₁", "Ω", "m₁₂", "mass", "m_1_2"),
    ]
    assert latex_name("theta_dot") == r"\theta_{\mathrm{dot}}"
    assert latex_name("θ2") == r"\theta_{2}"
    assert latex_text("a_b & 100 % {x} \\ ~^<>|").isascii()
    assert identifier("§§") == "joint"
    for name in ("腕", "bras_gauche", "a b", "x^2", "50 %", "rod.1", "é", ""):
        check_mathematics(latex_name(name))
