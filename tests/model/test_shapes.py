"""Shapes: data on bodies, checked and hashable."""

import pytest

import poinsot as ps

SHAPES = [
    ps.Box((1, 2, 3)),
    ps.Sphere(0.5),
    ps.Cylinder(0.5, 2),
    ps.Capsule(0.5, 2),
    ps.Mesh("meshes/arm.stl", (0.001, 0.001, 0.001)),
]


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.kind)
def test_shapes_are_values(shape):
    """Check equality, hash and the defaults that all share."""
    body = ps.Body("arm", shapes=[shape])
    assert body == ps.Body("arm", shapes=(shape,))
    assert hash(body) == hash(ps.Body("arm", shapes=(shape,)))
    assert body != ps.Body("arm")
    assert (shape.pose, shape.color, shape.role) == (ps.Pose(), None, "visual")


def test_a_capsule_is_no_cylinder():
    assert ps.Capsule(1, 2) != ps.Cylinder(1, 2)


def test_where_a_mesh_is_does_not_count():
    assert ps.Mesh("a.stl", file="/here/a.stl") == ps.Mesh("a.stl")


@pytest.mark.parametrize(
    ("color", "stored"),
    [("#4477AA", "#4477aa"), ("#4477aa80", "#4477aa80"), ((0, 0.5, 1), "#0080ff"),
     ((1, 1, 1, 0), "#ffffff00"), (None, None)],
)  # fmt: skip
def test_colors(color, stored):
    assert ps.Sphere(1, color=color).color == stored


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: ps.Box((1, 2)), "box: size must have 3 numbers"),
        (lambda: ps.Box((1, 2, -3)), "box: size must not be negative"),
        (lambda: ps.Sphere(-1), "sphere: radius must not be negative, got -1"),
        (lambda: ps.Sphere(float("nan")), "sphere: radius must be finite"),
        (lambda: ps.Cylinder(1, "long"), "cylinder: length must be real numbers"),
        (lambda: ps.Capsule(1, -1), "capsule: length must not be negative"),
        (lambda: ps.Mesh(""), "mesh: path must not be empty"),
        (lambda: ps.Sphere(1, color="red"), "sphere: color must be '#rrggbb'"),
        (lambda: ps.Sphere(1, color=(0, 0, 255)), "3 or 4 numbers from 0 to 1"),
        (lambda: ps.Sphere(1, role="visuals"), "got 'visuals'; did you mean 'visual'"),
        (lambda: ps.Sphere(1, pose=(0, 0, 1)), "sphere: pose must be a Pose"),
        (lambda: ps.Body("a", shapes=ps.Sphere(1)), "body 'a': shapes must be a list"),
        (lambda: ps.Body("a", shapes=["box"]), "body 'a': shapes must be Box, Sphere"),
    ],
)
def test_wrong_shapes_are_named(make, message):
    with pytest.raises(ps.ModelError, match=message):
        make()
