"""Arithmetic of configurations: with quaternions, q is a point of a manifold and not a vector.

Numbers only. Joints of one type are vectorised, so the cost in Python does not grow with their
number; leading dimensions of all arguments broadcast.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ArrayTypeError, ModelError, ShapeError
from poinsot.model.joints import AbstractJoint
from poinsot.spatial import Array

__all__ = ["Configurations"]


class Configurations:
    """The configurations of joints whose coordinates and velocities are stacked."""

    def __init__(self, joints: Sequence[AbstractJoint]) -> None:
        offsets: dict[type[AbstractJoint], list[tuple[int, int]]] = {}
        self.nq = self.nv = 0
        for joint in joints:
            if joint.nv:
                offsets.setdefault(type(joint), []).append((self.nq, self.nv))
            self.nq, self.nv = self.nq + joint.nq, self.nv + joint.nv
        self._groups = [
            (joint, first[:, :1] + np.arange(joint.nq), first[:, 1:] + np.arange(joint.nv))
            for joint, pairs in offsets.items()
            if (first := np.array(pairs)).size
        ]

    def integrate(self, q: ArrayLike, v: ArrayLike) -> Array:
        """Return q after motion with constant v for one unit of time, shape (..., nq)."""
        start, step = _checked("integrate", {"q": (q, self.nq), "v": (v, self.nv)})
        self._check_quaternions("integrate", start)
        return self._integrated(start, step)

    def difference(self, q0: ArrayLike, q1: ArrayLike) -> Array:
        """Return the shortest v with integrate(q0, v) = q1, shape (..., nv)."""
        start, end = _checked("difference", {"q0": (q0, self.nq), "q1": (q1, self.nq)})
        self._check_quaternions("difference", start, end)
        return self._difference(start, end)

    def interpolate(self, q0: ArrayLike, q1: ArrayLike, s: ArrayLike) -> Array:
        """Return the interpolation from q0 (s = 0) to q1 (s = 1), shape (..., nq)."""
        s = np.asarray(s)[..., None]
        start, end, fraction = _checked(
            "interpolate", {"q0": (q0, self.nq), "q1": (q1, self.nq), "s": (s, 1)}
        )
        self._check_quaternions("interpolate", start, end)
        return self._integrated(start, fraction * self._difference(start, end))

    def distance(self, q0: ArrayLike, q1: ArrayLike) -> Array:
        """Return the length of difference(q0, q1), shape (...)."""
        start, end = _checked("distance", {"q0": (q0, self.nq), "q1": (q1, self.nq)})
        self._check_quaternions("distance", start, end)
        length: Array = np.linalg.norm(self._difference(start, end), axis=-1)
        return length

    def _check_quaternions(self, what: str, *configurations: Array) -> None:
        """Reject a quaternion of length zero, which is no orientation; NaN goes through."""
        for joint, at_q, _ in self._groups:
            if joint.nq == joint.nv:
                continue
            for q in configurations:
                zero = ~q[..., at_q[:, -4:]].any(axis=-1)
                if zero.any():
                    first = int(at_q[np.nonzero(zero)[-1][0], -4])
                    raise ModelError(
                        f"{what}: the quaternion q[{first}:{first + 4}] must not be zero; "
                        "no rotation is (1, 0, 0, 0)"
                    )

    def _integrated(self, q: Array, v: Array) -> Array:
        result = np.empty((*q.shape[:-1], self.nq))
        for joint, at_q, at_v in self._groups:
            result[..., at_q] = joint.integrate(q[..., at_q], v[..., at_v])
        return result

    def _difference(self, q0: Array, q1: Array) -> Array:
        result = np.empty((*q0.shape[:-1], self.nv))
        for joint, at_q, at_v in self._groups:
            result[..., at_v] = joint.difference(q0[..., at_q], q1[..., at_q])
        return result


def _checked(what: str, given: dict[str, tuple[ArrayLike, int]]) -> list[Array]:
    """Return arrays of real numbers with equal leading dimensions and these last ones."""
    arrays = []
    for name, (value, size) in given.items():
        array = np.asarray(value)
        if array.dtype.kind not in "biuf":
            raise ArrayTypeError(f"{what}: {name} must hold real numbers, got dtype {array.dtype}")
        if array.ndim == 0 or array.shape[-1] != size:
            raise ShapeError(f"{what}: {name} must have shape (..., {size}), got {array.shape}")
        arrays.append(array.astype(np.float64))
    try:
        batch = np.broadcast_shapes(*[array.shape[:-1] for array in arrays])
    except ValueError:
        shapes = ", ".join(f"{name} {a.shape}" for name, a in zip(given, arrays, strict=True))
        raise ShapeError(
            f"{what}: leading dimensions do not broadcast to one another: {shapes}"
        ) from None
    return [np.broadcast_to(array, (*batch, array.shape[-1])) for array in arrays]
