"""Rigid groups: bodies that are fixed to each other, checked as one body."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from poinsot.model.body import Body
from poinsot.model.inertia import inertia_numbers, inertia_problem
from poinsot.model.mechanism import Mechanism
from poinsot.model.model_warnings import listed, warn
from poinsot.spatial import Inertia, Transform

__all__ = ["warn_of_merged"]


@np.errstate(all="ignore")  # what is too large is said so
def warn_of_merged(mechanism: Mechanism) -> None:
    """Warn where bodies that move as one have an inertia together that no real body could have.

    The sum of realisable inertias is realisable, so only groups with an implausible body are
    checked; each was warned of when it was made.  Bodies fixed to the world do not move and are
    skipped.

    Warns:
        ModelWarning: Once for every such group of bodies, on the line that called the caller.
    """
    bodies = mechanism.bodies
    if mechanism.free_parameters:
        return  # not known
    if not any(body.joint.nv == 0 and _has_inertia(body) for body in bodies):
        return
    first = {-1: -1}
    X: dict[int, Transform] = {}
    groups: dict[int, list[int]] = {}
    for i in mechanism.order:
        parent = mechanism.parents[i]
        if bodies[i].joint.nv:
            first[i], X[i] = i, Transform.identity()
        else:
            first[i] = first[parent]
            if first[i] >= 0:
                X[i] = X[parent] @ bodies[i].pose.transform()
        if first[i] >= 0 and _has_inertia(bodies[i]):
            groups.setdefault(first[i], []).append(i)
    for members in groups.values():
        doubtful = any(inertia_problem(bodies[i].inertia, bodies[i].mass) for i in members)
        if len(members) > 1 and doubtful:
            problem = _problem([bodies[i].spatial_inertia().to_parent(X[i]) for i in members])
            if problem is not None:
                names = listed([bodies[i].name for i in members])
                warn(f"bodies {names} move as one: implausible inertia together, {problem}", 3)


def _has_inertia(body: Body) -> bool:
    return bool(body.mass or any(body.inertia))


def _problem(inertias: Sequence[Inertia]) -> str | None:
    total = inertias[0]
    for inertia in inertias[1:]:
        total = total + inertia
    if total.mass:
        total = total.to_parent(Transform.translation(-total.com()))  # about the mass centre
    if not np.isfinite(total.I).all():
        return "it is too large"
    return inertia_problem(inertia_numbers(total.I, "together"), float(total.mass))
