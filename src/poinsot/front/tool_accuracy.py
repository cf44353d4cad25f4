"""Displacements of a tool by errors: worst case, covariance, samples, pictures."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError, ShapeError
from poinsot.front.link_lengths import LinkAxis, link_axes
from poinsot.front.system import System
from poinsot.front.tool_rows import frame_matrix
from poinsot.model import Pose, suggestion
from poinsot.model.checks import finite_array, finite_number, whole_number
from poinsot.spatial import Array

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["ToolAccuracy", "frame_of_pose", "moved_by_length", "path_to"]

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
        names: Of the errors, k of them: joints, then "body.x", ... of poses, "body.length", and
            parameters.
        influence: Displacement by a unit of each error, shape (..., 6, k).
        tolerances: Largest errors [m or rad], shape (k,).
        deflection: Displacement by the compliance of joints and links and by known changes of
            length, shape (..., 6).
        varied: The system with free parameters, where they have errors.
        parameters: Their nominal values.
    """

    system: System
    body: str
    frame: Pose
    q: Array
    names: tuple[str, ...]
    influence: Array
    tolerances: Array
    deflection: Array
    varied: System | None = None
    parameters: dict[str, float] = field(default_factory=dict)

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

        Exact but for products of errors of parameters with those of poses and lengths.

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
        X = X @ self._body_pose(q, given) @ frame_matrix(self.frame)
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

    def _body_pose(self, q: Array, errors: Array) -> Array:
        """Return the pose of the tool's body with errors of parameters, shape (n, 4, 4)."""
        if self.varied is None:
            return self.system.pose(self.body, q)
        wrong = {
            name: value + (errors[:, self.names.index(name)] if name in self.names else 0.0)
            for name, value in self.parameters.items()
        }
        return self.varied.pose(self.body, q, parameters=wrong)

    def _sources(self) -> list[tuple[int | LinkAxis, int]]:
        """Return bodies whose poses, and links whose lengths are wrong, outermost last.

        With the number of the first error of each.
        """
        mechanism, sources = self.system.mechanism, list[tuple[int, int | LinkAxis, int]]()
        path = path_to(self.system, mechanism.index(self.body))
        for k, name in enumerate(self.names[self.system.nv :], start=self.system.nv):
            body, _, what = name.rpartition(".")
            if body and what == "x":
                number = mechanism.index(body)
                sources.append((2 * _depth(self.system, number), number, k))
            elif body and what == "length":
                axis = link_axes(self.system, path, self.frame, {body: 0.0}, "lengths").axes[body]
                if axis is not None:
                    sources.append((2 * _depth(self.system, axis.number) + 1, axis, k))
        return [(source, k) for _, source, k in sorted(sources, key=lambda entry: entry[0])]


def path_to(system: System, number: int) -> list[int]:
    """Return the bodies from the base to one, by number."""
    path = []
    while number >= 0:
        path.append(number)
        number = system.mechanism.parents[number]
    return path[::-1]


def _depth(system: System, number: int) -> int:
    return len(path_to(system, number))


def frame_of_pose(system: System, number: int, q: Array) -> tuple[Array, Array]:
    """Return the axes of a body's parent, (..., 3, 3), and the origin of its pose, (..., 3)."""
    mechanism = system.mechanism
    xyz, parent = np.array(mechanism.bodies[number].pose.xyz), mechanism.parents[number]
    if parent < 0:
        shape = q.shape[:-1]
        return np.broadcast_to(np.eye(3), (*shape, 3, 3)), np.broadcast_to(xyz, (*shape, 3))
    X = system.pose(mechanism.body_names[parent], q)
    return X[..., :3, :3], X[..., :3, :3] @ xyz + X[..., :3, 3]


def moved_by_length(system: System, axis: LinkAxis | None, q: Array) -> Array:
    """Return what a unit of length of a link displaces in the world, [d; 0], shape (..., 6)."""
    moved = np.zeros((*q.shape[:-1], 6))
    if axis is not None:
        X = system.pose(system.mechanism.body_names[axis.number], q)
        moved[..., :3] = X[..., :3, :3] @ axis.direction
    return moved


def _positive(sigmas: float) -> float:
    """Return a number of standard deviations, checked."""
    if not finite_number(sigmas, "accuracy: sigmas") > 0.0:
        raise ModelError(f"accuracy: sigmas must be positive, got {sigmas!r}")
    return float(sigmas)


def _wrong_pose(system: System, number: int, q: Array, errors: Array) -> Array:
    """Return the motion in the world by which errors of a pose displace all beyond, (n, 4, 4)."""
    axes, origin = frame_of_pose(system, number, q)
    vectors = (axes @ errors[:, 3:, None])[..., 0]
    X = np.tile(np.eye(4), (len(q), 1, 1))
    X[:, :3, :3] = _rotations(vectors)
    shift = (axes @ errors[:, :3, None])[..., 0]
    X[:, :3, 3] = origin + shift - (X[:, :3, :3] @ origin[..., None])[..., 0]
    return X


def _wrong_length(system: System, axis: LinkAxis, q: Array, errors: Array) -> Array:
    """Return the motion in the world by which a length displaces all beyond, (n, 4, 4)."""
    X = np.tile(np.eye(4), (len(q), 1, 1))
    X[:, :3, 3] = moved_by_length(system, axis, q)[:, :3] * errors[:, None]
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
