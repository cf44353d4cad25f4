"""The stick figure on configurations whose points are known."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import poinsot as ps
from poinsot.front.planar_system import coordinates_of, pictured_system
from poinsot.library import balancing_robot, planar_linkage
from poinsot.plots.all_poses import FEW, all_poses
from poinsot.plots.inertia_boxes import CORNERS, FACES, box_axes
from poinsot.plots.skeleton import skeleton
from tests.plots.motions import cart, double_pendulum, satellite

DOWN = np.array([0.0, 0.0, -1.0])


def test_rods_join_the_joints_and_end_at_twice_the_mass_centre():
    """Check a double pendulum hanging down, and with its lower rod to the side."""
    figure = skeleton(double_pendulum(), np.array([[0.0, 0.0], [0.0, -np.pi / 2]]))
    assert_allclose(figure.rods[0], [[0 * DOWN, DOWN], [DOWN, 2 * DOWN]], atol=1e-15)
    # About y by -90 degrees, -z goes to x.
    assert_allclose(figure.rods[1, 1], [DOWN, (1.0, 0.0, -1.0)], atol=1e-15)
    assert figure.rod_bodies.tolist() == [0, 1]
    assert_allclose(figure.tips[:, 0], [2 * DOWN, (1.0, 0.0, -1.0)], atol=1e-15)
    assert_allclose(figure.coms[0], [0.5 * DOWN, 1.5 * DOWN], atol=1e-15)
    assert figure.boxes.shape == (2, 0, 8, 3)


def test_slider_is_a_box_whose_joint_stays_behind():
    """Check that the joint of a cart stays while its body and all it carries move."""
    figure = skeleton(cart(), np.array([[0.0, 0.0], [0.7, 0.0]]))
    assert figure.box_bodies.tolist() == [0]
    assert_allclose(figure.anchors[:, 0], [(0, 0, 0.2), (0, 0, 0.2)])
    assert_allclose(figure.origins[:, 0], [(0, 0, 0.2), (0.7, 0, 0.2)])
    assert_allclose(figure.rods[1], [[(0.7, 0, 0.2), (0.7, 0, 1.2)]])
    assert_allclose(figure.boxes[1] - figure.boxes[0], np.tile((0.7, 0, 0), (1, 8, 1)), atol=1e-15)


def test_blocks_in_slots_are_drawn_along_them():
    """Check edges of a block whose frame is askew to its slot, which closes a loop."""
    turn = planar_linkage("crank and slotted lever").turn(positions=12)
    linkage = turn.mechanism.linkage
    system, places = pictured_system(linkage), turn.positions
    q = coordinates_of(linkage, system, places, turn.velocities)[0]
    figure = skeleton(system, q)
    k = [system.bodies[i].name for i in figure.box_bodies].index("block")
    edges = figure.boxes[:, k, 4] - figure.boxes[:, k, 0]
    slot = places["arm"][:, 2] + linkage.by_name["slot"].ua
    assert linkage.by_name["slot"].beta % (np.pi / 2) > 0.1
    along = np.stack([np.cos(slot), np.sin(slot)], axis=-1)
    parallel = np.abs(np.sum(edges[:, :2] * along, axis=-1))
    assert_allclose(parallel, np.linalg.norm(edges, axis=-1), rtol=1e-12)


def test_free_body_is_the_box_of_its_inertia():
    """Check position and sides, and that the joint of a free body has no place of its own."""
    q = np.array([[5.0, 6.0, 7.0, 1.0, 0.0, 0.0, 0.0]])
    figure = skeleton(satellite(), q)
    assert_allclose(np.ptp(figure.boxes[0, 0], axis=0), (3.0, 2.0, 1.0))
    assert_allclose(figure.boxes[0, 0].mean(axis=0), (5.0, 6.0, 7.0))
    assert_allclose(figure.points()[0].mean(axis=0), (5.0, 6.0, 7.0))
    assert figure.rods.shape == (1, 0, 2, 3)


def test_branches_and_bodies_without_length():
    """Check one line a child, none for joints that lie on one another, no box inside a chain."""
    bodies = [
        ps.Body("trunk", mass=1.0),
        ps.Body("left", parent="trunk", joint=ps.Revolute("x"), pose=ps.Pose((0, 1, 0)), mass=1.0),
        ps.Body("arm", parent="left", joint=ps.Revolute("y"), mass=1.0, com=(0, 0, 1)),
        ps.Body("right", parent="trunk", joint=ps.Revolute("x"), pose=ps.Pose((0, -1, 0))),
    ]
    figure = skeleton(ps.System("tree", bodies), np.zeros((1, 3)))
    assert figure.rod_bodies.tolist() == [0, 0, 2]
    assert_allclose(figure.rods[0, :, 1], [(0, 1, 0), (0, -1, 0), (0, 1, 2)])
    assert figure.box_bodies.tolist() == [3], "a wheel without a rod is a box"
    assert figure.massive.tolist() == [True, True, True, False]


def test_moved_shifts_every_point():
    """Check that all points follow an offset for each configuration, and nothing else changes."""
    figure = skeleton(cart(), np.array([[0.0, 0.1], [0.2, 0.3]]))
    offset = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    moved = figure.moved(offset)
    assert_allclose(moved.points() - figure.points(), offset[:, None] + 0 * figure.points())
    assert_allclose(moved.coms - figure.coms, offset[:, None] + 0 * figure.coms)
    assert moved.rod_bodies.tolist() == figure.rod_bodies.tolist()


def test_box_has_the_inertia_of_its_body():
    """Check the principal moments of a solid box against those that it was made from."""
    rng = np.random.default_rng(5)
    turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    inertia = turn @ np.diag([5.0, 10.0, 13.0]) @ turn.T
    half = box_axes(ps.Body("b", mass=12.0, inertia=(inertia + inertia.T) / 2), default=1.0)
    # Of a solid box: the second moments are m h² / 3 along each half side h.
    second = 12.0 / 3.0 * half @ half.T
    assert_allclose(np.trace(second) * np.eye(3) - second, inertia, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("body", [ps.Body("point", mass=1.0), ps.Body("nothing")])
def test_box_without_inertia_is_a_cube(body):
    """Check the default of a body that says nothing about its size."""
    assert_allclose(box_axes(body, default=0.4), 0.2 * np.eye(3))


def test_faces_look_outside():
    """Check that corners go counterclockwise, seen from outside."""
    a, b, c = (CORNERS[FACES[:, i]] for i in range(3))
    normals = np.cross(b - a, c - b) / 4.0
    assert_allclose(normals, CORNERS[FACES].mean(axis=1))


def test_shapes_are_drawn_as_bars_and_rims():
    """Check the lines of a body with a capsule and a disc: no line from its origin, no box."""
    turn = ps.Pose((0.5, 0, 0), axis="y", angle=np.pi / 2)
    shapes = [
        ps.Capsule(0.01, 0.4, pose=turn),
        ps.Cylinder(0.2, 0.05, pose=ps.Pose((1, 0, 0))),
        ps.Box((9, 9, 9), role="collision"),
    ]
    body = ps.Body("b", joint=ps.Free(), mass=1.0, inertia=(1, 1, 1), shapes=shapes)
    system = ps.System("shaped", [body])
    figure = skeleton(system, np.array([[0, 0, 3, 1, 0, 0, 0.0]]))
    assert figure.boxes.shape[1] == 0
    assert_allclose(figure.rods[0, 0], [[0.3, 0, 3], [0.7, 0, 3]], atol=1e-15)
    rim = figure.rods[0, 1:]
    assert_allclose(np.linalg.norm(rim - [1, 0, 3], axis=-1), np.full(rim.shape[:2], 0.2))
    assert_allclose(rim[:, 1], np.roll(rim[:, 0], -1, axis=0), atol=1e-15)


def test_other_shapes_leave_the_stick_figure():
    """Check that a body with a box or a ball among its shapes is drawn as without any."""
    plain = ps.Body("b", joint=ps.Revolute("y"), mass=1.0, com=(0, 0, -1))
    shaped = ps.Body(
        "b", joint=ps.Revolute("y"), mass=1.0, com=(0, 0, -1),
        shapes=[ps.Capsule(0.01, 0.4), ps.Sphere(0.1)],
    )  # fmt: skip
    figures = [skeleton(ps.System("s", [one]), np.zeros((1, 1))) for one in (plain, shaped)]
    assert_allclose(figures[0].rods, figures[1].rods)


def test_poses_from_body_to_body_are_those_of_programs():
    """Compare few configurations with many, children listed before their parents too."""
    rng, placed = np.random.default_rng(5), ps.Pose((1, 2, 3), rpy=(0.1, 0.2, 0.3))
    rod = ps.Body("rod", joint=ps.Spherical(), pose=placed, mass=1.0)
    tip = ps.Body("tip", "rod", ps.Cylindrical("x"), ps.Pose((0, 0, -1)), mass=1.0)
    for system in (ps.System("turned", [tip, rod]), balancing_robot()):
        q = np.array([system.random(rng) for _ in range(FEW + 1)])
        expected = np.stack([system.pose(name, q) for name in system.body_names], axis=1)
        assert_allclose(all_poses(system, q), expected, atol=1e-15)
        assert_allclose(all_poses(system, q[:FEW]), expected[:FEW], atol=1e-14)
