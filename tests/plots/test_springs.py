"""Springs and dampers in pictures: their ends are the points they hold on to."""

import numpy as np
from numpy.testing import assert_allclose
from PIL import Image

import poinsot as ps
from poinsot.plots.skeleton import skeleton
from poinsot.plots.springs import coil, dashpot


def sprung(**more):
    rod = ps.Body("rod", joint=ps.Revolute("y"), mass=1, com=(0, 0, -0.5))
    spring = ps.Spring(("world", (1, 0, -1)), ("rod", (0, 0, -0.8)), **more)
    return ps.System("sprung", [rod], forces=[spring])


def test_ends_move_with_their_bodies():
    q = np.array([[0.0], [0.7]])
    figure = skeleton(sprung(stiffness=5.0), q)
    assert_allclose(figure.springs[:, 0, 0], [[1, 0, -1]] * 2)
    ends = [[0, 0, -0.8], [-0.8 * np.sin(0.7), 0, -0.8 * np.cos(0.7)]]
    assert_allclose(figure.springs[:, 0, 1], ends, atol=1e-12)
    assert np.all(np.isin(figure.springs.reshape(2, -1, 3), figure.points()))


def test_bodies_reach_to_their_springs():
    """Check points beside a rod, on it, inside of a box and beside it; the far ends stay."""

    def figure(joint, point, **more):
        body = ps.Body("body", joint=joint, mass=6.0, **more)
        spring = ps.Spring(("world", (2, 0, 0)), ("body", point), 5.0)
        return skeleton(ps.System("s", [body], forces=[spring]), np.zeros((1, 1)))

    beside = figure(ps.Revolute("y"), (0.5, 0, -0.5), com=(0, 0, -0.5))
    assert_allclose(beside.rods[0], [[(0, 0, 0), (0, 0, -1)], [(0, 0, 0), (0.5, 0, -0.5)]])
    assert beside.rod_bodies.tolist() == [0, 0]
    assert_allclose(beside.tips[0], [(0, 0, -1)])
    along = figure(ps.Revolute("y"), (0, 0, -0.7), com=(0, 0, -0.5))
    assert along.rods.shape[1] == 1
    cube = {"inertia": (1, 1, 1)}  # of side 1
    assert figure(ps.Prismatic("x"), (0.4, 0.4, 0), **cube).rods.shape[1] == 0
    load_inputs = figure(ps.Prismatic("x"), (0.4, 0.8, 0), **cube)
    assert_allclose(load_inputs.rods[0], [[(0, 0, 0), (0.4, 0.8, 0)]])
    assert load_inputs.box_bodies.tolist() == [0]


def test_springs_and_dampers_are_told_apart():
    for given, coiled, damped in (
        ({"stiffness": 5.0}, True, False),
        ({"stiffness": 5.0, "damping": 1.0}, True, True),
        ({"stiffness": 0.0, "damping": 1.0}, False, True),
    ):
        figure = skeleton(sprung(**given), np.zeros((1, 1)))
        assert (figure.coiled[0], figure.damped[0]) == (coiled, damped)
    table, ends = ps.Table([0, 1], [0, 1]), (("world", (1, 0, -1)), ("rod", (0, 0, -0.8)))
    for given, expected in (
        ({"spring": table}, (True, False)),
        ({"damper": table}, (False, True)),
        ({"spring": table, "damper": table}, (True, True)),
    ):
        force = ps.TabulatedSpring(*ends, **given)
        system = ps.System("tables", sprung(stiffness=1.0).bodies, forces=[force])
        figure = skeleton(system, np.zeros((1, 1)))
        assert (figure.coiled[0], figure.damped[0]) == expected


def test_drawings_begin_and_end_at_the_ends():
    start, end = np.array([10.0, 20.0]), np.array([200.0, 90.0])
    for beside in (False, True):
        lines = [coil(start, end)] if not beside else dashpot(start, end, beside=True)
        assert_allclose(lines[0][0], start)
        assert_allclose(lines[-1][-1], end)
    nowhere = coil(start, start)
    assert np.isfinite(nowhere).all()


def test_an_animation_shows_them(tmp_path):
    """Check that the picture has the colour of springs with them, and not without."""

    def brown(system):
        run = ps.simulate(system, [0.3], [0.0], 0.1)
        with Image.open(run.animate(tmp_path / "run.gif", fps=20).path) as film:
            pixels = np.asarray(film.convert("RGB"), dtype=int)
        near = np.abs(pixels - [0x7A, 0x5C, 0x2E]).max(axis=-1) < 24
        return int(near.sum())

    rod = ps.System("rod", sprung(stiffness=5.0).bodies)
    assert brown(sprung(stiffness=5.0)) > 50
    assert brown(rod) == 0
