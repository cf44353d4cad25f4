"""What every run promises, on random systems: energy without dissipation, and constraints.

Energy drifts by at most 1e-8 of the largest kinetic energy in 10 s at the default tolerance, in
shorter runs by their part of it; positions miss the constraints by at most 1e-10, velocities by
1e-9, in every state that is stored or asked for.
"""

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import poinsot as ps
from tests.closed.random_closed import LOOPS, assume_well_posed, closed_cases
from tests.random_examples import examples
from tests.strategies import cases

DRIFT = 1e-9
"""Per second, of the largest kinetic energy."""
POSITION, VELOCITY = 1e-10, 1e-9
WORST_CONDITION = 1e5
"""Of the mass matrix."""
STEADY = (*LOOPS, "distance")
"""Constraints that do no work and do not end."""


def keeps_energy(run):
    """Assert that the energy drifts as little as promised."""
    energy, most = run.energy(), run.kinetic_energy().max()
    rounding = 1e-14 * np.abs(energy).max()
    assert np.abs(energy - energy[0]).max() <= DRIFT * run.t[-1] * most + rounding


@settings(max_examples=examples(4, at_length=300))
@given(cases(max_bodies=4, passive=False), st.floats(0.5, 3.0))
def test_trees_keep_their_energy(case, duration):
    """Random trees without springs and dampers, any joints."""
    system = ps.System.from_mechanism(case.mechanism)
    assume(system.nv)
    assume(np.linalg.cond(system.mass_matrix(case.q)) < WORST_CONDITION)
    run = ps.simulate(system, case.q, case.v, duration)
    assert run.status.ok
    keeps_energy(run)


@settings(max_examples=examples(3, at_length=200))
@given(closed_cases(max_bodies=3, max_closures=2, passive=False, kinds=STEADY))
def test_closed_systems_keep_energy_and_constraints(case):
    """Random closed systems, in every step, at times to store and in between."""
    assume_well_posed(case)
    system = ps.System.from_mechanism(case.mechanism)
    assume(system.nv)
    assume(np.linalg.cond(system.mass_matrix(case.q)) < WORST_CONDITION)
    assume(system.mobility(case.q).degrees)
    run = ps.simulate(system, case.q, case.v, 1.0)
    saved = ps.simulate(system, case.q, case.v, 1.0, save=0.03)
    times = np.linspace(0.0, run.t[-1], 40)
    for q, v in ((run.q, run.v), (saved.q, saved.v), run.at(times)):
        assert np.abs(system.constraint_residual(q)).max() <= POSITION
        assert np.abs(system.constraint_rate(q, v)).max() <= VELOCITY
    assert run.status.ok or "singular" in run.status.message
    keeps_energy(run)
