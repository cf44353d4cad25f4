"""Static equilibria of many variants of a system."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from poinsot.errors import PoinsotError
from poinsot.front.system import System
from poinsot.spatial import Array


@final
class Equilibria:
    """Equilibria of one system with many values of its parameters, or from many guesses.

    ``equilibria[i]`` is one of them, an ``Equilibrium``.

    Args:
        system: What is at rest.
        shape: Leading dimensions.
        q: Configurations, one after the other, shape (B, nq).
        ok: Which are equilibria, shape (B,).
        single: Returns the equilibrium of a number, or raises what is wrong.
    """

    def __init__(
        self,
        system: System,
        shape: tuple[int, ...],
        q: Array,
        ok: NDArray[np.bool_],
        single: Callable[[int], Any],
    ) -> None:
        self.system, self.shape = system, shape
        self._q, self._ok, self._single = q, ok, single

    @property
    def q(self) -> Array:
        """Configurations [m or rad], NaN where none was found, shape (..., nq)."""
        return np.where(self._ok[:, None], self._q, np.nan).reshape(*self.shape, -1)

    @property
    def ok(self) -> NDArray[np.bool_]:
        """Whether one was found, shape (...)."""
        return self._ok.reshape(self.shape)

    @property
    def message(self) -> NDArray[np.object_]:
        """Why none was found; else how stable it is, shape (...)."""
        texts = np.empty(self._ok.size, object)
        for k in range(texts.size):
            try:
                texts[k] = self._single(k).stability
            except PoinsotError as error:
                texts[k] = str(error)
        return texts.reshape(self.shape)

    def __getitem__(self, index: Any) -> Any:  # noqa: ANN401 (an Equilibrium, or Equilibria)
        """Return one, or some of them, chosen as NumPy would choose from ``shape``.

        Raises:
            EquilibriumError: If this one was not found, or AssemblyError.
        """
        numbers = np.arange(self._ok.size).reshape(self.shape)[index]
        if np.ndim(numbers) == 0:
            return self._single(int(numbers))
        which = numbers.ravel()
        return Equilibria(
            self.system, numbers.shape, self._q[which], self._ok[which],
            lambda k: self._single(int(which[k])),
        )  # fmt: skip

    def __len__(self) -> int:
        """Return the length of the first dimension."""
        return self.shape[0]

    def __repr__(self) -> str:
        n = int(np.count_nonzero(self._ok))
        return f"Equilibria({self.system.name!r}, {n} found of {self._ok.size})"
