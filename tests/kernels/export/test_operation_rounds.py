"""Programs as rounds: followed by hand, they give the interpreter's numbers."""

import numpy as np
import pytest

from poinsot.expr.ops import ARITY, MEANING
from poinsot.kernels.export.operation_rounds import FILLER, rounds_of
from tests.kernels.machines import interpret, random_inputs, random_program


@pytest.mark.parametrize("width", [1, 3, 8])
@pytest.mark.parametrize("seed", range(3))
def test_rounds_give_the_same_numbers(seed, width):
    """Do round after round in NumPy, on programs of all operations."""
    program = random_program(seed, n_steps=60)
    states = random_inputs(program, 5, seed)
    rounds = rounds_of(program, width)
    values = np.full((rounds.size, 5), np.nan)
    known = [*(x[:, k] for x in states for k in range(x.shape[1])), *program.constants, FILLER]
    for place, value in enumerate(known):
        values[place] = value
    with np.errstate(all="ignore"):
        for code, operands, start in zip(rounds.codes, rounds.operands, rounds.starts, strict=True):
            op = rounds.operations[code]
            given = [values[operands[k]] for k in range(ARITY[op])]
            values[start : start + width] = MEANING[op](*given)
    expected = np.concatenate(interpret(program, *states), axis=1)
    np.testing.assert_array_equal(values[rounds.results].T, expected)
    assert len(rounds.codes) <= program.n_operations
