"""The table of operations: complete, and NaN and infinity as its docstring says."""

import math

import numpy as np
import pytest

from poinsot.expr.ops import ARITY, COMMUTATIVE, LEAVES, MEANING, Op

INNER = [op for op in Op if op not in LEAVES]
NUMBERS = [-2.5, -1.0, 0.0, 0.5, 1.0, 3.0]


def value(op, *operands):
    with np.errstate(all="ignore"):
        return float(MEANING[op](*operands))


def test_every_operation_has_a_meaning_and_an_arity():
    """Check that the tables cover the enumeration exactly."""
    assert set(ARITY) == set(Op)
    assert set(MEANING) == set(INNER)
    assert all(ARITY[op] == 0 for op in LEAVES)


@pytest.mark.parametrize("op", INNER)
def test_meaning_takes_as_many_operands_as_the_arity(op):
    """Call each operation with its number of operands, on scalars and on arrays."""
    operands = [0.5] * ARITY[op]
    arrays = [np.full(4, 0.5)] * ARITY[op]
    np.testing.assert_array_equal(MEANING[op](*arrays), np.full(4, value(op, *operands)))


@pytest.mark.parametrize("op", sorted(COMMUTATIVE))
def test_commutative_operations_commute(op):
    """Swap the operands of each operation that claims not to mind."""
    for a in NUMBERS:
        for b in NUMBERS:
            assert value(op, a, b) == value(op, b, a)


@pytest.mark.parametrize("op", [op for op in INNER if op is not Op.SELECT])
def test_nan_spreads_through_every_operand(op):
    """Put a NaN in each place; 1**nan and nan**0 are the exceptions, as in C."""
    for place in range(ARITY[op]):
        operands = [0.5] * ARITY[op]
        operands[place] = math.nan
        assert math.isnan(value(op, *operands))
    assert value(Op.POW, 1.0, math.nan) == value(Op.POW, math.nan, 0.0) == 1.0


def test_select_reads_only_the_condition_and_the_branch_it_takes():
    """Put NaN and infinity in the condition and in either branch."""
    assert math.isnan(value(Op.SELECT, math.nan, 1.0, 2.0))
    assert value(Op.SELECT, 1.0, 3.0, math.nan) == 3.0
    assert value(Op.SELECT, 0.0, math.nan, 3.0) == 3.0
    assert math.isnan(value(Op.SELECT, 1.0, math.nan, 3.0))
    assert value(Op.SELECT, math.inf, 3.0, -3.0) == 3.0
    assert value(Op.SELECT, -0.0, 3.0, -3.0) == -3.0


def test_infinity_follows_ieee_arithmetic():
    """Check the operations that make or meet infinities."""
    inf = math.inf
    assert value(Op.DIV, 1.0, 0.0) == inf
    assert math.isnan(value(Op.DIV, 0.0, 0.0))
    assert math.isnan(value(Op.SUB, inf, inf))
    assert math.isnan(value(Op.SIN, inf))
    assert value(Op.LOG, 0.0) == -inf
    assert math.isnan(value(Op.SQRT, -1.0))
    assert math.isnan(value(Op.ASIN, 1.5))
    assert value(Op.MIN, inf, 1.0) == 1.0
    assert value(Op.SIGN, -inf) == -1.0
    assert value(Op.LESS, -inf, inf) == 1.0
    assert value(Op.ATAN2, 1.0, inf) == 0.0
    assert value(Op.EXP, -inf) == 0.0


def test_comparisons_give_one_or_zero():
    """Compare numbers both ways and with themselves."""
    for a in NUMBERS:
        for b in NUMBERS:
            assert value(Op.LESS, a, b) == float(a < b)
            assert value(Op.LESS_EQUAL, a, b) == float(a <= b)
            assert value(Op.EQUAL, a, b) == float(a == b)
