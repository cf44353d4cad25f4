"""``ps.verify``: consistency checks of a system."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike

from poinsot.assemble.closed_states import closed_states
from poinsot.errors import PoinsotError
from poinsot.evaluate.algorithms import algorithms_of, cheapest, rolled_form
from poinsot.evaluate.formulation import FORMULATIONS
from poinsot.evaluate.request import Request
from poinsot.evaluate.trace import is_small
from poinsot.expr import build, fresh_symbols, tangent
from poinsot.expr.rank import is_nearly_singular
from poinsot.expr.singularity import unheld_velocity
from poinsot.formulations.constrained.constraint_rows import with_closures
from poinsot.formulations.constrained.loop_coordinates import closure_energy
from poinsot.formulations.forces import element_energy, with_elements
from poinsot.formulations.recursive.inverse import inverse_dynamics
from poinsot.front.parameter_numbers import parameter_numbers, with_numbers
from poinsot.front.planar_mechanism import PlanarMechanism
from poinsot.front.system import System
from poinsot.kernels.interpreter import InterpreterKernel
from poinsot.model import Environment
from poinsot.model.checks import whole_number
from poinsot.spatial import Array
from poinsot.verification.comparison import (
    DIFFERENCE,
    SMALLEST,
    STEP,
    Check,
    Compare,
    Report,
    as_forces,
    forces_apart,
    largest,
    relative,
)
from poinsot.verification.constraint_checks import closed_comparisons
from poinsot.verification.derivative_checks import derivative_comparisons
from poinsot.verification.impact_checks import impact_comparisons
from poinsot.verification.joint_checks import joint_comparisons
from poinsot.verification.on_floats import OnFloats
from poinsot.verification.planar_checks import planar_comparisons
from poinsot.verification.planar_verify import verify_planar

AGREEMENT = 1e-11
"""Relative difference between two formulations or back ends.

