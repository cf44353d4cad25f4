"""Two legs that walk down a slope without a drive: ``ps.Walker``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, final

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError
from poinsot.front.impact import impact
from poinsot.front.periodic import PeriodicMotion, periodic
from poinsot.front.run import Run
from poinsot.front.simulate import simulate
from poinsot.front.system import System
from poinsot.model import Body, FormulaConstraint, Prismatic, Revolute
from poinsot.model.checks import finite_number
from poinsot.simulation.laws.event import Event
from poinsot.spatial import Array

__all__ = ["Walker", "WalkerStep"]

ACCURACY: Final = 1e-12
LONGEST: Final = 10.0
"""Time of a step, by that of a swing of the legs, sqrt(l / g)."""
PASSES: Final = 3
"""How often feet may pass the ground in a step, the strike included."""
FALLEN: Final = 1.0
"""Angle of a leg that no longer stands [rad]."""
GUESSES: Final = [(a, u) for a in (0.2, 0.27, 0.15, 0.23, 0.1, 0.33) for u in (1.0, 1.2, 1.1, 1.4)]
"""Angle of the leg that stands after a strike, and its rate by that and sqrt(g / l)."""


@final
@dataclass(frozen=True, eq=False)
class WalkerStep:
    """From after one strike to after the next; states are [q1, u1, q2, u2].

    Attributes:
        run: The swing.
        after: State after the strike, shape (4,).
        before: State before it, shape (4,).
        kinetic: Kinetic energies before and after it [J].
        impulse: On the foot that strikes, along and across the slope [N s], shape (2,).
    """

    run: Run
    after: Array
    before: Array
    kinetic: tuple[float, float]
    impulse: Array

    @property
    def time(self) -> float:
        """How long it takes [s]."""
        return float(self.run.t[-1])


@final
class Walker:
    """Two legs hinged at the hip that walk down a slope by gravity alone [McGeer1990].

    Feet are arcs of circles that roll without slip, or points.  A strike is plastic: the foot that
    strikes sticks, the other one leaves without an impulse.  A state is [q1, u1, q2, u2] just after
    a strike: the angle of the leg that stands to the normal of the slope, positive where the hip is
    behind the foot, the angle between the legs, and their rates [rad, rad/s].

    Args:
        hip_mass: Mass in the hip [kg].
        leg_mass: Mass of each leg [kg].
        leg_inertia: Of each leg about its mass centre [kg m²].
        length: From the hip to the centre of the arc of the foot [m].
        com: From the hip to the mass centre of a leg [m].
        foot_radius: Of the arc [m]; 0: points (the compass gait).
        slope: Angle of the ground [rad].
        gravity: [m/s²].
        behind: Angle between the legs below which the feet strike and do not pass [rad].

    >>> walker = Walker(hip_mass=10, leg_mass=5, leg_inertia=0, length=1, com=0.5, slope=0.05)
    >>> gait = walker.gait()
    >>> gait.is_stable, bool(np.allclose(walker.step(gait.state).after, gait.state))
    (True, True)
    """

    def __init__(
        self, *, hip_mass: float, leg_mass: float, leg_inertia: float, length: float, com: float,
        slope: float, foot_radius: float = 0.0, gravity: float = 9.81, behind: float = -0.05,
    ) -> None:  # fmt: skip
        """Make the systems that stand on either foot."""
        given = {
            "hip_mass": hip_mass, "leg_mass": leg_mass, "leg_inertia": leg_inertia,
            "length": length, "com": com, "slope": slope, "foot_radius": foot_radius,
            "gravity": gravity, "behind": behind,
        }  # fmt: skip
        numbers = {key: finite_number(x, f"Walker: {key}") for key, x in given.items()}
        for key in ("leg_mass", "length", "gravity"):
            if numbers[key] <= 0.0:
                raise ModelError(f"Walker: {key} must be positive, got {given[key]!r}")
        for key in ("hip_mass", "leg_inertia", "foot_radius"):
            if numbers[key] < 0.0:
                raise ModelError(f"Walker: {key} must not be negative, got {given[key]!r}")
        reach = numbers["length"] + numbers["foot_radius"]
        if numbers["com"] > reach:
            raise ModelError(
                f"Walker: com must be at most length + foot_radius = {reach:g} from the hip, else "
                f"the mass centre of a leg is in the ground, got {given['com']!r}"
            )
        self._numbers = numbers
        l, r, g = numbers["length"], numbers["foot_radius"], numbers["gravity"]
        self.behind, self.swing, self.height = numbers["behind"], float(np.sqrt(l / g)), l + r
        I = numbers["leg_inertia"]
        legs = [
            Body(
                name, "hip", Revolute("z"), mass=numbers["leg_mass"], com=(0, -numbers["com"], 0),
                inertia=(I, I, I),
            )
            for name in ("A", "B")
        ]  # fmt: skip
        hip = Body("hip", "slope", Prismatic("y"), mass=numbers["hip_mass"])
        bodies = [Body("slope", joint=Prismatic("x")), hip, *legs]
        angle = numbers["slope"]
        down = g * np.sin(angle), -g * np.cos(angle), 0.0
        self.systems: dict[str, System] = {}
        for leg, free in (("A", []), ("B", ["x0"])):
            where = {axis: (leg, (0, -l, 0), axis) for axis in ("x", "y")} | {"turn": leg}
            foot = FormulaConstraint("foot", [f"x + {r!r}*turn - x0", f"y - {r!r}"], where)
            self.systems[leg] = System(
                "walker", bodies, gravity=down, constraints=[foot], parameters={"x0": 0.0},
                free=free,
            )  # fmt: skip
        self._strikes = [  # q2 - 2 q1
            Event("strike", "-A - B", direction="up", stop=n) for n in range(1, PASSES + 1)
        ]

    def __repr__(self) -> str:
        return f"Walker({', '.join(f'{key}={x:g}' for key, x in self._numbers.items())})"

    def step(self, state: ArrayLike) -> WalkerStep:
        """Return the next step from a state.

        Raises:
            ModelError: If there is no strike: it falls, or swings back.
        """
        q1, u1, q2, u2 = np.asarray(state, float)
        standing = self.systems["A"]
        q = standing.assemble([0.0, self.height, q1, q1 - q2], joints=["A", "B"])
        v = standing.consistent_velocity(q, [0.0, 0.0, u1, u1 - u2], joints=["A", "B"])
        longest = LONGEST * self.swing
        for strike in self._strikes:  # feet that pass each other do not strike
            run = simulate(standing, q, v, longest, rtol=ACCURACY, events=[strike])
            if run.t[-1] == longest or abs(run.q[-1, 2]) > FALLEN:
                break
            if run.q[-1, 2] - run.q[-1, 3] < self.behind:
                return self._struck(run)
        raise ModelError(
            f"walker: from {np.round([q1, u1, q2, u2], 6).tolist()} no foot strikes: it falls, or "
            "swings back; try another state or slope"
        )

    def _struck(self, run: Run) -> WalkerStep:
        """Return the step that a run has come to the end of."""
        q, v, other = run.q[-1], run.v[-1], self.systems["B"]
        place = {"x0": other.constraint_residual(q, parameters={"x0": 0.0})[0]}
        hit = impact(other, q, v, parameters=place)
        energies = [float(other.kinetic_energy(q, x, parameters=place)) for x in (v, hit.v)]
        return WalkerStep(
            run,
            np.array([q[3], hit.v[3], q[3] - q[2], hit.v[3] - hit.v[2]]),
            np.array([q[2], v[2], q[2] - q[3], v[2] - v[3]]),
            (energies[0], energies[1]),
            np.array(list(hit.constraint_impulses.values())),
        )

    def gait(self, guesses: Sequence[ArrayLike] | None = None) -> PeriodicMotion:
        """Return a gait: the first stable one that is found, else the least unstable one.

        Args:
            guesses: States near it; by default angles of 0.1 to 0.33 rad and rates that fit.

        Raises:
            ModelError: If none is found.
        """
        gaits: list[tuple[float, int, PeriodicMotion]] = []
        for guess in self._guesses() if guesses is None else guesses:
            try:
                gait = periodic(lambda state: self.step(state).after, guess)
                growth = float(np.abs(gait.multipliers[0]))
            except ModelError:
                continue
            if growth < 1.0:
                return gait
            gaits.append((growth, len(gaits), gait))
        if not gaits:
            raise ModelError(
                "walker: no state was found that a step leads back to; give guesses=, or a gentler "
                "slope"
            )
        return min(gaits)[2]

    def _guesses(self) -> list[Array]:
        rates = [(angle, -rate * angle / self.swing) for angle, rate in GUESSES]
        return [
            np.array([angle, u, 2.0 * angle, u * (1.0 - np.cos(2.0 * angle))]) for angle, u in rates
        ]
