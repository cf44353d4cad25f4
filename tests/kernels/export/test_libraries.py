"""Functions of CasADi, JAX and SymPy: compared with the interpreter, and differentiated."""

import numpy as np
import pytest

from poinsot.errors import PoinsotError, ShapeError
from poinsot.expr import Op, Port, Program
from poinsot.expr.passes import drop_unused
from poinsot.kernels.export import run_on_values
from poinsot.kernels.export import to_jax as to_jax_file
from poinsot.kernels.export.to_casadi import to_casadi
from poinsot.kernels.export.to_jax import to_jax
from poinsot.kernels.export.to_sympy import to_sympy
from tests.kernels.export.routines import assert_right, every_operation, random_routine, routine
from tests.kernels.machines import interpret, random_inputs, random_program

SMOOTH = (Op.ADD, Op.SUB, Op.MUL, Op.NEG, Op.SIN, Op.COS, Op.MUL, Op.ADD)


def smooth_routine(seed):
    program = drop_unused(random_program(seed, 20, SMOOTH))
    return routine(program, random_inputs(program, 4, seed))


def differences(function, x, h=1e-6):
    """Return the Jacobian of a function by central differences."""
    return np.stack(
        [(function(x + h * e) - function(x - h * e)) / (2 * h) for e in np.eye(len(x))], axis=-1
    )


def in_casadi(one):
    """Return the results of CasADi for the states of a routine."""
    function = to_casadi(one)
    rows = []
    for state in zip(*one.states, strict=True):
        found = function(*state)
        found = found if isinstance(found, tuple) else (found,)
        rows.append([np.array(y) for y in found])
    return [np.array(column) for column in zip(*rows, strict=True)]


@pytest.mark.parametrize("one", [every_operation(), *map(random_routine, range(3))])
def test_casadi_gives_the_interpreters_numbers(one):
    """Compare every operation on special numbers, and random programs."""
    pytest.importorskip("casadi")
    assert_right(in_casadi(one), one)


def test_casadi_keeps_names_shapes_and_derivatives():
    """Look at the function, its matrices and its Jacobian."""
    casadi = pytest.importorskip("casadi")
    program = Program((Port("z", (6,)),), (Port("M", (2, 3)),), (), (), tuple(range(6)))
    function = to_casadi(routine(program, [np.zeros((1, 6))]))
    assert (function.name_in(), function.name_out()) == (["z"], ["M"])
    np.testing.assert_array_equal(np.array(function(np.arange(6.0))), [[0, 1, 2], [3, 4, 5]])
    one = smooth_routine(1)
    function = to_casadi(one)
    x, z = (array[0] for array in one.states)
    X = casadi.SX.sym("x", 3)
    J = casadi.Function("J", [X], [casadi.jacobian(function(X, z)[1], X)])
    numeric = differences(lambda p: np.array(function(p, z)[1]).ravel(), x)
    np.testing.assert_allclose(np.array(J(x)), numeric, rtol=1e-5, atol=1e-5)


@pytest.fixture
def jax():
    """JAX in double precision, for one test."""
    jax = pytest.importorskip("jax")
    before = jax.config.jax_enable_x64
    jax.config.update("jax_enable_x64", True)
    yield jax
    jax.config.update("jax_enable_x64", before)


def without_denormals(one):
    """Return a routine without the states that XLA takes as zeros."""
    tiny = np.finfo(float).tiny
    kept = np.all([np.all((x == 0) | ~(np.abs(x) < tiny), axis=1) for x in one.states], axis=0)
    return routine(one.program, [x[kept] for x in one.states])


@pytest.mark.parametrize("most", [300, 0], ids=["unrolled", "in rounds"])
@pytest.mark.parametrize("one", [without_denormals(every_operation())])
def test_jax_gives_the_interpreters_numbers(one, jax, monkeypatch, most):
    """Compare every operation on special numbers."""
    monkeypatch.setattr(to_jax_file, "MOST_UNROLLED", most)
    found = jax.jit(to_jax(one))(*one.states)
    assert_right(found if isinstance(found, tuple) else [found], one)


@pytest.mark.parametrize("most", [300, 0], ids=["unrolled", "in rounds"])
def test_jax_compiles_maps_and_differentiates(jax, monkeypatch, most):
    """Compare derivatives at several states with differences, all transformations in one."""
    monkeypatch.setattr(to_jax_file, "MOST_UNROLLED", most)
    one = smooth_routine(1)
    function = to_jax(one)

    def slopes(x, z):
        return jax.jacrev(lambda p: function(p, z)[1])(x)

    found = jax.jit(jax.vmap(slopes))(*one.states)

    def plain(x, z):
        return interpret(one.program, x[None], z[None])[1][0]

    for slope, x, z in zip(found, *one.states, strict=True):
        numeric = differences(lambda p, z=z: plain(p, z), x)
        np.testing.assert_allclose(slope, numeric, rtol=1e-5, atol=1e-5)


def test_jax_refuses_wrong_shapes():
    """Call with too few numbers, and with too few arrays."""
    pytest.importorskip("jax")
    function = to_jax(smooth_routine(1))
    with pytest.raises(ShapeError, match=r"x must have shape \(..., 3\), got \(2,\)"):
        function(np.zeros(2), np.zeros(2))
    with pytest.raises(ShapeError, match="give x, z; got 1"):
        function(np.zeros(3))


def test_jax_in_single_precision_where_x64_is_not_set():
    """Follow the setting of JAX."""
    jax = pytest.importorskip("jax")
    assert not jax.config.jax_enable_x64
    one = smooth_routine(0)
    assert jax.jit(to_jax(one))(*one.states)[1].dtype == np.float32


@pytest.mark.parametrize("seed", range(2))
def test_sympy_gives_the_interpreters_numbers(seed):
    """Lambdify with the intermediate values, and expand them."""
    one = smooth_routine(seed)
    symbolic = to_sympy(one)
    function = symbolic.lambdify()
    rows = [function(*state) for state in zip(*one.states, strict=True)]
    found = [np.array([np.ravel(row[k]) for row in rows]) for k in range(2)]
    assert_right(found, one)
    numbers = {
        symbol: number
        for symbols, state in zip(symbolic.inputs.values(), one.states, strict=True)
        for symbol, number in zip(symbols, state[0], strict=True)
    }
    expanded = symbolic.expanded()["y"].subs(numbers)
    np.testing.assert_allclose(np.array(expanded, float).ravel(), found[1][0], rtol=1e-9)


def test_sympy_has_every_operation():
    """Compare each of them at ordinary numbers, on either side of where some jump."""
    states = np.array([[0.7, -0.3, 2.0], [-0.4, 0.6, 0.0], [0.6, 0.6, -1.0]])
    one = routine(every_operation().program, [states])
    function = to_sympy(one).lambdify()
    with np.errstate(invalid="ignore"):  # roots of negative numbers
        found = [np.array([np.ravel(function(state)) for state in states])]
    assert_right(found, one)


def test_a_library_that_is_absent_is_named(monkeypatch):
    """Pretend that CasADi and JAX are not there."""
    monkeypatch.setattr(run_on_values, "find_spec", lambda name: None)
    for convert, name in ((to_casadi, "casadi"), (to_jax, "jax")):
        with pytest.raises(PoinsotError, match=rf"pip install 'poinsot\[{name}\]'"):
            convert(random_routine(0))
