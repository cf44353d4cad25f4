"""Design of planar mechanisms: dimensions for a path or a function, counterweights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError, ShapeError
from poinsot.evaluate.followed_design import FollowedDesign
from poinsot.evaluate.planar_design_kernel import POINT, DesignKernel
from poinsot.formulations.composable.positions import has_closed_forms
from poinsot.front.planar_quantities import PlanarQuantities
from poinsot.model.planar.dimensions import FIELDS, OF_JOINTS, with_dimensions
from poinsot.model.planar.link_names import checked_link
from poinsot.model.planar.linkage import PlanarLinkage
from poinsot.spatial import Array

FAR: Final = 1e3
"""Residual, in sizes of the targets, of positions that cannot be assembled."""


@dataclass(frozen=True)
class Synthesis:
    """Dimensions that were found for a path or a function.

    Attributes:
        linkage: The linkage with these dimensions.
        dimensions: Their values by name; "point" is the traced point.
        q: Coordinates of the drivers at the targets, shape (n, nq).
        error: Root of the mean squared distance from the targets [m or rad].
        start: The same before.
        evaluations: How many times the whole path was computed.
    """

    linkage: PlanarLinkage
    dimensions: dict[str, Array]
    q: Array
    error: float
    start: float
    evaluations: int

    def __str__(self) -> str:
        """Return errors and dimensions."""
        lines = [
            f"synthesis: error {self.error:.4g} [m or rad], before {self.start:.4g},"
            f" {self.evaluations} evaluations"
        ]
        for name, value in self.dimensions.items():
            lines.append(f"  {name} = {', '.join(f'{x:.6g}' for x in np.ravel(value))}")
        return "\n".join(lines)


def synthesis(
    mechanism: PlanarQuantities,
    link: str,
    targets: Array,
    free: Sequence[str],
    q: Array,
    point: ArrayLike | None,
    *,
    timed: bool,
) -> Synthesis:
    """Minimise the distance from targets by least squares; see ``PlanarMechanism.synthesise``."""
    linkage = mechanism.linkage
    checked_link(link, linkage.links, "synthesise")
    traced = None if point is None else np.asarray(point, float)
    if not targets.size:
        raise ModelError("synthesise: there are no targets; give one for each row of q")
    wanted = targets.reshape(len(targets), -1)
    size = 1 if traced is None else 2
    if wanted.shape != (len(q), size):
        raise ShapeError(
            f"synthesise: targets must have the shape ({len(q)}, {size}), one for each row of q,"
            f" got {targets.shape}"
        )
    design = DesignKernel if has_closed_forms(linkage) else FollowedDesign
    kernel = design(linkage, mechanism.modes, link, free, traced)
    start = np.concatenate([_value(linkage, name, traced) for name in free] or [np.zeros(0)])
    count = start.size
    scale = float(np.max(np.ptp(wanted, axis=0))) or 1.0

    def split(x: Array) -> tuple[Array, Array]:
        return x[:count], q if timed else x[count:].reshape(q.shape)

    def residual(x: Array) -> Array:
        gap = kernel(*split(x))[0] - wanted
        if traced is None:
            gap = (gap + np.pi) % (2.0 * np.pi) - np.pi
        return np.asarray(np.nan_to_num(gap, nan=FAR * scale)).ravel()

    def slopes(x: Array) -> Array:
        J = np.nan_to_num(kernel(*split(x))[1], nan=0.0, posinf=0.0, neginf=0.0)
        n, rows, nq = len(q), J.shape[1], q.shape[1]
        full = np.zeros((n, rows, count if timed else count + n * nq))
        full[..., :count] = J[..., :count]
        for k in range(0 if timed else n):
            full[k, :, count + k * nq : count + (k + 1) * nq] = J[k, :, count:]
        return full.reshape(n * rows, -1)

    from scipy.optimize import least_squares

    x0 = start if timed else np.concatenate([start, q.ravel()])
    before = _mean_root(residual(x0), len(q))
    solution = least_squares(residual, x0, slopes, method="trf", xtol=1e-14, ftol=1e-14, gtol=1e-14)
    numbers, coordinates = split(solution.x)
    ends = np.cumsum(list(kernel.sizes.values())).tolist()
    values = dict(zip(kernel.sizes, np.split(numbers, ends[:-1]), strict=True)) if ends else {}
    sized = {name: x if x.size == 2 else float(x[0]) for name, x in values.items()}
    dimensions = {name: x for name, x in sized.items() if name != POINT}
    changed = with_dimensions(_undrawn(linkage), dimensions)
    if isinstance(kernel, FollowedDesign):
        poses = kernel.poses(numbers, coordinates[0])
        links = {k: replace(x, pose=tuple(poses[k].tolist())) for k, x in changed.links.items()}
        changed = replace(changed, links=links)
    error = _mean_root(residual(solution.x), len(q))
    return Synthesis(changed, values, coordinates, error, before, int(solution.nfev))


def _mean_root(residual: Array, count: int) -> float:
    return float(np.sqrt(np.sum(residual**2) / count))


def _undrawn(linkage: PlanarLinkage) -> PlanarLinkage:
    """Return the linkage without its drawing, which other dimensions do not fit."""
    links = {name: replace(link, pose=None) for name, link in linkage.links.items()}
    return replace(linkage, links=links)


def _value(linkage: PlanarLinkage, name: str, point: Array | None) -> Array:
    if name == POINT:
        if point is None:
            raise ModelError('synthesise: "point" is free, but no point is given to start from')
        return point
    owner, _, key = name.rpartition(".")
    if owner in linkage.by_name and key in OF_JOINTS:
        return np.atleast_1d(np.asarray(getattr(linkage.by_name[owner], key), float))
    with_dimensions(linkage, {name: 0.0})  # says what is wrong with the name
    return np.atleast_1d(np.asarray(getattr(linkage.links[owner], FIELDS[key]), float))
