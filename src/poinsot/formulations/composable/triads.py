"""All positions of class-III groups with three legs, every pair a pin.

Outer pins A_i, legs of lengths l_i, pins b_i of the ternary link.  With D_i = A_i - A_1,
B_i = b_i - b_1 and p the place of pin 1 of the ternary link from A_1,

    p · p = l_1²,   a_i · p = c_i,   a_i = 2 (R(φ) B_i - D_i),
    c_i = l_i² - l_1² - |B_i|² - |D_i|² + 2 (R B_i) · D_i,        i = 2, 3.

Elimination of p leaves F(φ) = |N|² - l_1² Δ² = 0, a trigonometric polynomial of degree three, so
that there are at most six modes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from poinsot.errors import AssemblyError, ModelError
from poinsot.formulations.composable.dyads import OuterJoint
from poinsot.formulations.composable.plane import angle_of, dot, pose_with, rotated, turned, wedge
from poinsot.model.planar.decomposition import Unit
from poinsot.model.planar.linkage import PlanarJoint
from poinsot.spatial import Array

SAMPLES = 16
"""Angles at which F is sampled; seven coefficients follow."""
DEGREE = 3
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


def triad_poses(
    unit: Unit, joints: Mapping[str, PlanarJoint], outer: Sequence[OuterJoint]
) -> list[dict[str, Array]]:
    """Return the poses of the four links in each mode, by increasing angle, then y, of the ternary.

    Raises:
        ModelError: The group is none of three legs with pins.
    """
    inner = [joints[pair.name] for pair in unit.inner]
    legs = [end.body for end in outer]
    ternary = [str(body) for body in unit.bodies if body not in legs]
    if unit.form != "RRRRRR" or len(set(legs)) != 3 or len(ternary) != 1:
        raise ModelError(
            f"links {list(unit.bodies)} are a group {unit.form} of class {unit.assur_class}, whose"
            " positions have no closed form here; drive another joint, or use ps.System"
        )
    if any(np.ndim(end.place) > 1 or np.asarray(end.place).dtype == object for end in outer):
        raise ModelError(
            f"links {list(unit.bodies)}: modes of triads are found at one state of numbers at a"
            " time; give near=, poses nearby, where states are expressions"
        )
    rods = [next(joint for joint in inner if leg in (joint.a, joint.b)) for leg in legs]
    A = np.array([end.place for end in outer])
    to_C = [rod.point(leg) - end.point for rod, leg, end in zip(rods, legs, outer, strict=True)]
    b = np.array([rod.point(ternary[0]) for rod in rods])
    modes = []
    for pose in ternary_poses(A, np.array([np.hypot(*s) for s in to_C]), b):
        poses = {ternary[0]: pose}
        for end, s, C in zip(outer, to_C, _places(pose, b), strict=True):
            angle = angle_of(C - end.place) - angle_of(s)
            poses[end.body] = pose_with(end.point, end.place, angle)
        modes.append(poses)
    return modes


def ternary_poses(A: Array, lengths: Array, b: Array) -> list[Array]:
    """Return all poses (x, y, φ) of the ternary link, by increasing φ in (-π, π], then y.

    Args:
        A: Outer pins, shape (3, 2) [m].
        lengths: Of the legs, shape (3,) [m].
        b: Pins of the ternary link in its frame, shape (3, 2) [m].

    Raises:
        AssemblyError: The group moves although its outer pins rest (congruent triangles).
    """
    size = float(np.max([np.ptp(A), np.max(lengths), np.ptp(b)]))
    A, lengths, b = A / size, lengths / size, b / size
    angles = 2.0 * np.pi * np.arange(SAMPLES) / SAMPLES
    F = [_eliminated(angle, A, lengths, b)[0] for angle in angles]
    harmonics = np.fft.fft(F) / SAMPLES
    # F = Σ c_k exp(i k φ), so that z³ F is a polynomial of z = exp(i φ), highest power first.
    roots = np.roots([harmonics[k] for k in range(DEGREE, -DEGREE - 1, -1)])
    modes: list[Array] = []
    for root in roots[np.abs(np.abs(roots) - 1.0) < ON_CIRCLE]:
        for start in _candidates(float(np.angle(root)), A, lengths, b):
            pose = _refined(start, A, lengths, b)
            if pose is not None and all(_distance(pose, other) > SAME for other in modes):
                modes.append(pose)
    modes.sort(key=lambda pose: (round(float(pose[2]), 9), pose[1]))
    return [pose * (size, size, 1.0) for pose in modes]


def _eliminated(
    angle: float, A: Array, lengths: Array, b: Array
) -> tuple[float, float, Array, Array, Array]:
    """Return F, Δ, N, a_2 and a_3, c_2 and c_3."""
    D, B = A[1:] - A[0], rotated(angle, b[1:] - b[0])
    a = 2.0 * (B - D)
    c = lengths[1:] ** 2 - lengths[0] ** 2 - dot(B, B) - dot(D, D) + 2.0 * dot(B, D)
    delta = float(wedge(a[0], a[1]))
    N = -turned(c[0] * a[1] - c[1] * a[0])
    return float(N @ N - lengths[0] ** 2 * delta**2), delta, N, a, c


def _candidates(angle: float, A: Array, lengths: Array, b: Array) -> Iterable[Array]:
    """Yield poses of the ternary link near solutions with this angle."""
    _, delta, N, a, c = _eliminated(angle, A, lengths, b)
    places = []
    if abs(delta) > EXACT:
        places.append(N / delta)
    if abs(delta) < DEGENERATE:
        longer = int(np.argmax(dot(a, a)))
        square = float(dot(a[longer], a[longer]))
        if square < EXACT:
            raise AssemblyError(
                "the three legs of a triad let its ternary link move while the outer pins rest:"
                " triangles of outer and inner pins are congruent; change a length"
            )
        foot = c[longer] * a[longer] / square
        height = np.sqrt(max(lengths[0] ** 2 - foot @ foot, 0.0) / square)
        places += [foot + sign * height * turned(a[longer]) for sign in (1.0, -1.0)]
    for place in places:
        yield pose_with(b[0], A[0] + place, angle)


def _places(pose: Array, b: Array) -> Array:
    return pose[:2] + rotated(pose[2], b)


def _refined(pose: Array, A: Array, lengths: Array, b: Array) -> Array | None:
    """Return the solution of the three distances that Newton's method reaches, if there is one."""
    for _ in range(STEPS):
        e = _places(pose, b) - A
        residual = dot(e, e) - lengths**2
        slope = 2.0 * np.column_stack([e, dot(e, turned(rotated(pose[2], b)))])
        if not np.all(np.isfinite(pose)) or np.linalg.cond(slope) > 1.0 / EXACT:
            break
        pose = pose - np.linalg.solve(slope, residual)
    e = _places(pose, b) - A
    if not np.max(np.abs(dot(e, e) - lengths**2)) < EXACT:
        return None
    x, y, angle = pose
    return np.array([x, y, np.pi - (np.pi - angle) % (2.0 * np.pi)])


def _distance(pose: Array, other: Array) -> float:
    """Return how far apart two poses are, their angles on the circle."""
    turn = np.exp(1j * pose[2]) - np.exp(1j * other[2])
    return float(np.hypot(*(pose[:2] - other[:2])) + abs(turn))
