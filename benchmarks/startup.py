"""How long it takes until a program that imports poinsot has its first answer.

    python -m benchmarks.startup [--save]

Every figure is the median of several new processes, in which bytecode and machine code of earlier
ones are found: `import poinsot` once NumPy is imported; that, the double pendulum of the README and
its first accelerations; `poinsot --help` beside a Typer app with as many empty commands, the whole
process each time, in turns.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time

from benchmarks.report import Verdict, page, save, section, table, verdict_section
from benchmarks.timing import use_one_core

PROCESSES = 15
IMPORT = """
import time, numpy
start = time.perf_counter()
import poinsot
print(time.perf_counter() - start)
"""
ANSWER = """
import time, numpy as np
start = time.perf_counter()
import poinsot as ps
rod = dict(joint=ps.Revolute("y"), mass=1.0, com=(0, 0, -0.5), inertia=(0.08, 0.08, 0.002))
lower = ps.Body("lower", parent="upper", pose=ps.Pose((0, 0, -1.0)), **rod)
system = ps.System("double pendulum", [ps.Body("upper", **rod), lower])
system.forward_dynamics(np.array([0.3, 0.1]), np.zeros(2))
print(time.perf_counter() - start)
"""
MODULES = """
import sys, poinsot
print(sum(name.startswith("poinsot") for name in sys.modules))
"""
HELP = "import sys; sys.argv = ['poinsot', '--help']; from poinsot.cli import main; main()"
EMPTY = """
import sys, typer
app = typer.Typer()
for name in "abcde":
    app.command(name)(lambda: None)
sys.argv = ["empty", "--help"]
app()
"""


def printed(code: str, environment: dict[str, str]) -> float:
    """Return the number that a new process prints."""
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    return float(done.stdout)


def whole(code: str, environment: dict[str, str]) -> float:
    """Return the seconds that a new process takes."""
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, check=True)
    return time.perf_counter() - start


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.startup", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--save", action="store_true", help="write benchmarks/results/startup.md")
    options = parser.parse_args()
    use_one_core()
    with tempfile.TemporaryDirectory() as folder:
        settings = {"POINSOT_CACHE": "1", "POINSOT_CACHE_DIR": folder}
        settings |= {"PYTHONPYCACHEPREFIX": f"{folder}/bytecode"}
        environment = {**os.environ, **settings}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        for code in (IMPORT, ANSWER):
            printed(code, environment)
        for code in (HELP, EMPTY):
            whole(code, environment)
        times = {"import": [], "answer": [], "help": [], "empty": []}
        for _ in range(PROCESSES):
            times["import"].append(printed(IMPORT, environment))
            times["answer"].append(printed(ANSWER, environment))
            times["help"].append(whole(HELP, environment))
            times["empty"].append(whole(EMPTY, environment))
        modules = printed(MODULES, environment)
    median = {name: statistics.median(each) for name, each in times.items()}
    rows = [
        [name, f"{median[name]:.3f}", f"{min(each):.3f}", f"{max(each):.3f}"]
        for name, each in times.items()
    ]
    verdicts = [
        Verdict("import beyond NumPy", 0.1, median["import"], at_least=False, unit="s"),
        Verdict("our modules that it loads", 60, modules, at_least=False, unit=""),
        Verdict("first answer beyond NumPy", 0.3, median["answer"], at_least=False, unit="s"),
        Verdict(
            "help beyond an empty app", 0.15, median["help"] - median["empty"],
            at_least=False, unit="s",
        ),
    ]  # fmt: skip
    heads = ("what", "median", "least", "most")
    text = page(
        __doc__, [section("Seconds", table(heads, rows, left=1)), verdict_section(verdicts)]
    )
    print(text)
    if options.save:
        print(f"\nsaved: {save(text, 'startup')}")


if __name__ == "__main__":
    main()
