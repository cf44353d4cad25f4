"""Whether one commit is slower than another: both in turns, row by row, medians of five rounds.

    python -m benchmarks.interleaved OLD NEW [--groups simulate loops] [--rounds 5]

OLD and NEW are commits; each is checked out into a temporary folder, with a cache of compiled code
of its own.  A round runs every group of rows in a new process of the one and then of the other
commit, so that a machine that is slow for a while is slow for both; a row is the best of its
repeats in a process, and the ratio that counts is the median over the rounds of new by old.  First
calls are taken once in each process, without a cache.  Rows that take over 1.05 are listed again at
the end, and the exit status is 1 then.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import timeit
from pathlib import Path
from statistics import median

LIMIT = 1.05
REPEATS = 15
SLICE = 4e-3
"""How long a statement runs in one repeat [s]."""

SETUP = """
import os
import numpy as np
import poinsot as ps
from poinsot import library
rng = np.random.default_rng(0)
"""
CHAIN = "system = library.chain(7); q, v = np.ones(7), np.zeros(7); T = 2.0"
SQUEEZER = (
    "system = library.andrews_squeezer(); T = 0.03; "
    "q, v = library.andrews_squeezer_configuration(), np.zeros(7)"
)
RUN = "ps.simulate(system, q, v, T, rtol={rtol}, atol={rtol}, integrator='{integrator}')"
CLOSED = {
    "four-bar": "library.four_bar(); q = library.four_bar_configuration(0.8)",
    "squeezer": "library.andrews_squeezer(); q = library.andrews_squeezer_configuration()",
    "Stewart platform": "library.stewart_platform(); q = library.stewart_platform_configuration("
    "ps.Pose((0.05, 0.02, 0.7), rpy=(0.1, 0.05, 0)))",
    "6 four-bars": "library.n_four_bar(6); q = library.n_four_bar_state(6)[0]",
    "20 four-bars": "library.n_four_bar(20); q = library.n_four_bar_state(20)[0]",
    "200 four-bars": "library.n_four_bar(200); q = library.n_four_bar_state(200)[0]",
}
LARGE = "200 four-bars"
"""Whose forward dynamics alone was always machine code."""
STATES = "v = np.ones((B, system.nv)); tau = v.copy(); a = v.copy(); q = np.tile(q, (B, 1))"
METHODS = {"inverse_dynamics": "q, v, a", "forward_dynamics": "q, v, tau", "mass_matrix": "q"}
FIRST = ("puma560()", "humanoid()", "chain(100)", "four_bar()", "andrews_squeezer()",
         "stewart_platform()", "n_four_bar(20)")  # fmt: skip


def rows(group: str) -> dict[str, tuple[str, str]]:
    """Return the rows of a group: setup and statement by name."""
    return {
        "simulate": _simulate, "loops": _loops, "batch_simulate": _batches, "threads": _threads,
        "python": _python,
    }[group]()  # fmt: skip


def _simulate() -> dict[str, tuple[str, str]]:
    runs = [("dp8", 1e-3), ("dp8", 1e-6), ("dp8", 1e-9), ("dp5", 1e-3), ("dp5", 1e-6)]
    return {
        f"{name}, {integrator}, {rtol:.0e}": (setup, RUN.format(integrator=integrator, rtol=rtol))
        for name, setup in (("chain", CHAIN), ("squeezer", SQUEEZER))
        for integrator, rtol in (*runs, ("stiff", 1e-6))
    }


def _loops() -> dict[str, tuple[str, str]]:
    cases = {}
    for name, text in CLOSED.items():
        methods = list(METHODS.items())
        for method, arguments in methods[1:2] if name == LARGE else methods:
            for size in (1, 256):
                setup = f"system = {text}; B = {size}; {STATES}"
                setup += "; q, v, tau, a = (x[0] for x in (q, v, tau, a))" if size == 1 else ""
                label = "single" if size == 1 else "batch"
                cases[f"{name}, {method}, {label}"] = (setup, f"system.{method}({arguments})")
    return cases


def _batches() -> dict[str, tuple[str, str]]:
    setup = (
        "system = library.chain(7); q = rng.uniform(-2, 2, (4096, 7)); v = rng.normal(size=q.shape)"
    )
    run = "ps.simulate(system, q, v, 0.1, integrator='rk4', step=1e-3{})"
    return {"every step": (setup, run.format("")), "ends": (setup, run.format(", save=0.1"))}


def _threads() -> dict[str, tuple[str, str]]:
    cases = {}
    for count in (1, 2):
        for method, arguments in METHODS.items():
            setup = (
                f"os.environ['POINSOT_NUM_THREADS'] = '{count}'; system = library.chain(7); "
                "q, v, a, tau = rng.normal(size=(4, 100_000, 7)); "
                f"out = system.{method}({arguments})"
            )
            call = f"system.{method}({arguments}"
            cases[f"{method}, {count} threads"] = (setup, f"{call})")
            cases[f"{method}, {count} threads, out"] = (setup, f"{call}, out=out)")
    return cases


def _python() -> dict[str, tuple[str, str]]:
    arm = "system = library.puma560(); q, v, a, tau = rng.normal(size=(4, 6))"
    loop = "system = library.four_bar(); q = library.four_bar_configuration(0.8); v = np.zeros(3)"
    law = "; law = lambda t, q, v: -2.0 * q - v"
    return {
        "make a chain of 7": ("", "library.chain(7)"),
        "make a Stewart platform": ("", "library.stewart_platform()"),
        "inverse dynamics": (arm, "system.inverse_dynamics(q, v, a)"),
        "forward dynamics": (arm, "system.forward_dynamics(q, v, tau)"),
        "mass matrix": (arm, "system.mass_matrix(q)"),
        "pose of a body": (arm + "; body = system.bodies[-1].name", "system.pose(body, q)"),
        "kinetic energy": (arm, "system.kinetic_energy(q, v)"),
        "lists as arguments": (arm + "; q, v = q.tolist(), v.tolist()", "system.bias(q, v)"),
        "short run": (CHAIN, "ps.simulate(system, q, v, 1e-3)"),
        "short run of a loop": (loop, "ps.simulate(system, q, v, 1e-3)"),
        "short run under a law": (CHAIN + law, "ps.simulate(system, q, v, 1e-3, tau=law)"),
        "run at times": (CHAIN, "ps.simulate(system, q, v, 0.1, save=0.01)"),
        "assemble": (loop, "system.assemble(q)"),
        "multipliers": (loop, "system.multipliers(q, v, np.zeros(3))"),
        "save and load": (f"import tempfile; folder = tempfile.mkdtemp(); {arm}",
                          "ps.save(system, folder + '/m.json'); ps.load(folder + '/m.json')"),
    }  # fmt: skip


GROUPS = ("simulate", "loops", "batch_simulate", "threads", "python", "reach")


def measure(group: str) -> dict[str, float]:
    """Return the seconds of one execution of each row of a group, in this process."""
    if group != "threads":
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    seconds = {}
    for name, (setup, statement) in rows(group).items():
        namespace: dict[str, object] = {}
        exec(SETUP + setup, namespace)
        timer = timeit.Timer(statement, globals=namespace)
        timer.timeit(3)
        number = max(1, round(SLICE / max(timer.timeit(2) / 2, 1e-9)))
        repeats = REPEATS if number > 1 else 5
        seconds[name] = min(timer.repeat(repeats, number)) / number
    return seconds


def in_checkout(folder: Path, group: str) -> dict[str, float]:
    """Return the seconds of each row in a new process of a checkout."""
    environment = {
        **os.environ,
        "PYTHONPATH": f"{folder / 'src'}{os.pathsep}{folder}",
        "POINSOT_CACHE": "on",
        "POINSOT_CACHE_DIR": str(folder / "cache"),
    }
    if group == "reach":
        firsts: dict[str, float] = {}
        for system in FIRST:
            command = [sys.executable, "-m", "benchmarks.every_quantity", system]
            times = _answer(command, folder, {**environment, "POINSOT_CACHE": "0"})
            firsts |= {f"{system}, {name}, first": x for name, x in times.items()}
        return firsts
    return _answer([sys.executable, __file__, "--measure", group], folder, environment)


def _answer(command: list[str], folder: Path, environment: dict[str, str]) -> dict[str, float]:
    result = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    if result.returncode:
        raise RuntimeError(f"{' '.join(command)} in {folder} failed:\n{result.stderr}")
    answer: dict[str, float] = json.loads(result.stdout.splitlines()[-1])
    return answer


def compare(folders: list[Path], groups: list[str], rounds: int) -> dict[str, list[float]]:
    """Return seconds at both commits and the ratio, all medians, by row; print them."""
    results: dict[str, list[float]] = {}
    for group in groups:
        taken = [[in_checkout(folder, group) for folder in folders] for _ in range(rounds)]
        for name in taken[0][0]:
            pairs = [(old[name], new[name]) for old, new in taken if name in old and name in new]
            if pairs:
                medians = [median(times) for times in zip(*pairs, strict=True)]
                ratio = median(new / old for old, new in pairs)
                results[f"{group}: {name}"] = [*medians, ratio]
                old, new = (f"{1e6 * seconds:12.2f}" for seconds in medians)
                print(f"{ratio:6.3f} {old} {new} us  {group}: {name}", flush=True)
    return results


def main() -> None:
    """Check both commits out, measure, print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.interleaved", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("commits", nargs="*", metavar="OLD NEW")
    parser.add_argument("--groups", nargs="+", choices=GROUPS, default=list(GROUPS))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--measure", choices=GROUPS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure:
        print(json.dumps(measure(options.measure)))
        return
    if len(options.commits) != 2:
        parser.error("give two commits")
    with tempfile.TemporaryDirectory() as temporary:
        folders = [Path(temporary) / name for name in ("old", "new")]
        try:
            for folder, commit in zip(folders, options.commits, strict=True):
                git = ["git", "worktree", "add", "--quiet", "--detach", str(folder), commit]
                subprocess.run(git, check=True)
            results = compare(folders, options.groups, options.rounds)
        finally:
            for folder in folders:
                subprocess.run(["git", "worktree", "remove", "--force", str(folder)], check=False)
    slower = {name: ratio for name, (_, _, ratio) in results.items() if ratio > LIMIT}
    print(f"\n{len(results)} rows, {len(slower)} slower by over 5 %")
    for name, ratio in sorted(slower.items(), key=lambda pair: -pair[1]):
        print(f"{ratio:6.3f} {name}")
    sys.exit(bool(slower))


if __name__ == "__main__":
    main()
