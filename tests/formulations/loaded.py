"""Random force elements on random trees, and what they amount to by Jacobians."""

import numpy as np

import poinsot as ps
from poinsot.formulations.forces import element_wrenches
from poinsot.model import Mechanism


def random_springs(case, n=4, *, damping=0.0, to_world=True):
    """Return springs between bodies drawn at random, every other one of length zero."""
    names, rng = case.mechanism.body_names, case.rng
    places = (*names, "world") if to_world else names
    springs = []
    while len(springs) < n and len(places) > 1:
        first, second = (places[k] for k in rng.choice(len(places), 2, replace=False))
        length = 0.0 if len(springs) % 2 else rng.uniform(0.1, 1.0)
        ends = (first, rng.uniform(-1, 1, 3)), (second, rng.uniform(-1, 1, 3) + 3.0)
        springs.append(ps.Spring(*ends, rng.uniform(1, 10), damping, length))
    return springs


def random_forces(case):
    """Return springs, constant forces and formula forces that depend on time."""
    names, rng = case.mechanism.body_names, case.rng
    some = [names[k] for k in rng.integers(len(names), size=4)]
    more = {"point": rng.uniform(-1, 1, 3)}
    return [
        *random_springs(case, damping=0.7),
        ps.ConstantForce(some[0], rng.normal(size=3), rng.normal(size=3), **more),
        ps.ConstantForce(some[1], rng.normal(size=3), rng.normal(size=3), axes="body", **more),
        ps.FormulaForce(some[2], ("sin(t)*x", "-vy", "exp(-z**2)"), ("cos(t)", 0, "vz"), **more),
        ps.FormulaForce(some[3], ("2*t", "abs(vx)", "y"), axes="body", **more),
    ]


def with_forces(m, forces):
    return Mechanism(m.name, m.bodies, m.gravity, forces)


def system_with(m, forces):
    return ps.System(m.name, m.bodies, gravity=m.gravity, forces=forces)


def generalized(m, q, v, t=0.0):
    """Return the joint forces that the elements amount to, by Jacobians: sum of Jᵀ F."""
    system = ps.System(m.name, m.bodies, gravity=m.gravity)
    total = np.zeros(m.nv)
    for i, wrench in element_wrenches(m, q, v, t).items():
        total += system.jacobian(m.body_names[i], q, backend="interpreter").T @ wrench
    return total


def slider(*forces):
    """Return a mass of 2 kg that slides along x without gravity."""
    body = ps.Body("mass", joint=ps.Prismatic("x"), mass=2.0)
    return ps.System("slider", [body], gravity=(0, 0, 0), forces=forces)
