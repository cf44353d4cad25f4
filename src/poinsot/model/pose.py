"""Where a frame sits in another: what the user writes, and what it is stored as."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError
from poinsot.expr.same import same
from poinsot.model.axis import AxisLike, normalised, unit_axis
from poinsot.model.by_structure import ByStructure
from poinsot.model.checks import Vec3, scalar_array, scalar_number, scalar_vector, vec3
from poinsot.model.fields import Instance
from poinsot.model.numbers import is_symbolic, nonzero
from poinsot.spatial import (
    Array,
    Scalar,
    Transform,
    axis_angle,
    quaternion_to_matrix,
    rpy_to_matrix,
)

__all__ = ["POSE", "Mat3", "Pose"]

Mat3 = tuple[Vec3, Vec3, Vec3]
"""A 3x3 matrix by rows, as the descriptions store it."""

ROTATION_TOLERANCE = 1e-6
"""Largest entry of ``|RᵀR - 1|`` of a given ``matrix``: that of one printed with six digits."""

_EXACT_ROTATION = 1e-13
"""A matrix better than this is kept as it is; a worse one is replaced by the nearest rotation."""

_SNAP = 1e-14
"""Entries this near to an integer are that integer (``cos(pi/2)`` is 6e-17), so that it folds."""

_IDENTITY: Mat3 = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


@dataclass(frozen=True, init=False, repr=False)
class Pose(ByStructure):
    """The pose X_PF of a frame F in its parent frame P; immutable, hashable, equal by value.

    At most one form of orientation is given; without one the frames are parallel.

    Attributes:
        xyz: Origin of F in P [m].
        matrix: Rotation R_PF by rows: it takes vectors from F's axes to P's.
        form: How an orientation with formulas was given, e.g. ``("rpy", (0.0, 0.0, a))`` or
            ``("axis", (0.0, 0.0, 1.0), "angle", a)``; empty for numbers and for a matrix.

    Examples:
        >>> Pose((0, 0, -1))
        Pose((0.0, 0.0, -1.0))
        >>> Pose(axis="z", angle=np.pi / 2) == Pose(rpy=(0, 0, np.pi / 2))
        True
    """

    xyz: Vec3
    matrix: Mat3
    form: tuple[Any, ...]

    def __init__(
        self,
        xyz: ArrayLike = (0.0, 0.0, 0.0),
        *,
        rpy: ArrayLike | None = None,
        quat: ArrayLike | None = None,
        axis: AxisLike | None = None,
        angle: Scalar | None = None,
        matrix: ArrayLike | None = None,
    ) -> None:
        """Check and store the pose.

        Args:
            xyz: Origin [m], shape (3,), in the parent's axes.
            rpy: Roll, pitch, yaw [rad] about the parent's fixed axes x, y, z, in this order
                (as URDF): R = Rz(yaw) Ry(pitch) Rx(roll).
            quat: Quaternion (w, x, y, z), normalised here.
            axis: Axis of a rotation by ``angle``; normalised here.
            angle: Angle of that rotation [rad].
            matrix: Rotation matrix, shape (3, 3). A deviation from orthonormality up to
                ``ROTATION_TOLERANCE`` is taken for rounding and removed.

        Raises:
            ModelError: If two orientations are given, or one that is none.
        """
        forms = {"rpy": rpy, "quat": quat, "axis/angle": axis, "matrix": matrix}
        given = [name for name, value in forms.items() if value is not None]
        if angle is not None and axis is None:
            given.append("axis/angle")
        if len(given) > 1:
            raise ModelError(
                f"pose: give one orientation, got {' and '.join(given)}; leave out all but one"
            )
        object.__setattr__(self, "xyz", vec3(xyz, "pose: xyz"))
        object.__setattr__(self, "form", _symbolic_form(rpy, quat, axis, angle))
        if rpy is not None:
            R = np.asarray(rpy_to_matrix(scalar_vector(rpy, 3, "pose: rpy")))
        elif quat is not None:
            R = _from_quaternion(quat)
        elif axis is not None or angle is not None:
            R = _from_axis_angle(axis, angle)
        elif matrix is not None:
            R = _from_matrix(matrix)
        else:
            object.__setattr__(self, "matrix", _IDENTITY)
            return
        object.__setattr__(self, "matrix", _stored(R))

    def transform(self) -> Transform:
        """Return X_PF: ``R`` of shape (3, 3) and ``p`` of shape (3,) [m]."""
        return Transform(np.array(self.matrix), np.array(self.xyz))

    def __repr__(self) -> str:
        if same(self.matrix, _IDENTITY):
            return f"Pose({self.xyz})"
        return f"Pose({self.xyz}, matrix={self.matrix})"


POSE: Final = Instance(Pose, "Pose((0, 0, 1))")
"""What a field holds that is a pose."""


def _from_quaternion(quat: ArrayLike) -> Array:
    vector = scalar_vector(quat, 4, "pose: quat")
    if not nonzero(vector):
        raise ModelError(f"pose: quat must not be zero, got {quat!r}; no rotation is (1, 0, 0, 0)")
    return np.asarray(quaternion_to_matrix(normalised(vector)))


def _from_axis_angle(axis: AxisLike | None, angle: Scalar | None) -> Array:
    if axis is None:
        raise ModelError(f"pose: angle={angle} needs an axis; give axis=, e.g. (0, 0, 1)")
    if angle is None:
        raise ModelError(f"pose: axis={axis!r} needs an angle; give angle= in radians")
    unit = normalised(np.array(unit_axis(axis, "pose")))
    return np.asarray(axis_angle(unit, scalar_number(angle, "pose: angle")))


def _from_matrix(matrix: ArrayLike) -> Array:
    R = scalar_array(matrix, "pose: matrix")
    if R.shape != (3, 3):
        raise ModelError(f"pose: matrix must be 3x3, got shape {R.shape}")
    if is_symbolic(R):
        return R
    deviation = float(np.max(np.abs(R.T @ R - np.eye(3))))
    if not deviation <= ROTATION_TOLERANCE:  # NaN too
        raise ModelError(
            f"pose: matrix must be a rotation, but R^T R differs from 1 by {deviation:.3g} "
            f"(tolerance {ROTATION_TOLERANCE:g}): got {R.tolist()}"
        )
    determinant = float(np.linalg.det(R))
    if determinant < 0:
        raise ModelError(
            f"pose: matrix must be a rotation, but its determinant is {determinant:.3g}, not +1: "
            f"it is a reflection; got {R.tolist()}"
        )
    if deviation <= _EXACT_ROTATION:
        return R
    U, _, Vt = np.linalg.svd(R)
    return np.asarray(U @ Vt)


def _symbolic_form(
    rpy: ArrayLike | None, quat: ArrayLike | None, axis: AxisLike | None, angle: Scalar | None
) -> tuple[Any, ...]:
    """Return how an orientation is given if there are formulas in it."""
    if is_symbolic(rpy):
        return ("rpy", vec3(rpy, "pose: rpy"))  # type: ignore[arg-type]
    if is_symbolic(quat):
        return ("quat", tuple(scalar_vector(quat, 4, "pose: quat").tolist()))  # type: ignore[arg-type]
    if axis is not None and angle is not None and is_symbolic(axis, angle):
        return ("axis", unit_axis(axis, "pose"), "angle", scalar_number(angle, "pose: angle"))
    return ()


def _stored(R: Array) -> Mat3:
    if is_symbolic(R):
        x, y, z = ([_snapped(entry) for entry in row] for row in scalar_array(R, "pose").tolist())
    else:
        integers = np.round(R)
        # The sum with zero turns -0.0 into 0.0.
        x, y, z = (np.where(np.abs(R - integers) <= _SNAP, integers, R) + 0.0).tolist()
    return (tuple(x), tuple(y), tuple(z))


def _snapped(entry: Scalar) -> Scalar:
    if is_symbolic(entry):
        return entry
    return round(entry) + 0.0 if abs(entry - round(entry)) <= _SNAP else entry
