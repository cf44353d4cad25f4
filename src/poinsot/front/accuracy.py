"""How errors of joints and of the geometry move a tool: ``ps.accuracy``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError, ShapeError
from poinsot.front.link_deflection import link_deflection
from poinsot.front.link_lengths import LinkAxis, LinkLengths, link_axes
from poinsot.front.system import System
from poinsot.front.tool_rows import frame_matrix
from poinsot.model import Pose, suggestion
from poinsot.model.bar import Bar
from poinsot.model.checks import finite_array, finite_number, real_array, whole_number
from poinsot.spatial import Array

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["ToolAccuracy", "accuracy"]

SIGMAS: Final = 3.0
"""Standard deviations in a tolerance."""
DISTRIBUTIONS: Final = ("normal", "uniform")
SHOWN: Final = 4000
"""Samples that a picture shows."""


@dataclass(frozen=True, eq=False)
class ToolAccuracy:
    """Displacements of a tool by errors; leading dimensions are those of the configurations.

    Displacements are [d; φ], of the tool's origin [m] and the rotation vector [rad], in its axes.

    Attributes:
        system: The system.
        body: Name of the body of the tool.
        frame: The tool's frame in the body.
        q: Configurations [m or rad], shape (..., nq).
        names: Of the errors, k of them: joints, then "body.x", ... of poses, then "body.length".
        influence: Displacement by a unit of each error, shape (..., 6, k).
        tolerances: Largest errors [m or rad], shape (k,).
        deflection: Displacement by the compliance of joints and links and by known changes of
            length, shape (..., 6).
    """

    system: System
    body: str
    frame: Pose
    q: Array
    names: tuple[str, ...]
    influence: Array
    tolerances: Array
    deflection: Array

    @property
    def worst_case(self) -> Array:
        """Largest displacements if all errors add up: those by each, without sign, (..., 6)."""
        return np.asarray(np.abs(self.influence) @ self.tolerances)

    def covariance(self, sigmas: float = SIGMAS) -> Array:
        """Return J S Jᵀ of independent errors, shape (..., 6, 6).

        Args:
            sigmas: How many standard deviations a tolerance is.
        """
        scaled = self.influence * (self.tolerances / _positive(sigmas))
        return np.asarray(scaled @ np.swapaxes(scaled, -1, -2))

    def mean_shift(self, sigmas: float = SIGMAS) -> Array:
        """Return the mean displacement, of second order in the errors, at one configuration, (6,).

            sum over errors of s²/2 d²X/de², from exact displacements by s and -s

        Args:
            sigmas: How many standard deviations s a tolerance is.
        """
        steps = np.diag(self.tolerances / _positive(sigmas))
        both = self.displacements(np.concatenate([steps, -steps]))
        return np.asarray(0.5 * both.sum(axis=0))

    def shares(self) -> dict[str, Array]:
        """Return which part of the variance of the position each error makes, by name, (...)."""
        parts = ((self.influence[..., :3, :] * self.tolerances) ** 2).sum(axis=-2)
        parts = parts / parts.sum(axis=-1, keepdims=True)
        return {name: parts[..., k] for k, name in enumerate(self.names)}

    def ellipsoid(self, sigmas: float = SIGMAS) -> Array:
        """Return the half axes of the ellipsoid of errors of position, columns [m], (..., 3, 3).

        Args:
            sigmas: How many standard deviations it has, and a tolerance.
        """
        values, axes = np.linalg.eigh(self.covariance(sigmas)[..., :3, :3])
        return np.asarray(axes * (sigmas * np.sqrt(np.maximum(values, 0.0)))[..., None, :])

    def sample(self, n: int, seed: int = 0, *, distribution: str = "normal") -> Array:
        """Return displacements by n random sets of errors at one configuration, exact, (n, 6).

        Args:
            n: How many.
            seed: For the errors.
            distribution: "normal", with a tolerance of three standard deviations, or "uniform".
        """
        if self.q.ndim != 1:
            raise ShapeError("accuracy: sample at one configuration: ask with q of shape (nq,)")
        if distribution not in DISTRIBUTIONS:
            hint = suggestion(distribution, DISTRIBUTIONS)
            raise ModelError(f"accuracy: there is no distribution {distribution!r}; {hint}")
        n = whole_number(n, 1, "accuracy: number n of samples")
        rng, k = np.random.default_rng(seed), len(self.tolerances)
        if distribution == "normal":
            errors = rng.normal(size=(n, k)) * (self.tolerances / SIGMAS)
        else:
            errors = rng.uniform(-1.0, 1.0, (n, k)) * self.tolerances
        return self.displacements(errors)

    def displacements(self, errors: ArrayLike) -> Array:
        """Return the displacements by sets of errors at one configuration, exact, shape (n, 6).

        Args:
            errors: [m or rad], shape (n, k), in the order of ``names``.
        """
        given, nv = finite_array(errors, "accuracy: errors"), self.system.nv
        if given.ndim != 2 or given.shape[1] != len(self.names):
            raise ShapeError(
                f"accuracy: errors must have shape (n, {len(self.names)}), in the order of names, "
                f"got {given.shape}"
            )
        q = self.system.integrate(self.q, given[:, :nv])
        X = np.tile(np.eye(4), (len(given), 1, 1))
        for source, first in self._sources():
            if isinstance(source, LinkAxis):
                X = X @ _wrong_length(self.system, source, q, given[:, first])
            else:
                X = X @ _wrong_pose(self.system, source, q, given[:, first : first + 6])
        X = X @ self.system.pose(self.body, q) @ frame_matrix(self.frame)
        nominal = self.system.pose(self.body, self.q) @ frame_matrix(self.frame)
        change = np.linalg.inv(nominal) @ X
        return np.concatenate([change[:, :3, 3], _rotation_vectors(change[:, :3, :3])], axis=1)

    def plot(self, path: str | Path | None = None, *, n: int = SHOWN, seed: int = 0) -> Figure:
        """Draw errors of position of random samples with their ellipsoid, in mm and tool axes.

        Of several configurations it is a map: where the tool is, by the size of its worst error of
        position.

        Args:
            path: File to write: .png, .svg or .pdf; None: show it.
            n: How many samples.
            seed: For the samples.
        """
        from poinsot.plots.tool_space import plot_points

        if self.q.ndim > 1:
            X = self.system.pose(self.body, self.q) @ frame_matrix(self.frame)
            sizes = 1e3 * np.linalg.norm(self.worst_case[..., :3], axis=-1).ravel()
            title, meaning = f"Accuracy of {self.body}", "largest error [mm]"
            return plot_points(path, title, X[..., :3, 3].reshape(-1, 3), sizes, meaning)
        points = 1e3 * self.sample(n, seed)[:, :3]
        rim = [("three standard deviations", 1e3 * self.ellipsoid())]
        title = f"Errors of {self.body}"
        return plot_points(path, title, points, unit="mm", outlines=rim)

    # How it works

    def _sources(self) -> list[tuple[int | LinkAxis, int]]:
        """Return bodies whose poses, and links whose lengths are wrong, outermost last.

        With the number of the first error of each.
        """
        mechanism, sources = self.system.mechanism, list[tuple[int, int | LinkAxis, int]]()
        path = _path(self.system, mechanism.index(self.body))
        for k, name in enumerate(self.names[self.system.nv :], start=self.system.nv):
            body, _, what = name.rpartition(".")
            if what == "x":
                number = mechanism.index(body)
                sources.append((2 * _depth(self.system, number), number, k))
            elif what == "length":
                axis = link_axes(self.system, path, self.frame, {body: 0.0}, "lengths").axes[body]
                if axis is not None:
                    sources.append((2 * _depth(self.system, axis.number) + 1, axis, k))
        return [(source, k) for _, source, k in sorted(sources, key=lambda entry: entry[0])]


def accuracy(
    system: System, body: str, q: ArrayLike, frame: Pose | ArrayLike = (0.0, 0.0, 0.0), *,
    joint_errors: ArrayLike = 0.0, pose_errors: Mapping[str, ArrayLike] | None = None,
    length_errors: Mapping[str, ArrayLike] | None = None,
    strains: Mapping[str, ArrayLike] | None = None, compliance: ArrayLike = 0.0,
    tau: ArrayLike | None = None, links: Sequence[tuple[Bar, ArrayLike]] = (),
) -> ToolAccuracy:  # fmt: skip
    """Return how errors of joints, of the geometry, and compliant joints displace a tool.

        d = sum of l_i dq_i + sum of twists of pose errors,     dq = -c tau

    [Zaremba1990, sec. 4].

    Args:
        system: A tree; ``with_parameters`` gives free parameters numbers.
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

    >>> import poinsot as ps
    >>> arm = ps.from_dh("arm", [{"a": 1.0}, {"a": 0.5}], masses=[1, 1])
    >>> ps.accuracy(arm, "link 2", [0.0, 0.0], joint_errors=1e-3).worst_case.round(6)
    array([0.   , 0.002, 0.   , 0.   , 0.   , 0.002])
    """
    if system.mechanism.closures:
        raise ModelError(f"accuracy: {system.name!r} has loops or constraints; give a tree")
    frame = frame if isinstance(frame, Pose) else Pose(frame)
    states = finite_array(q, "accuracy: q")
    tolerances = [_tolerances(system, "joint_errors", joint_errors)]
    names = list(system.velocity_names)
    inner = frame.transform()
    X = system.pose(body, states) @ frame_matrix(frame)
    R, p = X[..., :3, :3], X[..., :3, 3]
    J = system.jacobian(body, states, inner.p, axes="world")
    columns = [J]
    path = _path(system, system.mechanism.index(body))
    for name, array in _pose_tolerances(pose_errors).items():
        number = system.mechanism.index(name)
        columns.append(_moved_by_pose(system, number, states, p, number in path))
        tolerances.append(array)
        names += [f"{name}.{what}" for what in ("x", "y", "z", "turn x", "turn y", "turn z")]
    lengths = link_axes(system, path, frame, length_errors, "length_errors")
    if (lengths.values < 0.0).any():
        raise ModelError(f"accuracy: length_errors must not be negative, got {length_errors!r}")
    for name, axis in lengths.axes.items():
        columns.append(_along(system, axis, states)[..., None])
        names.append(f"{name}.length")
    tolerances.append(lengths.values)
    world = np.concatenate(columns, axis=-1)
    back = np.zeros((*R.shape[:-2], 6, 6))
    back[..., :3, :3] = back[..., 3:, 3:] = np.swapaxes(R, -1, -2)
    influence = back @ world
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
        system, body, frame, states, tuple(names), influence, np.concatenate(tolerances),
        np.asarray(deflection),
    )  # fmt: skip


def _positive(sigmas: float) -> float:
    """Return a number of standard deviations, checked."""
    if not finite_number(sigmas, "accuracy: sigmas") > 0.0:
        raise ModelError(f"accuracy: sigmas must be positive, got {sigmas!r}")
    return float(sigmas)


def _tolerances(system: System, name: str, given: ArrayLike) -> Array:
    array = real_array(given, f"accuracy: {name}")
    if array.shape not in ((), (system.nv,)) or not (array >= 0.0).all():
        raise ModelError(
            f"accuracy: {name} must not be negative, a number or of shape ({system.nv},), got "
            f"{given!r}"
        )
    return np.array(np.broadcast_to(array, system.nv))


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


def _path(system: System, number: int) -> list[int]:
    """Return the bodies from the base to one, by number."""
    path = []
    while number >= 0:
        path.append(number)
        number = system.mechanism.parents[number]
    return path[::-1]


def _depth(system: System, number: int) -> int:
    return len(_path(system, number))


def _frame_of_pose(system: System, number: int, q: Array) -> tuple[Array, Array]:
    """Return the axes of a body's parent, (..., 3, 3), and the origin of its pose, (..., 3)."""
    mechanism = system.mechanism
    xyz, parent = np.array(mechanism.bodies[number].pose.xyz), mechanism.parents[number]
    if parent < 0:
        shape = q.shape[:-1]
        return np.broadcast_to(np.eye(3), (*shape, 3, 3)), np.broadcast_to(xyz, (*shape, 3))
    X = system.pose(mechanism.body_names[parent], q)
    return X[..., :3, :3], X[..., :3, :3] @ xyz + X[..., :3, 3]


