"""What a motion asks of its actuators and bearings."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError
from poinsot.model.checks import finite_array, finite_vector
from poinsot.spatial import Array

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from poinsot.front.run import Run
    from poinsot.front.study import Study
    from poinsot.front.system import System

__all__ = ["BearingLoads", "MotionLoads", "bearing_loads", "effort"]


class HeaviestEffort(NamedTuple):
    """The largest joint force: time [s], name of the joint, and the force [N or N m]."""

    t: float
    joint: str
    value: float


@dataclass(frozen=True, eq=False)
class MotionLoads:
    """A motion with the joint forces that it needs, of joints or of their motors.

    Attributes:
        system: The system.
        t: Times [s], shape (k,).
        q: Configurations, shape (k, nq).
        v: Velocities, of motors their speeds [rad/s], shape (k, nv).
        a: Accelerations, shape (k, nv).
        tau: Joint forces, of motors their torques [N or N m], shape (k, nv).
    """

    system: System
    t: Array
    q: Array
    v: Array
    a: Array
    tau: Array

    @property
    def power(self) -> Array:
        """Power of each joint force [W], shape (k, nv)."""
        return np.asarray(self.tau * self.v)

    def peak(self) -> Array:
        """Return the largest size of each joint force [N or N m], shape (nv,)."""
        return np.asarray(np.abs(self.tau).max(axis=0))

    def heaviest(self) -> HeaviestEffort:
        """Return the instant and the joint of the largest joint force."""
        instant, joint = np.unravel_index(int(np.argmax(np.abs(self.tau))), self.tau.shape)
        name = self.system.velocity_names[joint]
        return HeaviestEffort(float(self.t[instant]), name, float(self.tau[instant, joint]))

    def rms(self) -> Array:
        """Return the root mean square of each joint force over the time, shape (nv,)."""
        mean = self._integral(self.tau**2) / (self.t[-1] - self.t[0])
        return np.asarray(np.sqrt(mean))

    def energy(self) -> Array:
        """Return the work of each joint force [J], shape (nv,)."""
        return self._integral(self.power)

    def at_motors(
        self, *, gear: ArrayLike = 1.0, rotor_inertia: ArrayLike = 0.0,
        viscous_friction: ArrayLike = 0.0, coulomb_friction: ArrayLike = 0.0,
    ) -> MotionLoads:  # fmt: skip
        """Return the same for motors behind gears: T = tau / n + J n a + d n v + c sign(v).

        For what the model has not in its joints already: ``armature`` is J n².

        Args:
            gear: n: turns of the motor for one of the joint [1 or rad/m], a number or shape (nv,).
            rotor_inertia: J [kg m²], likewise.
            viscous_friction: d, at the motor [N m s/rad].
            coulomb_friction: c, at the motor [N m].
        """
        given = {"gear": gear, "rotor_inertia": rotor_inertia, "viscous_friction": viscous_friction,
                 "coulomb_friction": coulomb_friction}  # fmt: skip
        n, inertia, viscous, coulomb = (
            finite_array(x, f"at_motors: {name}") for name, x in given.items()
        )
        for name, x in zip(given, (n, inertia, viscous, coulomb), strict=True):
            if x.shape not in ((), self.v.shape[-1:]) or (name != "gear" and (x < 0.0).any()):
                raise ModelError(
                    f"at_motors: {name} must be a number or {self.v.shape[-1]} of them, not "
                    f"negative but for gears, got {given[name]!r}"
                )
        if not n.all():
            raise ModelError(f"at_motors: gear must not be zero, got {gear!r}")
        speed = n * self.v
        friction = viscous * speed + coulomb * np.sign(speed)
        torque = self.tau / n + inertia * n * self.a + friction
        return replace(self, v=speed, a=n * self.a, tau=torque)

    def excess(self) -> dict[str, float]:
        """Return by which factor each joint exceeds one of its limits most; empty: none does."""
        limits, names = self.system.limits, self.system.velocity_names
        ratios = np.maximum(
            (np.abs(self.v) / limits.velocity).max(axis=0), self.peak() / limits.effort
        )
        outside = (self.q < limits.lower) | (self.q > limits.upper)
        ratios = np.where(outside.any(axis=0), np.inf, ratios)
        return {
            name: float(ratio) for name, ratio in zip(names, ratios, strict=True) if ratio > 1.0
        }

    def plot(self, path: str | Path | None = None) -> Figure:
        """Draw joint forces and powers; return the figure.

        Args:
            path: File to write: .png, .svg or .pdf; None: show it.
        """
        from poinsot.plots.figure import plot_panels
        from poinsot.plots.panels import Panel, PlottedCurve

        def panel(title: str, unit: str, values: Array) -> Panel:
            names = self.system.velocity_names
            curves = [PlottedCurve(name, values[:, k]) for k, name in enumerate(names)]
            return Panel(title, unit, self.t, tuple(curves))

        rows = [(panel("Joint forces", "N, N m", self.tau), panel("Power", "W", self.power))]
        return plot_panels(path, f"Effort of {self.system.name}", rows)

    def _integral(self, values: Array) -> Array:
        steps = np.diff(self.t)[:, None]
        return np.asarray((0.5 * (values[1:] + values[:-1]) * steps).sum(axis=0))


def effort(run: Run) -> MotionLoads:
    """Return what a run asked of its actuators: joint forces, peaks, root mean squares, powers.

    Args:
        run: Of ``simulate``, with joint forces ``tau``.

    >>> import poinsot as ps
    >>> arm = ps.library.pendulum()
    >>> run = ps.simulate(arm, [0.0], [0.0], 1.0, tau=[2.0])
    >>> ps.effort(run).rms().round(9)
    array([2.])
    """
    if not hasattr(run, "tau"):
        raise ModelError(f"effort: give a run, ps.simulate(...), got {run!r}")
    return MotionLoads(run.system, run.t, run.q, run.v, run.acceleration(), run.tau())


@dataclass(frozen=True, eq=False)
class BearingLoads:
    """Forces of two bearings on a body that turns in them, in body axes.

    Attributes:
        joint: Name of the joint.
        t: Times [s], shape (n,).
        forces: Of each bearing [N], radial and thrust together, shape (n, 2, 3).
        thrust: Along the axis [N], which the chosen bearing takes, shape (n,).
        torque: About the axis [N m]: of drive, spring and friction, shape (n,).
    """

    joint: str
    t: Array
    forces: Array
    thrust: Array
    torque: Array
    axis: Array

    @property
    def radial(self) -> Array:
        """Size of the radial force of each bearing [N], shape (n, 2)."""
        along = self.forces @ self.axis
        return np.asarray(np.linalg.norm(self.forces - along[..., None] * self.axis, axis=-1))

    def plot(self, path: str | Path | None = None) -> Figure:
        """Draw the radial forces of both bearings, the thrust and the torque; return the figure.

        Args:
            path: File to write: .png, .svg or .pdf; None: show it.
        """
        from poinsot.plots.figure import plot_panels
        from poinsot.plots.panels import Panel, PlottedCurve

        radial = [PlottedCurve(f"bearing {k + 1}", self.radial[:, k]) for k in range(2)]
        forces = (*radial, PlottedCurve("thrust", self.thrust))
        torque = (PlottedCurve("", self.torque),)
        rows = [(Panel("Forces", "N", self.t, forces), Panel("Torque", "N m", self.t, torque))]
        return plot_panels(path, f"Bearings of {self.joint}", rows)

    def equivalent(self, exponent: float = 3.0) -> Array:
        """Return the constant radial loads [N] that wear the bearings as much per time, (2,).

        P = (mean of F^p)^(1/p), p = 3 for balls and 10/3 for rollers [ISO 281]
        """
        powers = self.radial**exponent
        steps = np.diff(self.t)[:, None]
        mean = (0.5 * (powers[1:] + powers[:-1]) * steps).sum(axis=0) / (self.t[-1] - self.t[0])
        return np.asarray(mean ** (1.0 / exponent))


def bearing_loads(
    motion: Run | Study, joint: str, positions: tuple[float, float], *, fixed: int = 0
) -> BearingLoads:
    """Return the forces in two bearings of a hinge along a motion, from the joint's reaction.

        F1 + F2 = f,      s1 a × F1 + s2 a × F2 = n - (a · n) a

    Args:
        motion: A run or study.
        joint: Name of a revolute joint of the tree.
        positions: s1, s2: where the bearings are along the axis, from the body's origin [m].
        fixed: Which of them takes the thrust, 0 or 1.
    """
    system = motion.system
    number = system.mechanism.joint_names.index(joint) if joint in system.joint_names else -1
    kind = system.bodies[number].joint if number >= 0 else None
    axis_given = getattr(kind, "axis", None)
    if kind is None or kind.nv != 1 or axis_given is None or kind.v_units[0] != "rad/s":
        raise ModelError(f"bearing_loads: {joint!r} must be a revolute joint of {system.name!r}")
    s1, s2 = finite_vector(positions, 2, "bearing_loads: positions")
    if fixed not in (0, 1):
        raise ModelError(f"bearing_loads: fixed, the bearing with the thrust, is 0 or 1: {fixed!r}")
    if s1 == s2:
        raise ModelError(f"bearing_loads: two bearings must be apart, got {positions!r}")
    axis = np.array(axis_given, np.float64)
    wrench = motion.reactions(axes="body")[joint]
    f, n = wrench[..., :3], wrench[..., 3:]
    thrust, torque = f @ axis, n @ axis
    across = f - thrust[..., None] * axis
    moment = -np.cross(axis, n - torque[..., None] * axis)  # s1 F1 + s2 F2
    second = (moment - s1 * across) / (s2 - s1)
    forces = np.stack([across - second, second], axis=-2)
    forces[..., fixed, :] += thrust[..., None] * axis
    return BearingLoads(joint, motion.t, forces, thrust, torque, axis)
