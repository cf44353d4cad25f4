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


@pytest.mark.slow
def test_symbolic_benchmark_runs_and_agrees():
    """Derive the smallest chains with SymPy, too: accelerations agree, targets have verdicts."""
    command = [sys.executable, "-m", "benchmarks.symbolic", "--quick"]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr
    verdicts = [
        line for line in result.stdout.splitlines() if line.startswith(("- PASS", "- FAIL"))
    ]
    assert len(verdicts) == 10
    assert all(line.startswith("- PASS") for line in verdicts if "error" in line)
