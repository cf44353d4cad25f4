"""Old names of keywords: an error says the new one."""

import inspect

import numpy as np
import pytest

import poinsot as ps
from poinsot.library import double_pendulum, four_bar, four_bar_configuration

Q = four_bar_configuration(0.7)
STILL = np.zeros(3)
OLD = {
    "simulate": lambda: ps.simulate(double_pendulum(), [0, 0], [0, 0], 1.0, method="dp5"),
    "inverse_dynamics": lambda: four_bar().inverse_dynamics(Q, STILL, STILL, actuated=["crank"]),
    "actuation": lambda: four_bar().actuation(Q, actuated=["crank"]),
    "assemble": lambda: four_bar().assemble(Q, keep=["crank"]),
    "assembly_modes": lambda: four_bar().assembly_modes(Q, keep=["crank"]),
    "consistent_velocity": lambda: four_bar().consistent_velocity(Q, STILL, keep=["crank"]),
    "mixed_dynamics": lambda: four_bar().mixed_dynamics(
        Q, STILL, a=STILL, tau=STILL, joints=[], given=["crank"]
    ),
}


@pytest.mark.parametrize("name", OLD)
def test_old_keywords_say_the_new_one(name):
    """Check that no old keyword is taken for anything else."""
    with pytest.raises(TypeError, match=rf"{name}.*(joints=|integrator=)"):
        OLD[name]()


def test_forces_are_not_taken_for_accelerations():
    """Check that arrays of one shape go by keyword where either may be meant."""
    with pytest.raises(TypeError, match="positional"):
        four_bar().reactions(Q, STILL, STILL)
    with pytest.raises(TypeError, match="positional"):
        four_bar().mixed_dynamics(Q, STILL, STILL, STILL, joints=["crank"])


def test_a_count_is_not_taken_for_seconds():
    """Check that ``save`` means seconds between states, also in ``drive``."""
    with pytest.raises(ps.ModelError, match="positions=200"):
        ps.drive(four_bar(), Q, {"crank": (Q[0], 2.0)}, save=200)
    with pytest.raises(TypeError, match="no longer states=200 but positions=200"):
        ps.drive(four_bar(), Q, {"crank": (Q[0], 2.0)}, states=200)
    study = ps.drive(four_bar(), Q, {"crank": (Q[0], 2.0)}, 2.0, save=1)
    assert study.t.tolist() == [0.0, 1.0, 2.0]


def test_unknown_loads_are_refused():
    """Check a keyword that is no load, on a method that takes loads by keyword."""
    with pytest.raises(TypeError, match=r"'wrench'.*'wrenches'"):
        four_bar().forward_dynamics(Q, STILL, wrench={"crank": np.zeros(6)})


@pytest.mark.parametrize("name", ["forward_dynamics", "inverse_dynamics", "bias", "reactions"])
def test_signatures_are_short(name):
    """Check that a signature fits on a line or two."""
    assert len(inspect.signature(getattr(ps.System, name)).parameters) <= 12


def test_keywords_that_a_method_does_not_have_are_named():
    """Check methods that take no external loads, and those whose result is no array."""
    with pytest.raises(TypeError, match=r"mass_matrix\(\).*'wrenches'"):
        four_bar().mass_matrix(Q, wrenches={})
    with pytest.raises(TypeError, match=r"constraint_residual\(\).*'base'"):
        four_bar().constraint_residual(Q, base=None)
    with pytest.raises(TypeError, match=r"multipliers\(\).*'out'"):
        four_bar().multipliers(Q, STILL, out=np.zeros(3))
    with pytest.raises(TypeError, match=r"evaluate|kinetic_energy\(\).*'drives'"):
        four_bar().evaluate("kinetic_energy", Q, STILL, drives={})
