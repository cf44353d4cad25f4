"""Paths of tools: lines and arcs with blended corners, and the joints that follow them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError, ShapeError
from poinsot.front.inverse_kinematics import ToolKey, inverse_kinematics
from poinsot.front.path_curves import AbstractCurve, AbstractPrimitive, Arc, Line, blend_of
from poinsot.front.planned_motion import PlannedMotion
from poinsot.front.smoothed_motion import quintic_pieces
from poinsot.front.system import System
from poinsot.front.tool_rows import frame_matrix
from poinsot.model import Pose
from poinsot.model.checks import finite_array, finite_number, finite_vector, real_array
from poinsot.spatial import Array
from poinsot.spatial.rotation import skew

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["ToolPath"]

TOLERANCE: Final = 1e-5
"""Largest deviation of the tool from its path [m, rad] between knots of the joints."""
MOST_KNOTS: Final = 1600
SMALL_TURN: Final = 1e-4
"""Angle [rad] below which a series does."""
SHOWN: Final = 2000
"""Places of a path that a picture shows."""


@dataclass(frozen=True, eq=False)
class _Piece:
    """A curve, with the attitude turned from R by an axis and angle, evenly or smoothly.

    Attributes:
        length: Of the piece [m]; the angle [rad] where it only turns.
        curve: Where it leads.
        R: Attitude at the start, shape (3, 3).
        turn: Rotation vector from start to end in the start's axes [rad], shape (3,).
        turning: Of a blend the rotation vector by length, with the rates of both neighbours.
    """

    length: float
    curve: AbstractCurve
    R: Array
    turn: Array
    turning: PlannedMotion | None = None

    def attitudes(self, s: Array) -> Array:
        """Return rotations at lengths from the start, shape (k, 3, 3)."""
        if self.turning is not None:
            return np.asarray(self.R @ _rotations(self.turning.position(s)))
        if not np.any(self.turn):
            return np.broadcast_to(self.R, (len(s), 3, 3))
        return np.asarray(self.R @ _rotations((s / self.length)[:, None] * self.turn))

    def cut(self, start: float, end: float) -> _Piece:
        """Return a line or arc from one length to another."""
        assert isinstance(self.curve, AbstractPrimitive)
        R = self.attitudes(np.array([start, end]))
        return _Piece(end - start, self.curve.behind(start), R[0], _rotation_vector(R[0].T @ R[1]))

    @property
    def end(self) -> tuple[Array, Array]:
        """Position and attitude at its end, shapes (3,) and (3, 3)."""
        s = np.array([self.length])
        return self.curve.positions(s)[0], self.attitudes(s)[0]


@dataclass(frozen=True, eq=False)
class ToolPath:
    """Poses of a tool along lines and arcs, by length.

    Made step by step; each step returns a new path.

    >>> path = ToolPath([0.3, 0.0, 0.5]).line([0.3, 0.4, 0.5]).line([0.6, 0.4, 0.5], blend=0.1)
    >>> round(path.length, 6)
    0.65708

    Attributes:
        start: First pose, shape (4, 4) or ``Pose``, or position [m], shape (3,): then the attitude
            stays.
        pieces: Lines and arcs so far.
    """

    start: ArrayLike | Pose
    pieces: tuple[_Piece, ...] = ()

    def __post_init__(self) -> None:
        start = _pose_array(self.start, "start")
        if start.shape not in ((3,), (4, 4)):
            raise ShapeError(
                "tool path: start with a pose, shape (4, 4), or a position, shape (3,), got "
                f"{start.shape}"
            )
        object.__setattr__(self, "start", start)

    @property
    def has_attitude(self) -> bool:
        """Whether the path tells the attitude of the tool too."""
        return not isinstance(self.start, Pose) and np.shape(self.start) == (4, 4)

    @property
    def length(self) -> float:
        """Length of the path [m]."""
        return float(self._ends[-1])

    def line(self, to: ArrayLike | Pose, *, blend: float = 0.0) -> ToolPath:
        """Return the path with a straight line to a pose or position [m].

        Args:
            to: Where it leads, shape (4, 4) or (3,).
            blend: From so far [m] before the corner to so far behind it, a smooth curve replaces
                both pieces: an arc between two lines, else a polynomial of fifth order that goes on
                with their directions and curvatures.  The attitude goes on turning smoothly.
        """
        p, R, goal, R_goal = *self._end, *self._pose(to)
        way = goal - p
        length = float(np.linalg.norm(way))
        turn = _rotation_vector(R.T @ R_goal)
        size = length or float(np.linalg.norm(turn))
        if size == 0.0:
            raise ModelError("tool path: a line must lead somewhere else")
        piece = _Piece(size, Line(p, way / length if length else way), R, turn)
        return self._with(piece, blend)

    def arc(self, via: ArrayLike, to: ArrayLike | Pose, *, blend: float = 0.0) -> ToolPath:
        """Return the path with a circular arc through a point to a pose or position [m].

        Args:
            via: A point on the arc [m], shape (3,).
            to: Its end, shape (4, 4) or (3,).
            blend: As of ``line``.
        """
        p, R, goal, R_goal = *self._end, *self._pose(to)
        a, b = finite_vector(via, 3, "tool path: via") - p, goal - p
        normal = np.cross(a, b)
        squared = float(normal @ normal)
        if squared <= 1e-18 * float(b @ b) ** 2 or not squared:
            raise ModelError(f"tool path: start, via {np.asarray(via)} and end are on one line")
        radius = np.cross((a @ a) * b - (b @ b) * a, normal) / (2.0 * squared)  # centre - start
        # counted about the normal, via comes before the end
        tangent = np.cross(normal, -radius)
        tangent = tangent / np.linalg.norm(tangent)
        size = float(np.linalg.norm(radius))
        end = goal - p - radius
        angle = float(np.arctan2(end @ tangent, -(end @ radius) / size)) % (2.0 * np.pi)
        turn = _rotation_vector(R.T @ R_goal)
        return self._with(_Piece(size * angle, Arc(p, tangent, p + radius), R, turn), blend)

    def pose(self, s: ArrayLike) -> Array:
        """Return the poses at lengths along the path [m], shape (..., 4, 4)."""
        self._check_pieces()
        lengths = np.clip(real_array(s, "tool path: lengths s"), 0.0, self.length)
        flat = lengths.ravel()
        X = np.tile(np.eye(4), (flat.size, 1, 1))
        number = np.clip(np.searchsorted(self._ends, flat, "right") - 1, 0, len(self.pieces) - 1)
        for k, piece in enumerate(self.pieces):
            here = number == k
            local = flat[here] - self._ends[k]
            X[here, :3, 3] = piece.curve.positions(local)
            X[here, :3, :3] = piece.attitudes(local)
        return X.reshape(*lengths.shape, 4, 4)

    def joints(
        self, system: System, tool: ToolKey, q: ArrayLike, *, tolerance: float = TOLERANCE
    ) -> PlannedMotion:
        """Return the path q(s) of joints that leads a tool along this path, a spline.

        Args:
            system: The system.
            tool: A body, or a body with a point or frame fixed in it.
            q: Guess of the first configuration [m or rad], shape (nq,); it tells which of several
                postures is meant.
            tolerance: Largest deviation of the tool [m, rad]; knots are added until it is kept.

        Raises:
            ModelError: If a pose cannot be reached, joints must jump, or the tolerance is not kept.
        """
        self._check_pieces()
        knots = 25
        while True:
            s = self._knots(knots)
            path = _spline(s, self._followed(system, tool, q, s))
            between = 0.5 * (s[1:] + s[:-1])
            off = self._deviation(system, tool, path, between)
            if off <= tolerance:
                return path
            knots *= 2
            if knots > MOST_KNOTS:
                raise ModelError(
                    f"tool path: the tool leaves its path by {off:.3g} (m, rad) with {len(s)} "
                    "knots; blend the corners of the path, or give a larger tolerance="
                )

    def plot(self, path: str | Path | None = None) -> Figure:
        """Draw the path from above and from the side, by length; return the figure.

        Args:
            path: File to write: .png, .svg or .pdf; None: show it.
        """
        from poinsot.plots.tool_space import plot_points

        s = np.linspace(0.0, self.length, SHOWN)
        title = f"Path of {self.length:.3g} m"
        return plot_points(path, title, self.pose(s)[:, :3, 3], s, "along the path [m]")

    # How it works

    @cached_property
    def _ends(self) -> Array:
        return np.concatenate([[0.0], np.cumsum([piece.length for piece in self.pieces])])

    @property
    def _end(self) -> tuple[Array, Array]:
        if not self.pieces:
            return self._pose(self.start)
        return self.pieces[-1].end

    def _check_pieces(self) -> None:
        if not self.pieces:
            raise ModelError(
                "tool path: it has a start only; add pieces, path.line(to) or path.arc(via, to)"
            )

    def _with(self, piece: _Piece, blend: float) -> ToolPath:
        """Return the path with one more piece, the corner before it blended."""
        if finite_number(blend, "tool path: blend") == 0.0:
            return ToolPath(self.start, (*self.pieces, piece))
        return ToolPath(self.start, (*self.pieces[:-1], *self._blended(piece, blend)))

    def _pose(self, given: ArrayLike | Pose) -> tuple[Array, Array]:
        """Return position and attitude; that of the end of the path where none is given."""
        array = _pose_array(given, "a pose")
        if array.shape == (4, 4) and self.has_attitude:
            return array[:3, 3], array[:3, :3]
        if array.shape != (3,):
            raise ShapeError(
                "tool path: give a pose, shape (4, 4), if the start is one, or a position, shape "
                f"(3,), got {array.shape}"
            )
        return array, self._end[1] if self.pieces or self.has_attitude else np.eye(3)

    def _blended(self, piece: _Piece, blend: float) -> list[_Piece]:
        """Return the last piece, a blend and a new piece, shortened."""
        if not self.pieces:
            raise ModelError("tool path: blend= rounds a corner; there is no piece before this one")
        before = self.pieces[-1]
        if not 0.0 < blend < min(before.length, piece.length):
            raise ModelError(
                f"tool path: blend must be shorter than both pieces, {before.length:.4g} m and "
                f"{piece.length:.4g} m, got {blend!r}"
            )
        first, last = before.cut(0.0, before.length - blend), piece.cut(blend, piece.length)
        assert isinstance(before.curve, AbstractPrimitive)
        assert isinstance(piece.curve, AbstractPrimitive)
        directions = before.curve.tangent(before.length), piece.curve.tangent(0.0)
        if not all(map(np.any, directions)):
            raise ModelError("tool path: a piece that only turns the tool has no corner to blend")
        ahead = float(directions[0] @ directions[1])
        if ahead < -1.0 + 1e-9:
            raise ModelError("tool path: the path turns back; a corner of half a turn has no blend")
        p, R = first.end
        turn = _rotation_vector(R.T @ last.R)

        def blended(length: float, curve: AbstractCurve) -> list[_Piece]:
            rates = first.turn / first.length, last.turn / last.length
            turning = _turning(length, turn, rates) if np.any([*rates, turn]) else None
            return [first, _Piece(length, curve, R, turn, turning), last]

        if not isinstance(first.curve, Line) or not isinstance(last.curve, Line):
            curve = blend_of(before.curve, first.length, piece.curve.behind(blend), blend)
            return blended(curve.length, curve)
        if ahead > 1.0 - 1e-12:
            return blended(2.0 * blend, Line(p, directions[0]))
        half = 0.5 * np.arccos(np.clip(ahead, -1.0, 1.0))
        radius = blend / np.tan(half)
        side = directions[1] - ahead * directions[0]
        centre = p + radius * side / np.linalg.norm(side)
        return blended(2.0 * half * radius, Arc(p, directions[0], centre))

    def _knots(self, each: int) -> Array:
        """Return lengths of knots, ends of pieces among them, shape (k,)."""
        counts = [max(int(each * piece.length / self.length), 4) for piece in self.pieces]
        inner = [
            np.linspace(a, b, n, endpoint=False)
            for a, b, n in zip(self._ends[:-1], self._ends[1:], counts, strict=True)
        ]
        return np.concatenate([*inner, self._ends[-1:]])

    def _wanted(self, X: Array) -> Array:
        return X if self.has_attitude else X[..., :3, 3]

    def _followed(self, system: System, tool: ToolKey, q: ArrayLike, s: Array) -> Array:
        """Return the joints at knots, each from the one before, shape (k, nq)."""
        rows, guess = list[Array](), np.asarray(q, np.float64)
        for X, place in zip(self._wanted(self.pose(s)), s, strict=True):
            starts = 1 if rows else 100
            posture = inverse_kinematics(system, {tool: X}, guess, starts=starts)
            if not posture.ok:
                raise ModelError(f"tool path: at {place:.4g} m: {posture.report()}")
            guess = posture.q
            rows.append(guess)
        return np.array(rows)

    def _deviation(self, system: System, tool: ToolKey, path: PlannedMotion, s: Array) -> float:
        """Return the largest deviation of the tool from its path [m, rad]."""
        body, frame = tool if isinstance(tool, tuple) else (tool, Pose())
        inner = frame_matrix(frame if isinstance(frame, Pose) else Pose(frame))
        actual = system.pose(body, path.position(s)) @ inner
        gap = np.abs(self._wanted(actual) - self._wanted(self.pose(s)))
        return float(gap.max())


def _pose_array(given: ArrayLike | Pose, what: str) -> Array:
    """Return a pose as a matrix, or what else is given as an array."""
    if isinstance(given, Pose):
        return frame_matrix(given)
    return finite_array(given, f"tool path: {what}")


def _turning(length: float, turn: Array, rates: tuple[Array, Array]) -> PlannedMotion:
    """Return the rotation vector φ by length, with given angular velocities at both ends.

        w = J(φ) φ',      J⁻¹ = 1 + φ×/2 + (1/θ² - (1 + cos θ)/(2 θ sin θ)) φ× φ×,      θ = |φ|

    in the axes that turn.

    Args:
        length: Of the piece [m].
        turn: φ at its end [rad], shape (3,).
        rates: w at its start and end [rad/m], shapes (3,).
    """
    cross, theta = skew(turn), np.linalg.norm(turn)
    factor = 1.0 / 12.0
    if theta > SMALL_TURN:
        factor = 1.0 / theta**2 - (1.0 + np.cos(theta)) / (2.0 * theta * np.sin(theta))
    last = (np.eye(3) + 0.5 * cross + factor * cross @ cross) @ rates[1]
    ends, slopes = np.array([np.zeros(3), turn]), np.array([rates[0], last])
    pieces = quintic_pieces(np.array([[length]]), ends, slopes, np.zeros((2, 3)))
    return PlannedMotion(np.array([0.0, length]), pieces)


def _rotations(vectors: Array) -> Array:
    from scipy.spatial.transform import Rotation

    return np.asarray(Rotation.from_rotvec(vectors).as_matrix())


def _rotation_vector(R: Array) -> Array:
    """Return axis times angle of a rotation, shape (3,)."""
    from scipy.spatial.transform import Rotation

    return np.asarray(Rotation.from_matrix(R).as_rotvec())


def _spline(s: Array, q: Array) -> PlannedMotion:
    from scipy.interpolate import CubicSpline

    return PlannedMotion(s, np.moveaxis(np.asarray(CubicSpline(s, q).c)[::-1], 0, 1))
