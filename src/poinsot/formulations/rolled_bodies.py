"""Bodies as the nodes of rolled sweeps: kinematics and energies of large systems."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

import numpy as np

from poinsot.expr import Rolled, RolledBuilder
from poinsot.expr.packing import ArrayLayout
from poinsot.formulations.body_tree import AbstractBodies
from poinsot.formulations.rolled_sweep import RolledSweep, Slot
from poinsot.formulations.sweep import WHOLE
from poinsot.model import Mechanism
from poinsot.model.environment import TIME
from poinsot.spatial import Array


def rolled_quantity(
    sweep: Callable[..., Array], name: str, inputs: str, mechanism: Mechanism,
    *options: Any,  # noqa: ANN401
) -> Rolled:  # fmt: skip
    """Return a quantity of bodies as a rolled program.

    Args:
        sweep: (bodies, options...) -> its result.
        name: Its name.
        inputs: Names of its inputs, separated by blanks.
        mechanism: The bodies.
        options: The body and the axes, for instance.
    """
    sizes = {"q": mechanism.nq, "point": 3}
    builder = RolledBuilder({key: sizes.get(key, mechanism.nv) for key in inputs.split()}, {})
    builder.show(name, sweep(RolledBodies(mechanism, builder, inputs.split()), *options))
    return builder.finish()


class RolledBodies(AbstractBodies, RolledSweep):
    """The bodies of a mechanism, and the builder for their items.

    Args:
        mechanism: The bodies.
        builder: Collects the items.
        inputs: The inputs of the program that the bodies depend on.
    """

    def __init__(
        self, mechanism: Mechanism, builder: RolledBuilder, inputs: Collection[str]
    ) -> None:
        super().__init__(mechanism.parents, builder, mechanism.order)
        self.mechanism = mechanism
        self._inputs = {name: n for name, n in builder.input_sizes.items() if name in inputs}

    def is_given(self, name: str) -> bool:
        """Say whether it is one of the inputs."""
        return name in self._inputs

    def input(self, name: str, entries: slice | None = None) -> Slot:
        """Return the slot of an input; the time is a scalar."""
        if name == TIME:
            return self.slot(name, 0, ArrayLayout(()))
        entries = slice(0, self._inputs[name]) if entries is None else entries
        return Slot(name, entries.start, self.vector(entries.stop - entries.start))

    def field(self, record: Slot, k: int) -> Slot:
        """Return the slot of an entry."""
        return record.field(str(k))

    def shown(self, value: Slot) -> Array:
        """Return the indices of the entries of a value, in its shape."""
        return value.entries.reshape(value.layout.shape)  # type: ignore[attr-defined]

    def along_path(self, name: str, path: Sequence[int]) -> Array:
        """Return the indices of the columns of a path."""
        self.start("zero", 0.0, WHOLE)
        indices = np.full((6, self.mechanism.nv), self.values("zero")[WHOLE].start)
        for i in path:
            indices[:, self.mechanism.v_slices[i]] = self.shown(self.values(name)[i])
        return indices

    def by_coordinate(self, name: str) -> Array:
        """Return the indices of values in the order of q."""
        entries = [slot.entries for slot in self.values(name).values()]
        return np.concatenate([np.zeros(0, int), *entries])
