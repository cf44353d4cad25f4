"""Random matrices of any rank, in blocks."""

from itertools import pairwise

import numpy as np
from hypothesis import strategies as st


def _matrix(rng, m, n, rank):
    """Return m rows of length n, of a rank, some of them nothing or doubled, and blocks of them."""
    values = np.zeros((m, n))
    values[:rank, :rank] = np.diag(rng.uniform(0.5, 2.0, rank))
    left, _ = np.linalg.qr(rng.standard_normal((m, m)))
    right, _ = np.linalg.qr(rng.standard_normal((n, n)))
    rows = left @ values @ right
    rows[rng.random(m) < 0.1] = 0.0
    if m > 1 and rng.random() < 0.3:
        rows[-1] = -2.0 * rows[0]
    cuts = sorted({0, m, *rng.integers(0, m + 1, 2).tolist()})
    blocks = [slice(a, b) for a, b in pairwise(cuts)]
    return rows, blocks, rng


matrices = st.builds(
    lambda seed, m, n, rank: _matrix(np.random.default_rng(seed), m, n, min(rank, m, n)),
    st.integers(0, 2**32 - 1),
    st.integers(1, 7),
    st.integers(1, 7),
    st.integers(0, 7),
)
