"""Links of one kind: the same formulas with other parameters.

A rolled sweep traces its step once per kind, on a link with symbolic parameters; ``numbers`` gives
those of an actual link, in the same order.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from poinsot.expr.packing import AbstractLayout
from poinsot.expr.sparse_arithmetic import is_zero
from poinsot.formulations.joint_numbers import blank_joint, joint_numbers, joint_with
from poinsot.formulations.recursive.links import Link, Placement
from poinsot.formulations.recursive.planar_rotation import AbstractTurn, FullTurn, PlanarTurn
from poinsot.model import AbstractJoint, Prismatic, Revolute
from poinsot.spatial import Array

_UPPER = np.triu_indices(3)


@final
@dataclass(frozen=True)
class LinkKind(AbstractLayout):
    """The structure of a link's formulas, without parameters; the layout of those.

    Attributes:
        joint: Its joint without passive forces; hinges and sliders along z, others without their
            parameters, which are among those of the link.
        turns: For each constant rotation the axis it is about, or 3 for a full matrix.
        massless: Whether mass, hz and the second moment along z are zero: a regrouped hinge.
    """

    joint: AbstractJoint
    turns: tuple[int, ...]
    massless: bool

    @staticmethod
    def from_link(link: Link) -> LinkKind:
        """Return the kind of a link."""
        turns = tuple(t.axis if isinstance(t, PlanarTurn) else 3 for t in link.turns)
        massless = all(map(is_zero, (link.mass, link.h[2], link.sigma[2, 2])))
        joint = link.joint if _is_along_z(link.joint) else blank_joint(link.joint)
        return LinkKind(joint, turns, massless)

    @property
    def size(self) -> int:
        """Number of parameters of a link of this kind."""
        return self.offset_index + 1 + (7 if self.massless else 10)

    @property
    def offset_index(self) -> int:
        """Which of them is the offset of its coordinate; the origin comes before it."""
        return self._n_joint + sum(9 if axis == 3 else 2 for axis in self.turns) + 3

    def packed(self, value: Link) -> list[float]:
        """Return the parameters of a link of this kind."""
        link = value
        values = joint_numbers(link.joint) if self._n_joint else []
        for turn in link.turns:
            if isinstance(turn, PlanarTurn):
                values += [turn.c, turn.s]
            else:
                assert isinstance(turn, FullTurn)
                values += turn.R.ravel().tolist()
        values += [*link.p.tolist(), link.offset]
        if self.massless:
            return [*values, *link.h[:2].tolist(), *link.sigma[_UPPER][:5].tolist()]
        return [*values, link.mass, *link.h.tolist(), *link.sigma[_UPPER].tolist()]

    def unpacked(self, entries: Array, owner: Any = None) -> Link:  # noqa: ANN401
        """Return a link with these parameters, or symbols."""
        joint, rest = self.joint, list(entries)
        if self._n_joint:
            joint, rest = joint_with(joint, rest[: self._n_joint]), rest[self._n_joint :]
        turns: list[AbstractTurn] = []
        for axis in self.turns:
            size = 9 if axis == 3 else 2
            numbers, rest = rest[:size], rest[size:]
            turns.append(
                FullTurn(np.array(numbers).reshape(3, 3))
                if axis == 3
                else PlanarTurn(axis, *numbers)
            )
        p, offset, rest = np.array(rest[:3]), rest[3], rest[4:]
        if self.massless:
            rest = [0.0, *rest[:2], 0.0, *rest[2:], 0.0]
        sigma = np.zeros((3, 3), dtype=object)
        sigma[_UPPER] = rest[4:]
        sigma.T[_UPPER] = rest[4:]
        nothing = slice(0, 0)
        h = np.array(rest[1:4])
        return Link(
            -1, joint, tuple(turns), p, offset, rest[0], h, np.array(sigma.tolist()),
            nothing, nothing,
        )  # fmt: skip

    @property
    def _n_joint(self) -> int:
        """Number of parameters of the joint."""
        return 0 if _is_along_z(self.joint) else len(joint_numbers(self.joint))


@final
@dataclass(frozen=True)
class PlacementLayout(AbstractLayout):
    """What depends on q in the placement of a link: cosine and sine, origin, or all."""

    kind: LinkKind

    @property
    def size(self) -> int:
        """Number of entries."""
        return {"revolute": 2, "prismatic": 3}.get(self.kind.joint.kind, 12)

    def packed(self, value: Placement) -> list[Any]:
        """Return the entries of a placement."""
        if isinstance(self.kind.joint, Prismatic):
            return list(value.p)
        turn = value.turns[-1]
        if isinstance(turn, PlanarTurn):
            return [turn.c, turn.s]
        assert isinstance(turn, FullTurn)
        return [*turn.R.ravel().tolist(), *value.p.tolist()]

    def unpacked(self, entries: Array, owner: Any = None) -> Placement:  # noqa: ANN401
        """Return the placement of the link ``owner``."""
        if isinstance(self.kind.joint, Revolute):
            return Placement((*owner.turns, PlanarTurn(2, *entries)), owner.p)
        if isinstance(self.kind.joint, Prismatic):
            return Placement(owner.turns, entries)
        return Placement((*owner.turns, FullTurn(entries[:9].reshape(3, 3))), entries[9:])


def _is_along_z(joint: AbstractJoint) -> bool:
    """Return whether the link frame has its z axis along the joint axis."""
    return isinstance(joint, Revolute | Prismatic)
