"""Robots with their meshes, and closed mechanisms with made links, as pages show them."""

import warnings
from importlib import metadata
from pathlib import Path

import numpy as np
import pytest

import poinsot as ps
from poinsot import library
from poinsot.front.drawable_system import pictured
from poinsot.model import Mesh
from poinsot.viewer.made_scene import scene_of
from poinsot.viewer.page import Motion, page_html
from poinsot.viewer.scene import body_poses

long = pytest.mark.long

ROBOTS = {
    "ur_description/urdf/ur5_robot.urdf": (0.85, 1.1),
    "xarm_description/urdf/xarm7.urdf": (0.55, 0.75),  # folded: 0.267 m + 0.293 m to its elbow
    "solo_description/robots/solo12.urdf": (0.3, 0.6),
    "allegro_hand_description/urdf/allegro_right_hand.urdf": (0.15, 0.35),
    "go2_description/urdf/go2.urdf": (0.5, 0.9),
    "panda_description/urdf/panda.urdf": (0.9, 1.3),
    "talos_data/robots/talos_reduced.urdf": (1.6, 1.9),
    "anymal_c_simple_description/urdf/anymal.urdf": (0.8, 1.3),
    "tiago_pro_description/robots/tiago_pro.urdf": (1.1, 1.9),
    "g1_description/urdf/g1_29dof_rev_1_0.urdf": (1.1, 1.4),
}
"""Files of example-robot-data, and between which lengths the longest side of each robot is [m]."""

QUICK = 5
"""So many of them are read in every run of the tests."""

MECHANISMS = ("four_bar", "jansen_leg", "stewart_platform", "delta_robot", "scissor_lift")


def robot_file(name):
    """Return the file of a robot, or skip."""
    try:
        package = metadata.distribution("example-robot-data")
    except metadata.PackageNotFoundError:
        pytest.skip("pip install example-robot-data")
    file = Path(package.locate_file("cmeel.prefix/share/example-robot-data/robots"), name)
    if not file.exists():
        pytest.skip(f"this example-robot-data has no {name}")
    return file


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[long] * (k >= QUICK)) for k, name in enumerate(ROBOTS)]
)
def test_robots_have_all_their_meshes(name):
    """Read every visual mesh; the robot is as large as its maker says, and the page not large."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ps.ModelWarning)
        system = ps.load(robot_file(name))
    q = system.neutral()[None]
    with warnings.catch_warnings():
        warnings.simplefilter("error", ps.ModelWarning)  # a mesh that is not shown
        scene = scene_of(system, q)
    points = []
    for shown, body in zip(scene.bodies, system.bodies, strict=True):
        shapes = [shape for shape in body.shapes if shape.role == "visual"]
        files = {shape.file for shape in shapes if isinstance(shape, Mesh)}
        meshes = [solid for solid in shown.solids if solid.kind == "mesh"]
        assert None not in files
        assert shapes or not shown.solids  # what has no shapes is within the meshes of others
        assert len(meshes) >= len(files)
        pose = system.pose(body.name, q[0])
        for solid in meshes:
            own = scene.meshes[solid.mesh][0] * solid.size
            placed = own @ solid.pose[:3, :3].T + solid.pose[:3, 3]
            points.append(placed @ pose[:3, :3].T + pose[:3, 3])
    low, high = ROBOTS[name]
    assert low < np.ptp(np.concatenate(points), axis=0).max() < high
    page = page_html(scene, [Motion(system.name, np.zeros(1), body_poses(system, q))])
    assert len(page) < 20e6


@pytest.mark.parametrize("name", MECHANISMS)
def test_closed_mechanisms_have_links_between_their_joints(name):
    """Every body is seen, and where a loop closes there is a pin or a ball."""
    system, q = pictured(getattr(library, name)())
    scene = scene_of(system, q[None])
    for shown, body in zip(scene.bodies, system.bodies, strict=True):
        assert shown.solids, body.name
    for loop in system.mechanism.loops:
        holder, pose = loop.second
        if holder == "world":
            continue
        solids = scene.bodies[system.mechanism.index(holder)].solids
        gaps = [np.linalg.norm(solid.pose[:3, 3] - np.array(pose.xyz, float)) for solid in solids]
        assert min(gaps) < 1e-9, loop.name
