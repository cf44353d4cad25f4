"""Expressions outside of the graph: as rows, in pickles, as formulas, with numbers for symbols."""

import pickle
import subprocess
import sys

from hypothesis import assume

from poinsot.expr import Expr, formula_text, from_rows, substitute, symbol, symbol_names, to_rows
from poinsot.expr.formula import parse
from tests.expr.graphs import N_LEAVES, follow, is_tame, law, on_expr, on_floats, points, recipes

NAMES = ("m", "l", "g")
LEAVES = [symbol(name) for name in NAMES]


def of(recipe):
    """Return the last expression of a recipe that is not a number."""
    last = follow(recipe, LEAVES, on_expr)[-1]
    assume(isinstance(last, Expr) and symbol_names(last))
    return last


@law(recipes)
def test_rows_give_the_node_itself(recipe):
    expr = of(recipe)
    assert from_rows(to_rows(expr)) is expr
    assert pickle.loads(pickle.dumps(expr)) is expr
    first, second = pickle.loads(pickle.dumps((expr, [expr])))
    assert first is second[0]


@law(recipes)
def test_formulas_are_read_to_the_node_itself(recipe):
    """Write and parse again: in which order is computed must not change."""
    expr = of(recipe)
    text = formula_text(expr)
    assume(len(text) < 5_000)  # a formula has no names for what it uses twice
    try:
        again = parse(text, dict(zip(NAMES, LEAVES, strict=True)))
    except RecursionError:
        raise
    except Exception as error:  # more brackets inside each other than the parser takes
        assume("deep" not in str(error))
        raise
    assert again is expr


@law(recipes, points)
def test_numbers_for_all_symbols(recipe, point):
    """Compare with the steps on floats; folding may change roundings."""
    expr = of(recipe)
    assume(is_tame(recipe, point))
    value = substitute(expr, dict(zip(NAMES, point, strict=True)))
    expected = follow(recipe, point, on_floats)[-1]
    assert isinstance(value, float)
    assert abs(value - expected) <= 1e-9 * (1 + abs(expected))


@law(recipes, points)
def test_numbers_for_some_symbols(recipe, point):
    """Put one number after the other in place of the symbols, or all at once."""
    expr = of(recipe)
    assume(is_tame(recipe, point))
    values = dict(zip(NAMES, point, strict=True))
    part = substitute(expr, {"m": values["m"]})
    if isinstance(part, Expr):
        assert "m" not in symbol_names(part)
        part = substitute(part, values)
    whole = substitute(expr, values)
    assert abs(part - whole) <= 1e-9 * (1 + abs(whole))


def test_formulas_as_people_write_them():
    m, l, g = LEAVES
    assert formula_text(-l / 2) == "-l/2"
    assert formula_text(m * l**2 / 12) == "m*l**2/12"
    assert formula_text(m * (l - g)) == "m*(l - g)"
    assert formula_text(m - (l - g)) == "m - (l - g)"
    assert formula_text((m / l) / g) == "m/l/g"
    assert formula_text(m / (l * g)) == "m/(l*g)"
    assert formula_text(m.sin() ** 2) == "sin(m)**2"


def test_an_expression_of_another_process():
    """Pickle where symbols were made in another order: here they are what they are here."""
    code = (
        "import pickle, sys; from poinsot.expr import symbol; l, m = symbol('l'), symbol('m');"
        "sys.stdout.buffer.write(pickle.dumps(m * l + 2 * m))"
    )
    text = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout
    m, l, _ = LEAVES
    assert pickle.loads(text) is m * l + 2 * m


assert len(NAMES) == N_LEAVES
