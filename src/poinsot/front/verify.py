"""``ps.verify``: a system checked against itself, in every way there is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from poinsot.errors import PoinsotError
from poinsot.evaluate.methods import METHODS
from poinsot.expr import build, fresh_symbols, tangent
from poinsot.formulations.forces import element_energy, element_wrenches, with_elements
from poinsot.front.system import System
from poinsot.kernels.interpreter import InterpreterKernel
from poinsot.model import Surroundings
from poinsot.spatial import Array

AGREEMENT = 1e-11
"""Relative difference between two formulations or back ends.

Accelerations are compared by the forces M a that they stand for: the error of an acceleration
itself grows with the condition of M, whoever computes it.
"""

DIFFERENCE = 1e-6
"""Relative error of derivatives by central differences with ``STEP``."""

STEP = 1e-5

_QUANTITIES = ("mass_matrix", "inverse_dynamics", "forward_dynamics", "kinetic_energy")

Compare = Callable[[System, Array, Array, Array], float]


@dataclass(frozen=True)
class Check:
    """One comparison: the largest relative difference seen, and what is accepted."""

    name: str
    worst: float
    accepted: float

    @property
    def ok(self) -> bool:
        """Whether the difference is accepted; NaN is not."""
        return self.worst <= self.accepted


@dataclass(frozen=True)
class Report:
    """What ``verify`` found: the checks, and whether all agree."""

    system: str
    n_states: int
    checks: tuple[Check, ...]

    @property
    def ok(self) -> bool:
        """Whether every check agrees."""
        return all(check.ok for check in self.checks)

    def __str__(self) -> str:
        width = max(len(check.name) for check in self.checks)
        lines = [f"{self.system}: {self.n_states} random states"]
        for check in self.checks:
            verdict = "ok" if check.ok else "DIFFERS"
            lines.append(
                f"  {check.name:{width}}  {check.worst:8.1e}  (accepted {check.accepted:.0e})  "
                f"{verdict}"
            )
        return "\n".join([*lines, "  all agree" if self.ok else "  NOT all agree"])


def verify(
    system: System, *, n_states: int = 3, seed: int = 0,
    parameters: Mapping[str, float] | None = None,
) -> Report:  # fmt: skip
    """Compare all formulations, back ends and laws of mechanics on random states of a system.

    Prints a table and returns it as a report; ``report.ok`` says whether everything agrees.  With
    free parameters, their values are folded in for these checks, and for some quantities compared
    with the same values as inputs.

    Args:
        system: What to check.
        n_states: How many random states.
        seed: Of the random numbers.
        parameters: Values of free parameters by name; those with a number of their own may be left
            out.

    >>> import poinsot as ps
    >>> from poinsot.library import double_pendulum
    >>> report = verify(double_pendulum())  # doctest: +ELLIPSIS
    double pendulum: 3 random states
    ...
      all agree
    >>> report.ok
    True
    """
    values = _values(system, parameters)
    comparisons = (*_comparisons(), *_of_parameters(system, values))
    checks = _checks(system.numeric("verify", values), comparisons, n_states, seed)
    report = Report(system.name, n_states, checks)
    print(report)
    return report


def compare_formulations(system: System, *, seed: int = 0) -> tuple[Check, ...]:
    """Return how well mass matrix and bias of all formulations agree at one random state.

    The short part of ``verify``: on floats, so nothing is compiled.  Free parameters have the
    numbers of their own.

    Args:
        system: What to check.
        seed: Of the random numbers.
    """
    comparisons = [
        (f"{quantity}: recursive, {method}", METHODS[method].agreement, compare)
        for method in METHODS
        if method != "recursive"
        for quantity in ("mass matrix", "bias")
        for compare in [_formulation(method, quantity.replace(" ", "_"))]
    ]
    return _checks(system.numeric("verify"), comparisons, 1, seed)


def _values(system: System, parameters: Mapping[str, float] | None) -> dict[str, float]:
    """Return the values of the free parameters, if there are some."""
    numbers = system.parameter_numbers("verify", parameters).tolist()
    return dict(zip(system.free, numbers, strict=True))


def _checks(
    system: System, comparisons: Iterable[tuple[str, float, Compare]], n_states: int, seed: int
) -> tuple[Check, ...]:
    states = list(_states(system, n_states, np.random.default_rng(seed)))
    checks = []
    for name, accepted, compare in comparisons:
        worst = 0.0
        for state in states:
            worst = _larger(worst, _attempt(compare, system, *state))
        checks.append(Check(name, worst, accepted))
    return tuple(checks)


def _attempt(compare: Compare, system: System, q: Array, v: Array, tau: Array) -> float:
    """Return the difference; NaN where a quantity does not exist, say of a singular system."""
    try:
        return compare(system, q, v, tau)
    except (PoinsotError, np.linalg.LinAlgError):
        return float("nan")


def _states(
    system: System, n_states: int, rng: np.random.Generator
) -> Iterator[tuple[Array, Array, Array]]:
    """Yield configurations, velocities and joint forces."""
    for _ in range(n_states):
        yield system.random(rng), rng.normal(size=system.nv), rng.normal(size=system.nv)


def _comparisons() -> Iterator[tuple[str, float, Compare]]:
    for method in METHODS:
        if method != "recursive":
            limit = METHODS[method].agreement
            yield f"mass matrix: recursive, {method}", limit, _formulation(method, "mass_matrix")
            yield f"bias: recursive, {method}", limit, _formulation(method, "bias")
            name = f"forward dynamics: recursive, {method}"
            yield name, limit, _formulation(method, "forward_dynamics")
    for backend in ("llvm", "rolled"):
        for quantity in _QUANTITIES:
            name = f"{quantity.replace('_', ' ')}: interpreter, {backend}"
            yield name, AGREEMENT, _backend(backend, quantity)
    yield "M is symmetric", AGREEMENT, _symmetry
    yield "M is positive definite (0: it is)", 0.0, _definiteness
    yield "vᵀ M v / 2 is the kinetic energy", AGREEMENT, _kinetic
    yield "forward of inverse dynamics", AGREEMENT, _identity
    yield "power of the forces is the rate of energy", DIFFERENCE, _power
    yield "gravity force is the gradient of energy", DIFFERENCE, _gradient
    yield "Jacobian gives the velocity", AGREEMENT, _velocity
    yield "rate of the Jacobian by differences", DIFFERENCE, _jacobian_rate
    yield "derivative of the joint forces by differences", DIFFERENCE, _derivative


def _formulation(method: str, quantity: str) -> Compare:
    """Return the comparison of a formulation with the recursive one, on floats."""

    def compare(system: System, q: Array, v: Array, tau: Array) -> float:
        mechanism = system.mechanism
        around = with_elements(mechanism, q, v, Surroundings.of(mechanism))
        arguments: dict[str, tuple[Any, ...]] = {
            "mass_matrix": (q,),
            "bias": (q, v, around),
            "forward_dynamics": (q, v, tau, around),
        }
        results = [
            np.asarray(METHODS[key].ways[quantity](mechanism, *arguments[quantity]), float)
            for key in (method, "recursive")
        ]
        if quantity == "forward_dynamics":
            return _as_forces(system, q, v, tau, *results)
        return _relative(*results)

    return compare


def _backend(backend: str, quantity: str) -> Compare:
    def compare(system: System, q: Array, v: Array, tau: Array) -> float:
        arguments = _arguments(quantity, q, v, tau)
        results = [
            getattr(system, quantity)(*arguments, backend=key) for key in (backend, "interpreter")
        ]
        if quantity == "forward_dynamics":
            return _as_forces(system, q, v, tau, *results)
        return _relative(*results)

    return compare


def _of_parameters(
    free: System, values: Mapping[str, float]
) -> Iterator[tuple[str, float, Compare]]:
    """Yield comparisons of values as inputs of kernels with the same values folded in."""

    def compared(quantity: str) -> Compare:
        def compare(system: System, q: Array, v: Array, tau: Array) -> float:
            arguments = _arguments(quantity, q, v, tau)
            given = getattr(free, quantity)(*arguments, parameters=values)
            folded = getattr(system, quantity)(*arguments)
            if quantity == "forward_dynamics":
                return _as_forces(system, q, v, tau, given, folded)
            return _relative(given, folded)

        return compare

    for quantity in _QUANTITIES if values else ():
        name = f"{quantity.replace('_', ' ')}: parameters as constants, as inputs"
        yield name, AGREEMENT, compared(quantity)


def _arguments(quantity: str, q: Array, v: Array, tau: Array) -> tuple[Array, ...]:
    return {"mass_matrix": (q,), "kinetic_energy": (q, v)}.get(quantity, (q, v, tau))


def _as_forces(system: System, q: Array, v: Array, tau: Array, x: Array, y: Array) -> float:
    """Return how much the forces of two accelerations differ, relative to those that act."""
    size = _largest(tau) + _largest(system.bias(q, v))
    return _largest(system.mass_matrix(q) @ (x - y)) / max(size, 1e-300)


def _symmetry(system: System, q: Array, v: Array, tau: Array) -> float:
    M = system.mass_matrix(q)
    return _relative(M, M.T)


def _definiteness(system: System, q: Array, v: Array, tau: Array) -> float:
    """Return 1 if the smallest eigenvalue is not positive, else 0."""
    eigenvalues = np.linalg.eigvalsh(system.mass_matrix(q))
    return 0.0 if np.all(eigenvalues > 0.0) else 1.0


def _kinetic(system: System, q: Array, v: Array, tau: Array) -> float:
    return _relative(np.array(0.5 * v @ system.mass_matrix(q) @ v), system.kinetic_energy(q, v))


def _identity(system: System, q: Array, v: Array, tau: Array) -> float:
    back = system.inverse_dynamics(q, v, system.forward_dynamics(q, v, tau))
    size = _largest(tau) + _largest(system.bias(q, v))
    return _largest(back - tau) / max(size, 1e-300)


def _power(system: System, q: Array, v: Array, tau: Array) -> float:
    """Compare the rate of energy along the motion with the power of drives, dampers and forces.

    Force elements count by their power, so their energy is left out.
    """
    mechanism = system.mechanism
    a, rate = system.forward_dynamics(q, v, tau), system.position_rate(q, v)
    damping = sum(
        v[part] @ body.joint.damping_matrix() @ v[part]
        for body, part in zip(system.bodies, mechanism.v_slices, strict=True)
    )
    # a step in which the motion changes by about STEP, however fast it is
    dt = STEP / max(1.0, _largest(v), _largest(a))

    def energy(t: float) -> float:
        kinetic = system.kinetic_energy(q + t * rate, v + t * a)
        stored = system.potential_energy(q + t * rate) - element_energy(mechanism, q + t * rate)
        return float(kinetic + stored)

    change = (energy(dt) - energy(-dt)) / (2 * dt)
    applied = sum(
        float(wrench @ system.velocity(system.body_names[i], q, v))
        for i, wrench in element_wrenches(mechanism, q, v, 0.0).items()
    )
    power = float(tau @ v) - float(damping) + applied
    size = abs(power) + abs(applied) + float(np.abs(tau) @ np.abs(v)) + abs(energy(0.0)) * 1e-9 / dt
    return abs(change - power) / max(size, 1e-300)


def _gradient(system: System, q: Array, v: Array, tau: Array) -> float:
    rate = system.position_rate(q, v)
    up, down = (system.potential_energy(q + s * STEP * rate, "gravity") for s in (1, -1))
    power = float(system.gravity_force(q) @ v)
    size = float(np.abs(system.gravity_force(q)) @ np.abs(v)) + float(abs(up)) * 1e-9 / STEP
    return abs(float(up - down) / (2 * STEP) - power) / max(size, 1e-300)


def _velocity(system: System, q: Array, v: Array, tau: Array) -> float:
    body = system.body_names[-1]
    return _relative(system.jacobian(body, q) @ v, system.velocity(body, q, v))


def _jacobian_rate(system: System, q: Array, v: Array, tau: Array) -> float:
    body, rate = system.body_names[-1], system.position_rate(q, v)
    up, down = (system.jacobian(body, q + s * STEP * rate) for s in (1, -1))
    expected = system.jacobian_rate(body, q, v)
    size = _largest(expected) + _largest(up)
    return _largest((up - down) / (2 * STEP) - expected) / max(size, 1e-300)


def _derivative(system: System, q: Array, v: Array, tau: Array) -> float:
    """Compare the derivative of the graph of inverse dynamics with differences along a motion."""
    mechanism, rate = system.mechanism, system.position_rate(q, v)
    state = [fresh_symbols(name, len(x)) for name, x in (("q", q), ("v", v), ("a", tau))]
    around = with_elements(mechanism, state[0], state[1], Surroundings.of(mechanism))
    forces = METHODS["recursive"].ways["inverse_dynamics"](mechanism, *state, around)
    seeds = dict(zip(state[0], rate.tolist(), strict=True))
    seeds |= dict(zip(state[1], tau.tolist(), strict=True))
    inputs = dict(zip("qva", state, strict=True))
    kernel = InterpreterKernel(build(inputs, {"rate": tangent(forces, seeds)}))
    derivative = np.empty((1, system.nv))
    kernel.run([q[None], v[None], tau[None]], [derivative])
    h = STEP / max(1.0, _largest(v), _largest(tau))
    up, down = (system.inverse_dynamics(q + s * h * rate, v + s * h * tau, tau) for s in (1, -1))
    size = _largest(derivative) + _largest(up) * 1e-9 / h
    return _largest((up - down) / (2 * h) - derivative[0]) / max(size, 1e-300)


def _relative(x: Array, y: Array) -> float:
    size = _largest(y)
    return _largest(x - y) / size if size else _largest(x)


def _largest(x: Array) -> float:
    return float(np.max(np.abs(x), initial=0.0))


def _larger(a: float, b: float) -> float:
    """Return the larger number, or NaN if one is."""
    return a if a >= b or a != a else b
