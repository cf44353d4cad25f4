"""Meshes are found in the folder of the model, or not at all."""

import os

import pytest

import poinsot as ps
from poinsot.errors import ModelWarning
from poinsot.io.meshes import MeshFolder


@pytest.fixture
def package(tmp_path):
    """Make a package robot with urdf/ and meshes/, beside a folder of somebody else."""
    folder = tmp_path / "robot"
    for name in ("urdf", "meshes"):
        (folder / name).mkdir(parents=True)
    (folder / "package.xml").write_text("<package/>")
    (folder / "meshes" / "arm.stl").write_text("")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "secret.stl").write_text("")
    return folder


@pytest.mark.parametrize(
    "path",
    ["package://robot/meshes/arm.stl", "../meshes/arm.stl", "package:///robot/meshes/arm.stl",
     "file://{folder}/meshes/arm.stl", "file://localhost{folder}/meshes/../meshes/arm.stl",
     "{folder}/meshes/arm.stl"],
)  # fmt: skip
def test_found_inside_the_package(package, path):
    found = MeshFolder(package / "urdf").find(path.format(folder=package))
    assert found == os.path.realpath(package / "meshes" / "arm.stl")


@pytest.mark.parametrize(
    ("path", "problem"),
    [
        ("../../other/secret.stl", "not inside"),
        ("package://robot/../other/secret.stl", "not inside"),
        ("package://other/secret.stl", "in no package 'other'"),
        ("file://{folder}/../other/secret.stl", "not inside"),
        ("file:///etc/passwd", "not inside"),
        ("/etc/passwd", "not inside"),
        ("file://elsewhere/arm.stl", "on the machine 'elsewhere'"),
        ("http://elsewhere/arm.stl", "http:// is not understood"),
        ("../meshes/out/secret.stl", "not inside"),
        ("../meshes/a\0b.stl", "null"),
        ("package://robot", "not inside"),
        ("..", "not inside"),
    ],
)
def test_what_leaves_the_package_is_not_found(package, path, problem):
    (package / "meshes" / "out").symlink_to(package.parent / "other")
    meshes = MeshFolder(package / "urdf")
    assert meshes.find(path.format(folder=package)) is None
    with pytest.warns(ModelWarning, match=problem):
        meshes.warn()


def test_without_a_package_the_folder_of_the_file_counts(tmp_path):
    """Check that a folder around it of the right name is not trusted."""
    (tmp_path / "shared" / "me").mkdir(parents=True)
    meshes = MeshFolder(tmp_path / "shared" / "me")
    assert meshes.find("arm.stl") == os.path.realpath(tmp_path / "shared" / "me" / "arm.stl")
    assert meshes.find("package://me/arm.stl") is not None
    assert meshes.find("../arm.stl") is None
    assert meshes.find("package://shared/you/arm.stl") is None
    with pytest.warns(ModelWarning, match=r"'../arm.stl' \(and 1 more\) is kept as text"):
        meshes.warn()


def test_files_of_both_kinds(package):
    """Check that load finds meshes and never needs them to be there."""
    urdf = package / "urdf" / "robot.urdf"
    urdf.write_text(
        '<robot name="r"><link name="a"><visual><geometry><mesh filename='
        '"package://robot/meshes/gone.stl" scale="1 2 3"/></geometry></visual></link></robot>'
    )
    (mesh,) = ps.load(urdf).bodies[0].shapes
    assert mesh == ps.Mesh("package://robot/meshes/gone.stl", (1, 2, 3))
    assert mesh.file == os.path.realpath(package / "meshes" / "gone.stl")
    own = package / "robot.json"
    ps.save(ps.load(urdf), own)
    assert ps.load(own).bodies[0].shapes[0].file == mesh.file
    far = package.parent / "robot.json"
    ps.save(ps.load(urdf), far)
    with pytest.warns(ModelWarning, match="robot.json: mesh 'package://robot"):
        (lost,) = ps.load(far).bodies[0].shapes
    assert (lost, lost.file) == (mesh, None)
