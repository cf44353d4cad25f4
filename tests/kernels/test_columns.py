"""Blocks of columns."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from poinsot.kernels.columns import LINE, block_of, columns_between, empty_block
from tests.random_examples import examples


@given(st.integers(1, 30), st.integers(0, 5000))
@settings(max_examples=examples(50), deadline=None)
def test_columns_begin_at_odd_lines_of_the_cache(size, n_states):
    """Check that columns are long enough, aligned, and an odd number of cache lines apart."""
    step = columns_between(n_states)
    assert step >= n_states
    assert step % LINE == 0
    assert step // LINE % 2 == 1
    assert step < n_states + 2 * LINE + 1
    block = block_of(empty_block(size, n_states), size, n_states)
    assert block.shape == (size, step)
    assert block.ctypes.data % (8 * LINE) == 0
    block[...] = np.arange(size)[:, None]
    assert block.flags.c_contiguous
