"""The heavy top: precession in closed form, and the published benchmark."""

import json
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

import poinsot as ps
from poinsot.library import heavy_top

G = 9.81
A, C, MGL = 15.234375, 0.46875, 15.0 * G
BENCHMARKS = Path(__file__).parents[1] / "data" / "benchmarks.json"


def leaning(angle):
    """Return the quaternion of a top that leans by this angle about x."""
    return np.array([np.cos(angle / 2), np.sin(angle / 2), 0.0, 0.0])


@pytest.mark.parametrize("root", [0, 1])
def test_steady_precession(root):
    """Check that both rates of A cos W² - C n W + m g l = 0 keep the top at its angle."""
    angle, spin = 0.6, 400.0
    W = np.roots([A * np.cos(angle), -C * spin, MGL])[root]
    # W about the vertical in the axes of the top, and the rest of the spin about its own axis.
    v = [0.0, W * np.sin(angle), spin]
    system = heavy_top()
    a = system.forward_dynamics(leaning(angle), v)
    # The components turn with (W cos - spin) about the axis of the top, seen from the top.
    rate = W * np.cos(angle) - spin
    assert_allclose(a, [rate * -v[1], 0.0, 0.0], rtol=1e-9, atol=1e-9 * abs(rate * v[1]))


def test_fast_top_precesses_at_the_textbook_rate():
    """Check W = m g l / (C n) within the next term of its series, over a thousandth of a turn."""
    spin, angle = 2e4, 0.8
    system = heavy_top()
    expected = MGL / (C * spin)
    duration = 1e-3 * 2 * np.pi / expected
    W = np.roots([A * np.cos(angle), -C * spin, MGL]).min()
    run = ps.simulate(system, leaning(angle), [0.0, W * np.sin(angle), spin], duration, rtol=1e-10)
    before, after = (system.pose("top", q)[:3, 2] for q in (run.q[0], run.q[-1]))
    turned = np.arctan2(after[1], after[0]) - np.arctan2(before[1], before[0])
    assert_allclose(turned / run.t[-1], expected, rtol=1e-3)
    assert_allclose(after[2], np.cos(angle), atol=1e-8)


def test_benchmark_energy_and_momentum():
    """Check energy and vertical momentum of the benchmark, whose axis is y instead of z."""
    case = next(
        case
        for case in json.loads(BENCHMARKS.read_text(encoding="utf-8"))["cases"]
        if case["id"] == "heavytop"
    )
    _, spin, w3 = case["model"]["omega0_body"]
    system = heavy_top()
    # Turned by -90° about x the axis z of the top lies along the world's y.
    q, v = leaning(-np.pi / 2), [0.0, -w3, spin]
    energy = system.kinetic_energy(q, v) + system.potential_energy(q)
    assert_allclose(energy, case["reference"]["energy"], rtol=1e-12)
    assert_allclose(system.momentum(q, v)[5], case["reference"]["Lz"], rtol=1e-12)