def _moved_by_pose(system: System, number: int, q: Array, tool: Array, is_moved: bool) -> Array:
    """Return what units of errors of a pose displace a tool by in the world, shape (..., 6, 6)."""
    axes, origin = _frame_of_pose(system, number, q)
    moved = np.zeros((*tool.shape[:-1], 6, 6))
    if is_moved:
        moved[..., :3, :3] = moved[..., 3:, 3:] = axes
        arms = np.cross(np.swapaxes(axes, -1, -2), (tool - origin)[..., None, :])
        moved[..., :3, 3:] = np.swapaxes(arms, -1, -2)
    return moved


def _wrong_pose(system: System, number: int, q: Array, errors: Array) -> Array:
    """Return the motion in the world by which errors of a pose displace all beyond, (n, 4, 4)."""
    axes, origin = _frame_of_pose(system, number, q)
    vectors = (axes @ errors[:, 3:, None])[..., 0]
    X = np.tile(np.eye(4), (len(q), 1, 1))
    X[:, :3, :3] = _rotations(vectors)
    shift = (axes @ errors[:, :3, None])[..., 0]
    X[:, :3, 3] = origin + shift - (X[:, :3, :3] @ origin[..., None])[..., 0]
    return X


def _along(system: System, axis: LinkAxis | None, q: Array) -> Array:
    """Return what a unit of length of a link displaces in the world, [d; 0], shape (..., 6)."""
    moved = np.zeros((*q.shape[:-1], 6))
    if axis is not None:
        X = system.pose(system.mechanism.body_names[axis.number], q)
        moved[..., :3] = X[..., :3, :3] @ axis.direction
    return moved


