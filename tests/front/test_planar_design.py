"""Design of planar mechanisms: recovered dimensions, exact derivatives, vanishing shaking force."""

import numpy as np
import pytest

import poinsot as ps
from poinsot.evaluate.planar_design_kernel import DesignKernel
from poinsot.library import planar_linkage

FREE = ["B.pa", "C.pa", "point"]


def test_path_and_function_are_found_again():
    """Check that a four-bar finds the coupler curve and the swing of one with other dimensions."""
    bar = planar_linkage("four-bar")
    q = np.linspace(0.1, 6.0, 12)[:, None]
    joints = bar.linkage.by_name
    other = {"B.pa": np.array(joints["B"].pa) * 1.05, "C.pa": np.array(joints["C"].pa) * 0.97}
    poses = {
        link: pose[0]
        for link, pose in bar.positions(
            q, dimensions={name: value[None, None] for name, value in other.items()}
        ).items()
    }
    x, y, angle = poses["coupler"].T
    targets = np.stack([x + 0.2 * np.cos(angle), y + 0.2 * np.sin(angle)], axis=-1)
    found, result = bar.synthesise("coupler", targets, FREE, q=q, point=(0.19, 0.01))
    assert result.error < 1e-10 < 1e-3 < result.start
    assert np.allclose(found.positions(q)["rocker"][:, :2], poses["rocker"][:, :2], atol=1e-8)
    loose = bar.synthesise("coupler", targets, FREE, q=q + 0.05, point=(0.19, 0.01), timed=False)[1]
    assert loose.error < 1e-6
    swing = bar.synthesise("rocker", poses["rocker"][:, 2], ["B.pa", "C.pa"], q=q)[1]
    assert swing.error < 1e-10
    with pytest.raises(ps.ShapeError, match=r"targets must have the shape \(12, 2\)"):
        bar.synthesise("coupler", targets[:5], FREE, q=q, point=(0, 0))


def test_derivatives_are_exact():
    """Check derivatives of a coupler point against complex-free central differences."""
    bar = planar_linkage("slider-crank")
    kernel = DesignKernel(bar.linkage, bar.modes, "rod", ["B.pa", "guide.ua"], np.array([0.1, 0.2]))
    x, q, h = np.array([0.1, 0.01, 0.02]), np.array([[0.7]]), 1e-6
    slopes = kernel(x, q)[1][0]
    for k in range(4):
        step = h * np.eye(4)[k]
        ends = [kernel(x + s * step[:3], q + s * step[3:])[0][0] for s in (1, -1)]
        assert np.allclose((ends[0] - ends[1]) / (2 * h), slopes[:, k], rtol=1e-7, atol=1e-8)


def test_four_bar_with_two_counterweights_does_not_shake():
    """Check Berkof and Lowen's result, and that the weights of the links grow accordingly."""
    bar = planar_linkage("four-bar")
    quiet, result = bar.balanced({"crank": 0.05, "rocker": 0.1})
    assert result.after < 1e-12 * result.before
    q = np.linspace(0, 6, 9)[:, None]
    weights = sum(link.mass for link in quiet.linkage.links.values())
    force = quiet.shaking_force(q, 5 + 0 * q, 0 * q)
    assert np.allclose(force[:, :2], (0, -9.81 * weights), atol=1e-9)
    with pytest.raises(ps.ModelError, match="balanced: 'coupler' has no pin on the ground"):
        bar.balanced({"coupler": 0.1})
    with pytest.raises(ps.ModelError, match=r"distance of 'crank' \[m\] must be positive"):
        bar.balanced({"crank": 0.0})
