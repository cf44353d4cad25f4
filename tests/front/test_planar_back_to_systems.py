"""Planar mechanisms with equations of points and joints as systems again."""

import numpy as np
import pytest

import poinsot as ps
from poinsot.model.constraints.place_relation import PlaceRelation

ROD = {"mass": 1.5, "com": (0.1, 0.02, 0), "inertia": (0.1, 0.1, 0.1)}


def engine(*rules):
    """Return a slider-crank whose slide closes the loop, with an arm on its rod, under rules."""
    bodies = [
        ps.Body("crank", joint=ps.Revolute("z"), **ROD),
        ps.Body("rod", "crank", ps.Revolute("z"), ps.Pose((0.1, 0, 0)), **ROD),
        ps.Body("ram", "rod", ps.Revolute("z"), ps.Pose((0.4, 0, 0)), **ROD),
        ps.Body("arm", "rod", ps.Revolute("z"), ps.Pose((0.2, 0.05, 0)), **ROD),
    ]
    end = ps.Loop("end", ("world", ps.Pose()), ("ram", ps.Pose()), ps.Prismatic("x"))
    return ps.System("engine", bodies, loops=[end], constraints=rules, gravity=(0.3, -9.81, 0))


RULES = {
    "coordinates of cut and other joints": ps.FormulaConstraint(
        "rule", "u - 0.4*sin(w) - 0.2*c", where={"u": "arm", "w": "crank", "c": "end"}),
    "points and a cut joint": ps.FormulaConstraint(
        "rule", "x + 0.3*y*c - 0.1*u - 0.05",
        where={"x": ("arm", (0.2, 0, 0), "x"), "y": ("arm", (0.2, 0, 0), "y"), "c": "end",
               "u": "arm"}),
    "function": ps.Holonomic("rule", lambda q, t: q[3] - np.sin(q[0]) * q[2]),
    "with time": ps.FormulaConstraint(
        "rule", "u - 0.4*sin(w + t)", where={"u": "arm", "w": "crank"}),
    "point on a moving link": ps.PointOnSurface(
        "rule", ("arm", (0.3, 0, 0)), "y - 0.4*x*x - 0.01", on=("crank", ps.Pose((0.1, 0.1, 0)))),
    "long": ps.Holonomic(
        "rule", lambda q, t: q[3] + sum(0.02 / k**3 * np.sin(k * q[0]) for k in range(1, 300))),
    "point on a moving link and a cut joint": PlaceRelation(
        "rule", [(("crank", ps.Pose((0.05, 0.02, 0))), ("arm", ps.Pose((0.2, 0, 0))))], ["end"],
        lambda x, t: x[1] - 0.3 * x[0] * np.sin(x[3])),
}  # fmt: skip


@pytest.mark.parametrize("name", RULES)
def test_equations_of_points_and_joints_go_back(name):
    """Check accelerations of the system, its units, and the system that these become."""
    system = engine(RULES[name])
    q = system.assemble([0.8, -1.0, 0.2, 0.2], joints=["crank"])
    v = system.consistent_velocity(q, [2.0, 0, 0, 0], joints=["crank"])
    tau = np.array([0.7, 0, 0, 0])
    expected = system.forward_dynamics(q, v, tau, backend="floats")[0]
    mechanism = ps.PlanarMechanism.from_system(system, ["crank"], q)
    assert abs(mechanism.forward_dynamics(q[:1], v[:1], [0.7])[0] - expected) < 1e-9
    again = mechanism.system()
    state = mechanism.system_state(q[:1], v[:1])
    assert np.max(np.abs(again.constraint_residual(state[0]))) < 1e-9
    forces = np.zeros(again.nv)
    forces[again.joint_names.index("crank")] = 0.7
    found = again.forward_dynamics(*state, forces, backend="floats")
    assert abs(found[again.v_slice("crank").start] - expected) < 1e-8 * (1 + abs(expected))


def test_angles_of_all_joints_of_a_loop_are_named():
    """Check that a system is not made whose equation has an angle that it cannot count."""
    rule = ps.FormulaConstraint(
        "rule", "u - 0.1*a + 0.2*b*c - 0.3*d",
        where={"u": "arm", "a": "crank", "b": "rod", "c": "end", "d": "ram"},
    )  # fmt: skip
    system = engine(rule)
    q = system.assemble([0.8, -1.0, 0.2, 0.2], joints=["crank"])
    mechanism = ps.PlanarMechanism.from_system(system, ["crank"], q)
    with pytest.raises(ps.ModelError, match="'ram', which closes a loop: its angle is known up to"):
        mechanism.system()
