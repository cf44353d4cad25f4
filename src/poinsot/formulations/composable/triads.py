"""All positions of class-III groups: a ternary link on three legs, each pair a pin or a slide.

Legs demand something of the ternary link's pose (p, φ), see ``triad_legs.py``.  Two demands are
linear in p' at an angle, a_i · p' = c_i, so that elimination of p' leaves one equation

    p' = N / Δ,   Δ = a_2 × a_3,   N = -J (c_2 a_3 - c_3 a_2),
    F(φ) = |N|² - l_1² Δ² = 0                      leg 1 on a circle, p' · p' = l_1²
    F(φ) = c_1 Δ + a_1 · J (c_2 a_3 - c_3 a_2) = 0   three legs on lines

a trigonometric polynomial of degree four at most (three where all pairs are pins), so that there
are at most six modes.  A leg of two slides gives φ itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from poinsot.errors import AssemblyError
from poinsot.formulations.composable.dyads import OuterJoint
from poinsot.formulations.composable.plane import dot, pose_with, turned, wedge
from poinsot.formulations.composable.triad_legs import TriadLeg, triad_leg
from poinsot.model.planar.decomposition import Unit
from poinsot.model.planar.linkage import PlanarJoint
from poinsot.spatial import Array

SAMPLES = 16
"""Angles at which F is sampled; nine coefficients follow."""
DEGREE = 4
NEGLIGIBLE = 1e-13
"""Coefficients below this much of the largest are zero but for rounding errors."""
ON_CIRCLE = 1e-5
"""How far from 1 the size of a root may be that is a real angle."""
DEGENERATE = 1e-4
"""Δ below which two modes may have the same angle."""
STEPS = 12
"""Newton steps at most."""
EXACT = 1e-12
"""Residual of squared distances, relative to the largest, of a mode."""
SAME = 1e-7
"""Distance below which two modes are one."""


def is_triad(unit: Unit) -> bool:
    """Whether a group is a ternary link on three legs."""
    legs = {body for pair in unit.outer for body in pair.bodies if body in unit.bodies}
    others = [body for body in unit.bodies if body not in legs]
    if unit.drivers or not len(unit.bodies) == 4 == len(legs) + len(others) or len(others) != 1:
        return False
    ends = [frozenset(pair.bodies) for pair in unit.inner]
    kinds = {pair.kind for pair in (*unit.outer, *unit.inner)}
    return set(ends) == {frozenset((leg, others[0])) for leg in legs} and kinds <= {"R", "P"}


def triad_poses(
    unit: Unit, joints: Mapping[str, PlanarJoint], outer: Sequence[OuterJoint]
) -> list[dict[str, Array]]:
    """Return the poses of the four links in each mode, by increasing angle, then y, of the ternary.

    Args:
        unit: The group, for which ``is_triad`` holds.
        joints: Joints by name.
        outer: What its outer joints say, at one state of numbers.
    """
    names = [end.body for end in outer]
    ternary = next(str(body) for body in unit.bodies if body not in names)
    inner = [joints[pair.name] for pair in unit.inner]
    legs = [
        triad_leg(end, next(j for j in inner if end.body in (j.a, j.b)), ternary) for end in outer
    ]
    return [
        {ternary: pose} | {leg.end.body: leg.pose(pose) for leg in legs}
        for pose in ternary_poses(legs)
    ]


def ternary_poses(legs: Sequence[TriadLeg]) -> list[Array]:
    """Return all poses (x, y, φ) of the ternary link, by increasing φ in (-π, π], then y.

    Raises:
        AssemblyError: The group moves although what it hangs on rests (congruent triangles), or
            guides are parallel.
    """
    places = np.array([leg.A for leg in legs])
    lengths = [leg.length or 0.0 for leg in legs]
    size = float(np.max([np.ptp(places, axis=0), *(np.abs(leg.b) for leg in legs)])) or 1.0
    size = max(size, *lengths)
    scaled = [leg.scaled(1.0 / size) for leg in legs]
    # Those on circles first, short ones before long ones, whose squares hide what is small; one
    # whose angle is known last.
    scaled.sort(key=lambda leg: (leg.angle is not None, leg.length is None, leg.length or 0.0))
    modes: list[Array] = []
    for angle in _angles(scaled):
        for start in _candidates(angle, scaled):
            pose = _refined(start, scaled)
            if pose is not None and all(_distance(pose, other) > SAME for other in modes):
                modes.append(pose)
    modes.sort(key=lambda pose: (round(float(pose[2]), 9), pose[1]))
    return [pose * (size, size, 1.0) for pose in modes]


def _angles(legs: Sequence[TriadLeg]) -> list[float]:
    """Return the angles of the ternary link at which F is zero."""
    if legs[-1].angle is not None:
        return [legs[-1].angle]
    terms = np.array([_eliminated(2.0 * np.pi * k / SAMPLES, legs) for k in range(SAMPLES)])
    harmonics = np.fft.fft(terms[:, 0]) / SAMPLES
    # F = Σ c_k exp(i k φ), so that z⁴ F is a polynomial of z = exp(i φ), highest power first.
    polynomial = np.array([harmonics[k] for k in range(DEGREE, -DEGREE - 1, -1)])
    size = float(np.max(np.abs(polynomial)))
    if size <= NEGLIGIBLE * float(np.max(terms[:, 1])):
        raise _loose(legs)
    while abs(polynomial[0]) < NEGLIGIBLE * size and len(polynomial) > 1:
        polynomial = polynomial[1:-1]  # c_k and its conjugate c_-k
    roots = np.roots(polynomial)
    return [float(np.angle(root)) for root in roots[np.abs(np.abs(roots) - 1.0) < ON_CIRCLE]]


def _eliminated(angle: float, legs: Sequence[TriadLeg]) -> tuple[float, float]:
    """Return F at an angle, and what it could be with vectors of these sizes."""
    first = legs[0]
    a_2, c_2 = legs[1].against(first, angle)
    a_3, c_3 = legs[2].against(first, angle)
    delta, across = float(wedge(a_2, a_3)), turned(c_2 * a_3 - c_3 * a_2)
    size_2, size_3 = float(np.hypot(*a_2)), float(np.hypot(*a_3))
    widest, farthest = size_2 * size_3, abs(c_2) * size_3 + abs(c_3) * size_2
    if first.length is not None:
        reach = (first.length * widest) ** 2 + farthest**2
        return float(across @ across) - (first.length * delta) ** 2, reach
    a_1, c_1 = first.against(first, angle)
    reach = abs(c_1) * widest + float(np.hypot(*a_1)) * farthest
    return c_1 * delta + float(a_1 @ across), reach


def _candidates(angle: float, legs: Sequence[TriadLeg]) -> Iterable[Array]:
    """Yield poses of the ternary link near solutions with this angle."""
    first = legs[0]
    others = [leg for leg in legs if leg.angle is None]
    if first.length is not None:
        others = others[1:]
    rows = [leg.against(first, angle) for leg in others]
    a, c = np.array([row[0] for row in rows]), np.array([row[1] for row in rows])
    longer = int(np.argmax(dot(a, a)))
    square = float(dot(a[longer], a[longer]))
    spread = np.linalg.svd(a, compute_uv=False)
    determined = len(rows) > 1 and spread[1] > EXACT
    places = [np.linalg.lstsq(a, c, rcond=None)[0]] if determined else []
    if square < EXACT or (first.length is None and not determined):
        if np.max(np.abs(c - a @ a[longer] * c[longer] / max(square, EXACT))) < DEGENERATE:
            raise _loose(legs)
        return  # parallel lines that are no one line
    if first.length is not None and (len(rows) == 1 or spread[1] * spread[0] < DEGENERATE):
        foot = c[longer] * a[longer] / square
        height = np.sqrt(max(first.length**2 - foot @ foot, 0.0) / square)
        places += [foot + sign * height * turned(a[longer]) for sign in (1.0, -1.0)]
    for place in places:
        yield pose_with(first.b, first.A + place, angle)


def _loose(legs: Sequence[TriadLeg]) -> AssemblyError:
    names = [leg.end.body for leg in legs]
    return AssemblyError(
        f"legs {names} of a triad let its ternary link {legs[0].ternary!r} move while what it hangs"
        " on rests: triangles of outer and inner pins are congruent, or guides are parallel; change"
        " a length or a direction"
    )


def _refined(pose: Array, legs: Sequence[TriadLeg]) -> Array | None:
    """Return the solution of the three demands that Newton's method reaches, if there is one."""
    for _ in range(STEPS):
        rows = [leg.residual(pose) for leg in legs]
        slope = np.array([row[1] for row in rows])
        if not np.all(np.isfinite(pose)) or np.linalg.cond(slope) > 1.0 / EXACT:
            break
        pose = pose - np.linalg.solve(slope, np.array([row[0] for row in rows]))
    if not max(abs(leg.residual(pose)[0]) for leg in legs) < EXACT:
        return None
    x, y, angle = pose
    if any(leg.angle is not None and np.cos(angle - leg.angle) < 0.0 for leg in legs):
        return None
    return np.array([x, y, np.pi - (np.pi - angle) % (2.0 * np.pi)])


def _distance(pose: Array, other: Array) -> float:
    """Return how far apart two poses are, their angles on the circle."""
    turn = np.exp(1j * pose[2]) - np.exp(1j * other[2])
    return float(np.hypot(*(pose[:2] - other[:2])) + abs(turn))
