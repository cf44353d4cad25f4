"""Nearness of a rank change in exported code: what the calls of Python warn by."""

import ctypes
import shutil
import subprocess

import numpy as np
import pytest
from numpy.testing import assert_allclose

import poinsot as ps
from tests.front.test_rank_changes import REST, folding, nearby, warned

ANGLES = (0.7, -1.1, 2.0, 1e-3, 2e-4, 2e-5, 1e-6, 0.0, np.pi, np.pi - 1e-5)


def python_warns(system, q):
    """Say whether derivatives of accelerations warn, in a system that was regular before."""
    system.forward_dynamics_derivatives(nearby(0.7), REST, REST)
    return bool(warned(lambda: system.forward_dynamics_derivatives(q, REST, REST)))


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
def test_c_reports_what_python_warns_of(tmp_path):
    """Fold a parallelogram in compiled C, beside derivatives that cannot warn there."""
    system = folding()
    quantities = ["forward_dynamics by q", "constraint_margin"]
    sources = system.export("c", quantities, path=tmp_path, name="bar")
    assert "bar_constraint_margin" in sources["bar.h"].partition("forward_dynamics_by_q")[2]
    build = "cc -O1 -Wall -Werror -shared -fPIC bar.c -lm -o bar.so"
    subprocess.run(build.split(), cwd=tmp_path, check=True)
    function = ctypes.CDLL(str(tmp_path / "bar.so")).bar_constraint_margin
    assert "ask constraint_margin" in " ".join(sources["bar.h"].replace("*", " ").split())
    seen = set()
    for angle in ANGLES:
        q, result = nearby(angle), np.empty(4)
        function(ctypes.c_void_p(q.ctypes.data), ctypes.c_void_p(result.ctypes.data))
        near = python_warns(folding(), q)
        assert result[0] == near, angle
        seen.add(near)
        mobility = system.mobility(q)
        assert result[2] == mobility.rank
        assert_allclose(result[1], mobility.margin, rtol=1e-6)
        assert (result[3] > 1e-6) == (mobility.rank == 1)
    assert seen == {True, False}


def test_casadi_reports_it():
    """Evaluate the same as a function of CasADi."""
    pytest.importorskip("casadi")
    system = folding()
    function = system.to_casadi("constraint_margin")
    for angle in ANGLES:
        expected = system.evaluate("constraint_margin", nearby(angle))
        assert_allclose(function(nearby(angle)).full().ravel(), expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize(
    "make", [ps.library.slider_crank, ps.library.stewart_platform, ps.library.bennett,
             ps.library.double_wishbone],
)  # fmt: skip
def test_margin_is_that_of_mobility(make):
    """Compare rank and margin at random configurations: loops that are redundant for good too."""
    system = make()
    rng = np.random.default_rng(3)
    for _ in range(4):
        try:
            q = system.assemble(
                system.integrate(system.neutral(), 0.2 * rng.normal(size=system.nv))
            )
        except ps.PoinsotError:
            continue
        near, margin, rank, rise = system.evaluate("constraint_margin", q)
        mobility = system.mobility(q)
        assert rank == mobility.rank
        if not mobility.redundant or make is ps.library.slider_crank:  # else the choice counts
            assert_allclose(margin, mobility.margin, rtol=1e-5)
        assert near == mobility.is_nearly_singular
        assert rise < 1e-6
        return
    pytest.fail("nothing could be assembled")


def test_rows_of_time_and_parameters():
    """Compare with the exact margin where rows depend on the time and on a parameter."""
    l = ps.symbols("l")
    crank = ps.Body("crank", joint=ps.Revolute("y"), mass=1.0, com=(0.5, 0, 0), inertia=(1, 1, 1))
    slide = ps.Body("slide", "crank", ps.Prismatic("x"), mass=1.0, inertia=(1, 1, 1))
    rows = ps.Holonomic("ring", lambda q, t: [(q[0] - t) ** 2 / 2 + l * q[1], q[0] - q[1]])
    system = ps.System("ring", [crank, slide], constraints=[rows], parameters={"l": 1.0}, free="l")
    for t, length in ((0.0, 1.0), (1.2, 0.5), (1.2 + 1e-5, 1.0)):
        first, second = np.array([0.2 - t, length]), np.array([1.0, -1.0])
        cross = abs(first[0] * second[1] - first[1] * second[0])
        lengths = np.linalg.norm([first, second], axis=1)
        near, margin, rank, _ = system.evaluate(
            "constraint_margin", [0.2, 0.2], t=t, parameters={"l": length}
        )
        assert rank == 2
        assert_allclose(margin, cross / lengths.max() ** 2, rtol=1e-6)
        assert near == (margin < 1e-4)


def test_open_systems_have_none():
    """Check the message for a tree."""
    with pytest.raises(ps.ModelError, match="has no loops or constraints"):
        ps.library.double_pendulum().export("c", "constraint_margin")
