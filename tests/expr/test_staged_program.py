"""Laws that ask for quantities which loops compute: stages before the law, one program."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import poinsot as ps
from poinsot.expr import Rolled
from poinsot.expr.rolled_tree import has_tree, rolled_from_tree, rolled_tree
from poinsot.expr.straightened import straightened
from poinsot.kernels.interpreter import InterpreterKernel
from poinsot.simulation.laws.load_laws import traced_forces

CHAIN = ps.library.chain(43)
"""Whose forward dynamics and mass matrix are rolled."""
RNG = np.random.default_rng(0)
Q, V = 0.1 * RNG.normal(size=(2, CHAIN.nq))
LIFT = ps.Signal([0.0, 1.0], [0.0, 0.5])


def nested(t, q, v):
    """Return forces that depend on a quantity of a quantity, and on one of them twice."""
    a = CHAIN.forward_dynamics(q, v, np.sin(t) * q)
    again = CHAIN.forward_dynamics(q, v, 0.1 * a - v)
    return 1e-5 * (a - again) - 1e-3 * v


def test_a_law_of_stages_is_that_of_python():
    """Compare the forces of a run with the law on numbers, and the run with a callback's."""
    program = traced_forces(CHAIN.mechanism, nested).program
    assert isinstance(program, Rolled)
    run = ps.simulate(CHAIN, Q, V, 0.02, tau=nested)
    expected = [nested(*state) for state in zip(run.t, run.q, run.v, strict=True)]
    assert_allclose(run.tau(), expected, rtol=1e-10, atol=1e-10)
    called = ps.simulate(CHAIN, Q, V, 0.02, tau=ps.Callback(nested))
    assert run.statistics.callback_calls == 0
    assert_allclose(run.q[-1], called.q[-1], atol=1e-10)


def test_computed_torque_of_a_long_chain_is_linear():
    """Ask for q'' = -4 q - 3 q' + signal of 130 joints: the closed form, with a Jacobian too."""
    arm = ps.library.chain(130)
    q, v = np.full((2, 130), 0.1) * [[1], [0]]

    def law(t, q, v):
        return arm.inverse_dynamics(q, v, -4 * q - 3 * v + 4 * LIFT(t))

    assert isinstance(traced_forces(arm.mechanism, law).program, Rolled)
    w, t = np.sqrt(4 - 1.5**2), 0.2
    slope = 0.5  # of the signal; a particular solution is slope (t - 3 / 4)
    x0, v0 = 0.1 + 0.75 * slope, -slope
    wave = np.exp(-1.5 * t) * (x0 * np.cos(w * t) + (v0 + 1.5 * x0) / w * np.sin(w * t))
    for integrator in ("dp8", "stiff"):
        run = ps.simulate(arm, q, v, t, tau=law, integrator=integrator, rtol=1e-9)
        assert len(run) < 200
        assert_allclose(run.q[-1], wave + slope * (t - 0.75), atol=1e-6)


def test_laws_of_stages_in_files_lanes_and_figures(tmp_path):
    """Save and continue to the bit, run in lanes, evaluate along the run, in a small plant too."""

    def law(t, q, v):
        return 1e-5 * CHAIN.forward_dynamics(q, v, -1e-3 * v)

    def slow_down(t, q, v):
        return v - 0.1 * CHAIN.forward_dynamics(q, v) / 1e4

    event = ps.Event("now", "t - 0.01", reset=slow_down)
    run = ps.simulate(CHAIN, Q, V, 0.02, tau=law, events=[event])
    (hit,) = run.events
    assert_allclose(hit.v, slow_down(hit.t, hit.q_before, hit.v_before), atol=1e-10)
    run.save(tmp_path / "run.npz")
    loaded = ps.load_run(tmp_path / "run.npz")
    assert (loaded.continued(0.01).q == run.continued(0.01).q).all()
    assert (loaded.repeat().q == run.q).all()
    fixed = {"integrator": "rk4", "step": 1e-4}
    many = ps.simulate(CHAIN, [Q, 2 * Q], V, 1e-3, tau=law, **fixed)
    assert_allclose(many.q[1], ps.simulate(CHAIN, 2 * Q, V, 1e-3, tau=law, **fixed).q, rtol=1e-13)
    moved = run.evaluate(lambda t, q, v: CHAIN.mass_matrix(q) @ v)
    assert_allclose(moved, np.einsum("nij,nj->ni", CHAIN.mass_matrix(run.q), run.v), atol=1e-10)
    cart = ps.System("cart", [ps.Body("cart", joint=ps.Prismatic("x"), mass=1.0)])

    def model(t, q, v):
        return 1e-3 * CHAIN.mass_matrix(np.tile(q, CHAIN.nq))[:1, 0] - v

    program = traced_forces(cart.mechanism, model).program
    assert isinstance(program, Rolled)
    inputs, result = [np.array([[x]]) for x in (0.0, 0.1, 0.2)], np.empty((1, 1))
    InterpreterKernel(straightened(program)).run(inputs, [result])
    assert_allclose(result[0], model(0.0, np.array([0.1]), np.array([0.2])), rtol=1e-12)
    ends = [
        ps.simulate(cart, [0.1], [0.2], 0.02, tau=model, integrator=name, step=1e-3).q[-1]
        for name in ("rk4", "symplectic4")
    ]
    assert_allclose(*ends, atol=1e-9)


def test_programs_in_files_stay_in_their_memories():
    """Check that what a file may not say is rejected: it would be machine code that goes astray."""
    program = traced_forces(CHAIN.mechanism, nested).program
    assert has_tree(program)
    again = rolled_from_tree(rolled_tree(program), "file")
    assert (again.items == program.items).all()
    assert again.codes == program.codes
    for key, change in {
        "items": lambda items: items + np.eye(*items.shape, 1) * program.n_state,
        "n_state": lambda n: n - 1,
        "shows": lambda shows: [shown + program.n_state for shown in shows],
        "constants": lambda constants: constants[:1],
        "codes": lambda codes: codes[:-1],
    }.items():
        tree = rolled_tree(program)
        with pytest.raises(ps.ProgramError, match="file: "):
            rolled_from_tree(tree | {key: change(tree[key])}, "file")
    with pytest.raises(ps.ProgramError, match="must have the keys inputs"):
        rolled_from_tree({}, "file")
    tree = rolled_tree(program)
    tree["codes"][0]["memories"][-1] = "q"
    with pytest.raises(ps.ProgramError, match="cannot use the memory 'q'"):
        rolled_from_tree(tree, "file")


def test_symbols_of_others_are_named_in_stages_too():
    """Check the error for a free parameter that the plant does not have, in an argument."""
    other = ps.symbols("stiffness")
    with pytest.raises(ps.ModelError, match="tau contains 'stiffness', which is neither"):
        ps.simulate(CHAIN, Q, V, 0.1, tau=lambda t, q, v: CHAIN.forward_dynamics(q, v, other * q))
