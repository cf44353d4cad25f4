"""A system with the impulses of an impact on it: what its joints carry, and its picture."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, final

import numpy as np

from poinsot.errors import ModelError
from poinsot.expr.rank_tolerances import RANK
from poinsot.formulations.constrained.mechanism_view import MechanismView
from poinsot.formulations.constrained.reactions import named_wrenches
from poinsot.front.description import Values
from poinsot.front.moving_system import MovingSystem
from poinsot.front.parameter_numbers import with_numbers
from poinsot.front.system import System
from poinsot.impacts.rope import rope_ends
from poinsot.impacts.slip_velocity import slip_velocity
from poinsot.model import WORLD, AbstractConstraint, Pose
from poinsot.model.constraints.base import Frame
from poinsot.spatial import Array, skew

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["StruckSystem"]


class _Touch(NamedTuple):
    """Where a contact acts, and how, in inertial axes.

    Attributes:
        bodies: The first and the second one; None: it is between coordinates of joints.
        place: The point of the second body.
        other: That of the first body: the same, or the other end of a rope.
        force: The impulse on the second body.
        normal: The direction in which the gap opens; zero between joints.
    """

    bodies: tuple[str, str] | None
    place: Array
    other: Array
    force: Array
    normal: Array


@final
@dataclass(frozen=True, eq=False)
class StruckSystem:
    """A system with the impulses of an impact on it.

    Attributes:
        system: It, with its contacts as constraints behind its own.
        own: How many of its constraints are its own.
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

    def unit(self, name: str) -> str:
        """Return the unit of the impulse of a contact: that of force or torque times time."""
        gap = self.system.mechanism.constraints[self._rows_of(name)[0]]
        owners = [body.joint for body in self.system.bodies if body.name in gap.joints]
        units = {unit for joint in owners for unit in joint.q_units}
        if gap.pairs or units == {"m"}:
            return "N s"
        return "N m s" if units == {"rad"} else "N s or N m s"

    def draw(
        self, path: str | Path | None, impulses: Mapping[str, float], works: Mapping[str, float],
        energy_lost: float,
    ) -> Figure:  # fmt: skip
        """Draw the impact: bodies, points, impulses, velocities before and after, works.

        Args:
            path: File to write; None: show it.
            impulses: Of the contacts that touched, along their gaps, by name.
            works: Of these contacts, by name [J].
            energy_lost: Of the whole system [J].
        """
        from poinsot.plots.impact_picture import PicturedImpact, plot_impact

        system = with_numbers(self.system, "impact", self.parameters)
        before, after = (MovingSystem(system, self.q, v) for v in (self.v_before, self.v))
        seen = [self._touch(system, name) for name in impulses]
        labels = []
        velocities: tuple[list[Array], list[Array]] = ([], [])
        for (name, impulse), touch in zip(impulses.items(), seen, strict=True):
            size = float(np.linalg.norm(touch.force)) if touch.bodies else impulse
            labels.append(
                f"{size:.3g} {self.unit(name)}" + ("" if touch.bodies else " in its joint")
            )
            first, second = touch.bodies or (WORLD, WORLD)
            for party, listed in zip((before, after), velocities, strict=True):
                listed.append(
                    party.point_velocity(second, touch.place)
                    - party.point_velocity(first, touch.other)
                )
        points, forces, normals, start, end = (
            np.array(listed).reshape(-1, 3)
            for listed in (*([touch[k] for touch in seen] for k in (1, 3, 4)), *velocities)
        )
        is_rope = [rope_ends(system.mechanism.constraints[self._rows_of(x)[0]]) for x in impulses]
        ropes = [(x.other, x.place) for x, ends in zip(seen, is_rope, strict=True) if ends]
        rest = "constraints" if self.own or system.mechanism.loops else "bases and drives"
        bare = system.mechanism.rebuilt(constraints=system.mechanism.constraints[: self.own])
        lines = MovingSystem(System.from_mechanism(bare), self.q, self.v).lines()
        picture = PicturedImpact(
            f"Impact of {system.name}", [lines], tuple(impulses), points, forces, start,
            end, normals, np.array(list(works.values())),
            (rest, -energy_lost - sum(works.values())), system.gravity, labels,
            np.array(ropes).reshape(-1, 2, 3),
        )  # fmt: skip
        return plot_impact(path, picture)

    def _rows_of(self, name: str) -> list[int]:
        """Return the numbers of the constraints of a contact: gap, and with friction slip."""
        names = (name, f"{name}: slip")
        listed = enumerate(self.system.mechanism.constraints)
        return [k for k, x in listed if k >= self.own and x.name in names]

    def _touch(self, system: System, name: str) -> _Touch:
        """Return where a contact acts, and how; in joints, at the origin of the body they move."""
        mechanism, numbers = system.mechanism, self._rows_of(name)
        gap, offset = mechanism.constraints[numbers[0]], len(mechanism.loops)
        view = MechanismView(mechanism, self.q, self.v_before, self.t)
        if not gap.pairs:
            joints = [joint for joint in gap.joints if joint in system.body_names]
            body = joints[0] if joints else system.body_names[-1]
            place = system.pose(body, self.q)[:3, 3]
            return _Touch(None, place, place, np.zeros(3), np.zeros(3))
        ends = rope_ends(gap)
        if ends is not None:
            first, place = (
                (self._pose(system, (body, Pose())) @ [*point, 1.0])[:3] for body, point in ends
            )
            pull = (first - place) / np.linalg.norm(first - place)
            impulse = float(self.lam[mechanism.row_slices[offset + numbers[0]]][0])
            return _Touch((ends[0][0], ends[1][0]), place, first, impulse * pull, pull)
        (normal,) = unit_loads(gap, view, 1)
        k = int(np.argmax(np.linalg.norm(normal[:, :3], axis=1)))  # of several pairs the one pushed
        (origin, second), n = gap.pairs[k], normal[k, :3]
        try:
            loads = unit_loads(slip_velocity(gap), view, 3)[:, 0]
        except ModelError:  # its points touch nothing that could be slid on
            loads = normal[[k]]
        arm = common_point(loads)
        force = np.zeros(3)
        for number in numbers:
            lam = self.lam[mechanism.row_slices[offset + number]]
            rows = unit_loads(mechanism.constraints[number], view, len(lam))
            force = force + np.einsum("r,ri->i", lam, rows[:, min(k, rows.shape[1] - 1), :3])
        frame = self._pose(system, second)
        R = frame[:3, :3]
        length = float(np.linalg.norm(n)) or 1.0
        place = R @ arm + frame[:3, 3]
        return _Touch((origin[0], second[0]), place, place, R @ force, R @ n / length)

    def _pose(self, system: System, frame: Frame) -> Array:
        """Return the pose of a frame of a body in inertial space, shape (4, 4)."""
        body, pose = frame
        own = np.eye(4) if body == WORLD else system.pose(body, self.q)
        local = pose.transform()
        moved = np.eye(4)
        moved[:3, :3], moved[:3, 3] = np.asarray(local.R, float), np.asarray(local.p, float)
        return np.asarray(own @ moved)


def unit_loads(constraint: AbstractConstraint, view: MechanismView, rows: int) -> Array:
    """Return the wrenches on the second bodies of a constraint by 1 of each of its rows.

    Shape (rows, pairs, 6).
    """
    return np.array([constraint.loads(view, unit) for unit in np.eye(rows)], np.float64)


def common_point(wrenches: Array) -> Array:
    """Return the point through which forces go that have these moments, the nearest to 0.

    Args:
        wrenches: [f; n], n = c × f for the same c, shape (k, 6).

    >>> common_point(np.array([[0.0, 0, 1, 0, -2, 0], [1, 0, 0, 0, 3, 0]])).round(12)
    array([2., 0., 3.])
    """
    crossed = np.concatenate([-skew(wrench[:3]) for wrench in wrenches])
    return np.asarray(np.linalg.lstsq(crossed, wrenches[:, 3:].ravel(), rcond=RANK)[0])
