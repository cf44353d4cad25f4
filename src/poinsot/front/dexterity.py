"""How well a tool can be moved: manipulability, condition, singular configurations, workspace."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import comb
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poinsot.errors import ModelError
from poinsot.expr.rank import null_space
from poinsot.expr.rank_tolerances import NEARLY_SINGULAR, RANK
from poinsot.front.description import Values
from poinsot.front.kinematics import ORIGIN
from poinsot.front.system import System
from poinsot.model import suggestion
from poinsot.model.checks import finite_vector, whole_number
from poinsot.spatial import Array

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["Dexterity", "ReachableSpace", "dexterity", "workspace"]

MOTIONS: Final = {"pose": slice(0, 6), "position": slice(0, 3), "attitude": slice(3, 6)}
"""Rows of the Jacobian [v; w] of a tool by what of its motion counts."""
MEASURES: Final = {"manipulability": "manipulability", "condition": "log10 of the condition"}
"""What a map of a workspace shows, and how its scale is called."""
TRIED: Final = 5000
"""Combinations of joints among which that with the fewest is looked for."""
CONCERNED: Final = 0.05
"""Part of the largest joint velocity of a self-motion from which on a joint is concerned."""


@dataclass(frozen=True, eq=False)
class Dexterity:
    """The velocities that a tool can have; leading dimensions are those of the configurations.

    Attributes:
        system: The system.
        singular_values: Of the tool's Jacobian, largest first: the half axes of the ellipsoid of
            the velocities of the tool for unit joint velocities, shape (..., k).
        directions: Their directions [v; w] in world axes, shape (..., k, rows).
        joint_motions: Unit joint velocities that belong to them, shape (..., k, nv).
    """

    system: System
    singular_values: Array
    directions: Array
    joint_motions: Array

    @property
    def manipulability(self) -> Array:
        """sqrt(det(J Jᵀ)) [Yoshikawa1985], the volume of the ellipsoid but for a factor, (...)."""
        return np.asarray(self.singular_values.prod(axis=-1))

    @property
    def condition(self) -> Array:
        """Ratio of the longest half axis to the shortest, infinite where singular, shape (...)."""
        least = self.singular_values[..., -1]
        with np.errstate(divide="ignore"):
            return np.asarray(self.singular_values[..., 0] / least)

    @property
    def singular(self) -> NDArray[np.bool_]:
        """Whether there is a motion that the tool cannot make, shape (...)."""
        values = self.singular_values
        return np.asarray(values[..., -1] <= NEARLY_SINGULAR * values[..., 0])

    def concerned(self) -> tuple[str, ...]:
        """Return the joints that move together without moving the tool where it should; one state.

        They depend on each other: there the tool cannot make the motion ``directions[-1]``.  Arms
        that are redundant have several such motions; that of the fewest joints counts.
        """
        if self.singular_values.ndim != 1:
            raise ModelError("dexterity: ask for the joints concerned of one configuration, q[k]")
        if not self.singular:
            return ()
        motions = self.joint_motions[-1:].T
        if not self.system.mechanism.closures:
            values = self.singular_values
            kept = self.joint_motions[values > NEARLY_SINGULAR * values[0]]
            every = null_space(kept, known_rank=len(kept))
            motions = every if comb(*every.shape) <= TRIED else motions
        concerned = _fewest(motions)
        return tuple(np.array(self.system.velocity_names)[concerned].tolist())


def _fewest(motions: Array) -> NDArray[np.bool_]:
    """Return which joints move in the combination of motions, shape (nv, k), with the fewest."""
    nv, k = motions.shape
    best = np.ones(nv, bool)
    for still in combinations(range(nv), k - 1):  # joints that can be made to stand still
        weights = np.linalg.svd(motions[list(still)])[2][-1] if still else np.ones(1)
        sizes = np.abs(motions @ weights)
        moving = sizes > CONCERNED * sizes.max()
        if moving.sum() < best.sum():
            best = moving
    return best


def dexterity(
    system: System, body: str, q: ArrayLike, point: ArrayLike = ORIGIN, *, motion: str = "pose",
    t: ArrayLike = 0.0, parameters: Values = None,
) -> Dexterity:  # fmt: skip
    """Return how well a tool can be moved in any direction, by the singular values of its Jacobian.

        J P = U diag(σ) Vᵀ,      P = 1 - A⁺ A

    with the projector P onto the velocities that loops and constraints, of Jacobian A, allow.

    Args:
        system: The system.
        body: Name of the body, a tool for instance.
        q: Configuration [m or rad], shape (..., nq).
        point: The point of the tool in body coordinates [m], shape (3,).
        motion: What counts: "pose", "position" or "attitude".
        t: Time [s].
        parameters: Values of free parameters by name.

    >>> import poinsot as ps
    >>> arm = ps.from_dh("arm", [{"a": 1.0}, {"a": 1.0}], masses=[1, 1])
    >>> straight = ps.dexterity(arm, "link 2", [0.3, 0.0], motion="position")
    >>> straight.singular_values.round(9)
    array([2.23606798, 0.        ])
    """
    if motion not in MOTIONS:
        raise ModelError(f"dexterity: there is no motion {motion!r}; {suggestion(motion, MOTIONS)}")
    J = system.jacobian(body, q, point, axes="world", parameters=parameters)[
        ..., MOTIONS[motion], :
    ]
    if system.mechanism.closures:
        A = system.constraint_jacobian(q, t=t, parameters=parameters)
        J = J - J @ (np.linalg.pinv(A, rcond=RANK) @ A)
    if not np.isfinite(J).all():
        raise ModelError(f"dexterity: q and point must be finite, got {q!r} and {point!r}")
    U, values, V = np.linalg.svd(J, full_matrices=False)
    return Dexterity(system, values, np.swapaxes(U, -1, -2), V)


@dataclass(frozen=True, eq=False)
class ReachableSpace:
    """Where a tool can be, by samples.

    Attributes:
        body: Name of the tool.
        q: Random configurations within the limits [m or rad], shape (n, nq).
        points: Where the tool is there [m], shape (n, 3).
        manipulability: Of its position there, shape (n,).
        condition: Of its position there: the longest half axis over the shortest, shape (n,).
    """

    body: str
    q: Array
    points: Array
    manipulability: Array
    condition: Array

    @property
    def extent(self) -> tuple[Array, Array]:
        """Smallest and largest coordinates that were reached [m], shapes (3,)."""
        return self.points.min(axis=0), self.points.max(axis=0)

    def plot(self, path: str | Path | None = None, *, by: str = "manipulability") -> Figure:
        """Draw the points from above and from the side, by a measure; return the figure.

        Args:
            path: File to write: .png, .svg or .pdf; None: show it.
            by: What colours show: "manipulability", or "condition", on a scale of powers of ten.
        """
        from poinsot.plots.tool_space import plot_points

        if by not in MEASURES:
            raise ModelError(f"workspace: there is no measure {by!r}; {suggestion(by, MEASURES)}")
        title, shades = f"Where {self.body} can be", self.manipulability
        if by == "condition":
            shades = np.log10(np.minimum(self.condition, 1.0 / NEARLY_SINGULAR))
        return plot_points(path, title, self.points, shades, MEASURES[by])


def workspace(
    system: System, body: str, point: ArrayLike = ORIGIN, *, samples: int = 20_000, seed: int = 0,
    parameters: Values = None,
) -> ReachableSpace:  # fmt: skip
    """Return where a point of a body can be, by random configurations within the joints' limits.

    Args:
        system: The system; one with loops is assembled from each sample.
        body: Name of the body, a tool for instance.
        point: The point in body coordinates [m], shape (3,).
        samples: How many configurations; those of closed systems that do not close are left out.
        seed: For the samples.
        parameters: Values of free parameters by name.

    >>> import poinsot as ps
    >>> arm = ps.from_dh("arm", [{"a": 1.0}, {"a": 0.5}], masses=[1, 1])
    >>> reached = np.linalg.norm(ps.workspace(arm, "link 2", samples=2000).points, axis=1)
    >>> reached.min().round(2), reached.max().round(2)
    (np.float64(0.5), np.float64(1.5))
    """
    from poinsot.front.posture_search import random_configurations

    samples = whole_number(samples, 1, "workspace: samples")
    spot = finite_vector(point, 3, "workspace: point")
    q = random_configurations(system, samples, np.random.default_rng(seed))
    if system.mechanism.closures:
        q = system.assemble(q, parameters=parameters)
        q = q[np.isfinite(q).all(axis=1)]
        if not len(q):
            raise ModelError(f"workspace: {system.name!r} does not close from any of the samples")
    place = np.append(spot, 1.0)
    points = system.pose(body, q, parameters=parameters)[:, :3] @ place
    measure = dexterity(system, body, q, point, motion="position", parameters=parameters)
    # of a planar arm the two that are not zero
    values = measure.singular_values
    used = values.max(axis=0) > NEARLY_SINGULAR * values.max()
    some = values[:, used]
    with np.errstate(divide="ignore"):
        condition = some[:, 0] / some[:, -1]
    return ReachableSpace(body, q, points, np.asarray(some.prod(axis=1)), condition)
