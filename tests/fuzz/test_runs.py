"""Files of runs with numbers changed at random, in a process of their own."""

import secrets
import subprocess
import sys
from pathlib import Path

from tests.random_examples import FACTOR, examples

COUNT = examples(72)
SEED = 1 if FACTOR == 1 else secrets.randbelow(10**6)


def test_changed_files_end_no_process():
    """Check resumed checkpoints, npz and Parquet: an error of ours or a run, no crash, no hang."""
    command = [sys.executable, "-m", "tests.fuzz.runs", str(SEED), str(COUNT)]
    done = subprocess.run(
        command, capture_output=True, text=True, cwd=Path(__file__).parents[2], check=False
    )
    last = "".join(done.stdout.splitlines(keepends=True)[-1:])
    assert done.returncode == 0, f"seed {SEED}: {last}\n{done.stderr[-3000:]}"
    assert len(done.stdout.splitlines()) == COUNT
