"""4096 runs of a chain of seven joints at once: steps in a second.

    python -m benchmarks.batch_simulate [--quick] [--save]

The chain of the library falls from 4096 random states, in 100 steps of 1 ms of the classical
Runge-Kutta method of order 4.  A step is one step of one run, four evaluations of accelerations.
Times are whole calls from Python, the median of three rounds in which all take turns; compiling,
once for a system, is not in them.

- poinsot: `ps.simulate(system, q, v, 0.1, integrator="rk4", step=1e-3)`, once storing the state
  after every step, as MuJoCo does, and once (`save=0.1`) only the first and the last.
- MuJoCo rollout: `mujoco.rollout.rollout(model, data, initial_state, nstep=100)`, integrator RK4,
  contacts and constraints off, storing every step.
- NumPy on poinsot: the four stages as NumPy arrays, `system.forward_dynamics(q, v, tau)` for all
  runs in one call; what the lanes gain by staying in registers and caches.
- NumPy on Pinocchio: the same with `pin.aba` for one run after the other, on a few runs.

All threads: POINSOT_NUM_THREADS, and as many MjData, as there are processors.  GFLOP/s count the
operations of the program of the accelerations, a sine or a quotient as one, and nothing else; the
peak is that of one core, measured (`benchmarks.peak`), times the cores.
"""

import argparse
import os
import sys

import mujoco
import mujoco.rollout
import numpy as np
import pinocchio as pin

import poinsot as ps
from benchmarks.mujoco_model import mujoco_model
from benchmarks.peak import peak_gflops
from benchmarks.pinocchio_model import PinocchioModel
from benchmarks.report import Verdict, page, save, section, table, verdict_section
from benchmarks.timing import Case, median_times
from poinsot.evaluate.evaluator import Evaluator
from poinsot.evaluate.request import Request
from poinsot.library import chain

RUNS, STEPS, STEP = 4096, 100, 1e-3
FEW = 32
"""Runs for what is slow; a step costs as much for few as for many."""
AGREE = 1e-9
"""How far the ends of the runs may be apart, relative to the largest state."""
ONE, PEER = "poinsot, every step", "MuJoCo rollout"


def starts(system: ps.System) -> tuple[np.ndarray, np.ndarray]:
    """Return q and v of all runs."""
    rng = np.random.default_rng(7)
    return rng.uniform(-2, 2, (RUNS, system.nq)), rng.normal(size=(RUNS, system.nv))