Accelerations are compared by the forces M a that they stand for: the error of an acceleration
itself grows with the condition of M, whoever computes it.
"""

_QUANTITIES = ("mass_matrix", "inverse_dynamics", "forward_dynamics", "kinetic_energy")


def verify(
    system: System | PlanarMechanism, *, n_states: int = 3, seed: int = 0,
    q: ArrayLike | None = None, parameters: Mapping[str, float] | None = None,
) -> Report:  # fmt: skip
    """Compare all formulations, back ends and laws of mechanics on random states of a system.

    ``report.ok`` says whether everything agrees, ``print(report)`` shows the table.  Formulations
    run on floats; back ends are compared with each other, of large systems with loops the rolled
    forms only.  With free parameters, their values are folded in for these checks, and for some
    quantities compared with the same values as inputs.  States of systems with loops or constraints
    are assembled at t = 0; where none is found, the report says so and is not ok.

    Args:
        system: What to check; a planar mechanism is checked unit by unit, all over a turn, against
            its closed system; systems are checked by units too where they move in a plane, and
            ``report.left_out`` says where they are not.
        n_states: How many random states.
        seed: Of the random numbers.
        q: With loops or constraints: a configuration near which they can hold, shape (nq,).
        parameters: Values of free parameters by name; those with a number of their own may be left
            out.

    >>> import poinsot as ps
    >>> from poinsot.library import double_pendulum
    >>> report = verify(double_pendulum())
    >>> print(report)  # doctest: +ELLIPSIS
    double pendulum: 3 random states
    ...
      all agree
    >>> report.ok
    True
    """
    whole_number(n_states, 1, "verify: n_states")
    if isinstance(system, PlanarMechanism):
        return verify_planar(system, n_states, seed)
    values = _values(system, parameters)
    numeric = with_numbers(system, "verify", values)
    states = list(_states(numeric, n_states, np.random.default_rng(seed), q))
    note = "assembled so that all loops and constraints hold" if system.row_names else ""
    jacobian = OnFloats(numeric).constraint_jacobian
    if system.row_names and any(is_nearly_singular(jacobian(state[0])) for state in states):
        note += "; some are next to singular, where rounding grows: give q= near a regular one"
    left_out: tuple[str, ...] = ()
    if states:
        by_units = planar_comparisons(numeric, states, _formulation)
        left_out = by_units.left_out
        of_units = by_units.comparisons
        comparisons = (*_comparisons(numeric), *of_units, *_of_parameters(system, values))
        checks = _checks(numeric, comparisons, states)
    else:
        checks = (Check("states that obey the constraints", float("nan"), 0.0),)
        note = (
            "no configuration was found on which all loops and constraints hold; give q= near one, "
            "or ask system.assemble what is left open"
        )
    return Report(system.name, len(states), checks, note, left_out)


def compare_formulations(system: System, *, seed: int = 0) -> tuple[Check, ...]:
    """Return how well mass matrix and bias of all formulations agree at one random state.

    A subset of ``verify``, on floats, so nothing is compiled.  Free parameters have the
    numbers of their own.

    Args:
        system: What to check.
        seed: Of the random numbers.
    """
    comparisons = [
        (f"{quantity}: recursive, {method}", FORMULATIONS[method].agreement, compare)
        for method in FORMULATIONS
        if method != "recursive"
        for quantity in ("mass matrix", "bias")
        for compare in [_formulation(method, quantity.replace(" ", "_"))]
    ]
    numeric = with_numbers(system, "verify")
    states = list(_random_states(numeric, 1, np.random.default_rng(seed)))
    return _checks(numeric, comparisons, states)


def _values(system: System, parameters: Mapping[str, float] | None) -> dict[str, float]:
    """Return the values of the free parameters, if there are some."""
    numbers = parameter_numbers(system, "verify", parameters).tolist()
    return dict(zip(system.mechanism.parameter_inputs, numbers, strict=True))


def _checks(
    system: System,
    comparisons: Iterable[tuple[str, float, Compare]],
    states: Sequence[tuple[Array, Array, Array]],
) -> tuple[Check, ...]:
    checks = []
    asked = cast("System", OnFloats(system))
    for name, accepted, compare in comparisons:
        worst = 0.0
        for state in states:
            worst = _larger(worst, _attempt(compare, asked, *state))
        checks.append(Check(name, worst, accepted))
    return tuple(checks)


def _attempt(compare: Compare, system: System, q: Array, v: Array, tau: Array) -> float:
    """Return the difference; NaN where a quantity does not exist, say of a singular system."""
    try:
        return compare(system, q, v, tau)
    except (PoinsotError, np.linalg.LinAlgError):
        return float("nan")


def _states(
    system: System, n_states: int, rng: np.random.Generator, q: ArrayLike | None
) -> Iterator[tuple[Array, Array, Array]]:
    """Return configurations, velocities and joint forces that obey the constraints."""
    if not system.row_names:
        return _random_states(system, n_states, rng)
    near = None if q is None else np.asarray(q, float)
    return closed_states(system.mechanism, n_states, rng, near)


def _random_states(
    system: System, n_states: int, rng: np.random.Generator
) -> Iterator[tuple[Array, Array, Array]]:
    """Yield configurations, velocities and joint forces."""
    for _ in range(n_states):
        yield system.random(rng), rng.normal(size=system.nv), rng.normal(size=system.nv)


def _comparisons(system: System) -> Iterator[tuple[str, float, Compare]]:
    for method in FORMULATIONS:
        if method != "recursive":
            limit = FORMULATIONS[method].agreement
            yield f"mass matrix: recursive, {method}", limit, _formulation(method, "mass_matrix")
            yield f"bias: recursive, {method}", limit, _formulation(method, "bias")
            name = f"forward dynamics: recursive, {method}"
            yield name, limit, _formulation(method, "forward_dynamics")
    short = is_small(system.mechanism, "forward_dynamics") or not system.row_names
    for backend in ("llvm", "rolled") if short else ("rolled",):
        for quantity in _QUANTITIES:
            if backend == "rolled" and rolled_form(system.mechanism, quantity) is None:
                continue
            plain = "interpreter" if short else "floats"
            name = f"{quantity.replace('_', ' ')}: {plain}, {backend}"
            yield name, AGREEMENT, _backend(backend, quantity, plain)
    yield from impact_comparisons()
    yield from joint_comparisons(system)
    yield "M is symmetric", AGREEMENT, _symmetry
    yield "M is positive definite (0: it is)", 0.0, _definiteness
    yield "vᵀ M v / 2 is the kinetic energy", AGREEMENT, _kinetic
    yield "forward of inverse dynamics", AGREEMENT, _identity
    yield "power of the forces is the rate of energy", DIFFERENCE, _power
    yield "gravity force is the gradient of energy", DIFFERENCE, _gradient
    yield "Jacobian gives the velocity", AGREEMENT, _velocity
    yield "rate of the Jacobian by differences", DIFFERENCE, _jacobian_rate
    yield "derivative of the joint forces by differences", DIFFERENCE, _derivative
    yield from derivative_comparisons(system)
    if system.row_names:
        yield from closed_comparisons()


def _formulation(method: str, quantity: str) -> Compare:
    """Return the comparison of a formulation with the recursive one, on floats."""

    def compare(system: System, q: Array, v: Array, tau: Array) -> float:
        mechanism = system.mechanism
        environment = _environment(system, q, v)
        arguments: dict[str, tuple[Any, ...]] = {
            "mass_matrix": (q,),
            "bias": (q, v, environment),
            "forward_dynamics": (q, v, tau, environment),
        }
        algorithms = algorithms_of(mechanism, Request(quantity, method))
        compute = cheapest(mechanism, algorithms).compute
        result = np.asarray(compute(mechanism, *arguments[quantity]), float)
        results = result, getattr(system, quantity)(*_arguments(quantity, q, v, tau))
        if quantity == "forward_dynamics":
            return as_forces(system, q, v, tau, *results)
        return relative(*results)

    return compare


def _environment(system: System, q: Array, v: Array) -> Environment:
    """Return gravity and the loads of force elements and of springs and dampers in loops."""
    mechanism = system.mechanism
    environment = with_elements(mechanism, q, v, Environment.of(mechanism))
    return with_closures(mechanism, q, v, environment)


def _backend(backend: str, quantity: str, plain: str) -> Compare:
    def compare(system: System, q: Array, v: Array, tau: Array) -> float:
        arguments = _arguments(quantity, q, v, tau)
        results = [getattr(system, quantity)(*arguments, backend=key) for key in (backend, plain)]
        if quantity == "forward_dynamics":
            return as_forces(system, q, v, tau, *results)
        if quantity == "inverse_dynamics":
            return forces_apart(system, q, v, *results)
        return relative(*results)

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
                return as_forces(system, q, v, tau, given, folded)
            if quantity == "inverse_dynamics":
                return forces_apart(system, q, v, given, folded)
            return relative(given, folded)

        return compare

    for quantity in _QUANTITIES if values else ():
        name = f"{quantity.replace('_', ' ')}: parameters as constants, as inputs"
        yield name, AGREEMENT, compared(quantity)


def _arguments(quantity: str, q: Array, v: Array, tau: Array) -> tuple[Array, ...]:
    short = {"mass_matrix": (q,), "kinetic_energy": (q, v), "bias": (q, v)}
    return short.get(quantity, (q, v, tau))


def _symmetry(system: System, q: Array, v: Array, tau: Array) -> float:
    M = system.mass_matrix(q)
    return relative(M, M.T)


def _definiteness(system: System, q: Array, v: Array, tau: Array) -> float:
    """Return 1 if an unconstrained motion moves no mass, else 0."""
    J = system.constraint_jacobian(q) if system.row_names else np.zeros((0, system.nv))
    M = system.mass_matrix(q)
    return 0.0 if np.isfinite(M).all() and unheld_velocity(M, J) is None else 1.0


def _kinetic(system: System, q: Array, v: Array, tau: Array) -> float:
    return relative(np.array(0.5 * v @ system.mass_matrix(q) @ v), system.kinetic_energy(q, v))


def _identity(system: System, q: Array, v: Array, tau: Array) -> float:
    a = system.forward_dynamics(q, v, tau)
    back = system.inverse_dynamics(q, v, a)
    if system.row_names:  # forces that fight the constraints do not come back
        return as_forces(system, q, v, tau, system.forward_dynamics(q, v, back), a)
    size = largest(tau) + largest(system.bias(q, v))
    return largest(back - tau) / max(size, SMALLEST)


def _power(system: System, q: Array, v: Array, tau: Array) -> float:
    """Compare the rate of energy along the motion with the power of actuators, dampers and forces.

    Force elements and the springs of loops count by their power, so their energy is left out.
    Rheonomic constraints do work: -lam·dphi/dt.
    """
    mechanism = system.mechanism
    a, rate = system.forward_dynamics(q, v, tau), system.position_rate(q, v)
    damping = sum(
        v[v_slice] @ body.joint.damping_matrix() @ v[v_slice]
        for body, v_slice in zip(system.bodies, mechanism.v_slices, strict=True)
    )
    # a step in which the motion changes by about STEP, however fast it is
    dt = STEP / max(1.0, largest(v), largest(a))

    def energy(t: float) -> float:
        kinetic = system.kinetic_energy(q + t * rate, v + t * a)
        apart = element_energy(mechanism, q + t * rate) + closure_energy(mechanism, q + t * rate)
        return float(kinetic + system.potential_energy(q + t * rate) - apart)

    change = (energy(dt) - energy(-dt)) / (2 * dt)
    environment = _environment(system, q, v)
    applied = sum(
        float(wrench @ system.velocity(system.body_names[i], q, v))
        for i, wrench in environment.wrenches.items()
    )
    if environment.joint_forces is not None:
        applied += float(environment.joint_forces @ v)
    if system.row_names:
        drift = system.constraint_rate(q, np.zeros(system.nv))
        applied -= float(system.multipliers(q, v, tau).values @ drift)
    power = float(tau @ v) - float(damping) + applied
    stored = abs(energy(0.0)) + abs(float(system.potential_energy(q)))  # scale of rounding error
    size = abs(power) + abs(applied) + float(np.abs(tau) @ np.abs(v)) + stored * 1e-9 / dt
    return abs(change - power) / max(size, SMALLEST)


def _gradient(system: System, q: Array, v: Array, tau: Array) -> float:
    rate = system.position_rate(q, v)
    up, down = (system.potential_energy(q + s * STEP * rate, "gravity") for s in (1, -1))
    power = float(system.gravity_force(q) @ v)
    size = float(np.abs(system.gravity_force(q)) @ np.abs(v)) + float(abs(up)) * 1e-9 / STEP
    return abs(float(up - down) / (2 * STEP) - power) / max(size, SMALLEST)


def _velocity(system: System, q: Array, v: Array, tau: Array) -> float:
    body = system.body_names[-1]
    return relative(system.jacobian(body, q) @ v, system.velocity(body, q, v))


def _jacobian_rate(system: System, q: Array, v: Array, tau: Array) -> float:
    body, rate = system.body_names[-1], system.position_rate(q, v)
    up, down = (system.jacobian(body, q + s * STEP * rate) for s in (1, -1))
    expected = system.jacobian_rate(body, q, v)
    size = largest(expected) + largest(up)
    return largest((up - down) / (2 * STEP) - expected) / max(size, SMALLEST)


def _derivative(system: System, q: Array, v: Array, tau: Array) -> float:
    """Compare the symbolic derivative of the tree's forces with differences along a motion."""
    mechanism, rate = system.mechanism, system.position_rate(q, v)
    state = tuple(fresh_symbols(name, len(x)) for name, x in (("q", q), ("v", v), ("a", tau)))
    environment = _environment(system, state[0], state[1])
    forces = inverse_dynamics(mechanism, state[0], state[1], state[2], environment)
    moving, rates = np.concatenate(state[:2]), np.concatenate((rate, tau))
    inputs = dict(zip("qva", state, strict=True))
    kernel = InterpreterKernel(build(inputs, {"rate": tangent(forces, moving, rates)}))
    derivative = np.empty((1, system.nv))
    kernel.run([q[None], v[None], tau[None]], [derivative])
    h = STEP / max(1.0, largest(v), largest(tau))

    def tree_forces(s: float) -> Array:
        moved = q + s * h * rate
        total: Array = system.mass_matrix(moved) @ tau + system.bias(moved, v + s * h * tau)
        return total

    up, down = tree_forces(1.0), tree_forces(-1.0)
    size = largest(derivative) + largest(up) * 1e-9 / h
    return largest((up - down) / (2 * h) - derivative[0]) / max(size, SMALLEST)


def _larger(a: float, b: float) -> float:
    """Return the larger number, or NaN if one is."""
    return a if a >= b or a != a else b
