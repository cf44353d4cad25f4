"""Programs on columns as machine code against their definition."""

import ctypes

import numpy as np
import pytest

import poinsot as ps
from poinsot.expr.column_program import COLUMNS, ROWS, Alike, ColumnProgram, Combined, Inverted
from poinsot.expr.program import Port, build, fresh_symbols
from poinsot.formulations.recursive.column_derivatives import (
    column_forward_dynamics_derivatives,
    column_inverse_dynamics_derivatives,
)
from poinsot.formulations.recursive.column_second_derivatives import column_second_derivatives
from poinsot.kernels.llvm.column_modules import column_single_ir
from poinsot.kernels.llvm.library import load_library
from poinsot.kernels.llvm.target import Target
from tests.columns import evaluated
from tests.kernels.machines import CPUS, target
from tests.strategies import random_case

GUARD = 7.0
FORMS = {
    "inverse": column_inverse_dynamics_derivatives,
    "forward": column_forward_dynamics_derivatives,
    "second": column_second_derivatives,
}


def run(columns, machine, *inputs):
    """Return what machine code computes; nothing beyond the output may be written."""
    library = load_library(column_single_ir(columns, machine), ("single",), {}, machine)
    single = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(library.address("single"))
    out = np.full(columns.output.size + COLUMNS, GUARD)
    given = (ctypes.c_void_p * len(inputs))(*(x.ctypes.data for x in inputs))
    single(given, (ctypes.c_void_p * 1)(out.ctypes.data))
    assert (out[columns.output.size :] == GUARD).all()
    return out[: columns.output.size].reshape(columns.output.shape)


@pytest.mark.skipif(Target.current().width != COLUMNS, reason="a row is no register here")
@pytest.mark.parametrize("n", [4, 7, 8])
@pytest.mark.parametrize("form", FORMS)
def test_derivatives(form, n):
    """Compare the derivatives of a random tree of hinges."""
    case = random_case(seed=5, n_bodies=n, kinds=("revolute",))
    columns = FORMS[form](case.mechanism)
    third = case.tau if form == "forward" else case.a
    found = run(columns, Target.current(), case.q, case.v, third)
    expected = evaluated(columns, case.q, case.v, third)
    assert np.abs(found - expected).max() <= 1e-10 * np.abs(expected).max(initial=1.0)


@pytest.mark.parametrize("cpu", CPUS)
def test_arithmetic_and_inverse(cpu):
    """Check A⁻¹ b, of a matrix made of the inputs, on every processor."""
    n = 5
    symbols = {"x": fresh_symbols("x", 1), "y": fresh_symbols("y", 1)}
    both = build(symbols, {"z": np.array([symbols["x"][0] * symbols["y"][0] + 1.0], object)})
    every, matrix = tuple(range(n)), tuple(range(3, 3 + n))
    unit = np.eye(COLUMNS).tolist()
    rows = [  # A = diag(z + 1) + x xᵀ
        Combined(
            row,
            (
                (tuple(k for k in every if k != i), ((i, 0),)),
                ((i,), ((i, 0), (-1, 2))),
            ),
            added=tuple(unit[i]),
        )
        for i, row in enumerate(matrix)
    ]
    solution = Combined(
        0, ((every, tuple((COLUMNS + i, row) for i, row in enumerate(matrix))),),
        is_negative=True, is_output=True,
    )  # fmt: skip
    columns = ColumnProgram(
        (Port("x", (n,)), Port("y", (n,))), Port("solution", (n,)), n, 3 + n,
        np.zeros((1, COLUMNS)),
        (Alike(both, ((ROWS, 0), (ROWS, 1), (ROWS, 2))), *rows, Inverted(matrix), solution),
    )  # fmt: skip
    x, y = np.linspace(0.5, 2.0, n), np.linspace(1.0, 0.2, n)
    A = np.outer(x, x) + np.diag(x * y + 2.0)
    expected = -np.linalg.solve(A, y)
    assert np.allclose(evaluated(columns, x, y), expected, rtol=1e-13)
    assert np.allclose(run(columns, target(cpu, COLUMNS), x, y), expected, rtol=1e-13)


@pytest.mark.parametrize(
    "method", ["forward_dynamics_derivatives", "inverse_dynamics_second_derivatives"]
)
def test_one_state_and_many_agree(method):
    """Check that one state and a batch, which run different code, give the same derivatives."""
    rng = np.random.default_rng(1)
    bodies = [
        ps.Body(f"{k}", f"{k - 1}" if k else "world", ps.Revolute(rng.normal(size=3)),
                ps.Pose(rng.normal(size=3)), 1.0, rng.normal(size=3), np.eye(3))
        for k in range(6)
    ]  # fmt: skip
    system = ps.System("arm", bodies)
    states = rng.normal(size=(3, 9, 6))
    many = getattr(system, method)(*states)
    for k in range(9):
        alone = getattr(system, method)(*states[:, k])
        assert np.abs(alone - many[k]).max() <= 1e-11 * np.abs(many[k]).max()
