"""Design of planar mechanisms: recovered dimensions, exact derivatives, vanishing shaking force."""

import numpy as np
import pytest

import poinsot as ps
from poinsot.evaluate.followed_design import FollowedDesign
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


def plate_on_rods(drawn):
    """Return a triad on a crank, drawn or by its modes alone, and where it was drawn."""
    points = {"O": (0, 0), "A": (0.01, 0.02), "B": (0.45, 0.25), "C": (0.7, 0.3),
              "D": (0.5, 0.42), "P": (0.9, -0.1), "Q": (0.3, 0)}  # fmt: skip
    links = {"ground": "OPQ", "crank": "OA", "rod": "AB", "plate": "BCD", "left": "QD"}
    plate = ps.sketch(points, {**links, "right": "PC"}, drivers=["O"])
    start = plate.drawn
    if drawn:
        return plate, start
    bodies = {name: {key: x for key, x in body.items() if key != "pose"}
              for name, body in plate.description["bodies"].items()}  # fmt: skip
    blank = ps.PlanarMechanism.from_description(plate.description | {"bodies": bodies})
    right = plate.positions(start)["plate"]
    modes = next(
        modes
        for modes in blank.assemblies(start)
        if np.allclose(blank.with_modes(**modes).positions(start)["plate"], right)
    )
    return blank.with_modes(**modes), start


@pytest.mark.parametrize("drawn", [True, False])
@pytest.mark.parametrize("timed", [True, False])
def test_triads_find_their_own_path_again(drawn, timed):
    """Check a path of the plate of other dimensions, and that the result draws the same."""
    plate, start = plate_on_rods(drawn)
    q = start + np.linspace(0.0, 5.0, 14)[:, None]
    other = {"B.pa": np.array(plate.linkage.by_name["B"].pa) * 1.02,
             "P.pa": np.add(plate.linkage.by_name["P"].pa, (0.01, 0.02))}  # fmt: skip
    near = plate_on_rods(drawn=True)[0].positions(q)
    poses = plate.positions(q, dimensions=other, near=near)
    x, y, angle = poses["plate"].T
    targets = np.stack([x + 0.1 * np.cos(angle), y + 0.1 * np.sin(angle)], axis=-1)
    given = q if timed else q + 0.01
    found, result = plate.synthesise(
        "plate", targets, ["B.pa", "P.pa"], q=given, point=(0.1, 0.0), timed=timed
    )
    assert result.error < 1e-9 < 1e-3 < result.start
    assert np.allclose(found.positions(result.q)["plate"][:, 2], angle, atol=1e-5 if timed else 0.1)
    if timed:
        assert np.allclose(result.dimensions["P.pa"], other["P.pa"], atol=1e-7)
        swing = plate.synthesise("right", poses["right"][:, 2], ["B.pa", "P.pa"], q=q)[1]
        assert swing.error < 1e-9


def test_derivatives_of_triads_are_exact():
    """Check derivatives by places on both sides of joints, a moved point and q by differences."""
    plate, start = plate_on_rods(drawn=True)
    free = ["A.pa", "B.pb", "point", "P.pa", "A.ua"]
    kernel = FollowedDesign(plate.linkage, plate.modes, "plate", free, np.array([0.1, 0.2]))
    joints, h = plate.linkage.by_name, 1e-6
    x = np.array([*joints["A"].pa, *joints["B"].pb, 0.1, 0.2, *joints["P"].pa, 0.0])
    q = start + np.array([[0.0], [0.7]])
    slopes = kernel(x, q)[1]
    for k in range(10):
        step = h * np.eye(10)[k]
        ends = [kernel(x + s * step[:9], q + s * step[9:])[0] for s in (1, -1)]
        expected = (ends[0] - ends[1]) / (2 * h)
        assert np.allclose(expected, slopes[..., k], rtol=1e-6, atol=1e-7)
    assert np.all(np.linalg.norm(slopes[..., :8], axis=1) > 1e-3)


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
