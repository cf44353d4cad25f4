"""The matrix of several systems side by side, over any scalar."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from poinsot.spatial import Array

__all__ = ["block_diagonal"]


def block_diagonal(blocks: Sequence[Array]) -> Array:
    """Return the matrix with these blocks and zeros beside them [Zhang1996, (3.14)].

    >>> block_diagonal([np.ones((1, 2)), np.ones((1, 1))]).tolist()
    [[1.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    """
    height, width = (sum(block.shape[axis] for block in blocks) for axis in (0, 1))
    matrix = np.zeros((height, width), np.result_type(*blocks))
    row = column = 0
    for block in blocks:
        matrix[row : row + len(block), column : column + block.shape[1]] = block
        row, column = row + len(block), column + block.shape[1]
    return matrix
