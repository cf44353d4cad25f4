"""Samples over time as parameters of a system: in its formulas, files and runs."""

import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose

import poinsot as ps
from poinsot.library import double_pendulum
from tests.formulations.loaded import slider

TIMES = np.linspace(0.0, 2.0, 41)
ROAD = ps.Signal(TIMES, np.sin(7 * TIMES) + 0.2 * np.cos(31 * TIMES))
GAIN = ps.Signal([0.0, 0.7, 1.1], [1.0, 4.0, 2.0], "hold")


def driven(**parameters):
    """Return a pendulum under formulas that contain samples."""
    pendulum = double_pendulum()
    first, second = pendulum.joint_names
    return ps.System(
        "driven", pendulum.bodies, gravity=pendulum.gravity,
        forces=[
            ps.JointForce(first, "gain*(road - q) - v"),
            ps.Motor(second, 3, 0.01, torque="k*road"),
            ps.FormulaForce(pendulum.body_names[1], ("road", 0, "-vz"), point=(0, 0, -0.2)),
        ],
        parameters={"road": ROAD, "gain": GAIN, "k": 0.5} | parameters,
    )  # fmt: skip


@pytest.mark.parametrize("method", ["recursive", "kane", "newton_euler"])
def test_formulas_see_the_samples_at_the_time(method):
    """Compare dynamics at times, one and many, with the numbers of the samples written in."""
    system = driven()
    q, v, tau = np.array([0.3, -0.4]), np.array([1.0, 2.0]), np.array([0.1, 0.2])
    for t in (0.0, 0.33, 0.7, 5.0):
        numbers = driven(road=float(ROAD(t)), gain=float(GAIN(t)))
        for name, arguments in (("bias", (q, v)), ("forward_dynamics", (q, v, tau))):
            one = getattr(system, name)(*arguments, t=t, method=method)
            assert_allclose(one, getattr(numbers, name)(*arguments, t=t), rtol=1e-12)
    times = np.array([[0.1, 0.2, 0.3], [0.8, 1.5, 9.0]])
    many = system.bias(q, v, t=times)
    assert many.shape == (2, 3, 2)
    assert_allclose(many[1, 1], system.bias(q, v, t=1.5), rtol=1e-13)
    assert_allclose(
        system.bias(q, v, t=0.4, parameters={"road": 2.0}),
        driven(road=2.0).bias(q, v, t=0.4),
        rtol=1e-13,
    )


def test_runs_look_them_up():
    """Compare a run of a system with samples with the same law given to simulate."""
    first, second = double_pendulum().joint_names
    pendulum = double_pendulum()
    law = [ps.JointForce(first, "gain*(road - q) - v"), ps.JointForce(second, "road")]
    system = ps.System(
        "driven", pendulum.bodies, gravity=pendulum.gravity, forces=law,
        parameters={"road": ROAD, "gain": GAIN},
    )  # fmt: skip
    start = ([0.1, 0.2], [0.0, 0.0])
    run = ps.simulate(system, *start, 2.0)
    same = ps.simulate(
        pendulum, *start, 2.0,
        tau=lambda t, q, v: [GAIN(t) * (ROAD(t) - q[0]) - v[0], ROAD(t)],
    )  # fmt: skip
    assert_allclose(run.q[-1], same.q[-1], atol=1e-9)
    assert np.abs(run.t[:, None] - [0.7, 1.1]).min(axis=0).max() < 1e-12
    q, v = same.at(run.t)
    assert_allclose(run.acceleration(), same.along(run.t, q, v).acceleration(), atol=1e-6)
    for again in (pickle.loads(pickle.dumps(run)),):
        assert np.array_equal(again.at(0.9)[0], run.at(0.9)[0])
    many = ps.simulate(system, [start[0], [0.0, 0.0]], start[1], 2.0, save=[2.0])
    assert_allclose(many[0].q[-1], run.q[-1], atol=1e-9)
    assert run.parameters == {}


@pytest.mark.parametrize("suffix", ["json", "toml"])
def test_files_hold_them(tmp_path, suffix):
    """Check the round trip of samples, and a saved run."""
    system, path = driven(), tmp_path / f"driven.{suffix}"
    ps.save(system, path)
    again = ps.load(path)
    assert again == system
    assert again.signals == {"road": ROAD, "gain": GAIN}
    run = ps.simulate(again, [0, 0], [0, 0], 0.5)
    back = ps.load_run(run.save(tmp_path / "run.npz"))
    assert np.array_equal(back.at(0.33)[0], run.at(0.33)[0])


def test_attached_systems_share_them():
    """Check that samples of a guest come along, and that two of a name must be the same."""
    gravity = double_pendulum().gravity
    law = ps.JointForce("mass", "gain")
    guest = ps.System(
        "guest", slider().bodies, gravity=gravity, forces=[law], parameters={"gain": GAIN}
    )
    both = driven().attach(guest, to="world", prefix="g/")
    assert both.signals == {"road": ROAD, "gain": GAIN}
    other = guest.with_parameters(gain=ROAD)
    with pytest.raises(ps.ModelError, match="'gain' has other samples"):
        driven().attach(other, to="world", prefix="g/")


def test_verify_takes_them_as_they_are_at_the_start():
    """Run all of verify on a system with samples."""
    report = ps.verify(driven())
    assert report.ok, str(report)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: driven(road=ps.Signal([0, 1], np.zeros((2, 2)))), "one number at a time"),
        (
            lambda: ps.System(
                "x", [ps.Body("a", joint=ps.Revolute(), mass=ps.symbols("m"))],
                parameters={"m": GAIN},
            ),
            "'m' is samples over time, and only formulas of forces",
        ),
        (
            lambda: ps.simulate(driven(), [0, 0], [0, 0], 1.0, parameters={"road": 1.0}),
            "'road' is samples over time",
        ),
        (
            lambda: ps.System(
                "x", slider().bodies,
                constraints=[ps.FormulaConstraint("c", "x - m", {"x": "mass"})],
                parameters={"m": GAIN},
            ),
            "'m' is samples over time",
        ),
        (
            lambda: ps.simulate(driven(), [0, 0], [0, 0], 1.0, integrator="symplectic", step=0.01),
            "samples of 1 from 0 to 2 s, 'linear'. has none",
        ),
    ],
)  # fmt: skip
def test_mistakes_are_named(make, message):
    """Check that samples are refused where nobody could look them up."""
    with pytest.raises(ps.PoinsotError, match=message):
        make()


def test_other_samples_and_numbers_in_their_place():
    """Check that with_parameters changes samples, and takes a number for them."""
    system, q = driven(), ([0.1, 0.2], [0.0, 0.0])
    other = system.with_parameters(road=ps.Signal([0, 1], [3.0, 3.0]))
    assert_allclose(other.bias(*q, t=0.5), driven(road=3.0).bias(*q, t=0.5), rtol=1e-13)
    assert system.with_parameters(road=3.0).signals == {"gain": GAIN}
