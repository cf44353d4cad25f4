"""Trees of links in the notation of Zaremba (1990): number n, offset O and angles theta of each."""

import numpy as np

import poinsot as ps
from poinsot.spatial import rotation_x, rotation_y, rotation_z
from tests.cases.neutral import name_of

AXES = "xyz"


def bodies_of(description):
    """Return the bodies of a chain: n = 1..3 slides along axis n, n = 4..6 turns about axis n - 3.

    C = C1(theta1) C2(theta2) C3(theta3).  A slide has its offset in the axes of the link, with q in
    place of one component; a turn has its offset in those of the parent, q in place of one angle
    and no angles after it.
    """
    return [_body(i, link) for i, link in enumerate(description["links"], start=1)]


def wrenches_of(given):
    """Return the wrenches on links by name of the body."""
    wrenches = given.get("external_wrench_link_axes", {})
    return {name_of(int(number)): wrench for number, wrench in wrenches.items()}


def _body(i, link):
    n, O = link["n"], np.array(link["O"], float)
    theta = np.array(link["theta"], float)
    if n <= 3:
        joint, offset = ps.Prismatic(AXES[n - 1]), O * (np.arange(3) != n - 1)
        R = _turned(theta)
        place = R @ offset
    else:
        joint = ps.Revolute(AXES[n - 4])
        if theta[n - 3 :].any():
            raise ValueError(f"link {i}: angles after the joint's own must be 0, got {theta}")
        R, place = _turned(theta * (np.arange(3) < n - 4)), O
    return ps.Body(
        name_of(i), name_of(link["parent"]), joint, ps.Pose(place, matrix=R),
        mass=link["mass"], com=link["rc"], inertia=link["inertia_com"],
    )  # fmt: skip


def _turned(theta):
    return rotation_x(theta[0]) @ rotation_y(theta[1]) @ rotation_z(theta[2])
