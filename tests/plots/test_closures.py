"""Loops and constraints in pictures: their places are those of the bodies they hold."""

import numpy as np

import poinsot as ps
from poinsot.plots.skeleton import skeleton
from tests.assemble.four_bars import FOUR_BAR, by_trigonometry


def test_the_pin_of_a_loop_is_where_its_bodies_meet():
    q = np.array([by_trigonometry(angle, 1) for angle in (0.3, 0.8, 2.0)])
    figure = skeleton(FOUR_BAR, q)
    np.testing.assert_allclose(figure.pins[:, 0], np.tile([0.7, 0, 0], (3, 1)), atol=1e-12)
    np.testing.assert_allclose(figure.grounds[:, 0], figure.pins[:, 0], atol=1e-12)
    ends = figure.rods[:, figure.rod_bodies == 2, 1]
    np.testing.assert_allclose(ends[:, 0], figure.pins[:, 0], atol=1e-12)


def test_a_rod_without_mass_is_a_line_between_its_points():
    bodies = [ps.Body("a", joint=ps.Revolute("y"), mass=1, com=(0, 0, -1))]
    rod = ps.Distance("rod", ("a", (0, 0, -1)), ("world", (2, 0, 0)), 2.0)
    system = ps.System("tied", bodies, constraints=[rod])
    figure = skeleton(system, np.array([[0.0], [0.5]]))
    np.testing.assert_allclose(figure.ties[0, 0], [[0, 0, -1], [2, 0, 0]], atol=1e-12)
    np.testing.assert_allclose(figure.ties[1, 0, 0], [-np.sin(0.5), 0, -np.cos(0.5)], atol=1e-12)
