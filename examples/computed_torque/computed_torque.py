"""A Panda arm that follows a path by computed torque: the control law contains the model.

    python examples/computed_torque/computed_torque.py [robot.urdf]

tau = M(q) (a_d + k_d (v_d - v) + k_p (q_d - q)) + h(q, v), which is the inverse dynamics of the
wanted acceleration [Craig, Introduction to Robotics, 3rd ed., section 10.5].  The law is traced and
compiled with the arm; a run of four seconds takes milliseconds.  `pip install example-robot-data`
brings the file of the Panda.
"""

import sys
import time
import warnings
from dataclasses import replace
from importlib import metadata
from pathlib import Path

import numpy as np

import poinsot as ps

PANDA = "cmeel.prefix/share/example-robot-data/robots/panda_description/urdf/panda.urdf"
STIFFNESS, DAMPING = 100.0, 20.0  # [1/s², 1/s]: both poles at -10/s
AMPLITUDE, FREQUENCY, DURATION = 0.4, 2.0, 4.0  # [rad, rad/s, s]


def panda() -> ps.System:
    """Return the arm with its gripper, as its file describes it; the fingers move by themselves."""
    file = Path(str(metadata.distribution("example-robot-data").locate_file(PANDA)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ps.ModelWarning)  # one finger should mimic the other
        return ps.load(file)


def wanted(arm: ps.System, t):
    """Return position, velocity and acceleration of the path at a time; fingers stay in place."""
    turns = np.array([unit == "rad" for unit in arm.coordinate_units])
    swing = AMPLITUDE * np.where(turns, np.cumsum(turns) / turns.sum(), 0.0)
    phase = FREQUENCY * t
    q = arm.neutral() + swing * (1.0 - np.cos(phase))
    v = swing * FREQUENCY * np.sin(phase)
    a = swing * FREQUENCY**2 * np.cos(phase)
    return q, v, a


def law(model: ps.System):
    """Return the control law that has this model of the arm."""

    def torque(t, q, v):
        q_d, v_d, a_d = wanted(model, t)
        a = a_d + DAMPING * (v_d - v) + STIFFNESS * (q_d - q)
        return model.inverse_dynamics(q, v, a)

    return torque


def tracking_error(run: ps.Run) -> float:
    """Return the largest distance of a joint from its path [rad or m]."""
    paths = np.array([wanted(run.system, t)[0] for t in run.t])
    return float(np.abs(run.q - paths).max())


def main() -> None:
    """Follow the path with a right model, and with one that is wrong."""
    arm = ps.load(sys.argv[1]) if len(sys.argv) > 1 else panda()
    start = arm.neutral()
    lighter = ps.System("lighter", [replace(body, mass=0.7 * body.mass) for body in arm.bodies])
    rest = np.zeros(arm.nv)
    for name, model in {"the arm itself": arm, "an arm 30 % lighter": lighter}.items():
        run = ps.simulate(arm, start, rest, DURATION, tau=law(model))
        began = time.perf_counter()
        ps.simulate(arm, start, rest, DURATION, tau=law(model))
        took = 1e3 * (time.perf_counter() - began)
        error = tracking_error(run)
        print(f"model: {name}: {error:.1e} rad off, {len(run)} states in {took:.1f} ms")
    run.plot("computed_torque.png")


if __name__ == "__main__":
    main()
