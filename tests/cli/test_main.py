"""The command as a module."""

import subprocess
import sys

import poinsot


def test_module_is_the_command():
    """Run ``python -m poinsot`` and compare with what the command says."""
    done = subprocess.run(
        [sys.executable, "-m", "poinsot", "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == f"poinsot {poinsot.__version__}"
    wrong = subprocess.run([sys.executable, "-m", "poinsot", "nothing"], capture_output=True)
    assert wrong.returncode == 2
