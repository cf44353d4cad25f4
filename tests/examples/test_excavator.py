"""The excavator on hydraulic cylinders: energies, rest, and a batch of a thousand loads."""

import numpy as np


def test_energy_that_flows_in_is_found_again(example):
    """Check the balance of a lift to 1e-9 of the work done, and that it lifts."""
    system = example.excavator()
    run = example.lift(system, 800.0)
    assert run.states["supplied"][-1] > 1e4
    assert example.imbalance(run) < 1e-9
    gravity = 9.81 * 800.0 * np.ptp(run.pose("bucket")[:, 2, 3])
    assert run.states["supplied"][-1] > gravity > 1e3
    before = run.t < 0.2  # the valve is closed, and pressures carry the arm
    assert np.ptp(run.q[before], axis=0).max() < 1e-9


def test_a_thousand_loads(example):
    """Lift a thousand loads at once: each as alone, the balance of all closes."""
    system = example.excavator()
    loads = np.linspace(0.0, 2000.0, 1000)
    runs = example.lift(system, loads, save=0.5)
    assert runs.ok.all()
    assert example.imbalance(runs) < 1e-9
    alone = example.lift(system, loads[500], save=0.5)
    np.testing.assert_array_equal(runs[500].q, alone.q)
    peak = runs.states["lift_a"].max(axis=-1)
    assert (np.diff(peak) > 0.0).all()
