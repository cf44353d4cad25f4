"""Reactions of systems by units against those of the recursive formulation."""

import numpy as np
import pytest

import poinsot as ps
from poinsot import library
from poinsot.library import planar_linkage
from tests.formulations.test_planar_curves import moving_curve
from tests.formulations.test_planar_gears import geared_five_bar
from tests.front.test_planar_elements import ELEMENTS, ROD, four_bar

LINKAGES = {
    "welds": lambda: planar_linkage("Watt I"),
    "couplings": geared_five_bar,
    "planets": library.planetary_gear,
    "cam": lambda: library.cam_and_follower("roller"),
    "curve": lambda: moving_curve("parabola"),
}


def check(system, q, v, tau):
    """Compare reactions under forces, and under accelerations, in two kinds of axes."""
    for axes in ("body", "world"):
        expected = system.reactions(q, v, tau=tau, axes=axes, backend="floats")
        found = system.reactions(q, v, tau=tau, axes=axes, method="composable")
        a = system.forward_dynamics(q, v, tau, backend="floats")
        moved = system.reactions(q, v, a=a, axes=axes, method="composable")
        given = system.reactions(q, v, a=a, axes=axes, backend="floats")
        assert list(found) == list(expected)
        for name, wrench in expected.items():
            assert found[name].shape == wrench.shape
            size = 1.0 + np.max(np.abs(wrench))
            assert np.max(np.abs(found[name] - wrench)) < 1e-9 * size, name
            assert np.max(np.abs(moved[name] - given[name])) < 1e-9 * size, name


@pytest.mark.parametrize("name", LINKAGES)
def test_reactions_of_linkages(name):
    """Check welds, gears, cams and curves, all joints of the tree driven."""
    mechanism = LINKAGES[name]()
    nq = len(mechanism.linkage.drivers)
    start = np.full(nq, 0.3) if mechanism.linkage.drawn is None else mechanism.drawn
    system = mechanism.system()
    check(system, *mechanism.system_state(start, np.full(nq, 2.0)), np.linspace(1, 2, system.nv))


@pytest.mark.parametrize("kind", ["pin", "weld", "slide", "slot", "rod"])
def test_reactions_in_an_oblique_plane(kind):
    """Check what closes a loop: axes with and against the normal, masses beside the plane."""
    forces = [ELEMENTS["constant"], ELEMENTS["bushing"]]
    system = four_bar(*forces)
    if kind != "pin":
        bodies = list(system.bodies)
        beside = ps.Pose((0.35, 0, 0), rpy=(0, 0, 0.4))
        along = ps.Pose((0.3, 0, 0.05), rpy=(np.pi, 0, 0.2))
        if kind != "rod":
            fore = ps.Body("fore", "rocker", ps.Revolute("z"), ps.Pose((0.3, 0, 0.05)), **ROD)
            tail = ps.Body("tail", "fore", ps.Prismatic("x"), **ROD)
            bodies += [fore] if kind == "weld" else [fore, tail]
        ends = {
            "weld": ("fore", ps.Pose((0.1, 0.2, 0), rpy=(0, 0, 0.7))),
            "slide": ("fore", ps.Pose((0.1, 0.2, 0), rpy=(0, 0, 0.7))),
            "slot": ("tail", ps.Pose((0.1, 0.0, 0), rpy=(0, 0, 0.7))),
        }
        joints = {"weld": ps.Fixed(), "slide": ps.Prismatic("x", damping=2.0), "slot": ps.Fixed()}
        if kind == "rod":
            rod = ps.Distance("bar", ("rod", beside), ("rocker", along), 0.2)
            system = ps.System("rod", bodies, constraints=[rod], forces=forces,
                               gravity=(0.3, -0.2, -9.81))  # fmt: skip
        else:
            bodies = bodies if kind != "slide" else bodies[:-1]
            loop = ps.Loop("end", ("rod", beside), ends[kind], joints[kind])
            system = ps.System(kind, bodies, loops=[loop], forces=forces,
                               gravity=(0.3, -0.2, -9.81))  # fmt: skip
    guess = np.array([0.8, 0.3, -1.2, 0.7, 0.1])[: system.nq]
    q = system.assemble(guess, joints=["crank"] if system.nv < 4 or kind == "weld" else [])
    wanted = np.eye(system.nv)[0] * 2.0
    v = system.consistent_velocity(q, wanted, joints=["crank"])
    check(system, q, v, np.linspace(0.7, -0.4, system.nv))


def test_batches_have_the_reactions_of_single_states():
    """Check shapes and numbers of several states in one call."""
    system = library.four_bar()
    q = np.array([library.four_bar_configuration(x) for x in (0.8, 0.9)])
    rates = [system.consistent_velocity(x, [2.0, 0, 0], joints=["crank"]) for x in q]
    found = system.reactions(q, np.array(rates), tau=[1.0, 0, 0], method="composable")
    for k in range(2):
        single = system.reactions(q[k], rates[k], tau=[1.0, 0, 0], method="composable")
        for name, wrench in single.items():
            assert np.allclose(found[name][k], wrench, rtol=1e-12, atol=1e-12)
