"""A run with all that a run may have, and a process that is killed in the middle of one."""

import os
import signal
import sys

import numpy as np

import poinsot as ps
from poinsot.simulation.files import checkpoint_writer


def turning(t):
    c, s = np.cos(t), np.sin(t)
    return [[c, -s, 0], [s, c, 0], [0, 0, 1]], [0, 0, 0, 0, 0, 1], np.zeros(6)


def everything(duration=1.0, sampled=True, name="everything"):
    """Return the arguments of a run with all that a run may have."""
    m = ps.symbols("m")
    bodies = [
        ps.Body("arm", joint=ps.Spherical(), mass=m, com=(0.2, 0, 0), inertia=(0.02, 0.03, 0.04)),
        ps.Body("leg", "arm", ps.Revolute("y"), ps.Pose((0.4, 0, 0)), mass=1.0, com=(0, 0, -0.3)),
    ]
    system = ps.System(name, bodies, parameters={"m": 2.0}, free=("m",))
    times, samples = np.linspace(0.0, 9.0, 10), np.cos(np.arange(10.0))
    signal = ps.Signal(times, samples) if sampled else np.cos

    def law(t, q, v):
        return np.concatenate([-0.1 * v[:3], [signal(t) - m * v[3]]])

    events = [
        ps.Event("kick", "leg + 0.3", direction="down", reset=lambda t, q, v: v * [1, 1, 1, 0.5]),
        ps.Event("free", "t - 0.4", tau=lambda t, q, v: -0.3 * v),
        ps.Event("seen", "v.leg"),
    ]
    arguments = (system, [1, 0, 0, 0, 0.1], [0.3, -0.2, 0.5, 1.0], duration)
    return arguments, {"tau": law, "base": turning, "parameters": {"m": 1.5}, "events": events}


def long_run(method):
    """Return the arguments of a run of some thousand steps."""
    arguments, options = everything(3.0, sampled=method != "stiff", name="killed")
    step = {"step": 1e-3} if method == "rk4" else {"max_step": 1e-3}
    return arguments, options | {"integrator": method, "save": 0.01, **step}


def main(method, path):
    """Simulate, and be killed when the third checkpoint is about to take its place."""
    put, times = os.replace, []

    def replace(source, goal):
        times.extend([goal] if str(goal) == path else [])
        if len(times) == 3:
            os.kill(os.getpid(), signal.SIGKILL)
        put(source, goal)

    os.replace, checkpoint_writer.SHARE = replace, 0.0
    arguments, options = long_run(method)
    ps.simulate(*arguments, **options, checkpoint=path, checkpoint_every=1e-9)
    print("never reached")


if __name__ == "__main__":
    main(*sys.argv[1:])
