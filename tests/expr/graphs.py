"""Random expressions, and the plainest possible evaluation of them."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from poinsot.expr import Expr, Op, atan2, build, maximum, minimum, select, sign, symbol
from poinsot.expr.functions import floor
from poinsot.expr.ops import ARITY, LEAVES, MEANING
from tests.random_examples import examples

INNER = [op for op in Op if op not in LEAVES]

BUILD = {
    Op.ADD: lambda a, b: a + b,
    Op.SUB: lambda a, b: a - b,
    Op.MUL: lambda a, b: a * b,
    Op.DIV: lambda a, b: a / b,
    Op.NEG: lambda a: -a,
    Op.SQRT: lambda a: a.sqrt(),
    Op.SIN: lambda a: a.sin(),
    Op.COS: lambda a: a.cos(),
    Op.TAN: lambda a: a.tan(),
    Op.ASIN: lambda a: a.arcsin(),
    Op.ACOS: lambda a: a.arccos(),
    Op.ATAN2: atan2,
    Op.EXP: lambda a: a.exp(),
    Op.LOG: lambda a: a.log(),
    Op.POW: lambda a, b: a**b,
    Op.MIN: minimum,
    Op.MAX: maximum,
    Op.ABS: abs,
    Op.SIGN: sign,
    Op.LESS: lambda a, b: a < b,
    Op.LESS_EQUAL: lambda a, b: a <= b,
    Op.EQUAL: lambda a, b: a == b,
    Op.SELECT: select,
    Op.FLOOR: floor,
}
"""How a person writes each operation on expressions."""

EDGES = {
    Op.ABS: abs,
    Op.SIGN: abs,
    Op.FLOOR: lambda a: abs(a - round(a)),
    Op.MIN: lambda a, b: abs(a - b),
    Op.MAX: lambda a, b: abs(a - b),
    Op.LESS: lambda a, b: abs(a - b),
    Op.LESS_EQUAL: lambda a, b: abs(a - b),
    Op.EQUAL: lambda a, b: abs(a - b),
    Op.SELECT: lambda c, a, b: abs(c),
    Op.ATAN2: lambda y, x: abs(y) + max(x, 0.0),
}
"""How far the operands are from where the operation has a jump or a kink."""

N_EXAMPLES = examples(11)
NEAR, LARGE = 1e-3, 1e4
N_LEAVES = 3

recipes = st.lists(
    st.tuples(st.sampled_from(INNER), *[st.integers(0, 30)] * 3), min_size=1, max_size=15
)
"""Steps of an operation and operands, each naming (modulo) an earlier value."""

points = st.lists(
    st.floats(-2, 2).filter(lambda x: abs(x) > NEAR), min_size=N_LEAVES, max_size=N_LEAVES
)


def law(*strategies, **named):
    """Return ``given`` of the strategies, with no limit on the time of one example."""

    def decorate(test):
        return settings(max_examples=N_EXAMPLES, deadline=None)(given(*strategies, **named)(test))

    return decorate


def follow(recipe, leaves, do):
    """Return all values of a recipe; ``do(op, *operands)`` does one step.

    Operands are first brought to where the operation is defined and smooth.
    """
    values = list(leaves)
    for op, *picks in recipe:
        operands = [values[p % len(values)] for p in picks[: ARITY[op]]]
        if op in (Op.SQRT, Op.LOG, Op.POW):
            operands[0] = do(Op.ADD, do(Op.MUL, operands[0], operands[0]), 0.5)
        if op is Op.DIV:
            operands[1] = do(Op.ADD, do(Op.MUL, operands[1], operands[1]), 0.5)
        if op in (Op.ASIN, Op.ACOS, Op.EXP, Op.TAN):
            operands[0] = do(Op.MUL, do(Op.SIN, operands[0]), 0.75)
        if op is Op.POW:
            operands[1] = do(Op.SIN, operands[1])
        values.append(do(op, *operands))
    return values


def on_expr(op, *operands):
    """Do one step on expressions, folding as it happens."""
    lifted = [x if isinstance(x, Expr) else 0.0 * symbol("x") + x for x in operands]
    return BUILD[op](*lifted)


def on_floats(op, *operands):
    """Do one step on floats, as the table of meanings says."""
    return float(MEANING[op](*map(float, operands)))


def is_tame(recipe, leaves):
    """Tell whether no step of the recipe is near a jump or a kink, or leaves the middling range."""
    tame = True

    def watch(op, *operands):
        nonlocal tame
        tame = tame and (op not in EDGES or EDGES[op](*operands) > NEAR)
        result = on_floats(op, *operands)
        tame = tame and abs(result) < LARGE
        return result if tame else 1.0

    follow(recipe, leaves, watch)
    return tame


def run(program, *inputs, meaning=MEANING):
    """Return the results of a program: its steps one after the other by the table of meanings."""
    values = [x for array in inputs for x in np.ravel(array)] + list(program.constants)
    with np.errstate(all="ignore"):
        for op, args in program.steps:
            values.append(meaning[op](*[values[a] for a in args]))
    return np.array([values[r] for r in program.results])


def evaluate(outputs, symbols, numbers):
    """Return the value of expressions (any shape) where the symbols have these numbers."""
    program = build({"x": np.array(symbols, dtype=object)}, {"y": outputs})
    return run(program, numbers).reshape(np.shape(outputs))
