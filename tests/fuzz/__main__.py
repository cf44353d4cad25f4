"""Search for inputs that break the contract, for so many seconds a format.

    python -m tests.fuzz --seconds 20 [--format urdf] [--seed 1] [--plain]

The search is guided by coverage where atheris is installed (``pip install atheris``).  The exit
code is 0 if nothing was found; an input that was found is kept and its path is printed.
"""

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
import traceback
from importlib.util import find_spec
from pathlib import Path

from tests.fuzz.contract import FORMATS
from tests.fuzz.plain import search


def guided(form, seconds, seed, folder):
    """Search with atheris; return how many inputs were tried, and what it printed if it failed."""
    command = [sys.executable, "-m", "tests.fuzz.guided", form, str(seconds), str(seed), folder]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace")
    lines = (done.stdout + done.stderr).splitlines()
    output = "\n".join(line for line in lines if "INFO: " not in line)
    tried = re.search(r"stat::number_of_executed_units:\s*(\d+)", output)
    return int(tried[1]) if tried else 0, output if done.returncode else None


def plain(form, seconds, seed, folder):
    """Search without atheris; return the same."""
    tried, found = search(form, seconds, seed, folder)
    if found is None:
        return tried, None
    data, error = found
    Path(folder, "found").write_bytes(data)
    return tried, "".join(traceback.format_exception(error))


def main():
    """Search each format in turn and print a line for it."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--seconds", type=int, default=20, help="for each format")
    parser.add_argument("--format", choices=FORMATS, help="this one only")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plain", action="store_true", help="without atheris")
    given = parser.parse_args()
    by_coverage = not given.plain and find_spec("atheris") is not None
    how = "guided by coverage" if by_coverage else "not guided"
    bad = False
    for form in [given.format] if given.format else FORMATS:
        folder = tempfile.mkdtemp(prefix=f"poinsot-fuzz-{form}-")
        run = guided if by_coverage else plain
        tried, failure = run(form, given.seconds, given.seed, folder)
        verdict = "nothing found" if failure is None else f"FOUND, kept in {folder}"
        print(f"{form}: {tried} inputs in {given.seconds} s, {how}: {verdict}", flush=True)
        if failure is not None:
            print(failure[-4000:], flush=True)
        else:
            shutil.rmtree(folder)
        bad |= failure is not None
    return int(bad)


if __name__ == "__main__":
    sys.exit(main())
