"""The same motion by several integrators: each returns where the joints are at the end."""

from collections.abc import Callable
from dataclasses import dataclass

import mujoco
import numpy as np
import pinocchio as pin
from pydrake.systems.analysis import ResetIntegratorFromFlags, Simulator
from scipy.integrate import ode, solve_ivp

import poinsot as ps
from benchmarks.drake_model import drake_plant
from benchmarks.mujoco_model import mujoco_model
from benchmarks.pinocchio_model import PinocchioModel
from benchmarks.timing import Case, median_times

Derivative = Callable[[float, np.ndarray], np.ndarray]
"""d(q, v)/dt as a function of t and (q, v)."""


@dataclass(frozen=True)
class Task:
    """A system of hinges, where it starts, and for how long it moves [s]."""

    system: ps.System
    q: np.ndarray
    v: np.ndarray
    duration: float


@dataclass(frozen=True)
class Problem:
    """A task as SciPy sees it: d(q, v)/dt and the start, and the way back to our order of q."""

    derivative: Derivative
    q: np.ndarray
    v: np.ndarray
    back: Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True)
class Outcome:
    """Joint angles at the end, and evaluations of the accelerations."""

    q: np.ndarray
    evaluations: int


class Poinsot:
    """``ps.simulate`` as a user calls it; it stores every step."""

    def __init__(self, task: Task, method: str):
        self._task, self._method = task, method

    def __call__(self, rtol: float) -> Outcome:
        """Integrate with a tolerance, relative and absolute."""
        task = self._task
        run = ps.simulate(
            task.system, task.q, task.v, task.duration, rtol=rtol, integrator=self._method
        )
        if not run.status.ok:
            raise RuntimeError(run.status.message)
        return Outcome(run.q[-1], run.statistics.evaluations)


class SciPy:
    """SciPy's ``solve_ivp``, whose steps are Python."""

    def __init__(self, task: Task, problem: Problem, scheme: str):
        self._task, self._problem, self._scheme = task, problem, scheme
        self._start = np.concatenate((problem.q, problem.v))

    def __call__(self, rtol: float) -> Outcome:
        """Integrate with a tolerance, relative and absolute."""
        problem, span = self._problem, (0.0, self._task.duration)
        tolerances = {"rtol": rtol, "atol": rtol}
        result = solve_ivp(problem.derivative, span, self._start, self._scheme, **tolerances)
        if not result.success:
            raise RuntimeError(result.message)
        return Outcome(problem.back(result.y[: problem.q.size, -1]), result.nfev)


class SciPyOde:
    """SciPy's older interface to DOP853, whose steps are compiled code."""

    def __init__(self, task: Task, problem: Problem):
        self._task, self._problem = task, problem
        self._start = np.concatenate((problem.q, problem.v))

    def __call__(self, rtol: float) -> Outcome:
        """Integrate with a tolerance, relative and absolute."""
        solver = ode(self._problem.derivative)
        solver.set_integrator("dop853", rtol=rtol, atol=rtol, nsteps=1_000_000)
        solver.set_initial_value(self._start)
        end = solver.integrate(self._task.duration)
        if not solver.successful():
            raise RuntimeError("dop853 failed")
        return Outcome(self._problem.back(end[: self._problem.q.size]), 0)


class Drake:
    """Drake's ``Simulator`` with one of its integrators, all in one call of ``AdvanceTo``."""

    def __init__(self, task: Task, scheme: str):
        self._task, self._scheme = task, scheme
        self._plant = drake_plant(task.system)
        self._simulator = Simulator(self._plant)

    def __call__(self, accuracy: float) -> Outcome:
        """Integrate with a target of accuracy."""
        task, simulator, plant = self._task, self._simulator, self._plant
        ResetIntegratorFromFlags(simulator, self._scheme, task.duration)
        integrator = simulator.get_mutable_integrator()
        integrator.set_target_accuracy(accuracy)
        context = simulator.get_mutable_context()
        context.SetTime(0.0)
        plant.SetPositions(context, task.q)
        plant.SetVelocities(context, task.v)
        simulator.Initialize()
        simulator.AdvanceTo(task.duration)
        evaluations = integrator.get_num_derivative_evaluations()
        return Outcome(plant.GetPositions(context).copy(), evaluations)

    def accelerations(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Return dv/dt without joint forces."""
        context = self._plant.CreateDefaultContext()
        self._plant.SetPositions(context, q)
        self._plant.SetVelocities(context, v)
        derivatives = self._plant.EvalTimeDerivatives(context).CopyToVector()
        return derivatives[q.size :]


class MuJoCo:
    """MuJoCo's classical Runge-Kutta method of order 4 with fixed steps, all in one call."""

    def __init__(self, task: Task):
        self._task = task
        self._model = mujoco_model(task.system, step=1e-3)
        self._data = mujoco.MjData(self._model)

    def __call__(self, steps: int) -> Outcome:
        """Integrate in that many steps."""
        task, model, data = self._task, self._model, self._data
        mujoco.mj_resetData(model, data)
        model.opt.timestep = task.duration / steps
        data.qpos[:], data.qvel[:] = task.q, task.v
        mujoco.mj_step(model, data, steps)
        return Outcome(data.qpos.copy(), 4 * steps)

    def accelerations(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Return dv/dt without joint forces."""
        self._data.qpos[:], self._data.qvel[:] = q, v
        mujoco.mj_forward(self._model, self._data)
        return self._data.qacc.copy()


def disagreement(task: Task) -> float:
    """Return how far the accelerations of the libraries are apart, relative to the largest."""
    rng = np.random.default_rng(3)
    q, v = rng.uniform(-2, 2, task.q.size), rng.normal(size=task.v.size)
    ours = task.system.forward_dynamics(q, v, np.zeros(v.size))
    theirs = (
        MuJoCo(task).accelerations(q, v),
        Drake(task, "runge_kutta3").accelerations(q, v),
        pinocchio_problem(task).derivative(0.0, np.concatenate((q, v)))[q.size :],
    )
    return max(float(np.abs(x - ours).max() / np.abs(ours).max()) for x in theirs)


def pinocchio_problem(task: Task) -> Problem:
    """Return the equations of a chain by Pinocchio's ``aba``, in the faster of its conventions."""
    peer = PinocchioModel(task.system)
    model, data, n = peer.model, peer.data, task.q.size
    tau, conventions = np.zeros(n), (pin.Convention.LOCAL, pin.Convention.WORLD)
    known = {"pin": pin, "model": model, "data": data, "q": task.q, "v": task.v, "tau": tau}
    cases = [
        Case("pin.aba(model, data, q, v, tau, convention)", {**known, "convention": convention})
        for convention in conventions
    ]
    times = median_times(cases, repeats=7)
    convention = conventions[times.index(min(times))]
    aba, concatenate = pin.aba, np.concatenate

    def derivative(_: float, y: np.ndarray) -> np.ndarray:
        v = y[n:]
        return concatenate((v, aba(model, data, y[:n], v, tau, convention)))

    return Problem(derivative, peer.q(task.q), peer.v(task.v), peer.vector_back)
