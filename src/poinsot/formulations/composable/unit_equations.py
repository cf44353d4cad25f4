"""The equations of one unit: a square matrix K for velocities, accelerations and forces.

K holds all rows of the unit on its own links, K_o their columns of links that are known before.

    velocity         K v = -K_o v_o + S q̇              S selects the rows of drivers
    acceleration     K a = -K_o a_o - bias + S q̈
    forces           Kᵀ λ = M a - f                     the same matrix, factored once
    load on a known link o:  K_oᵀ λ

A singular K is the kinematic and the static singularity of the unit at once.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from poinsot.errors import SingularUnitError
from poinsot.expr import Scalar
from poinsot.formulations.composable.dyads import Placed
from poinsot.formulations.composable.joint_rows import (
    JointRows,
    driver_bias,
    driver_rows,
    joint_bias,
    joint_rows,
)
from poinsot.formulations.composable.pair_rows import pair_bias, pair_row
from poinsot.formulations.composable.pin_dyad import PinDyad
from poinsot.formulations.composable.plane import rotated, square_root
from poinsot.formulations.composable.unit_pivots import determinant, without_unit_pivots
from poinsot.formulations.composable.unit_scales import column_scales
from poinsot.model.planar.decomposition import Unit
from poinsot.model.planar.higher_pair import PlanarPair
from poinsot.model.planar.linkage import PlanarJoint, PlanarLinkage
from poinsot.spatial import Array

NEARLY_SINGULAR = 1e-8
"""Reciprocal condition of K, angles scaled by lengths, below which nothing is solved."""
CLEAR = 1e-10
"""Squared sine of a unit above which expressions without pivots are as good as floats with them."""


Clearness: TypeAlias = tuple[Any, Any]
"""Squared sine of a unit as a quotient: numerator, positive denominator."""


class UnitEquations:
    """K and K_o of a unit at given poses, K factored.

    Attributes:
        unit: The unit.
        K: Its matrix, shape (..., 3 n, 3 n).
        outer: K_o by the known links, each of shape (..., 3 n, 3).
        rows: Which rows belong to a joint, by its name.
        driver_rows: Which row belongs to a driver, by the name of its joint.
        poses: Of all links.
        residuals: Joints and the values of their equations, in the order of the rows; of drivers
            the coordinate.
    """

    def __init__(self, unit: Unit, linkage: PlanarLinkage, poses: Mapping[str, Array]) -> None:
        self.unit = unit
        self.rows: dict[str, slice] = {}
        self.driver_rows: dict[str, int] = {}
        lower = [pair for pair in (*unit.outer, *unit.inner) if pair.kind != "H"]
        self._joints = [linkage.by_name[pair.name] for pair in lower]
        self._pairs = [
            linkage.pair_by_name[pair.name]
            for pair in (*unit.outer, *unit.inner)
            if pair.kind == "H"
        ]
        self._driven = [linkage.by_name[name] for name in unit.drivers]
        self.poses = poses
        blocks: list[dict[str, Array]] = []
        self.residuals: list[tuple[PlanarJoint | PlanarPair, Array]] = []
        start = 0
        for joint in self._joints:
            count = linkage.rows[joint.name]
            ends = poses[joint.a], poses[joint.b]
            self._add(blocks, joint, joint_rows(joint, *ends, count=count))
            self.rows[joint.name] = slice(start, start + count)
            start += count
        for pair in self._pairs:
            row = pair_row(pair, poses)
            blocks.append(row.blocks)
            self.residuals.append((pair, row.residual))
            self.rows[pair.name] = slice(start, start + 1)
            start += 1
        for joint in self._driven:
            self._add(blocks, joint, driver_rows(joint, poses[joint.a], poses[joint.b]))
            self.driver_rows[joint.name] = start
            start += 1
        self.K, self.outer = _matrices(unit, blocks)
        self._linkage = linkage
        self._inverse: Array | None = None
        self._clearness: Clearness = (1.0, 1.0)
        self._pins = self._solved_by_bars(linkage)

    def _add(self, blocks: list[dict[str, Array]], joint: PlanarJoint, rows: JointRows) -> None:
        blocks.append({joint.a: rows.of_a, joint.b: rows.of_b})
        self.residuals.append((joint, rows.residual))

    @property
    def nearness(self) -> Array:
        """Reciprocal condition of K with angles times a length of the unit: 0 at singularities."""
        lengths = np.max(np.abs(self.K[..., 2::3]), axis=(-2, -1), keepdims=True)
        # Rows of angles alone have no length: they are made as long as the others.
        K = self.K.copy()
        K[..., 2::3] /= np.maximum(lengths, NEARLY_SINGULAR)
        K = K / np.linalg.norm(K, axis=-1, keepdims=True)
        return np.asarray(1.0 / np.linalg.cond(K))

    def solve(self, right: Array) -> Array:
        """Return x of K x = right, shape (..., 3 n, columns)."""
        if self._pins is not None:
            return self._pins.solve(right)
        return self._refined(self.inverse, self.K, right)

    def solve_transposed(self, right: Array) -> Array:
        """Return x of Kᵀ x = right."""
        if self._pins is not None:
            return self._pins.solve_transposed(right)
        return self._refined(_transposed(self.inverse), _transposed(self.K), right)

    @property
    def inverse(self) -> Array:
        """K inverted, once.

        Raises:
            SingularUnitError: K is singular or nearly so.
        """
        if self._inverse is None:
            if self.K.dtype == object:
                scales = column_scales(self.unit, self._linkage)
                self._inverse, self._clearness = _inverse_of_expressions(self.K, scales)
            else:
                if np.any(self.nearness < NEARLY_SINGULAR):
                    raise SingularUnitError(
                        f"links {list(self.unit.bodies)} ({self.unit.form}) are in a singular"
                        " position (dead point): their velocities and forces are not determined;"
                        " choose other coordinates or dimensions"
                    )
                self._inverse = np.linalg.inv(self.K)
        return self._inverse

    @property
    def margin(self) -> Scalar:
        """Of expressions: negative, or NaN, where the columns of K are nearly dependent.

        A squared sine, det² over the squares of ``column_scales``, less ``CLEAR``, times something
        positive; it costs little, and tells machine code where to leave a state to ``nearness``.
        """
        return self.margin_above(CLEAR)

    @property
    def determinant(self) -> Scalar:
        """Of expressions: ± det K, a polynomial, 0 in singular positions."""
        A, _, _, rows, columns = without_unit_pivots(self.K)
        return determinant(A[np.ix_(rows, columns)])

    def margin_above(self, least: float) -> Scalar:
        """Return the same for another squared sine than ``CLEAR``."""
        if self._pins is None:
            _ = self.inverse
        value, scale = self._clearness
        margin: Scalar = value - least * scale
        return margin

    def _solved_by_bars(self, linkage: PlanarLinkage) -> PinDyad | None:
        """Return the solution of expressions of a dyad of pins whose bars are known."""
        known = self.poses.bars if isinstance(self.poses, Placed) else {}
        inner = [pair.name for pair in self.unit.inner]
        if len(inner) != 1 or inner[0] not in known:
            return None
        bars = known[inner[0]]
        outer = [linkage.by_name[pair.name] for pair in self.unit.outer]
        bodies = [j.a if j.a in self.unit.bodies else j.b for j in outer]
        levers = [
            rotated(self.poses[body][2], joint.point(body))
            for body, joint in zip(bodies, outer, strict=True)
        ]
        signs = [
            1.0 if joint.a == body else -1.0
            for joint, body in zip(
                (*outer, linkage.by_name[inner[0]]), (*bodies, bodies[0]), strict=True
            )
        ]
        places = [3 * self.unit.bodies.index(body) for body in bodies]
        self._clearness = bars.W * bars.W, bars.squares
        return PinDyad(
            bars, (levers[0], levers[1]), (signs[0], signs[1], signs[2]), (places[0], places[1])
        )

    def bias(self, velocities: Mapping[str, Array]) -> Array:
        """Return what second derivatives of the rows hold besides accelerations, (..., 3 n)."""
        values = []
        for joint in self._joints:
            rows = self.rows[joint.name]
            ends = self._at_ends(joint, velocities)
            values.append(joint_bias(joint, *ends, count=rows.stop - rows.start))
        values += [pair_bias(pair, self.poses, velocities) for pair in self._pairs]
        values += [driver_bias(joint, *self._at_ends(joint, velocities)) for joint in self._driven]
        batch = np.broadcast_shapes(*(value.shape[:-1] for value in values))
        return np.concatenate(
            [np.broadcast_to(value, (*batch, value.shape[-1])) for value in values], axis=-1
        )

    def _at_ends(
        self, joint: PlanarJoint, velocities: Mapping[str, Array]
    ) -> tuple[tuple[Array, Array], tuple[Array, Array]]:
        poses = self.poses[joint.a], self.poses[joint.b]
        return poses, (velocities[joint.a], velocities[joint.b])

    def _refined(self, inverse: Array, matrix: Array, right: Array) -> Array:
        x: Array = inverse @ right
        if matrix.dtype != object:
            x = x + inverse @ (right - matrix @ x)
        return x


def _matrices(unit: Unit, blocks: Sequence[Mapping[str, Array]]) -> tuple[Array, dict[str, Array]]:
    """Return K and K_o by the known links, from the rows of joints, pairs and drivers."""
    n = len(unit.bodies)
    parts = [rows for block in blocks for rows in block.values()]
    batch = np.broadcast_shapes(*(rows.shape[:-2] for rows in parts))
    kind = np.result_type(*parts)
    K = np.zeros((*batch, 3 * n, 3 * n), kind)
    outer: dict[str, Array] = {}
    start = 0
    for block in blocks:
        stop = start
        for body, coefficients in block.items():
            stop = start + coefficients.shape[-2]
            if body in unit.bodies:
                i = 3 * unit.bodies.index(body)
                K[..., start:stop, i : i + 3] = coefficients
            else:
                K_o = outer.setdefault(body, np.zeros((*batch, 3 * n, 3), kind))
                K_o[..., start:stop, :] = coefficients
        start = stop
    return K, outer


def _transposed(matrix: Array) -> Array:
    return np.swapaxes(matrix, -1, -2)


def _inverse_of_expressions(K: Array, scales: Sequence[Scalar]) -> tuple[Array, Clearness]:
    """Return K⁻¹ with pivots that are the numbers ±1, and the clearness of what they leave."""
    n = len(K)
    A, X, pivots, left_rows, left = without_unit_pivots(K)
    inverse = np.empty((n, n), object)
    square: Scalar = 1.0
    if left:
        block = A[np.ix_(left_rows, left)]
        of_dyads = len(left) == 2  # two angles are left of class-II groups
        remaining, square = (_inverse_of_two if of_dyads else _orthogonal_inverse)(block)
        inverse[left] = remaining @ X[left_rows]
    for column, pivot in pivots.items():
        inverse[column] = X[pivot] - (A[pivot, left] @ inverse[left] if left else 0.0)
    return inverse, (square, math.prod((scales[column] for column in left), start=1.0))


def _inverse_of_two(K: Array) -> tuple[Array, Scalar]:
    """Return the inverse of a matrix (2, 2), and its squared determinant."""
    (a, b), (c, d) = K
    determinant = a * d - b * c
    scale = 1.0 / determinant
    inverse = np.array([[d * scale, -b * scale], [-c * scale, a * scale]], object)
    return inverse, determinant * determinant


def _orthogonal_inverse(K: Array) -> tuple[Array, Any]:
    """Return K⁻¹ = R⁻¹ Qᵀ without pivots: Gram and Schmidt, each column made normal twice.

    Also its squared determinant, the product of R_kk².
    """
    n = len(K)
    product: Any = 1.0
    Q: list[Array] = []
    R = np.zeros((n, n), object)
    for k in range(n):
        column = K[:, k]
        for _ in range(2):
            for j, q in enumerate(Q):
                share = q @ column
                R[j, k] = R[j, k] + share
                column = column - share * q
        square = column @ column
        product = product * square
        R[k, k] = square_root(square)
        Q.append(column / R[k, k])
    rows: list[Array] = list(Q)
    for i in reversed(range(n)):
        known = sum((R[i, j] * rows[j] for j in range(i + 1, n)), np.zeros(n, object))
        rows[i] = (rows[i] - known) / R[i, i]
    return np.array(rows), product
