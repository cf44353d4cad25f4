"""Motions with impacts by SciPy on Pinocchio: ``solve_ivp`` with events.

Between impacts a tree moves by ``aba``, one whose foot stands by ``forwardDynamics`` with the rows
of the foot; at an impact velocities are those of ``impulseDynamics``.  These two go by M⁻¹, which
loses eight digits where legs are 1e-9 of the hip, so there is a second way, by M and the rows.
"""

from collections.abc import Callable

import numpy as np
import pinocchio as pin
from scipy.integrate import solve_ivp

import poinsot as ps
from benchmarks.gallery.recorded import Simulation
from benchmarks.pinocchio_model import PinocchioModel

SOON = 1e-6
"""How long after its start a function tells on which side of zero it begins [s]."""
WORLD = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED


class NotInPinocchio(Exception):
    """A constraint or an event that is not known here."""


class Rows:
    """Formulas, linear in places of points and coordinates, on a model of Pinocchio.

    Args:
        model: The model.
        formulas: In the names of ``places``; other names are 0.
        places: What each name stands for: a body, a point in it and an axis, or a joint.
    """

    def __init__(self, model: PinocchioModel, formulas: list[str], places: dict) -> None:
        self._model = model
        codes = [compile(text, "formula", "eval") for text in formulas]
        others = {name for code in codes for name in code.co_names} - set(places)

        def values(given: np.ndarray) -> np.ndarray:
            names = dict(zip(places, given, strict=True)) | dict.fromkeys(others, 0.0)
            return np.array([eval(code, {}, names) for code in codes])

        zero, units = np.zeros(len(places)), np.eye(len(places))
        self._at_zero = values(zero)
        self._G = np.stack([values(unit) - self._at_zero for unit in units], axis=1)
        if not np.allclose(values(units.sum(0)), self._at_zero + self._G.sum(1)):
            raise NotInPinocchio(f"formulas {formulas} are not linear")
        self._places = []
        for place in places.values():
            if isinstance(place, str):
                self._places.append((None, model.model.joints[model.model.getJointId(place)].idx_v))
            else:
                body, point, axis = place
                self._places.append((_frame(model, body, point), "xyz".index(axis)))

    def gap(self, q: np.ndarray) -> float:
        """Return the first formula at q, in Pinocchio's order."""
        model, data = self._model.model, self._model.data
        pin.framesForwardKinematics(model, data, q)
        x = [q[k] if frame is None else data.oMf[frame].translation[k] for frame, k in self._places]
        return float(self._at_zero[0] + self._G[0] @ x)

    def jacobian(self, q: np.ndarray) -> np.ndarray:
        """Return the rows at q."""
        model, data = self._model.model, self._model.data
        rows = []
        for frame, k in self._places:
            if frame is None:
                rows.append(np.eye(model.nv)[k])
            else:
                rows.append(pin.computeFrameJacobian(model, data, q, frame, WORLD)[k])
        return self._G @ np.array(rows)

    def drift(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Return the second rates while no joint accelerates."""
        model, data = self._model.model, self._model.data
        pin.forwardKinematics(model, data, q, v, np.zeros(model.nv))
        second = [
            0.0 if frame is None else pin.getFrameClassicalAcceleration(
                model, data, frame, WORLD).linear[k]
            for frame, k in self._places
        ]  # fmt: skip
        return self._G @ np.array(second)


class Balls:
    """The gap of two balls, their centres at frames of a model."""

    def __init__(self, model: PinocchioModel, distance: ps.Distance) -> None:
        self._model, self._length = model, distance.length
        self._frames = [
            _frame(model, body, pose.xyz) for body, pose in (distance.first, distance.second)
        ]

    def gap(self, q: np.ndarray) -> float:
        """Return the distance of the balls."""
        return float(np.linalg.norm(self._apart(q)) - self._length)

    def jacobian(self, q: np.ndarray) -> np.ndarray:
        """Return its row."""
        apart = self._apart(q)
        J = [
            pin.computeFrameJacobian(self._model.model, self._model.data, q, frame, WORLD)[:3]
            for frame in self._frames
        ]
        return (apart / np.linalg.norm(apart))[None, :] @ (J[1] - J[0])

    def _apart(self, q: np.ndarray) -> np.ndarray:
        data = self._model.data
        pin.framesForwardKinematics(self._model.model, data, q)
        first, second = self._frames
        return data.oMf[second].translation - data.oMf[first].translation


def scipy_pinocchio(
    simulation: Simulation, *, by_rows: bool = False
) -> Callable[[float], np.ndarray]:
    """Return the same motion with impacts, as a function of rtol.

    Args:
        simulation: The motion.
        by_rows: Whether rows are solved together with M, in place of Pinocchio's own functions.

    Raises:
        NotInPinocchio: If something in it is not known here.
    """
    system, n = simulation.system, simulation.system.nv
    model = PinocchioModel(system)
    stands = [_held(model, one) for one in system.constraints]
    contacts = [
        (_held(model, one.constraint), one.restitution)
        for one in simulation.options.get("contacts", ())
    ]
    strikes = simulation.options.get("events", ())
    struck = simulation.struck
    catches = [] if struck is None else [_held(model, one) for one in struck[0].constraints]
    model.data = model.model.createData()  # with the frames
    tau = np.zeros(n)
    q0, v0 = (model.order(name, x) for name, x in zip("qv", simulation.start, strict=True))

    def rate(_: float, y: np.ndarray) -> np.ndarray:
        q, v = y[:n], y[n:]
        if not stands:
            return np.concatenate([v, pin.aba(model.model, model.data, q, v, tau)])
        J, drift = stands[0].jacobian(q), stands[0].drift(q, v)
        if by_rows:
            bias = pin.nonLinearEffects(model.model, model.data, q, v)
            return np.concatenate([v, _solved(model, q, J, np.concatenate([-bias, -drift]))])
        a = pin.forwardDynamics(model.model, model.data, q, v, tau, J, drift, 0.0)
        return np.concatenate([v, a])

    def after(q: np.ndarray, v: np.ndarray, J: np.ndarray, e: float) -> np.ndarray:
        if by_rows:
            return v + _solved(model, q, J, np.append(np.zeros(n), -(1.0 + e) * (J @ v)))
        return pin.impulseDynamics(model.model, model.data, q, v, np.ascontiguousarray(J), e, 0.0)

    start = np.concatenate([q0, v0])
    soon = start + SOON * rate(0.0, start)
    events = [_touch(gap) for gap, _ in contacts]
    events += [_strike(model, system, one, soon) for one in strikes]

    def run(rtol: float) -> np.ndarray:
        t, y, end = 0.0, start, simulation.duration
        while t < end:
            found = solve_ivp(
                rate, (t, end), y, "DOP853", events=events, rtol=rtol, atol=rtol
            )  # fmt: skip
            t, y = found.t[-1], found.y[:, -1]
            hit = [k for k in range(len(contacts)) if found.t_events[k].size]
            if hit:
                gap, e = contacts[hit[0]]
                y = np.concatenate([y[:n], after(y[:n], y[n:], gap.jacobian(y[:n]), e)])
            elif found.status == 1:
                break
        q, v = y[:n], y[n:]
        if catches:
            v = after(q, v, catches[0].jacobian(q), 0.0)
        return simulation.end_of(model.vector_back(q), model.vector_back(v))

    return run


def _solved(model: PinocchioModel, q: np.ndarray, J: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Return x of M x - Jᵀ y = right[:n], J x = right[n:]."""
    M = pin.crba(model.model, model.data, q)
    n, m = len(M), len(J)
    K = np.zeros((n + m, n + m))
    K[:n, :n], K[:n, n:], K[n:, :n] = np.triu(M) + np.triu(M, 1).T, -J.T, J
    return np.linalg.solve(K, right)[:n]


def _held(model: PinocchioModel, one: object) -> Rows | Balls:
    """Return what a constraint is on a model."""
    if isinstance(one, ps.Distance):
        return Balls(model, one)
    if isinstance(one, ps.FormulaConstraint):
        return Rows(model, list(one.formula), {
            name: what[0] if len(what) == 1 else what for name, what in one.where})  # fmt: skip
    in_world = isinstance(one, ps.PointOnSurface) and one.on == ("world", ps.Pose())
    if in_world and isinstance(one.surface, str):
        body, pose = one.point
        return Rows(model, [one.surface], {axis: (body, pose.xyz, axis) for axis in "xyz"})
    raise NotInPinocchio(f"constraint {one!r}")


def _frame(model: PinocchioModel, body: str, point: tuple[float, float, float]) -> int:
    joint = model.model.getJointId(body)
    place = pin.SE3(np.eye(3), np.array(point, float))
    name = f"{body} {point}"
    return model.model.addFrame(pin.Frame(name, joint, 0, place, pin.FrameType.OP_FRAME))


def _touch(gap: Rows | Balls) -> Callable[[float, np.ndarray], float]:
    def event(_: float, y: np.ndarray) -> float:
        return gap.gap(y[: y.size // 2])

    event.terminal, event.direction = True, -1
    return event


def _strike(
    model: PinocchioModel, system: ps.System, one: ps.Event, soon: np.ndarray
) -> Callable[[float, np.ndarray], float]:
    """Return an event that ends the motion; where it begins at zero it counts as where it goes."""
    if not isinstance(one.function, str) or not one.stop:
        raise NotInPinocchio(f"event {one.name!r}")
    code = compile(one.function, one.name, "eval")
    names, n = system.coordinate_names, system.nq

    def value(y: np.ndarray) -> float:
        return eval(code, {}, dict(zip(names, model.vector_back(y[:n]).tolist(), strict=True)))

    first = value(soon)

    def event(t: float, y: np.ndarray) -> float:
        return value(y) if t > 0.0 else first

    event.terminal = int(one.stop)
    event.direction = {"up": 1, "down": -1, "both": 0}[one.direction]
    return event
