"""Rotations, screws, transforms and inertias over numbers or symbols alike.

Six-component vectors hold the linear part first: motions ``[v; w]``, forces ``[f; n]``.
"""

from poinsot.spatial.array import Array, components, halves, matrix, vector
from poinsot.spatial.inertia import Inertia
from poinsot.spatial.mismatch import mismatch
from poinsot.spatial.quaternion import (
    matrix_to_quaternion,
    quaternion_conjugate,
    quaternion_product,
    quaternion_rate,
    quaternion_to_matrix,
)
from poinsot.spatial.rotation import (
    angle_about,
    angle_between,
    axis_angle,
    euler_to_matrix,
    matrix_to_rpy,
    rotation_x,
    rotation_y,
    rotation_z,
    rpy_to_matrix,
    skew,
)
from poinsot.spatial.scalar import Scalar, cosine, sine
from poinsot.spatial.screw import (
    cross,
    cross_columns,
    cross_force,
    cross_force_matrix,
    cross_motion,
    cross_motion_matrix,
    swap_parts,
)
from poinsot.spatial.transform import Transform

__all__ = [
    "Array",
    "Inertia",
    "Scalar",
    "Transform",
    "angle_about",
    "angle_between",
    "axis_angle",
    "components",
    "cosine",
    "cross",
    "cross_columns",
    "cross_force",
    "cross_force_matrix",
    "cross_motion",
    "cross_motion_matrix",
    "euler_to_matrix",
    "halves",
    "matrix",
    "matrix_to_quaternion",
    "matrix_to_rpy",
    "mismatch",
    "quaternion_conjugate",
    "quaternion_product",
    "quaternion_rate",
    "quaternion_to_matrix",
    "rotation_x",
    "rotation_y",
    "rotation_z",
    "rpy_to_matrix",
    "sine",
    "skew",
    "swap_parts",
    "vector",
]
