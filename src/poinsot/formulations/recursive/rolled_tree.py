"""What the rolled recursions share: links with their kinds and numbers, and a builder."""

from __future__ import annotations

from collections.abc import Callable

from poinsot.expr import RolledBuilder
from poinsot.expr.rolled import CONSTANTS
from poinsot.formulations.recursive.kinds import Kind, passive_numbers
from poinsot.formulations.recursive.links import Link
from poinsot.model import Mechanism
from poinsot.spatial import Array


class RolledTree:
    """Links with their kinds and numbers, and a builder for their items."""

    def __init__(
        self,
        mechanism: Mechanism,
        links: tuple[Link, ...],
        inputs: tuple[str, ...],
        output: tuple[str, tuple[int, ...]],
    ) -> None:
        sizes = {"q": mechanism.nq}
        self.links = links
        self.kinds = [Kind.of(link) for link in links]
        self.builder = RolledBuilder(
            {name: sizes.get(name, mechanism.nv) for name in inputs}, dict([output])
        )
        self._gravity = self.builder.constants(mechanism.gravity)
        self._numbers = [
            self.builder.constants(kind.numbers(link))
            for kind, link in zip(self.kinds, links, strict=True)
        ]
        joints = {
            part.start: body.joint
            for body, part in zip(mechanism.bodies, mechanism.v_slices, strict=True)
            if body.joint.nv
        }
        self._passive = []
        for link in links:
            values = passive_numbers(joints[link.v.start])
            self._passive.append((self.builder.constants(values), len(values)))

    def world(self, trace: Callable[..., dict[str, Array]], size: int) -> dict[int, int]:
        """Return places by link, that of the world (-1) set from gravity."""
        place = self.builder.state(size)
        self.builder.item(
            trace.__name__, trace, {"gravity": (CONSTANTS, self._gravity, 3)}, {"world": place}
        )  # fmt: skip
        return {-1: place}

    def joint_reads(self, link: Link, *names: str) -> dict[str, tuple[str, int, int]]:
        """Return the reads of a joint's own coordinates, velocities, ..."""
        return {
            name: (name, part.start, part.stop - part.start)
            for name, part in ((name, link.q if name == "q" else link.v) for name in names)
        }

    def passive_read(self, k: int) -> dict[str, tuple[str, int, int]]:
        """Return the read of a joint's passive numbers."""
        return {"passive": (CONSTANTS, *self._passive[k])}

    def item(
        self,
        step: str,
        k: int,
        trace: Callable[..., dict[str, Array]],
        reads: dict[str, tuple[str, int, int]],
        writes: dict[str, int],
    ) -> None:
        """Append a step for link k."""
        kind = self.kinds[k]
        n_passive = reads["passive"][2] if "passive" in reads else 0
        self.builder.item(
            (step, kind, n_passive),
            trace,
            {"numbers": (CONSTANTS, self._numbers[k], kind.n_numbers), **reads},
            writes,
        )
