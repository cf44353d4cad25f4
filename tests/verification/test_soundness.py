"""Quick checks of systems."""

import numpy as np
import pytest
from hypothesis import given, settings

import poinsot as ps
from poinsot.verification import soundness
from poinsot.verification.comparison import Check
from poinsot.verification.soundness import findings, motion_without_mass
from tests.random_examples import examples
from tests.strategies import cases


@settings(max_examples=examples(5))
@given(cases(15))
def test_random_trees_are_sound(case):
    """Check that no sound system is suspected: the random trees have positive definite M."""
    assert all(finding.ok for finding in findings(ps.System.from_mechanism(case.mechanism)))


@settings(max_examples=examples(5))
@given(cases(15))
def test_a_massless_leaf_is_found(case):
    """Check that a joint at the end which moves nothing is named, wherever it is."""
    m, i = case.mechanism, case.body()
    idle = ps.Body("idle", m.body_names[i], ps.Revolute("x"), ps.Pose(case.point()))
    system = ps.System(m.name, [*m.bodies, idle], gravity=m.gravity)
    assert motion_without_mass(system) == "idle"
    assert not all(finding.ok for finding in findings(system))


def massless_rod(loops):
    """Return a crank and a slider with a rod without mass between them."""
    bodies = [
        ps.Body("crank", joint=ps.Revolute("z"), mass=1.0, com=(0.1, 0, 0), inertia=(1, 1, 1)),
        ps.Body("rod", "crank", ps.Revolute("z"), ps.Pose((0.3, 0, 0))),
        ps.Body("slider", joint=ps.Prismatic("x"), mass=1.0),
    ]
    return ps.System("slider crank", bodies, loops=loops)


def test_what_constraints_hold_needs_no_mass():
    """Check a rod without mass, which the slider holds once the loop is closed."""
    pin = ps.Loop("pin", ("rod", ps.Pose((1, 0, 0))), ("slider", ps.Pose()), ps.Spherical())
    assert motion_without_mass(massless_rod([])) == "rod"
    assert motion_without_mass(massless_rod([pin])) is None


def test_disagreement_is_reported(monkeypatch):
    """Check that formulations which differ, or give NaN, are a problem."""
    arm = ps.System("arm", [ps.Body("arm", joint=ps.Revolute("y"), mass=1.0, com=(0, 0, 1))])
    for wrong in (1.0, np.nan):
        check = Check("planted", wrong, 1e-9)
        monkeypatch.setattr(soundness, "compare_formulations", lambda _, c=check: (c,))
        assert [finding.ok for finding in findings(arm)] == [True, False]


@pytest.mark.parametrize("n", [1, soundness.LARGEST + 1])
def test_what_is_left_out_is_said(n):
    """Check systems that do not move, and those that would take too long."""
    joint = ps.Fixed() if n == 1 else ps.Revolute("y")
    system = ps.System("many", [ps.Body(f"b{k}", joint=joint) for k in range(n)])
    (finding,) = findings(system)
    assert finding.ok is (True if n == 1 else None)
    assert finding.text.startswith("nothing moves" if n == 1 else "over")
