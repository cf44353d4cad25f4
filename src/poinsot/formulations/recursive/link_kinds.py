"""Links of one kind: the same formulas with other parameters.

A rolled sweep traces its step once per kind, on a link with symbolic parameters; ``numbers`` gives
those of an actual link, in the same order.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poinsot.expr.sparse_arithmetic import is_zero
from poinsot.formulations.joint_numbers import blank_joint, joint_numbers, joint_with
from poinsot.formulations.recursive.links import Link, Placement
from poinsot.formulations.recursive.planar_rotation import AbstractTurn, FullTurn, PlanarTurn
from poinsot.model import AbstractJoint, Prismatic, Revolute
from poinsot.model.scalar_values import nonzero
from poinsot.spatial import Array

_UPPER = np.triu_indices(3)


@dataclass(frozen=True)
class LinkKind:
    """The structure of a link's formulas, without parameters.

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
    def n_numbers(self) -> int:
        """Number of parameters of a link of this kind."""
        turns = sum(9 if axis == 3 else 2 for axis in self.turns)
        return self._n_joint + turns + 4 + (7 if self.massless else 10)

    def numbers(self, link: Link) -> list[float]:
        """Return the parameters of a link of this kind."""
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

    def link(self, numbers: Array) -> Link:
        """Return a link with these parameters, or symbols, shape (n_numbers,)."""
        joint, rest = self.joint, list(numbers)
        if self._n_joint:
            joint, rest = joint_with(joint, rest[: self._n_joint]), rest[self._n_joint :]
        turns: list[AbstractTurn] = []
        for axis in self.turns:
            size = 9 if axis == 3 else 2
            entries, rest = rest[:size], rest[size:]
            turns.append(
                FullTurn(np.array(entries).reshape(3, 3))
                if axis == 3
                else PlanarTurn(axis, *entries)
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

    @property
    def n_placement(self) -> int:
        """Size of the placement of a link in its parent."""
        return {"revolute": 2, "prismatic": 3}.get(self.joint.kind, 12)

    def placement_numbers(self, placement: Placement) -> Array:
        """Return the entries of a placement that depend on q: cosine and sine, origin, or all."""
        if isinstance(self.joint, Revolute):
            turn = placement.turns[-1]
            assert isinstance(turn, PlanarTurn)
            return np.array([turn.c, turn.s])
        if isinstance(self.joint, Prismatic):
            return placement.p
        turn = placement.turns[-1]
        assert isinstance(turn, FullTurn)
        return np.concatenate([turn.R.ravel(), placement.p])

    def placement(self, link: Link, numbers: Array) -> Placement:
        """Return the placement of a link from those entries."""
        if isinstance(self.joint, Revolute):
            return Placement((*link.turns, PlanarTurn(2, *numbers)), link.p)
        if isinstance(self.joint, Prismatic):
            return Placement(link.turns, numbers)
        return Placement((*link.turns, FullTurn(numbers[:9].reshape(3, 3))), numbers[9:])


def _is_along_z(joint: AbstractJoint) -> bool:
    """Return whether the link frame has its z axis along the joint axis."""
    return isinstance(joint, Revolute | Prismatic)


def passive_numbers(joint: AbstractJoint) -> list[float]:
    """Return damping, stiffness, armature (by rows) and rest position; nothing if all are zero."""
    if not nonzero(joint.damping, joint.stiffness, joint.armature):
        return []
    matrices = (joint.damping_matrix(), joint.stiffness_matrix(), joint.armature_matrix())
    return [x for values in (*matrices, joint.rest_position()) for x in values.ravel().tolist()]


def passive_coefficients(joint: AbstractJoint, numbers: Array) -> tuple[Array, Array, Array, Array]:
    """Return the matrices and the rest position from those parameters; zeros from none."""
    nv, nq = joint.nv, joint.nq
    if len(numbers) == 0:
        return np.zeros((nv, nv)), np.zeros((nv, nv)), np.zeros((nv, nv)), np.zeros(nq)
    D, K, B = (numbers[k * nv * nv : (k + 1) * nv * nv].reshape(nv, nv) for k in range(3))
    return D, K, B, numbers[3 * nv * nv :]


def joint_passive_force(joint: AbstractJoint, q: Array, v: Array, numbers: Array) -> Array:
    """Return damping v + stiffness (q - rest) of one joint, shape (nv,)."""
    D, K, _, rest = passive_coefficients(joint, numbers)
    force: Array = D @ v
    if joint.nq == joint.nv:
        force = force + K @ (q - rest)
    return force
