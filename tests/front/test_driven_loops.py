"""Forces of joints that close loops, as arguments of derivatives and inputs of linear models."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import poinsot as ps

RNG = np.random.default_rng(4)


def two_loops():
    """Return two four-bar linkages side by side, whose pins close loops, in a state that moves."""
    single = ps.library.n_four_bar(2)
    q, v = ps.library.n_four_bar_state(2)
    return single, np.asarray(q), np.asarray(v)


def four_bar():
    """Return a four-bar linkage in a state that moves."""
    system = ps.library.four_bar()
    q = ps.library.four_bar_configuration(0.7)
    return system, q, system.consistent_velocity(q, [1.0, 0, 0])


def sliding():
    """Return a crank with a rod through a block on a pin, whose pin and slide close the loop."""
    crank = ps.Body("crank", joint=ps.Revolute("z"), mass=1.0, com=(0.2, 0, 0))
    rod = ps.Body("rod", "crank", ps.Revolute("z"), ps.Pose((0.4, 0, 0)), 0.8, (0.5, 0, 0))
    guide = ps.Loop("guide", ("rod", ps.Pose((0.3, 0, 0))), ("world", ps.Pose((1.0, 0, 0))),
                    ps.Planar("x", "y"))  # fmt: skip
    track = ps.Body("track", "rod", ps.Prismatic("x"), mass=0.1)
    pin = ps.Loop("pin", ("track", ps.Pose()), ("world", ps.Pose((1.0, 0, 0))), ps.Revolute("z"))
    system = ps.System("slotted", [crank, rod, track], loops=[guide, pin])
    q = system.assemble([0.8, -1.2, 0.7])
    return system, q, system.consistent_velocity(q, [1.0, 0, 0])


MAKERS = [four_bar, two_loops, sliding]


@pytest.mark.parametrize("make", MAKERS)
def test_derivatives_by_drives(make):
    """Compare with differences, exact since accelerations are linear in forces."""
    system, q, v = make()
    tau = RNG.normal(size=system.nv)
    names = [loop.name for loop in system.loops]
    sizes = [system.evaluate("closure_velocity", q, v, loop=name).size for name in names]
    drives = {name: RNG.normal(size=size) for name, size in zip(names, sizes, strict=True)}
    pushes = {name: RNG.normal(size=size) for name, size in zip(names, sizes, strict=True)}
    more = {name: drives[name] + pushes[name] for name in names}
    u = np.concatenate([pushes[name] for name in names])
    for quantity in ("forward_dynamics", "bias"):
        state = (q, v, tau)[: 3 if quantity == "forward_dynamics" else 2]
        values = [system.evaluate(quantity, *state, drives=x) for x in (more, drives)]
        dense = system.derivative(quantity, *state, by="drives", drives=drives)
        along = system.derivative(quantity, *state, by="drives", along=u, drives=drives)
        scale = 1 + np.abs(values[0]).max()
        assert_allclose(dense @ u, values[0] - values[1], atol=1e-9 * scale)
        assert_allclose(along, values[0] - values[1], atol=1e-9 * scale)


@pytest.mark.parametrize("make", MAKERS)
def test_forces_of_loops_as_inputs(make):
    """Compare B with what the same power gives through the joints of the tree."""
    system, q, v = make()
    names = [loop.name for loop in reversed(system.loops)]
    model = ps.linearize(system, q, v, motion=True, inputs=[*names, system.joint_names[0]],
                         outputs=[f"a.{system.joint_names[0].replace(' ', '_')}"])  # fmt: skip
    rows = [system.derivative("closure_velocity", q, v, by="v", loop=name) for name in names]
    expected = model.by["a", "tau"] @ np.vstack([*rows, np.eye(system.nv)[:1]]).T
    scale = 1 + np.abs(expected).max()
    half = len(model.states) // 2
    assert_allclose(model.B[half:], model.Z.T @ expected, atol=1e-9 * scale)
    assert_allclose(model.Dy, expected[:1], atol=1e-9 * scale)
    assert model.inputs[-1] == system.joint_names[0]
    assert len(model.inputs) == len(set(model.inputs)) == expected.shape[1]


def test_forces_that_act_already():
    """Check that an input beside others that act has its own column, at their values."""
    system, q, v = two_loops()
    first, second = (loop.name for loop in system.loops)
    alone = ps.linearize(system, q, v, motion=True, inputs=[second])
    beside = ps.linearize(system, q, v, motion=True, inputs=[second], drives={first: [2.0]})
    assert_allclose(beside.B, alone.B, atol=1e-10 * np.abs(alone.B).max())
    assert not np.allclose(beside.a, alone.a)


def test_mistakes_are_named():
    """Check what is said where drives are not given, or the name is none."""
    system, q, v = four_bar()
    with pytest.raises(ps.ModelError, match="give drives=, the values at which to differentiate"):
        system.derivative("forward_dynamics", q, v, np.zeros(3), by="drives")
    with pytest.raises(ps.ModelError, match="does not depend on drives; leave drives= out"):
        system.derivative("mass_matrix", q, by="drives")
    with pytest.raises(ps.ModelError, match="there is no input 'pim'; did you mean 'pin'"):
        ps.linearize(system, q, inputs=["pim"], motion=True)
