"""Steps of configurations in machine code: ``Mechanism.integrate`` for any mechanism.

``void @move(inputs, outputs)`` takes q, a step d and a table; the output is the new q.  A row of
the table is a kind, the first coordinate, the first velocity and a number of them:

    ADDED       so many coordinates, to which their steps are added
    TURNED      a unit quaternion that turns, ``model/joints/quaternion.py``
    MOVED       the pose of a free body on a screw, ``model/joints/rigid_motion.py``
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from poinsot.kernels.llvm.ir_value import Value
from poinsot.kernels.llvm.ir_writer import IrWriter, Layout
from poinsot.model import AbstractJoint, Free, Mechanism, Spherical
from poinsot.model.joints.rigid_motion import CUBIC_SERIES, SMALL_ANGLE

ADDED, TURNED, MOVED = range(3)
ROW: Final = 4
"""Numbers in a row of the table."""

Vector: TypeAlias = Sequence[Value]


@lru_cache(maxsize=64)
def step_table(mechanism: Mechanism) -> NDArray[np.int64] | None:
    """Return the number of rows, then the rows; None if a joint has steps of its own."""
    rows: list[tuple[int, int, int, int]] = []
    slices = zip(mechanism.bodies, mechanism.q_slices, mechanism.v_slices, strict=True)
    for body, of_q, of_v in slices:
        joint = body.joint
        if not joint.nv:
            continue
        if joint.integrate is AbstractJoint.integrate:
            kind, first_q, first_v, count = rows[-1] if rows else (MOVED, 0, 0, 0)
            if kind == ADDED and (first_q + count, first_v + count) == (of_q.start, of_v.start):
                rows[-1] = (ADDED, first_q, first_v, count + joint.nv)
            else:
                rows.append((ADDED, of_q.start, of_v.start, joint.nv))
        elif joint.integrate in (Spherical.integrate, Free.integrate):
            kind = TURNED if joint.integrate is Spherical.integrate else MOVED
            rows.append((kind, of_q.start, of_v.start, 1))
        else:
            return None
    return np.array([len(rows), *itertools.chain(*rows)], np.int64)


def move_ir(layout: Layout) -> str:
    """Return ``@move``; its third input is the number of rows, then the rows."""
    w = IrWriter(layout, ("move",))
    q, d, table = (w.read("%inputs", number, "ptr") for number in range(3))
    result = w.read("%outputs", 0, "ptr")
    with w.count_up(0, w.read(table, 0, "i64")) as number:
        row = w.address(table, number * ROW + 1, "i64")
        kind, first_q, first_v, count = (w.read(row, k, "i64") for k in range(ROW))
        start, step, end = (
            w.address(base, first)
            for base, first in ((q, first_q), (d, first_v), (result, first_q))
        )
        with w.when(kind.equals(ADDED)), w.count_up(0, count) as i:
            w.write(w.read(start, i) + w.read(step, i), end, i)
        with w.when(kind.equals(TURNED)):
            _put(w, _turned(_vector(w, start, 4), _Turn(w, _vector(w, step, 3))), end)
        with w.when(kind.equals(MOVED)):
            _put(w, _moved(w, _vector(w, start, 7), _vector(w, step, 6)), end)
    return w.define("move", "ptr %inputs", "ptr %outputs")


class _Turn:
    """A turn φ: its angle a, and the sine and cosine of a / 2.

    Attributes:
        ratio: sin(a / 2) / a, and at 0 its limit.
    """

    def __init__(self, w: IrWriter, phi: Vector) -> None:
        self.phi, self.squared = phi, _dot(phi, phi)
        self.angle = self.squared.sqrt()
        half, turns = 0.5 * self.angle, self.angle > 0.0
        self.sine = w.put(f"call double @sin(double {half})")
        self.cosine = w.put(f"call double @cos(double {half})")
        self.ratio = turns.choose(self.sine / turns.choose(self.angle, 1.0), 0.5)


def _turned(quaternion: Vector, turn: _Turn) -> Vector:
    (a, *u), b, v = quaternion, turn.cosine, [x * turn.ratio for x in turn.phi]
    vector = [a * y + b * x + z for x, y, z in zip(u, v, _cross(u, v), strict=True)]
    return _unit([a * b - _dot(u, v), *vector])


def _moved(w: IrWriter, pose: Vector, twist: Vector) -> Vector:
    position, (a, *u), v = pose[:3], _unit(pose[3:]), twist[:3]
    turn = _Turn(w, twist[3:])
    series = w.value("0.0")
    for coefficient in reversed(CUBIC_SERIES):
        series = series * turn.squared + coefficient
    sine = 2.0 * turn.sine * turn.cosine
    cubic = (turn.angle < SMALL_ANGLE).choose(
        series, (turn.angle - sine) / (turn.squared * turn.angle)
    )
    bent, half = _cross(turn.phi, v), 2.0 * turn.ratio * turn.ratio
    further = _cross(turn.phi, bent)
    way = [x + half * y + cubic * z for x, y, z in zip(v, bent, further, strict=True)]
    t = [2.0 * x for x in _cross(u, way)]
    around = _cross(u, t)
    end = [p + (x + a * y + z) for p, x, y, z in zip(position, way, t, around, strict=True)]
    return [*end, *_turned([a, *u], turn)]


def _unit(vector: Vector) -> Vector:
    length = _dot(vector, vector).sqrt()
    return [x / length for x in vector]


def _dot(a: Vector, b: Vector) -> Value:
    first, *rest = (x * y for x, y in zip(a, b, strict=True))
    for term in rest:
        first = first + term
    return first


def _cross(a: Vector, b: Vector) -> Vector:
    (x, y, z), (u, v, w) = a, b
    return [y * w - z * v, z * u - x * w, x * v - y * u]


def _vector(w: IrWriter, base: Value, size: int) -> Vector:
    return [w.read(base, k) for k in range(size)]


def _put(w: IrWriter, vector: Vector, base: Value) -> None:
    for k, entry in enumerate(vector):
        w.write(entry, base, k)
