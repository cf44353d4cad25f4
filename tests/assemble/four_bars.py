"""The planar four-bar, and where it is by trigonometry."""

import numpy as np

import poinsot as ps

LENGTHS = (0.3, 0.8, 0.6)
GROUND = 0.7


def rod(name, parent, x, length):
    """Return a uniform rod along x that turns about z."""
    inertia = length**2 / 12
    return ps.Body(
        name,
        parent,
        ps.Revolute("z"),
        ps.Pose((x, 0, 0)),
        mass=1.0,
        com=(length / 2, 0, 0),
        inertia=(1e-3, inertia, inertia),
    )


def four_bar(lengths=LENGTHS, ground=GROUND):
    """Return a planar four-bar whose last pin is a loop."""
    a, b, c = lengths
    bodies = [rod("a", "world", 0, a), rod("b", "a", a, b), rod("c", "b", b, c)]
    pin = ps.Loop("pin", ("world", (ground, 0, 0)), ("c", (c, 0, 0)), ps.Revolute("z"))
    return ps.System("four-bar", bodies, gravity=(0, -9.81, 0), loops=[pin])


FOUR_BAR = four_bar()


def by_trigonometry(angle, side, lengths=LENGTHS, ground=GROUND):
    """Return q of the four-bar with the coupler on one side (1 or -1) of the diagonal."""
    a, b, c = lengths
    B = a * np.array([np.cos(angle), np.sin(angle)])
    BD = np.array([ground, 0.0]) - B
    d = np.hypot(*BD)
    bend = np.arccos((b**2 + d**2 - c**2) / (2 * b * d))
    coupler = np.arctan2(BD[1], BD[0]) + side * bend
    C = B + b * np.array([np.cos(coupler), np.sin(coupler)])
    rocker = np.arctan2(-C[1], ground - C[0])
    return np.array([angle, coupler - angle, rocker - coupler])
