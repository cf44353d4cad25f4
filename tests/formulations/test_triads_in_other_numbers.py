"""Triads as expressions of poses nearby, evaluated in many digits and in complex numbers."""

import cmath
import operator

import mpmath
import numpy as np

import poinsot as ps
from poinsot.expr import Op, build, symbol_array
from poinsot.formulations.composable.nearby_positions import (
    followed_links,
    linkage_size,
    nearby_positions,
)
from poinsot.formulations.composable.plane import plain

ARITHMETIC = {Op.ADD: operator.add, Op.SUB: operator.sub, Op.MUL: operator.mul,
              Op.DIV: operator.truediv, Op.NEG: operator.neg}  # fmt: skip
IN_DIGITS = ARITHMETIC | {Op.SIN: mpmath.sin, Op.COS: mpmath.cos, Op.SQRT: mpmath.sqrt}
IN_COMPLEX = ARITHMETIC | {Op.SIN: cmath.sin, Op.COS: cmath.cos, Op.SQRT: cmath.sqrt}


def plate():
    """Return a plate on three rods, a crank before it."""
    points = {"O": (0, 0), "A": (0.01, 0.02), "B": (0.45, 0.25), "C": (0.7, 0.3),
              "D": (0.5, 0.42), "P": (0.9, -0.1), "Q": (0.3, 0)}  # fmt: skip
    links = {"ground": "OPQ", "crank": "OA", "rod": "AB", "plate": "BCD", "left": "QD"}
    return ps.sketch(points, {**links, "right": "PC"}, drivers=["O"])


def poses_in(mechanism, q, meaning, number):
    """Return poses of the links from floats nearby, in an arithmetic."""
    linkage, x = mechanism.linkage, symbol_array("q", (1,))
    known = mechanism.positions([float(complex(q).real)])
    near = {name: known[name] for name in followed_links(linkage)}
    nearby = nearby_positions(linkage, x, mechanism.modes, near, linkage_size(linkage)).poses
    program = build({"q": x}, {name: plain(nearby[name]) for name in linkage.links})
    values = [q, *map(number, program.constants)]
    for op, arguments in program.steps:
        values.append(meaning[op](*(values[a] for a in arguments)))
    results = [values[k] for k in program.results]
    return {name: results[3 * i : 3 * i + 3] for i, name in enumerate(linkage.links)}


def test_forty_digits_close_the_bars():
    """Check that pins are as far from each other as on their links, to forty digits."""
    mechanism = plate()
    with mpmath.workdps(45):
        poses = poses_in(mechanism, mpmath.mpf(float(mechanism.drawn[0])), IN_DIGITS, mpmath.mpf)
        poses |= {mechanism.linkage.frame: (mpmath.mpf(0),) * 3}
        for joint in mechanism.linkage.joints:
            ends = []
            for link in (joint.a, joint.b):
                x, y, angle = poses[link]
                s, c = mpmath.sin(angle), mpmath.cos(angle)
                u, w = map(mpmath.mpf, map(float, joint.point(link)))
                ends.append((x + c * u - s * w, y + s * u + c * w))
            gaps = [abs(a - b) for a, b in zip(*ends, strict=True)]
            assert max(gaps) < mpmath.mpf(10) ** -40


def test_complex_steps_are_velocities():
    """Check derivatives of all poses against the linear equations of velocities."""
    mechanism = plate()
    q, h = float(mechanism.drawn[0]), 1e-30
    poses = poses_in(mechanism, complex(q, h), IN_COMPLEX, complex)
    for link, rate in mechanism.velocities([q], [1.0]).items():
        if link in poses:
            assert np.allclose(np.imag(poses[link]) / h, rate, rtol=1e-11, atol=1e-12)
