"""Matrices in the state of a rolled program, in chunks of columns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poinsot.expr import RolledBuilder
from poinsot.spatial import Array

CHUNK = 8
"""ColumnChunks that lie together."""


@dataclass(frozen=True)
class ColumnChunks:
    """A matrix in the state: chunks of columns, each by rows."""

    start: int
    n_rows: int

    @staticmethod
    def new(builder: RolledBuilder, n: int) -> ColumnChunks:
        """Return a new square matrix."""
        return ColumnChunks(builder.state(CHUNK * -(-n // CHUNK) * n), n)

    def index(self, row: Array | int, column: Array | int) -> Array:
        """Return where entries lie."""
        chunk, rest = np.divmod(column, CHUNK)
        return np.asarray(self.start + (chunk * self.n_rows + row) * CHUNK + rest)

    @property
    def chunks(self) -> list[int]:
        """Where each chunk begins."""
        n = self.n_rows
        return [self.start + CHUNK * n * k for k in range(-(-n // CHUNK))]
