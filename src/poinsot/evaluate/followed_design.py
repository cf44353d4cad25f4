"""What a design with triads or other groups is to do, with exact derivatives.

Positions are no formulas of dimensions d there, but they fulfil φ(x, d, q) = 0, so that

    K ∂x/∂d = -K_o ∂x_o/∂d - ∂φ/∂d,    K ∂x/∂q = -K_o ∂x_o/∂q + S,

unit after unit, with the matrices of velocities (``unit_equations.py``): implicit differentiation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from poinsot.evaluate.planar_design_kernel import POINT
from poinsot.evaluate.planar_kernels import PlanarEvaluator
from poinsot.expr import build, jacobian, optimise, symbol_array
from poinsot.expr.garbage_collection import garbage_collection_paused
from poinsot.formulations.composable.plane import plain, point_at, rotated, turned
from poinsot.formulations.composable.sweep import equations_of, forwards
from poinsot.formulations.composable.unit_equations import NEARLY_SINGULAR
from poinsot.kernels.llvm.llvm_kernel import LlvmKernel
from poinsot.model.planar.dimensions import dimension_size, with_dimensions
from poinsot.model.planar.linkage import PlanarLinkage
from poinsot.spatial import Array


class FollowedDesign:
    """Place of a point of a link (2,), or its angle (1,), as ``DesignKernel`` has it.

    Args:
        linkage: The linkage, which is drawn: its groups are followed from there.
        modes: Its assembly.
        link: The link.
        free: Names of the dimensions that vary; "point" is the traced one.
        point: The point in the link's frame [m]; None for the link's angle.
    """

    def __init__(
        self,
        linkage: PlanarLinkage,
        modes: Mapping[str, int],
        link: str,
        free: Sequence[str],
        point: Array | None,
    ) -> None:
        self._linkage, self._link, self._point = linkage, link, point
        self._shapes = {
            name: 2 if name == POINT else dimension_size(linkage, name) for name in free
        }
        self.sizes = {name: size or 1 for name, size in self._shapes.items()}
        self._evaluator = PlanarEvaluator(linkage, modes)
        self._slopes = self._slopes_of_equations()

    def __call__(self, dimensions: Array, q: Array) -> tuple[Array, Array]:
        """Return results (n, size) and derivatives (n, size, dimensions and nq) at n positions."""
        values = self._named(dimensions)
        point = values.pop(POINT, self._point)
        poses = self._evaluator("positions", {"q": q}, None, values)
        size, count = (1 if point is None else 2), dimensions.size + q.shape[-1]
        result, slopes = np.full((len(q), size), np.nan), np.full((len(q), size, count), np.nan)
        fits = np.all([np.isfinite(pose).all(axis=-1) for pose in poses.values()], axis=0)
        placed = {name: pose[fits] for name, pose in poses.items()}
        pose = placed[self._link]
        result[fits] = pose[:, 2:] if point is None else point_at(pose, point)
        if fits.any():
            motions = self._motions(placed, dimensions, values)
            slopes[fits] = self._traced(motions, pose, point)
        return result, slopes

    def poses(self, dimensions: Array, q: Array) -> dict[str, Array]:
        """Return the poses of all links at one state, (3,) each."""
        values = self._named(dimensions)
        values.pop(POINT, None)
        return self._evaluator("positions", {"q": q}, None, values)

    def _named(self, dimensions: Array) -> dict[str, Array]:
        ends = np.cumsum(list(self.sizes.values())).tolist()
        split = np.split(dimensions, ends[:-1])
        named = zip(self._shapes.items(), split, strict=True)
        return {name: x if size else x[0] for (name, size), x in named}

    def _motions(
        self, poses: Mapping[str, Array], dimensions: Array, values: Mapping[str, Array]
    ) -> Array:
        """Return derivatives of the link's pose, (n, 3, dimensions and nq); NaN if singular."""
        linkage = with_dimensions(self._linkage, values)
        rows = np.concatenate([poses[name] for name in self._linkage.links], axis=-1)
        nq = len(linkage.drivers)
        motions = np.full((len(rows), 3, dimensions.size + nq), np.nan)
        near = [unit.nearness for unit in equations_of(linkage, dict(poses))]
        regular = np.all([x > NEARLY_SINGULAR for x in near], axis=0)
        units = equations_of(linkage, {name: pose[regular] for name, pose in poses.items()})
        count = int(regular.sum())
        sizes = [unit.K.shape[-1] for unit in units]
        flat = np.empty((count, sum(sizes) * dimensions.size))
        given = np.broadcast_to(dimensions, (count, dimensions.size))
        self._slopes.run([np.ascontiguousarray(rows[regular]), np.ascontiguousarray(given)], [flat])
        biases = np.split(
            flat.reshape(count, sum(sizes), dimensions.size), np.cumsum(sizes)[:-1], axis=1
        )
        still, driven = np.zeros((nq, 1)), np.eye(nq)
        for k in range(dimensions.size):
            columns = forwards(linkage, units, still, {}, [bias[..., k] for bias in biases])
            motions[regular, :, k] = columns[self._link][..., 0]
        columns = forwards(linkage, units, driven, {}, [None] * len(units))
        motions[regular, :, dimensions.size :] = columns[self._link]
        return motions

    def _traced(self, motions: Array, pose: Array, point: Array | None) -> Array:
        """Return derivatives of the traced point or angle from those of the link's pose."""
        slopes: Array = motions[:, 2:]
        if point is None:
            return slopes
        lever = rotated(pose[:, 2], point)
        slopes = motions[:, :2] + turned(lever)[..., None] * motions[:, 2:]
        start = 0
        for name, size in self.sizes.items():
            if name == POINT:
                axes = np.stack([rotated(pose[:, 2], axis) for axis in np.eye(2)], axis=-1)
                slopes[..., start : start + size] += axes
            start += size
        return slopes

    def _slopes_of_equations(self) -> LlvmKernel:
        """Return ∂φ/∂d of all units, one under the other, from poses and dimensions."""
        with garbage_collection_paused():
            rows = symbol_array("poses", (3 * len(self._linkage.links),))
            poses = {name: rows[3 * i : 3 * i + 3] for i, name in enumerate(self._linkage.links)}
            poses[self._linkage.frame] = np.zeros(3)
            x = symbol_array("dimensions", (sum(self.sizes.values()),))
            values = self._named(x)
            values.pop(POINT, None)
            units = equations_of(with_dimensions(self._linkage, values), poses)
            phi = [
                entry
                for unit in units
                for _, residual in unit.residuals
                for entry in plain(np.asarray(residual, object)).ravel()
            ]
            slopes = np.array(jacobian(phi, list(x)), object).ravel()
            return LlvmKernel(optimise(build({"poses": rows, "x": x}, {"slopes": slopes})))
