"""The table of Huang (1997), all 100 numbers, by generated C, by kernels and by SymPy."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

import poinsot as ps

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "examples" / "five_body"


@pytest.fixture(scope="module")
def system(example):
    """The system of the paper's input table."""
    return example.tree(example.read("input.json"))


def assert_as_printed(example, q, v):
    """Compare angles and rates [deg] with all numbers of the table."""
    rows = example.read("printed.json")["rows"]
    wrong = [
        (row["t"], found, printed)
        for row, *both in zip(rows, q, v, strict=True)
        for values, key in zip(both, ("q", "v"), strict=True)
        for found, printed in zip(values, row[key], strict=True)
        if not example.as_printed(found, printed)
    ]
    assert not wrong


def test_the_printed_table_is_that_of_the_case(example):
    """Compare the example's tables with the acceptance case, number by number."""
    case = json.loads((ROOT / "tests" / "data" / "five_body_table.json").read_text())["cases"][0]
    rows, table = example.read("printed.json")["rows"], example.read("input.json")
    for key, theirs in (("t", "t"), ("q", "q_deg"), ("v", "v_deg_per_s")):
        assert [row[key] for row in rows] == case["expected"][theirs]
    assert table["topology"] == case["model"]["parent"]
    assert (table["q"], table["v"]) == tuple(case["initial"].values())


def test_numbers_are_compared_to_four_digits(example):
    """Check the comparison itself."""
    assert example.as_printed(9.9764, 9.976)
    assert not example.as_printed(9.9766, 9.976)
    assert not example.as_printed(0.9986, -0.9986)


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
def test_generated_c_prints_the_table(example, capsys):
    """Run the example as a reader does."""
    assert example.main() == 100
    assert "100 of 100" in capsys.readouterr().out


def test_kernels_give_the_table(example, system):
    """Simulate with machine code."""
    table = example.read("input.json")
    times = np.linspace(0.0, 0.09, 10)
    q, v = np.radians(table["q"]), np.radians(table["v"])
    run = ps.simulate(system, q, v, times[-1], save=times, rtol=1e-10)
    assert_as_printed(example, np.degrees(run.q), np.degrees(run.v))


def test_sympy_gives_the_table(example, system):
    """Integrate the lambdified equations of SymPy with SciPy."""
    from scipy.integrate import solve_ivp

    forward = system.to_sympy("forward_dynamics", method="lagrange").lambdify()
    table = example.read("input.json")
    numbers = [table["parameters"][name] for name in system.free]

    def rates(_, x):
        return np.concatenate([x[5:], forward(x[:5], x[5:], np.zeros(5), numbers).ravel()])

    start = np.radians([*table["q"], *table["v"]])
    times = np.linspace(0.0, 0.09, 10)
    found = solve_ivp(rates, (0.0, 0.09), start, "DOP853", times, rtol=1e-9, atol=1e-12)
    x = np.degrees(found.y.T)
    assert_as_printed(example, x[:, :5], x[:, 5:])