def stages(accelerations, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return q and v at the end of all steps, by arrays over the runs."""
    h = STEP
    for _ in range(STEPS):
        a1 = accelerations(q, v)
        v2 = v + h / 2 * a1
        a2 = accelerations(q + h / 2 * v, v2)
        v3 = v + h / 2 * a2
        a3 = accelerations(q + h / 2 * v2, v3)
        v4 = v + h * a3
        a4 = accelerations(q + h * v3, v4)
        q = q + h / 6 * (v + 2 * v2 + 2 * v3 + v4)
        v = v + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)
    return q, v


class Poinsot:
    """``ps.simulate`` as a user calls it."""

    def __init__(self, system: ps.System, **options):
        self._system, self._options = system, {"integrator": "rk4", "step": STEP, **options}

    def __call__(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Return q at the end."""
        return ps.simulate(self._system, q, v, STEPS * STEP, **self._options).q[:, -1]


class MuJoCo:
    """MuJoCo's rollout on a number of threads."""

    def __init__(self, system: ps.System, threads: int):
        self._model = mujoco_model(system, step=STEP)
        self._data = [mujoco.MjData(self._model) for _ in range(threads)]

    def __call__(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Return q at the end."""
        start = np.hstack([np.zeros((len(q), 1)), q, v])
        state, _ = mujoco.rollout.rollout(
            self._model, self._data, start, nstep=STEPS, persistent_pool=True
        )
        return state[:, -1, 1 : 1 + q.shape[1]]


def on_poinsot(system: ps.System):
    """Return a function of q and v that steps all runs with our accelerations."""
    tau = np.zeros(system.nv)
    return lambda q, v: stages(lambda q, v: system.forward_dynamics(q, v, tau), q, v)[0]


def on_pinocchio(system: ps.System):
    """Return a function of q and v that steps a few runs with Pinocchio's accelerations."""
    peer = PinocchioModel(system)
    model, data, tau, aba = peer.model, peer.data, np.zeros(system.nv), pin.aba

    def accelerations(q: np.ndarray, v: np.ndarray) -> np.ndarray:
        return np.array([aba(model, data, *state, tau) for state in zip(q, v, strict=True)])

    return lambda q, v: stages(accelerations, q, v)[0]


def measure(threads: int, *, repeats: int) -> dict[str, float]:
    """Return the steps in a second of each way, after a check that all end at the same place."""
    os.environ["POINSOT_NUM_THREADS"] = str(threads)
    system = chain(7)
    q, v = starts(system)
    ways = {
        ONE: (Poinsot(system), RUNS),
        "poinsot, ends": (Poinsot(system, save=STEPS * STEP), RUNS),
        PEER: (MuJoCo(system, threads), RUNS),
        "NumPy on poinsot": (on_poinsot(system), RUNS),
    }
    if threads == 1:
        ways["NumPy on Pinocchio"] = (on_pinocchio(system), FEW)
    ends = {name: way(q[:count], v[:count]) for name, (way, count) in ways.items()}
    for name, end in ends.items():
        apart = np.abs(end - ends[ONE][: len(end)]).max() / np.abs(ends[ONE]).max()
        if not apart <= AGREE:
            sys.exit(f"{name} ends {apart:.1e} from {ONE}")
    cases = [
        Case("way(q, v)", {"way": way, "q": q[:count], "v": v[:count]})
        for way, count in ways.values()
    ]
    seconds = median_times(cases, repeats=repeats)
    return {
        name: count * STEPS / time
        for (name, (_, count)), time in zip(ways.items(), seconds, strict=True)
    }


def main() -> None:
    """Measure, print, and fail if the libraries do not simulate the same system."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.batch_simulate")
    parser.description, parser.formatter_class = __doc__, argparse.RawDescriptionHelpFormatter
    parser.add_argument("--quick", action="store_true", help="few repeats: rough figures")
    parser.add_argument("--save", action="store_true", help="write benchmarks/results")
    options = parser.parse_args()
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    kernel = Evaluator(chain(7).mechanism, Request("forward_dynamics")).kernel
    operations, peak = 4 * kernel.signature.n_operations, peak_gflops(repeats=20)
    rows, verdicts = [], []
    for threads in sorted({1, cores}):
        rates = measure(threads, repeats=1 if options.quick else 2)
        for name, rate in rates.items():
            flops = rate * operations / 1e9 if "poinsot" in name else float("nan")
            rows.append(
                [
                    name,
                    str(threads),
                    f"{rate / 1e6:.3f}",
                    f"{rates[ONE] / rate:.2f}",
                    "-" if np.isnan(flops) else f"{flops:.1f}",
                    "-" if np.isnan(flops) else f"{100 * flops / (threads * peak):.0f} %",
                ]
            )
        what = f"{ONE} / {PEER}, {threads} thread{'s' if threads > 1 else ''}"
        verdicts.append(Verdict(what, 10, rates[ONE] / rates[PEER]))
    heads = ("way", "threads", "million steps/s", "poinsot is faster by", "GFLOP/s", "of peak")
    title = f"{RUNS} runs of {STEPS} steps of {STEP:g} s"
    sections = [section(title, table(heads, rows)), verdict_section(verdicts)]
    facts = {"cores": f"{cores}, one or all used", "peak": f"{peak:.1f} GFLOP/s a core"}
    text = page(__doc__, sections, facts=facts)
    print(text)
    if options.save:
        print(f"\nsaved: {save(text, 'batch_simulate')}")


if __name__ == "__main__":
    main()
