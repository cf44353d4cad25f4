"""The benchmarks run; in a process of their own, because they set variables of the environment."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.mark.slow
def test_tree_benchmark_runs_and_agrees():
    """Measure one system in a hurry: the libraries agree, and every target has a verdict."""
    command = [sys.executable, "-m", "benchmarks.tree", "--quick", "--only", "chain of 7"]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr
    assert result.stdout.count("\n- PASS") + result.stdout.count("\n- FAIL") == 8


@pytest.mark.long
def test_symbolic_benchmark_runs_and_agrees():
    """Derive the smallest chains with SymPy, too: accelerations agree.

    Ratios are judged at the largest chains only, which take minutes; those of long ones always.
    """
    command = [sys.executable, "-m", "benchmarks.symbolic", "--quick"]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr
    verdicts = [
        line for line in result.stdout.splitlines() if line.startswith(("- PASS", "- FAIL"))
    ]
    assert [line.split(":")[1].strip() for line in verdicts] == [
        "cart, n = 3", "rods, n = 3", "10 links on a cart", "40 links on a cart",
    ]  # fmt: skip
    assert all(line.startswith("- PASS") for line in verdicts if "error" in line)
    assert sum("error" in line for line in verdicts) == 2


@pytest.mark.slow
def test_events_benchmark_runs():
    """Find all ticks, and as many of the other events as before."""
    command = [sys.executable, "-m", "benchmarks.events", "--quick"]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr
    assert result.stdout.count("\n- PASS") + result.stdout.count("\n- FAIL") == 6
    assert "1273" in result.stdout


PEERS = {
    # a link without mass, which peers may not have
    "adams-revspherical_case01": (
        2e-4, ("poinsot", "Exudyn alpha", "Exudyn index 2", "MuJoCo RK4"),
    ),
    "compass-gait": (2e-8, ("poinsot", "SciPy on Pinocchio")),
    "impact-double-pendulum-wall": (2e-8, ("poinsot", "SciPy on Pinocchio")),
    "impact-two-pendulums": (2e-8, ("poinsot", "SciPy on Pinocchio")),
}  # fmt: skip
"""Cases of the gallery: the largest error that counts as reached, and who runs it."""


@pytest.mark.slow
def test_gallery_runs_beside_peers():
    """Run cases by all that can: they reach the same error."""
    pytest.importorskip("exudyn", reason="the peers of the gallery are not installed")
    command = [sys.executable, "-m", "benchmarks.gallery", "--quick", "--only", ",".join(PEERS)]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr
    rows = [[cell.strip() for cell in line.split("|")] for line in result.stdout.splitlines()]
    for case, (largest, names) in PEERS.items():
        for name in names:
            ((error, milliseconds),) = (row[4:6] for row in rows if row[1:3] == [case, name])
            assert float(error) < largest
            assert float(milliseconds) > 0.0


@pytest.mark.long
def test_kinematics_benchmark_runs():
    """Reach poses of three arms with all solvers: every target has a verdict."""
    pytest.importorskip("pinocchio", reason="pip install pin example-robot-data")
    command = [sys.executable, "-m", "benchmarks.kinematics", "--quick"]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr
    assert result.stdout.count("\n- PASS") + result.stdout.count("\n- FAIL") == 12


@pytest.mark.slow
def test_impact_benchmark_runs():
    """Hit two arms both ways: they agree, and both targets have a verdict."""
    pytest.importorskip("pinocchio", reason="pip install pin")
    command = [sys.executable, "-m", "benchmarks.impact", "--quick"]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr
    assert result.stdout.count("\n- PASS") + result.stdout.count("\n- FAIL") == 2


@pytest.mark.slow
def test_laws_benchmark_runs():
    """Follow the path of the Panda both ways: they agree, and the target has a verdict."""
    pytest.importorskip(
        "pinocchio", reason="pip install example-robot-data, which brings the Panda"
    )
    command = [sys.executable, "-m", "benchmarks.laws", "--quick"]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr
    verdicts = [f"\n- {verdict}: computed-torque Panda" for verdict in ("PASS", "FAIL")]
    assert sum(map(result.stdout.count, verdicts)) == 1


MEDIANS = """
from benchmarks.derivatives import SecondRow
from benchmarks.processes import median_row

rows = [
    SecondRow("arm", single, batch, 0.5, {"g++": native, "clang++": 7.0}, error)
    for single, batch, native, error in (
        (3.0, 0.1, 40.0, 1e-15), (1.0, 0.3, 50.0, 4e-15), (2.0, 0.2, 20.0, 2e-15),
    )
]
assert median_row(rows) == SecondRow("arm", 2.0, 0.2, 0.5, {"g++": 40.0, "clang++": 7.0}, 4e-15)
"""


def test_medians_of_processes_are_those_of_each_time():
    """Medians by hand: of each number by itself, those by name too; of errors the largest."""
    result = subprocess.run(
        [sys.executable, "-c", MEDIANS], cwd=ROOT, capture_output=True, text=True
    )
    assert result.returncode == 0, result.stdout + result.stderr
