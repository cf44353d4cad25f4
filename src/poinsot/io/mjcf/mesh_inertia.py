"""Volume, centre and moments of a mesh of density one.

A body bounded by triangles is the signed sum of the tetrahedra between them and one point.  The
point does not matter if the mesh is closed and well oriented (``exact``); otherwise conventions do,
and these are MuJoCo's: ``legacy`` takes all tetrahedra as positive, first with the mean of the
surface and then with the centre of mass found from it as the point.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from poinsot.io.mjcf.lumped_mass import Lump
from poinsot.io.mjcf.mesh_files import Mesh
from poinsot.spatial import Array

__all__ = ["convex_hull", "mesh_inertia"]


def mesh_inertia(mesh: Mesh, kind: str) -> Lump:
    """Return volume, centre and moments of a mesh, in the axes of its vertices.

    Args:
        mesh: Vertices [m] and triangles, well oriented unless the kind is ``legacy``.
        kind: ``"exact"``, ``"legacy"``, ``"convex"`` or ``"shell"``, where volume means area.

    Raises:
        ValueError: If the mesh has no volume.
    """
    vertices, faces = convex_hull(mesh[0]) if kind == "convex" else mesh
    corners = vertices[faces]
    if not len(corners):
        raise ValueError("the mesh has no triangles")
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]) / 2.0
    areas = np.linalg.norm(normals, axis=1)
    middles = corners.mean(axis=1)
    surface = _positive(areas.sum(), "area")
    point = areas @ middles / surface
    if kind == "shell":
        r = corners - point
        outer = np.einsum("f,fai,faj->ij", areas, r, r)
        summed = r.sum(axis=1)
        second = (outer + np.einsum("f,fi,fj->ij", areas, summed, summed)) / 12.0
        return _lump(surface, point, second)
    sign: Callable[[Array], Array] = np.abs if kind == "legacy" else np.asarray
    volumes = sign(np.einsum("fi,fi->f", middles - point, normals) / 3.0)
    com = volumes @ (0.75 * middles + 0.25 * point) / _positive(volumes.sum(), "volume")
    r = corners - com
    volumes = sign(np.einsum("fi,fi->f", middles - com, normals) / 3.0)
    outer = np.einsum("f,fai,faj->ij", volumes, r, r)
    summed = r.sum(axis=1)
    second = (outer + np.einsum("f,fi,fj->ij", volumes, summed, summed)) / 20.0
    return _lump(_positive(volumes.sum(), "volume"), com, second)


def convex_hull(vertices: Array) -> Mesh:
    """Return the convex hull of some points, its triangles oriented outwards."""
    from scipy.spatial import ConvexHull, QhullError

    try:
        hull = ConvexHull(vertices)
    except (QhullError, ValueError) as error:
        raise ValueError("the points have no convex hull with a volume") from error
    faces = hull.simplices.astype(np.int64)
    corners = vertices[faces]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    inwards = np.einsum("fi,fi->f", normals, hull.equations[:, :3]) < 0.0
    faces[inwards] = faces[inwards][:, ::-1]
    return vertices, faces


def _lump(volume: float, com: Array, second: Array) -> Lump:
    """Return the lump whose Σ = ∫ r rᵀ dV about its centre is given: I = tr(Σ) 1 - Σ."""
    return Lump(volume, com, np.trace(second) * np.eye(3) - second)


def _positive(value: float, what: str) -> float:
    if not 0.0 < value < np.inf:
        raise ValueError(f"the mesh has no {what} (or its triangles are turned inside out)")
    return float(value)
