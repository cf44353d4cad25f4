"""Configurations in which tools have wanted poses: ``ps.inverse_kinematics``."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError, ShapeError
from poinsot.front.description import Values
from poinsot.front.named_joints import tree_velocities
from poinsot.front.parameter_numbers import leading_shape, parameter_values
from poinsot.front.posture import Posture
from poinsot.front.posture_search import PostureSearch
from poinsot.front.system import System
from poinsot.front.tool_rows import Tool, frame_matrix, tool_rows
from poinsot.model import Pose
from poinsot.model.checks import real_array, whole_number
from poinsot.model.pose import ROTATION_TOLERANCE
from poinsot.spatial import Array

__all__ = ["inverse_kinematics"]

ToolKey: TypeAlias = str | tuple[str, ArrayLike | Pose]
"""A body, or a body with a point [m] or frame fixed in it."""


def inverse_kinematics(
    system: System, wanted: Mapping[ToolKey, ArrayLike | Pose], q: ArrayLike | None = None, *,
    near: ArrayLike | None = None, joints: Sequence[str] = (), t: float = 0.0,
    parameters: Values = None, starts: int = 100, seed: int = 0,
) -> Posture:  # fmt: skip
    """Return configurations in which tools have wanted poses, within the limits of the joints.

    The Levenberg-Marquardt method on φ = [p - p_d; 2 ε], ε the vector part of the quaternion of the
    attitude error, projected onto the limits, from start after start in machine code
    [Nocedal2006, section 10.3]; rows of loops and constraints are among φ.

    Args:
        system: The system, with loops and constraints or without.
        wanted: For each tool its pose, shape (..., 4, 4), or a ``Pose``, or only its position [m],
            shape (..., 3), in the world.  A tool is a body, ``(body, point)`` or ``(body, Pose)``:
            a point [m] or frame fixed in the body.  Leading dimensions broadcast.
        q: First guess, shape (..., nq); the middle of the limits by default.  Further starts are
            random.
        near: Posture to which solutions are to be near, shape (..., nq): of several solutions the
            nearest is taken, and redundant arms are moved to where the distance is least, that of
            ``system.difference``.
        joints: Names of joints that stay as they are in ``q``.
        t: Time [s].
        parameters: Values of free parameters by name: numbers, or arrays that broadcast.
        starts: How many starts of each pose at most.
        seed: For the random starts.

    Returns:
        A ``Posture``: ``q``, ``ok``, ``residual`` and, where there is no solution, what holds it
        back (``report()``).

    >>> import poinsot as ps
    >>> arm = ps.library.puma560()
    >>> X = arm.pose("link 6", [0.1, -0.7, 0.4, 0.2, 0.8, 0.3])
    >>> posture = ps.inverse_kinematics(arm, {"link 6": X})
    >>> bool(posture.ok), bool(np.abs(arm.pose("link 6", posture.q) - X).max() < 1e-8)
    (True, True)
    """
    name = "inverse_kinematics"
    tools, numbers = _tools(system, wanted)
    given = {"wanted": numbers, "parameters": parameter_values(system, name, parameters)}
    for key, value in (("q", q), ("near", near)):
        if value is not None:
            given[key] = real_array(value, f"{name}: {key}")
            if given[key].shape[-1:] != (system.nq,):
                raise ShapeError(
                    f"{name}: {key} must have shape (..., {system.nq}), got {given[key].shape}"
                )
    held = tree_velocities(system.mechanism, name, joints)
    if held and q is None:
        raise ModelError(f"{name}: joints= stay as they are in q=, which is missing")
    shape = leading_shape(name, given)
    n = math.prod(shape)
    flat = {
        key: np.ascontiguousarray(np.broadcast_to(x, (*shape, x.shape[-1])).reshape(n, x.shape[-1]))
        for key, x in given.items()
    }
    further = [flat["wanted"]]
    if system.mechanism.at_positions.depends_on_time:
        further.append(np.array([float(t)]))
    if system.mechanism.parameter_inputs:
        further.append(flat["parameters"])
    starts = whole_number(starts, 1, f"{name}: starts")
    rows, rng = tool_rows(system, tools), np.random.default_rng(seed)
    search = PostureSearch(rows, further, flat.get("q"), np.array(held, int), rng)
    best = search.solutions(n, starts)
    if near is not None:
        best = search.nearest(best, flat["near"], starts)
    return Posture(
        system, tuple(tool.body for tool in tools), best.q.reshape(*shape, system.nq),
        best.residual.reshape(shape), best.starts.reshape(shape),
        search.held_back(best).reshape(*shape, system.nv),
    )  # fmt: skip


def is_rotation(R: Array) -> bool:
    """Say whether matrices, shape (..., 3, 3), are rotations."""
    off = np.abs(np.swapaxes(R, -1, -2) @ R - np.eye(3)).max(initial=0.0)
    return bool(off <= ROTATION_TOLERANCE and (np.linalg.det(R) > 0.0).all())


def _tools(
    system: System, wanted: Mapping[ToolKey, ArrayLike | Pose]
) -> tuple[tuple[Tool, ...], Array]:
    """Return the tools, and their wanted poses one after the other, shape (..., numbers)."""
    example = '{"hand": X} with X of shape (4, 4), or {("hand", (0, 0, 0.1)): (0.4, 0.1, 0.5)}'
    if not isinstance(wanted, Mapping) or not wanted:
        raise ModelError(
            f"inverse_kinematics: wanted must name tools, e.g. {example}, got {wanted!r}"
        )
    tools, arrays = [], []
    for key, value in wanted.items():
        if isinstance(key, tuple) and len(key) != 2:
            raise ModelError(
                f"inverse_kinematics: a tool is a body, (body, point) or (body, Pose), got {key!r}"
            )
        body, frame = key if isinstance(key, tuple) else (key, Pose())
        system.mechanism.index(body)
        frame = frame if isinstance(frame, Pose) else Pose(frame)
        given = frame_matrix(value) if isinstance(value, Pose) else value
        array = real_array(given, f"inverse_kinematics: what is wanted of {body!r}")
        if array.shape[-2:] == (4, 4):
            R = array[..., :3, :3]
            off = np.abs(np.swapaxes(R, -1, -2) @ R - np.eye(3)).max(initial=0.0)
            if not off <= ROTATION_TOLERANCE:
                raise ModelError(
                    f"inverse_kinematics: the wanted pose of {body!r} has no rotation in its first "
                    f"three rows and columns: Rᵀ R differs from 1 by {off:.3g}"
                )
            flat = R.reshape(*R.shape[:-2], 9)
            array, turns = np.concatenate([flat, array[..., :3, 3]], axis=-1), True
        elif array.shape[-1:] == (3,):
            if array.shape[-2:] == (3, 3) and is_rotation(array):
                raise ModelError(
                    f"inverse_kinematics: what is wanted of {body!r} is a rotation, shape (3, 3); "
                    "give a pose, shape (4, 4), with the position in its last column, or "
                    "ps.Pose(xyz, matrix=R); three positions at once as shape (3, 1, 3)"
                )
            turns = False
        else:
            raise ShapeError(
                f"inverse_kinematics: {body!r}: give a pose, shape (..., 4, 4), or a position, "
                f"shape (..., 3), got {array.shape}; e.g. {example}"
            )
        if not np.isfinite(array).all():
            raise ModelError(f"inverse_kinematics: what is wanted of {body!r} must be finite")
        tools.append(Tool(body, frame, turns))
        arrays.append(array)
    try:
        lead = np.broadcast_shapes(*(x.shape[:-1] for x in arrays))
    except ValueError:
        counts = ", ".join(
            f"{x.shape[:-1]} of {tool.body!r}" for x, tool in zip(arrays, tools, strict=True)
        )
        raise ShapeError(
            f"inverse_kinematics: give as many poses of each tool, got {counts}"
        ) from None
    numbers = [np.broadcast_to(x, (*lead, x.shape[-1])) for x in arrays]
    return tuple(tools), np.concatenate(numbers, axis=-1)
