"""ps.verify of planar mechanisms that come from systems: their laws, with what acts in time."""

import numpy as np
import pytest

import poinsot as ps
from tests.front.test_planar_any_system import drawn

LAWS = {
    "velocities: units, differences of positions",
    "vᵀ M v / 2 is the kinetic energy",
    "shaking force is the rate of momentum",
    "shaking moment is the rate of angular momentum",
    "forward of inverse dynamics",
}


@pytest.mark.parametrize("obeyed", ["nothing", "driven joint", "function", "knife edge", "rates"])
@pytest.mark.parametrize("closing", [None, "pin", "cardan"])
def test_mechanisms_of_systems_obey_the_laws(closing, obeyed):
    """Check chains and loops with force elements of time, constraints of time and on rates."""
    state, _ = drawn(5, closing, ["shaker", "pulse", "spring", "fan"], obeyed)
    mechanism = ps.PlanarMechanism.from_system(state.system, state.drivers, state.q, t=state.t)
    report = ps.verify(mechanism, n_states=2)
    assert report.ok, str(report)
    assert {check.name for check in report.checks} >= LAWS


def test_a_wrong_force_on_the_ground_is_seen(monkeypatch):
    """Check that a force on the ground that nothing explains makes the report not ok."""
    state, _ = drawn(5, "pin", ["shaker"], "driven joint")
    mechanism = ps.PlanarMechanism.from_system(state.system, state.drivers, state.q, t=state.t)
    right = ps.PlanarMechanism.shaking_force

    def wrong(self, *given, **options):
        return right(self, *given, **options) + np.array([1e-3, 0.0, 0.0])

    monkeypatch.setattr(ps.PlanarMechanism, "shaking_force", wrong)
    report = ps.verify(mechanism, n_states=2)
    assert [check.name for check in report.checks if not check.ok] == [
        "shaking force is the rate of momentum"
    ]
