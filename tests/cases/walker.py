"""Walkers that go down a slope without a drive: the gait that repeats, and how stable it is.

One description, a hip that moves in the plane and two legs on it.  The foot that stands is a
constraint, and a strike the sudden imposition of the other one's.  What is left to do here is to
find a root and to differentiate the map from step to step.
"""

import re
from dataclasses import dataclass

import numpy as np
from scipy.optimize import linear_sum_assignment

import poinsot as ps
from tests.cases.contract import Unsupported, Within
from tests.cases.numbers import number

ACCURACY = 1e-12
LONGEST = 10.0
"""Time of a step, by that of a swing of the legs, sqrt(l / g)."""
PASSES = 3
"""How often feet may pass the ground in a step, the strike included."""
FALLEN = 1.0
"""Angle of a leg that no longer stands [rad]."""
LIGHT = 1e-9
"""Mass of a leg by that of the hip where a case asks for the limit 0."""
BEHIND = -0.05
"""The angle between the legs from which on a strike counts, where a case does not say."""
GUESSES = [(a, u) for a in (0.2, 0.27, 0.15, 0.23, 0.1, 0.33) for u in (1.0, 1.2, 1.1, 1.4)]
"""Angle of the leg that stands after a strike, and its rate by that and sqrt(g / l)."""
NEWTON = 25
SMALL = 1e-7
"""Change of a state by which Newton's method differentiates."""
FIXED = 1e-11
"""Change of a state by a step that is none."""
STEP = 2e-4
DIFFERENCES = {1: 3 / 4, 2: -3 / 20, 3: 1 / 60}
"""Of order 6, so that STEP need not be small: the error is about that of a step by STEP."""
CHAIN = re.compile(r"((?:\w+=)+)([-\d.e]+)")
STRIKE = re.compile(r"[Hh]eel strike when q2 *= *2 *q1 *\(and q2 *< *(-[\d.]+)\)")


def walker(case):
    """Return the gait, what its impact does, and the eigenvalues of the map from step to step."""
    model, reference, limits = case["model"], case["reference"], case.get("tolerance", {})
    walks, slope = _walker(model)
    gait = walks.gait()
    found = np.linalg.eigvals(walks.derivative(gait))
    (q1, u1, q2, u2), step = gait, walks.step(gait)
    values = {
        "fixed_point_q1_u1_q2_u2": gait,
        "fixed_point_q": gait,
        "theta": q1,
        "thetadot": u1,
        "pre_impact_q1_u1_q2_u2": step.before,
        **dict.fromkeys(("step_time", "period"), step.time),
        **dict.fromkeys(("T_before", "T_minus"), step.kinetic[0]),
        **dict.fromkeys(("T_after", "T_plus"), step.kinetic[1]),
        **dict.fromkeys(("impulse_xy", "impulse"), step.impulse),
        # angles from the vertical, of the leg that stands and of the one that does not
        **{"theta_s": q1 - slope, "theta_ns": q1 - q2 - slope},
        **{"thetad_s": u1, "thetad_ns": u1 - u2},
    }
    if "fixed_point_abs" in limits:
        for name in ("theta", "thetadot"):
            values[name] = Within(values[name], atol=limits["fixed_point_abs"])
    for name in ("eigenvalues_re_im", "eig"):
        if name in reference:
            atol = limits.get("eig_abs", limits.get("abs", 0.0))
            values[name] = Within(_in_order_of(np.array(reference[name]), found), atol=atol)
    return {name: value for name, value in values.items() if name in reference}


class NoGait(Exception):
    """The walker falls, stands, or does not come back to where it was."""


@dataclass(frozen=True)
class Step:
    """From after one strike to after the next; states are [q1, u1, q2, u2]."""

    after: np.ndarray
    before: np.ndarray
    time: float
    kinetic: tuple[float, float]
    impulse: list[float]


