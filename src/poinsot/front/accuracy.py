"""How errors of joints and of the geometry move a tool: ``ps.accuracy``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError, ShapeError
from poinsot.front.description import Values
from poinsot.front.link_deflection import link_deflection
from poinsot.front.link_lengths import LinkLengths, link_axes
from poinsot.front.system import System
from poinsot.front.tool_accuracy import ToolAccuracy, frame_of_pose, moved_by_length, path_to
from poinsot.front.tool_rows import frame_matrix
from poinsot.model import Pose, parameter_hint
from poinsot.model.bar import Bar
from poinsot.model.checks import finite_array, finite_number, real_array
from poinsot.spatial import Array

__all__ = ["accuracy"]

LENGTHS: Final = "length_errors"
"""Keyword of the tolerances of lengths, for messages."""


def accuracy(
    system: System, body: str, q: ArrayLike, frame: Pose | ArrayLike = (0.0, 0.0, 0.0), *,
    joint_errors: ArrayLike = 0.0, pose_errors: Mapping[str, ArrayLike] | None = None,
    length_errors: Mapping[str, ArrayLike] | None = None,
    strains: Mapping[str, ArrayLike] | None = None, compliance: ArrayLike = 0.0,
    tau: ArrayLike | None = None, links: Sequence[tuple[Bar, ArrayLike]] = (),
    parameter_errors: Mapping[str, ArrayLike] | None = None, parameters: Values = None,
) -> ToolAccuracy:  # fmt: skip
    """Return how errors of joints, of the geometry, and compliant joints displace a tool.

        d = sum of l_i dq_i + sum of twists of pose errors,     dq = -c tau

    [Zaremba1990, sec. 4].

    Args:
        system: A tree.
        body: Name of the body that holds the tool.
        q: Configuration [m or rad], shape (..., nq).
        frame: Frame of the tool in the body, or its origin [m].
        joint_errors: Tolerances of the joints [m or rad], a number or shape (nv,).
        pose_errors: Tolerances of the poses of bodies in their parents by name: of the position
            along the parent's axes [m] and of turns about them through the joint [rad], shape (6,).
        length_errors: Tolerances of the lengths of links by name [m]: between the joint of a link
            and the next one, or the tool.
        strains: Known changes of these lengths, relative to them, by name: α ΔT of links that are
            warmer than they were measured, N/EA of links that are stretched.
        compliance: Of the joints [rad/(N m) or m/N], a number or shape (nv,).
        tau: Joint forces that deflect them [N or N m], shape (..., nv); at rest by default.
        links: Elastic links between the base and the tool: bars with their stiffness EA [N], GJ,
            EI_y and EI_z [N m²], which bend under the weight at rest.
        parameter_errors: Tolerances of free parameters of the geometry by name [their unit]: of any
            length or angle of a table or pose that is a symbol.
        parameters: Values of free parameters by name; those of the system by default.

    >>> import poinsot as ps
    >>> arm = ps.from_dh("arm", [{"a": 1.0}, {"a": 0.5}], masses=[1, 1])
    >>> ps.accuracy(arm, "link 2", [0.0, 0.0], joint_errors=1e-3).worst_case.round(6)
    array([0.   , 0.002, 0.   , 0.   , 0.   , 0.002])
    """
    if system.mechanism.closures:
        raise ModelError(f"accuracy: {system.name!r} has loops or constraints; give a tree")
    frame = frame if isinstance(frame, Pose) else Pose(frame)
    free, values = system, _values(system, parameters)
    if values:
        system = system.with_parameters(**values)
    states = finite_array(q, "accuracy: q")
    X = system.pose(body, states) @ frame_matrix(frame)
    R, p = X[..., :3, :3], X[..., :3, 3]
    path = path_to(system, system.mechanism.index(body))
    J = system.jacobian(body, states, frame.transform().p, axes="world")
    errors = [_Errors(tuple(system.velocity_names), J,
                      _tolerances(system, "joint_errors", joint_errors))]  # fmt: skip
    errors += _pose_errors(system, pose_errors, states, p, path)
    errors += _length_errors(system, link_axes(system, path, frame, length_errors, LENGTHS), states)
    errors += [
        _parameter_error(free, name, tolerance, (body, frame, states, values))
        for name, tolerance in _parameter_tolerances(free, parameter_errors).items()
    ]
    back = np.zeros((*R.shape[:-2], 6, 6))
    back[..., :3, :3] = back[..., 3:, 3:] = np.swapaxes(R, -1, -2)
    influence = back @ np.concatenate([x.world for x in errors], axis=-1)
    forces = system.gravity_force(states) if tau is None else finite_array(tau, "accuracy: tau")
    if forces.shape[-1:] != (system.nv,):
        raise ShapeError(f"accuracy: tau must have shape (..., {system.nv}), got {forces.shape}")
    bent = -_tolerances(system, "compliance", compliance) * forces
    deflection = (influence[..., : system.nv] @ bent[..., None])[..., 0]
    stretched = _stretched(system, link_axes(system, path, frame, strains, "strains"), states)
    if links:
        stretched = stretched + link_deflection(system, states, p, links)
    deflection = deflection + (back @ stretched[..., None])[..., 0]
    return ToolAccuracy(
        system, body, frame, states, tuple(name for x in errors for name in x.names), influence,
        np.concatenate([x.tolerances for x in errors]), np.asarray(deflection),
        free if parameter_errors else None, values,
    )  # fmt: skip


class _Errors(NamedTuple):
    """Names of errors, displacements in the world by units of them, (..., 6, k), tolerances."""

    names: tuple[str, ...]
    world: Array
    tolerances: Array


def _pose_errors(
    system: System, given: Mapping[str, ArrayLike] | None, q: Array, tool: Array, path: list[int]
) -> list[_Errors]:
    errors = []
    for name, tolerances in _pose_tolerances(given).items():
        number = system.mechanism.index(name)
        moved = _moved_by_pose(system, number, q, tool, number in path)
        names = tuple(f"{name}.{what}" for what in ("x", "y", "z", "turn x", "turn y", "turn z"))
        errors.append(_Errors(names, moved, tolerances))
    return errors


def _length_errors(system: System, lengths: LinkLengths, q: Array) -> list[_Errors]:
    if (lengths.values < 0.0).any():
        raise ModelError(f"accuracy: {LENGTHS} must not be negative, got {lengths.values}")
    return [
        _Errors(
            (f"{name}.length",), moved_by_length(system, axis, q)[..., None], lengths.values[[k]]
        )
        for k, (name, axis) in enumerate(lengths.axes.items())
    ]


def _parameter_error(
    system: System, name: str, tolerance: float, state: tuple[str, Pose, Array, dict[str, float]]
) -> _Errors:
    """Return what an error of a free parameter does to a frame of a body."""
    body, frame, q, values = state
    X = system.pose(body, q, parameters=values)
    dX = system.derivative("pose", q, by=name, body=body, parameters=values)
    spin = dX[..., :3, :3] @ np.swapaxes(X[..., :3, :3], -1, -2)
    turn = np.stack([spin[..., 2, 1], spin[..., 0, 2], spin[..., 1, 0]], axis=-1)
    shift = dX[..., :3, :3] @ frame.transform().p + dX[..., :3, 3]
    moved = np.concatenate([shift, turn], axis=-1)[..., None]
    return _Errors((name,), moved, np.array([tolerance]))


def _tolerances(system: System, name: str, given: ArrayLike) -> Array:
    array = real_array(given, f"accuracy: {name}")
    if array.shape not in ((), (system.nv,)) or not (array >= 0.0).all():
        raise ModelError(
            f"accuracy: {name} must not be negative, a number or of shape ({system.nv},), got "
            f"{given!r}"
        )
    return np.array(np.broadcast_to(array, system.nv))


def _values(system: System, parameters: Values) -> dict[str, float]:
    """Return a number for each free parameter, by name."""
    known = {name: system.parameters[name] for name in system.free}
    for name in parameters or {}:
        if name not in known:
            hint = parameter_hint(name, system.description, known)
            raise ModelError(f"accuracy: no free parameter {name!r}; {hint}")
    values: dict[str, Any] = known | dict(parameters or {})
    for name, value in values.items():
        if value is None:
            raise ModelError(f"accuracy: parameter {name!r} has no value; give parameters=")
    return {name: finite_number(x, f"accuracy: parameter {name!r}") for name, x in values.items()}


def _parameter_tolerances(
    system: System, given: Mapping[str, ArrayLike] | None
) -> dict[str, float]:
    """Return tolerances of free parameters, by name."""
    tolerances = {}
    for name, value in (given or {}).items():
        if name not in system.free:
            hint = parameter_hint(name, system.description, system.free)
            raise ModelError(f"accuracy: parameter_errors: no free parameter {name!r}; {hint}")
        tolerances[name] = finite_number(value, f"accuracy: parameter_errors of {name!r}")
        if tolerances[name] < 0.0:
            raise ModelError(f"accuracy: parameter_errors of {name!r} must not be negative")
    return tolerances


def _pose_tolerances(given: Mapping[str, ArrayLike] | None) -> dict[str, Array]:
    """Return six tolerances for each pose, by name."""
    if given is not None and not isinstance(given, Mapping):
        raise ModelError(
            f'accuracy: pose_errors must name bodies, e.g. {{"forearm": [1e-4] * 6}}, got {given!r}'
        )
    arrays = {}
    for name, values in (given or {}).items():
        array = real_array(values, f"accuracy: pose_errors of {name!r}")
        if array.shape != (6,) or not (array >= 0.0).all():
            raise ModelError(
                f"accuracy: pose_errors of {name!r} must be six tolerances (x, y, z [m], then "
                f"turns about x, y, z [rad]), got {values!r}"
            )
        arrays[name] = array
    return arrays


def _moved_by_pose(system: System, number: int, q: Array, tool: Array, is_moved: bool) -> Array:
    """Return what units of errors of a pose displace a tool by in the world, shape (..., 6, 6)."""
    axes, origin = frame_of_pose(system, number, q)
    moved = np.zeros((*tool.shape[:-1], 6, 6))
    if is_moved:
        moved[..., :3, :3] = moved[..., 3:, 3:] = axes
        arms = np.cross(np.swapaxes(axes, -1, -2), (tool - origin)[..., None, :])
        moved[..., :3, 3:] = np.swapaxes(arms, -1, -2)
    return moved


def _stretched(system: System, strains: LinkLengths, q: Array) -> Array:
    """Return the displacement [d; 0] of a tool in the world by strains of links, shape (..., 6)."""
    total = np.zeros((*q.shape[:-1], 6))
    for axis, strain in zip(strains.axes.values(), strains.values.tolist(), strict=True):
        if axis is not None:
            total += strain * axis.length * moved_by_length(system, axis, q)
    return total
