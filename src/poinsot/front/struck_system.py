"""A system with the impulses of an impact on it: what its joints carry, and its picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, final

import numpy as np

from poinsot.formulations.constrained.mechanism_view import MechanismView
from poinsot.formulations.constrained.reactions import named_wrenches
from poinsot.front.description import Values
from poinsot.front.moving_system import MovingSystem
from poinsot.front.parameter_numbers import with_numbers
from poinsot.front.system import System
from poinsot.model import WORLD
from poinsot.model.constraints.base import Frame
from poinsot.spatial import Array

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from poinsot.plots.impact_picture import PicturedImpact

__all__ = ["StruckSystem"]


@final
@dataclass(frozen=True, eq=False)
class StruckSystem:
    """A system with the impulses of an impact on it.

    Attributes:
        system: It, with its contacts as constraints behind its own.
        own: How many loops and constraints are its own.
        t: When [s].
        q: Its configuration, shape (nq,).
        v_before: Velocities before, shape (nv,).
        v: Velocities after it, shape (nv,).
        parameters: Values of free parameters by name.
        lam: Impulses of all rows, those of contacts with friction in the rows of their slip.
    """

    system: System
    own: int
    t: float
    q: Array
    v_before: Array
    v: Array
    parameters: Values
    lam: Array

    def joint_impulses(self) -> dict[str, Array]:
        """Return the impulsive wrenches [f; n] in its joints, loops and constraints, by name.

        Forces of reaction are linear in accelerations and multipliers: those of the change of the
        velocities and the impulses, at rest, less those of none.
        """
        still, how = 0.0 * self.v, {"axes": "body", "t": self.t}
        given: Any = how | ({"parameters": self.parameters} if self.parameters else {})
        mechanism = self.system.mechanism
        loaded, plain = (
            named_wrenches(mechanism, self.system.evaluate("reactions", self.q, still, *x, **given))
            for x in ((self.v - self.v_before, self.lam), (still, 0.0 * self.lam))
        )
        contacts = {each.name for each in mechanism.constraints[self.own :]}
        return {name: loaded[name] - plain[name] for name in plain if name not in contacts}

    def draw(
        self, path: str | Path | None, impulses: Mapping[str, float], works: Mapping[str, float]
    ) -> Figure:
        """Draw the impact: bodies, points, impulses, velocities before and after, works.

        Args:
            path: File to write; None: show it.
            impulses: Of the contacts that touched, along their gaps, by name.
            works: Of these contacts, by name [J].
        """
        from poinsot.plots.impact_picture import plot_impact

        return plot_impact(path, self._picture(impulses, list(works.values())))

    def _picture(self, impulses: Mapping[str, float], works: Sequence[float]) -> PicturedImpact:
        from poinsot.plots.impact_picture import PicturedImpact

        system = with_numbers(self.system, "impact", self.parameters)
        before, after = (MovingSystem(system, self.q, v) for v in (self.v_before, self.v))
        points, forces, labels = [], [], []
        velocities: tuple[list[Array], list[Array]] = ([], [])
        for name, impulse in impulses.items():
            pair, place, force = self._touching_point(system, name)
            points.append(place)
            forces.append(force)
            unit = "N s" if pair else "in its joint"
            size = float(np.linalg.norm(force)) if pair else impulse
            labels.append(f"{size:.3g} {unit}")
            for party, listed in zip((before, after), velocities, strict=True):
                first, second = pair or (WORLD, WORLD)
                listed.append(
                    party.point_velocity(second, place) - party.point_velocity(first, place)
                )
        start, end = (np.array(listed).reshape(-1, 3) for listed in velocities)
        return PicturedImpact(
            f"Impact of {system.name}", [before.lines()], tuple(impulses),
            np.array(points).reshape(-1, 3), np.array(forces).reshape(-1, 3), start, end,
            np.array(works), 0.0, system.gravity, labels,
        )  # fmt: skip

    def _touching_point(
        self, system: System, name: str
    ) -> tuple[tuple[str, str] | None, Array, Array]:
        """Return the bodies of a contact, the point that touches, and the impulse at it.

        In inertial axes, on the second body.  Without bodies, as of the end of a joint, the point
        is the origin of the body that the joint moves.
        """
        mechanism = system.mechanism
        held = [x for x in mechanism.constraints[self.own :] if x.name in (name, f"{name}: slip")]
        numbers = [mechanism.constraints.index(x) + len(mechanism.loops) for x in held]
        view = MechanismView(mechanism, self.q, self.v_before, self.t)
        strongest = held[0].pairs[:1], np.zeros(6)
        for constraint, k in zip(held, numbers, strict=True):
            loads = constraint.loads(view, self.lam[mechanism.row_slices[k]])
            for pair, load in zip(constraint.pairs, loads, strict=False):
                wrench = np.asarray(load, float)
                if np.linalg.norm(wrench[:3]) > np.linalg.norm(strongest[1][:3]):
                    strongest = (pair,), wrench
        if not strongest[0]:
            joints = [joint for joint in held[0].joints if joint in system.body_names]
            body = joints[0] if joints else system.body_names[-1]
            return None, system.pose(body, self.q)[:3, 3], np.zeros(3)
        ((first, second),), wrench = strongest
        frame = self._pose(system, second)
        f, n = wrench[:3], wrench[3:]
        arm = np.cross(f, n) / (f @ f) if f.any() else np.zeros(3)  # to the line of action
        return (first[0], second[0]), frame[:3, :3] @ arm + frame[:3, 3], frame[:3, :3] @ f

    def _pose(self, system: System, frame: Frame) -> Array:
        """Return the pose of a frame of a body in inertial space, shape (4, 4)."""
        body, pose = frame
        own = np.eye(4) if body == WORLD else system.pose(body, self.q)
        local = pose.transform()
        moved = np.eye(4)
        moved[:3, :3], moved[:3, 3] = np.asarray(local.R, float), np.asarray(local.p, float)
        return np.asarray(own @ moved)
