"""Bodies as the nodes of rolled sweeps: kinematics and energies of large systems."""

from __future__ import annotations

from collections.abc import Callable, Collection

from poinsot.expr import Rolled, RolledBuilder
from poinsot.expr.packing import Value
from poinsot.formulations.body_tree import AbstractBodies
from poinsot.formulations.rolled_sweep import RolledSweep
from poinsot.model import Mechanism
from poinsot.spatial import Array


def rolled_quantity(
    sweep: Callable[..., Array], name: str, inputs: str, mechanism: Mechanism, *options: Value
) -> Rolled:
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
    builder.show(name, sweep(RolledBodies(mechanism, builder), *options))
    return builder.finish()


class RolledBodies(AbstractBodies, RolledSweep):
    """The bodies of a mechanism, and the builder for their items.

    Args:
        mechanism: The bodies.
        builder: Collects the items.
        inputs: The inputs of the program that the bodies depend on; all by default.
    """

    def __init__(
        self, mechanism: Mechanism, builder: RolledBuilder, inputs: Collection[str] | None = None
    ) -> None:
        super().__init__(mechanism.parents, mechanism.order, builder, inputs)
        self.mechanism = mechanism
