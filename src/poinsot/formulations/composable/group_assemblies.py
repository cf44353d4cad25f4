"""All positions of groups of class IV and higher, from all roots of their polynomials.

A group of n links is n equations (``group_polynomials.py``) with at most binomial(n, n/2) complex
roots, all of which are followed (``bilinear_roots.py``); near those that are real, Newton's method
on the equations of the group.  Where two assemblies meet the root is singular, and both paths end
there.  Groups of more than ``MOST_PATHS`` roots are searched from random poses
(``searched_group.py``), and a warning says that their list may be incomplete.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from typing import Final, TypeAlias

import numpy as np

from poinsot.errors import ModelWarning
from poinsot.formulations.composable.bilinear_roots import (
    BilinearRoots,
    bilinear_roots,
    path_count,
)
from poinsot.formulations.composable.group_polynomials import group_polynomials
from poinsot.formulations.composable.searched_group import SearchedGroup, random_candidates
from poinsot.model.planar.decomposition import Unit
from poinsot.model.planar.linkage import PlanarJoint
from poinsot.spatial import Array

Poses: TypeAlias = dict[str, Array]

MOST_PATHS: Final = 10_000
STARTS: Final = 2000
"""Random starts where roots are not followed."""
NEARLY_REAL: Final = 1e-4
"""Distance of t from s̄, relative to s, below which a root may be real: double ones are inexact."""
DOUBLE: Final = 1e-2
"""Distance, relative to their size, below which two singular roots are one."""
INCOMPLETE: Final = "and the list of assemblies may be incomplete"
SAME: Final = 1e-6
"""Distance, relative to the size of the group, below which two assemblies are one."""


def group_assemblies(
    unit: Unit, joints: Mapping[str, PlanarJoint], known: Mapping[str, Array]
) -> list[Poses]:
    """Return the poses of the links of a group in all assemblies.

    By increasing angle of its first link in (-π, π], then y and x: the same in every call.

    Args:
        unit: The group.
        joints: Joints by name.
        known: Poses of the links that it hangs on.
    """
    group = SearchedGroup(unit, joints, known)
    distinct: list[Poses] = []
    for candidate in _candidates(group):
        poses = group.refined(candidate)
        if poses is not None and all(group.distance(poses, other) > SAME for other in distinct):
            distinct.append(poses)
    first = str(unit.bodies[0])
    distinct.sort(key=lambda poses: (*np.round(poses[first][::-1], 9).tolist(),))
    return distinct


def _candidates(group: SearchedGroup) -> Iterator[Poses]:
    """Yield poses near assemblies."""
    bodies = list(group.unit.bodies)
    polynomials = group_polynomials(group)
    if polynomials is None:
        _warn(f"links {bodies}: equations of their pins depend on each other, {INCOMPLETE}")
        yield from random_candidates(group, STARTS)
        return
    count = path_count(len(polynomials.Q) // 2)
    if count > MOST_PATHS:
        _warn(f"links {bodies} have up to {count} complex assemblies: too many, {INCOMPLETE}")
        yield from random_candidates(group, STARTS)
        return
    roots = bilinear_roots(polynomials.Q)
    if roots.failed:
        _warn(f"links {bodies}: {roots.failed} of {count} roots were lost, {INCOMPLETE}")
    if _has_loose_roots(roots):
        _warn(
            f"links {bodies} move in some assemblies although what they hang on rests, as"
            " parallelograms do: these are not listed"
        )
    apart = np.linalg.norm(roots.t - roots.s.conj(), axis=-1)
    is_near = apart <= NEARLY_REAL * (1.0 + np.linalg.norm(roots.s, axis=-1))
    poses = polynomials.poses(roots.s[is_near], roots.t[is_near])
    for i in range(int(np.sum(is_near))):
        yield {body: pose[i] for body, pose in poses.items()}


def _has_loose_roots(roots: BilinearRoots) -> bool:
    """Whether a singular root is not double: two paths would end in it."""
    s, t = roots.s[~roots.is_regular], roots.t[~roots.is_regular]
    apart = np.linalg.norm(s[:, None] - s, axis=-1) + np.linalg.norm(t[:, None] - t, axis=-1)
    sizes = 1.0 + np.linalg.norm(s, axis=-1) + np.linalg.norm(t, axis=-1)
    return bool(np.any(np.sum(apart <= DOUBLE * sizes[:, None], axis=1) < 2))


def _warn(reason: str) -> None:
    warnings.warn(
        f"{reason}; draw the mechanism, or give near=, poses nearby, to follow one of them",
        ModelWarning,
        stacklevel=2,
    )