class Walker:
    """A walker in poinsot, and what it does from strike to strike."""

    def __init__(self, *, M, m, I, l, c, r, g, gam, behind):
        self.behind, self.swing, self.height = behind, np.sqrt(l / g), l + r
        hip = ps.Body("hip", "slope", ps.Prismatic("y"), mass=M)
        legs = [
            ps.Body(name, "hip", ps.Revolute("z"), mass=m, com=(0, -c, 0), inertia=(I, I, I))
            for name in ("A", "B")
        ]
        bodies = [ps.Body("slope", joint=ps.Prismatic("x")), hip, *legs]
        down = g * np.sin(gam), -g * np.cos(gam), 0.0
        self.on = {}
        for leg, free in (("A", []), ("B", ["x0"])):
            where = {axis: (leg, (0, -l, 0), axis) for axis in ("x", "y")} | {"turn": leg}
            foot = ps.FormulaConstraint("foot", [f"x + {r!r}*turn - x0", f"y - {r!r}"], where)
            self.on[leg] = ps.System(
                "walker", bodies, gravity=down, constraints=[foot], parameters={"x0": 0.0},
                free=free,
            )  # fmt: skip
        self.strikes = [  # q2 - 2 q1
            ps.Event("strike", "-A - B", direction="up", stop=n) for n in range(1, PASSES + 1)
        ]

    def step(self, state):
        """Return the next step from a state.

        Raises:
            NoGait: If there is no strike.
        """
        q1, u1, q2, u2 = state
        one = self.on["A"]
        q = one.assemble([0.0, self.height, q1, q1 - q2], joints=["A", "B"])
        v = one.consistent_velocity(q, [0.0, 0.0, u1, u1 - u2], joints=["A", "B"])
        for strike in self.strikes:  # feet that pass each other do not strike
            run = ps.simulate(one, q, v, LONGEST * self.swing, rtol=ACCURACY, events=[strike])
            if run.t[-1] == LONGEST * self.swing or abs(run.q[-1, 2]) > FALLEN:
                break
            if run.q[-1, 2] - run.q[-1, 3] < self.behind:
                return self._struck(run)
        raise NoGait("no strike")

    def _struck(self, run):
        """Return the step that a run has come to the end of."""
        q, v, other = run.q[-1], run.v[-1], self.on["B"]
        at = {"x0": other.constraint_residual(q, parameters={"x0": 0.0})[0]}
        hit = ps.impact(other, q, v, parameters=at)
        return Step(
            np.array([q[3], hit.v[3], q[3] - q[2], hit.v[3] - hit.v[2]]),
            np.array([q[2], v[2], q[2] - q[3], v[2] - v[3]]),
            run.t[-1],
            tuple(other.kinetic_energy(q, rate, parameters=at) for rate in (v, hit.v)),
            list(hit.constraint_impulses.values()),
        )

    def gait(self):
        """Return the first state found that a step leads back to, a stable one if there is one.

        Raises:
            NoGait: If there is none.
        """
        found = []
        for angle, rate in GUESSES:
            u1 = -rate * angle / self.swing
            u2 = u1 * (1.0 - np.cos(2.0 * angle))
            try:
                state = self._root(np.array([angle, u1, 2.0 * angle, u2]))
            except NoGait:
                continue
            growth = np.abs(np.linalg.eigvals(self.derivative(state))).max()
            if growth < 1.0:
                return state
            found.append((growth, *state))
        if not found:
            raise NoGait("no state was found that a step leads back to")
        return np.array(min(found)[1:])

    def derivative(self, state):
        """Return the derivative of the state after a step by that before it, shape (4, 4)."""
        columns = []
        for k in range(4):
            unit = STEP * np.eye(4)[k]
            column = sum(
                weight * (self.step(state + j * unit).after - self.step(state - j * unit).after)
                for j, weight in DIFFERENCES.items()
            )
            columns.append(column / STEP)
        return np.stack(columns, axis=1)

    def _root(self, state):
        """Return the state near one that a step leads back to, by Newton's method."""
        for _ in range(NEWTON):
            after = self.step(state).after
            miss = after - state
            if np.abs(miss).max() <= FIXED:
                return after
            columns = [(self.step(state + SMALL * e).after - after) / SMALL for e in np.eye(4)]
            change = np.linalg.solve(np.eye(4) - np.stack(columns, axis=1), miss)
            state = state + change * min(1.0, 0.1 / np.abs(change).max())
        raise NoGait("Newton's method does not converge")


def _walker(model):
    """Return the walker and the angle of the slope."""
    if "use" in model:
        if "limit m/M->0" not in model["use"]:
            raise Unsupported(f"use {model['use']!r}: not understood")
        size = {"M": 1.0, "m": LIGHT, "gam": _angle(model["gamma"])}
        for names, value in CHAIN.findall(model["use"]):
            size |= dict.fromkeys(names.strip("=").split("="), float(value))
        return Walker(**size, behind=BEHIND), size["gam"]
    strike = STRIKE.search(model["description"])
    if not strike:
        raise Unsupported("the description does not say when the heel strikes")
    size = {name: number(model[name]) for name in ("M", "m", "I", "l", "c", "r", "g")}
    size["gam"] = _angle(model["gam"])
    return Walker(**size, behind=float(strike[1])), size["gam"]


def _angle(value):
    """Return an angle [rad], which may be written "3 deg"."""
    if isinstance(value, str) and value.endswith("deg"):
        return np.deg2rad(number(value.removesuffix("deg")))
    return number(value)


def _in_order_of(pairs, found):
    """Return eigenvalues as pairs (re, im), each where the one next to it is; none has a place."""
    own = np.stack([found.real, found.imag], axis=1)
    rows, columns = linear_sum_assignment(np.linalg.norm(pairs[:, None] - own, axis=2))
    return own[columns[np.argsort(rows)]]
