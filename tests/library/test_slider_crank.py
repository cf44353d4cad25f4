"""The slider-crank against a reduction to one degree, a textbook and a published run."""

import json
from pathlib import Path

import mpmath
import numpy as np
import pytest
from numpy.testing import assert_allclose

import poinsot as ps
from poinsot.library import slider_crank, slider_crank_configuration
from tests.library.one_degree import acceleration, along

DATA = Path(__file__).parents[1] / "data"
CRANK, ROD, OFFSET, MASSES, G = 0.15, 0.4, 0.07, (1.0, 0.8, 1.5), 9.81


def case(id):
    cases = json.loads((DATA / "benchmarks.json").read_text(encoding="utf-8"))["cases"]
    return next(one for one in cases if one["id"] == id)


def points(s, branch):
    """Return crank pin and slider by x = r cos(s) ± sqrt(l² - (h - r sin(s))²)."""
    x, y = CRANK * mpmath.cos(s), CRANK * mpmath.sin(s)
    slider = x + branch * mpmath.sqrt(ROD**2 - (OFFSET - y) ** 2)
    return [(0, 0, 0), (x, y, 0), (slider, OFFSET, 0)]


@pytest.mark.parametrize(("s", "rate", "branch"), [(0.7, 4.0, 1), (2.5, -8.0, 1), (-1.9, 3.0, -1)])
def test_accelerations_are_those_of_one_degree(s, rate, branch):
    """Check closed form, rates and driven accelerations; the slider is a mass in a point."""
    system, torque = slider_crank(offset=OFFSET), 2.5
    rods = [(0, 1, MASSES[0]), (1, 2, MASSES[1]), (2, 2, MASSES[2])]
    second = acceleration(lambda x: points(x, branch), rods, s, rate, (0.0, -G, 0.0), drive=torque)

    def coordinates(x):
        _, pin, slider = points(x, branch)
        return [x, mpmath.atan2(slider[1] - pin[1], slider[0] - pin[0]) - x, slider[0]]

    q, v, a = along(coordinates, s, rate, second)
    ours = slider_crank_configuration(s, offset=OFFSET, branch=branch)
    assert_allclose(np.exp(1j * ours), np.exp(1j * q), atol=1e-13)
    assert_allclose(system.constraint_rate(ours, v), np.zeros(5), atol=1e-13)
    found = system.forward_dynamics(ours, v, [torque, 0.0, 0.0])
    assert_allclose(found, a, rtol=1e-11, atol=1e-10)
    driven = system.inverse_dynamics(ours, v, a, joints=["crank"])
    assert_allclose(driven, [torque, 0.0, 0.0], rtol=1e-9)


def test_textbook_positions():
    """Check Norton's offset slider-crank; his rod points from the slider to the crank."""
    example = case("kin-norton-fourbar")
    model, reference = example["model"]["slider"], example["reference"]
    for name, branch in (("slider_open", 1), ("slider_crossed", -1)):
        q = slider_crank_configuration(
            np.radians(model["theta2_deg"]), crank=model["crank"], rod_length=model["coupler"],
            offset=model["offset"], branch=branch,
        )  # fmt: skip
        assert_allclose(q[2], float(reference[name]["d"]), rtol=1e-12)
        back = np.degrees(np.angle(np.exp(1j * (q[0] + q[1] + np.pi))))
        assert_allclose(back, float(reference[name]["theta3_deg"]), rtol=1e-12)


def test_published_run():
    """Check a run from dead centre under a constant torque, without gravity."""
    example = case("slidercrank2d-a")
    model = example["model"]
    masses = tuple(model[f"{name}_mass"] for name in ("crank", "rod", "slider"))
    lengths = {"crank": model["crank_length"], "rod_length": model["rod_length"]}
    system = slider_crank(**lengths, masses=masses, g=model["g"])
    rows = np.array(example["reference"]["rows"])
    run = ps.simulate(
        system, slider_crank_configuration(model["theta0"], **lengths), np.zeros(3), rows[-1, 0],
        tau=[model["torque"], 0.0, 0.0], rtol=1e-10, save=rows[:, 0],
    )  # fmt: skip
    found = np.column_stack([run.t, run.q[:, 0], run.v[:, 0], run.q[:, 2]])
    assert_allclose(found[-len(rows) :], rows, atol=example["tolerance"]["abs"])


def test_mobility():
    """Check that the plane makes three of the pin's rows redundant."""
    mobility = slider_crank().mobility(slider_crank_configuration(0.5))
    assert (mobility.degrees, mobility.rank) == (1, 2)
    assert mobility.redundant == ("pin: translation z", "pin: rotation x", "pin: rotation y")


def test_a_rod_that_does_not_reach_is_refused():
    """Check that the message names rod and line."""
    with pytest.raises(ps.ModelError, match=r"rod of 0.4 m does not reach .* y = 0.9 m"):
        slider_crank_configuration(0.5, offset=0.9)
    with pytest.raises(ps.ModelError, match="branch"):
        slider_crank_configuration(0.5, branch=2)
