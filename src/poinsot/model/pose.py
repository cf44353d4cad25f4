"""Where a frame sits in another: what the user writes, and what it is stored as."""

from collections.abc import Mapping
from typing import Any, ClassVar, Final

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError
from poinsot.expr.same_formula import same
from poinsot.model.axis import Axis, AxisLike, normalised
from poinsot.model.checks import Vec3, scalar_array, scalar_vector
from poinsot.model.fields import (
    AbstractKind,
    Declared,
    Instance,
    Number,
    Stored,
    Vector,
    Vector3,
    declared,
    field,
)
from poinsot.model.scalar_values import is_symbolic, nonzero
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


class Quaternion(AbstractKind):
    """Four numbers (w, x, y, z), not all zero."""

    file_form: ClassVar[str] = "quaternion"

    def stored(self, given: Any, where: str, owner: Any) -> tuple[Scalar, ...]:  # noqa: ANN401
        """Return the numbers."""
        vector = scalar_vector(given, 4, where)
        if not nonzero(vector):
            raise ModelError(
                f"{where} must not be zero, got {given!r}; no rotation is (1, 0, 0, 0)"
            )
        return tuple(vector.tolist())


class Rotation(AbstractKind):
    """A rotation matrix, by rows."""

    file_form: ClassVar[str] = "numbers"

    def stored(self, given: Any, where: str, owner: Any) -> Mat3:  # noqa: ANN401
        """Return the nearest rotation."""
        return _rows(_nearest_rotation(given))


@declared
class Pose(Declared):
    """The pose X_PF of a frame F in its parent frame P; immutable, hashable, equal by value.

    At most one form of orientation is given; without one the frames are parallel.  It is stored as
    the matrix; one with formulas also as it was given, other forms are None.

    Examples:
        >>> Pose((0, 0, -1))
        Pose((0.0, 0.0, -1.0))
        >>> Pose(axis="z", angle=np.pi / 2) == Pose(rpy=(0, 0, np.pi / 2))
        True
    """

    kind: ClassVar[str] = "pose"
    renamed: ClassVar[Mapping[str, str]] = {"form": "rpy, quat, axis and angle"}

    xyz: Vector3 = field(
        Vector(), "Origin of F in P, in P's axes", unit="m", default=(0.0, 0.0, 0.0)
    )
    rpy: Stored[Vec3 | None, ArrayLike | None] = field(
        Vector(),
        "Angles about P's fixed axes: roll about x, pitch about y, yaw about z, in this order (as "
        "URDF), R = Rz(yaw) Ry(pitch) Rx(roll)",
        unit="rad", default=None, kw_only=True,
    )  # fmt: skip
    quat: Stored[tuple[Scalar, ...] | None, ArrayLike | None] = field(
        Quaternion(), "Quaternion (w, x, y, z), of any length", default=None, kw_only=True
    )
    axis: Stored[Vec3 | None, AxisLike | None] = field(
        Axis(), "Axis of a rotation by an angle", default=None, kw_only=True
    )
    angle: Scalar | None = field(
        Number(), "Angle of that rotation", unit="rad", default=None, kw_only=True
    )
    matrix: Stored[Mat3, ArrayLike | None] = field(
        Rotation(),
        "Rotation R_PF by rows, shape (3, 3): it takes vectors from F's axes to P's.  A deviation "
        "from orthonormality up to ROTATION_TOLERANCE is taken for rounding and removed",
        default=None, kw_only=True,
    )  # fmt: skip

    def _check_together(self, given: Mapping[str, Any]) -> None:
        forms = {"rpy": self.rpy, "quat": self.quat, "axis/angle": (self.axis, self.angle)}
        names = [name for name, form in forms.items() if form is not None and form != (None, None)]
        if not names:
            self._store(matrix=_IDENTITY if self.matrix is None else self.matrix)
            return
        R = _rows(self._rotation(given))
        copied = self.matrix is None or same(self.matrix, R)  # by replace, of one with formulas
        if len(names) > 1 or not copied:
            names += [] if copied else ["matrix"]
            raise ModelError(
                f"pose: give one orientation, got {' and '.join(names)}; leave out all but one"
            )
        self._store(matrix=R)
        if not is_symbolic(self.rpy, self.quat, self.axis, self.angle):
            self._store(rpy=None, quat=None, axis=None, angle=None)

    def _rotation(self, given: Mapping[str, Any]) -> Array:
        """Return the rotation that is given, but not by a matrix, shape (3, 3)."""
        if self.rpy is not None:
            return np.asarray(rpy_to_matrix(np.array(self.rpy)))
        if self.quat is not None:
            return np.asarray(quaternion_to_matrix(normalised(np.array(self.quat))))
        axis, angle = given["axis"], given["angle"]
        if self.axis is None:
            raise ModelError(f"pose: angle={angle} needs an axis; give axis=, e.g. (0, 0, 1)")
        if self.angle is None:
            raise ModelError(f"pose: axis={axis!r} needs an angle; give angle= in radians")
        return np.asarray(axis_angle(normalised(np.array(self.axis)), self.angle))

    def transform(self) -> Transform:
        """Return X_PF: ``R`` of shape (3, 3) and ``p`` of shape (3,) [m]."""
        return Transform(np.array(self.matrix), np.array(self.xyz))

    def __repr__(self) -> str:
        if same(self.matrix, _IDENTITY):
            return f"Pose({self.xyz})"
        return f"Pose({self.xyz}, matrix={self.matrix})"


POSE: Final = Instance(Pose, "Pose((0, 0, 1))")
"""What a field holds that is a pose."""


def _nearest_rotation(matrix: ArrayLike) -> Array:
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


def _rows(R: Array) -> Mat3:
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