def _stretched(system: System, strains: LinkLengths, q: Array) -> Array:
    """Return the displacement [d; 0] of a tool in the world by strains of links, shape (..., 6)."""
    total = np.zeros((*q.shape[:-1], 6))
    for axis, strain in zip(strains.axes.values(), strains.values.tolist(), strict=True):
        if axis is not None:
            total += strain * axis.length * _along(system, axis, q)
    return total


def _wrong_length(system: System, axis: LinkAxis, q: Array, errors: Array) -> Array:
    """Return the motion in the world by which a length displaces all beyond, (n, 4, 4)."""
    X = np.tile(np.eye(4), (len(q), 1, 1))
    X[:, :3, 3] = _along(system, axis, q)[:, :3] * errors[:, None]
    return X


def _rotations(vectors: Array) -> Array:
    """Return the rotations of small rotation vectors, Rodrigues' formula, shape (n, 3, 3)."""
    squared = (vectors**2).sum(axis=1)
    angle = np.sqrt(squared)
    sine = np.sinc(angle / np.pi)
    cosine = 0.5 * np.sinc(0.5 * angle / np.pi) ** 2
    x, y, z = vectors.T
    zero = np.zeros_like(x)
    cross = np.stack([zero, -z, y, z, zero, -x, -y, x, zero], axis=1).reshape(-1, 3, 3)
    return np.asarray(np.eye(3) + sine[:, None, None] * cross
                      + cosine[:, None, None] * (cross @ cross))  # fmt: skip


def _rotation_vectors(R: Array) -> Array:
    """Return the rotation vectors of rotations less than half a turn, shape (n, 3)."""
    off = np.stack(
        [R[:, 2, 1] - R[:, 1, 2], R[:, 0, 2] - R[:, 2, 0], R[:, 1, 0] - R[:, 0, 1]], axis=1
    )
    sine = 0.5 * np.linalg.norm(off, axis=1)
    angle = np.arctan2(sine, 0.5 * (np.trace(R, axis1=1, axis2=2) - 1.0))
    factor = np.where(sine > 0.0, angle / np.where(sine > 0.0, sine, 1.0), 1.0)
    return np.asarray(0.5 * factor[:, None] * off)
