"""Andrews' squeezer against the values of the literature."""

import numpy as np
from numpy.testing import assert_allclose

import poinsot as ps
from poinsot.library import andrews_squeezer, andrews_squeezer_configuration
from tests.library.published import case

EXAMPLE = case("andrews-t003")
SQUEEZER = andrews_squeezer()


def numbers(texts):
    return np.array(texts, dtype=float)


def forces(q, v):
    """Return the forces on K3, K4 and K6 in the common pin, which are the published multipliers."""
    wrenches = SQUEEZER.reactions(q, v, axes="world")
    return np.concatenate([wrenches[name][:2] for name in ("E3", "E4", "E6")])


def test_start():
    """Check that the start is the published one and closed, its accelerations and multipliers."""
    q, v = andrews_squeezer_configuration(), np.zeros(7)
    assert_allclose(q, numbers(EXAMPLE["model"]["q0"]), atol=1e-14)
    assert_allclose(SQUEEZER.constraint_residual(q), np.zeros(15), atol=1e-16)
    initial = EXAMPLE["reference"]["initial"]
    assert_allclose(SQUEEZER.forward_dynamics(q, v), numbers(initial["qdd"]), atol=1e-6)
    assert_allclose(forces(q, v), numbers(initial["lam"]), atol=1e-9)


def test_published_end():
    """Check accelerations and multipliers at the published end of the run."""
    end = {key: numbers(values) for key, values in EXAMPLE["reference"]["refined_t003"].items()}
    size = np.abs(end["qdd"]).max()
    assert_allclose(SQUEEZER.forward_dynamics(end["q"], end["qd"]), end["qdd"], atol=1e-9 * size)
    assert_allclose(forces(end["q"], end["qd"]), end["lam"], rtol=1e-7)


def test_published_run():
    """Check the run to t = 0.03 s, in which the crank makes two turns and a half."""
    example, end = EXAMPLE["tolerance"], EXAMPLE["reference"]["refined_t003"]
    q0 = andrews_squeezer_configuration()
    run = ps.simulate(SQUEEZER, q0, np.zeros(7), EXAMPLE["model"]["t_end"], rtol=1e-10)
    assert run.status.ok
    assert_allclose(run.q[-1], numbers(end["q"]), atol=example["angles_abs_vs_refined"])
    size = np.abs(numbers(end["qd"])).max()
    within = example["velocities_rel_vs_refined"] * size
    assert_allclose(run.v[-1], numbers(end["qd"]), atol=within)
