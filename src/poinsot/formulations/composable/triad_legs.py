"""What a leg of a class-III group demands of the ternary link, whose pose is (p, φ).

A leg hangs on a known link by an outer pair and on the ternary link by an inner one.  Place,
length and normal of the demand, e = p + R(φ) b - A:

    outer R, inner R    |e| = l                  its pin is on a circle
    outer P, inner R    m · e = 0, m fixed       its pin is on a line
    outer R, inner P    m · e = 0, m = R(φ) n    its line passes a point
    outer P, inner P    φ = φ_0                  its angle is known

With one point b_1 of the ternary link at A_1 + p', others give a(φ) · p' = c(φ) (lines; differences
of two circles), B = R(φ) (b - b_1), D = A - A_1:

    line      a = m,          c = m · (D - B)
    circle    a = 2 (B - D),  c = l² - l_1² - |B|² - |D|² + 2 B · D
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from poinsot.formulations.composable.dyads import OuterJoint, slid_pose
from poinsot.formulations.composable.plane import (
    angle_of,
    direction,
    dot,
    point_at,
    pose_with,
    rotated,
    turned,
)
from poinsot.model.planar.linkage import PlanarJoint
from poinsot.spatial import Array


@dataclass(frozen=True)
class TriadLeg:
    """A leg, and what it demands.

    Attributes:
        end: Its outer joint.
        inner: Its joint with the ternary link.
        ternary: Name of the ternary link.
        A: A place in the frame [m].
        b: A point of the ternary link, in its frame [m].
        length: Radius of the circle [m]; None: it is a line.
        normal: Angle of the line's normal [rad].
        is_carried: Whether the line turns with the ternary link.
        angle: Of the ternary link, of legs of two slides [rad]; None: it may turn.
    """

    end: OuterJoint
    inner: PlanarJoint
    ternary: str
    A: Array
    b: Array
    length: float | None = None
    normal: float = 0.0
    is_carried: bool = False
    angle: float | None = None

    def scaled(self, factor: float) -> TriadLeg:
        """Return the demand with all lengths times a factor."""
        length = None if self.length is None else factor * self.length
        A, b = factor * self.A, factor * self.b
        return TriadLeg(
            self.end, self.inner, self.ternary, A, b, length, self.normal, self.is_carried,
            self.angle,
        )  # fmt: skip

    def residual(self, pose: Array) -> tuple[float, Array]:
        """Return the demand at a pose of the ternary link, and its gradient, shape (3,)."""
        lever = rotated(pose[2], self.b)
        if self.angle is not None:
            return float(np.sin(pose[2] - self.angle)), np.array([0.0, 0.0, 1.0])
        e = pose[:2] + lever - self.A
        if self.length is not None:
            slope = np.array([*e, dot(e, turned(lever))])
            return float(dot(e, e)) - self.length**2, 2.0 * slope
        m = self._normal_at(pose[2])
        turning = dot(m, turned(lever)) + (dot(turned(m), e) if self.is_carried else 0.0)
        return float(dot(m, e)), np.array([*m, turning])

    def against(self, first: TriadLeg, angle: float) -> tuple[Array, float]:
        """Return a and c of a · p' = c, p' from A of the first leg, of a circle or a line."""
        D, B = self.A - first.A, rotated(angle, self.b - first.b)
        if self.length is None:
            m = self._normal_at(angle)
            return m, float(dot(m, D - B))
        assert first.length is not None  # legs on circles come first
        c = self.length**2 - first.length**2 - dot(B, B) - dot(D, D) + 2.0 * dot(B, D)
        return 2.0 * (B - D), float(c)

    def pose(self, ternary: Array) -> Array:
        """Return the pose of the leg where the ternary link has a pose."""
        end, C = self.end, point_at(ternary, self.inner.point(self.ternary))
        own = self.inner.point(end.body)
        if self.inner.kind == "R" and end.angle is None:
            angle = angle_of(C - end.place) - angle_of(own - end.point)
            return pose_with(end.point, end.place, angle)
        if self.inner.kind == "R":
            return pose_with(own, C, end.angle)
        if end.angle is None:
            return pose_with(end.point, end.place, ternary[2] + _relative(self))
        return slid_pose(end, self.inner, C, ternary[2])

    def _normal_at(self, angle: float) -> Array:
        return direction(self.normal + angle * self.is_carried)


def triad_leg(end: OuterJoint, inner: PlanarJoint, ternary: str) -> TriadLeg:
    """Return what a leg with these two joints demands of the ternary link."""
    b, own = inner.point(ternary), inner.point(end.body)
    lever = own - end.point
    leg = TriadLeg(end, inner, ternary, np.asarray(end.place, float), b)
    fields: dict[str, Any] = {}
    if inner.kind == "R" and end.angle is None:
        fields["length"] = float(np.hypot(*lever))
    elif inner.kind == "R":
        fields["A"] = end.place + rotated(end.angle, lever)
        fields["normal"] = float(end.along) + np.pi / 2.0
    elif end.angle is None:
        turn = _relative(leg)
        fields["b"] = b - rotated(turn, lever)
        fields["normal"] = inner.ua + (0.0 if inner.a == ternary else turn) + np.pi / 2.0
        fields["is_carried"] = True
    else:
        fields["angle"] = float(end.angle) - _relative(leg)
    return TriadLeg(**{**vars(leg), **fields})


def _relative(leg: TriadLeg) -> float:
    """Return the angle of a leg from the ternary link, of inner slides."""
    return float(leg.inner.beta if leg.inner.a == leg.ternary else -leg.inner.beta)
