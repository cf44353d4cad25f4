"""A batch with contacts, and a process that is killed in the middle of it."""

import os
import signal
import sys

import numpy as np

import poinsot as ps
from poinsot.front import runs_checkpoint
from poinsot.simulation.running.batch import batch_threads


def batch(integrator, contacts=True):
    """Return the arguments of many runs, with their own parameters."""
    ball = ps.System(
        "ball",
        [ps.Body("ball", joint=ps.Planar("x", "z"), mass=2.0, inertia=(1.0, 1.0, 1.0))],
        parameters={"level": 0.0},
        free=["level"],
    )
    ground = ps.Contact(ps.PointOnSurface("ground", ("ball", (0, 0, 0)), "z - level"), 0.8)
    starts = np.zeros((40, 3))
    starts[:, 1] = np.linspace(0.5, 1.5, 40)
    options = {"parameters": {"level": np.linspace(0.0, 0.2, 40)}, "integrator": integrator}
    step = {"step": 1e-3} if integrator == "rk4" else {"max_step": 1e-3}
    options |= step | {"save": 0.05}
    if contacts:
        options["contacts"] = [ground]
    return (ball, starts, [0.3, 0.0, 0.1], 1.0), options


def main(integrator, contacts, path):
    """Simulate, and be killed when the third checkpoint is about to take its place."""
    put, times = os.replace, []

    def replace(source, goal):
        times.extend([goal] if str(goal) == path else [])
        if len(times) == 3:
            os.kill(os.getpid(), signal.SIGKILL)
        put(source, goal)

    os.replace, runs_checkpoint.SHARE, batch_threads.PACE = replace, 0.0, 1e-3
    arguments, options = batch(integrator, contacts == "contacts")
    ps.simulate(*arguments, **options, checkpoint=path, checkpoint_every=1e-9)
    print("never reached")


if __name__ == "__main__":
    main(*sys.argv[1:])
