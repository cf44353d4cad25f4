"""The Panda that follows a path by computed torque: its error, and that of a wrong model."""

from dataclasses import replace

import numpy as np
import pytest

import poinsot as ps


@pytest.fixture(scope="module")
def arm(example):
    try:
        return example.panda()
    except ModuleNotFoundError:
        pytest.skip("pip install example-robot-data")


def test_the_arm_follows_the_path(example, arm):
    """Follow it exactly with the right model, and as the theory says with one of half the mass.

    With M' = M/2, h' = h/2 and the right damping the error obeys
    2 e'' + k_d e' + k_p e = a_d + M⁻¹ h, where -M⁻¹ h is what the joints do without any torque.
    """
    start = arm.neutral()
    run = ps.simulate(arm, start, np.zeros(arm.nv), 2.0, tau=example.law(arm))
    assert run.status.ok
    assert run.statistics.callback_calls == 0
    assert example.tracking_error(run) < 1e-10
    half = [
        replace(body, mass=body.mass / 2, inertia=np.array(body.inertia) / 2) for body in arm.bodies
    ]
    model = ps.System("half", half)
    run = ps.simulate(arm, start, np.zeros(arm.nv), 2.0, tau=example.law(model))
    wanted = [np.array(x) for x in zip(*(example.wanted(arm, t) for t in run.t), strict=True)]
    e, e_rate = wanted[0] - run.q, wanted[1] - run.v
    error_acceleration = wanted[2] - arm.forward_dynamics(run.q, run.v, run.tau())
    passive = arm.without_passive().forward_dynamics(run.q, run.v, np.zeros(arm.nv))
    left = 2 * error_acceleration + example.DAMPING * e_rate + example.STIFFNESS * e
    np.testing.assert_allclose(left, wanted[2] - passive, atol=1e-6)


def test_the_same_by_a_callback(example, arm):
    """Call the law from Python, as a law that cannot be traced is: the same motion, slowly."""
    start = arm.neutral()
    law = example.law(arm)
    traced, called = (
        ps.simulate(arm, start, np.zeros(arm.nv), 0.2, tau=tau) for tau in (law, ps.Callback(law))
    )
    assert called.statistics.callback_calls > 0
    np.testing.assert_allclose(called.q[-1], traced.q[-1], atol=1e-11)
