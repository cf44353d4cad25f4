"""The same simulations by others: each returns what is compared of the end."""

import tempfile
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path

import mujoco
import numpy as np

import poinsot as ps
from benchmarks.exudyn_model import ExudynModel, NotInExudyn
from benchmarks.gallery.recorded import Simulation
from benchmarks.gallery.scipy_pinocchio import NotInPinocchio, scipy_pinocchio

Peer = Callable[[float], np.ndarray]
"""Number of steps, or rtol -> poses at the end, shape (n, 4, 4); see ``Simulation.end_of``."""

STEPS = tuple(100 * 2**k for k in range(20))
TOLERANCES = tuple(10.0**-k for k in range(1, 12))


def peers(simulation: Simulation) -> dict[str, tuple[Peer, Sequence[float]]]:
    """Return those that can run a simulation, and their settings, the loosest first."""
    if simulation.has_impacts:
        ways = {"SciPy on Pinocchio": False}
        if simulation.system.constraints:
            ways["SciPy, Pinocchio's M"] = True
        try:
            return {
                name: (scipy_pinocchio(simulation, by_rows=by_rows), TOLERANCES)
                for name, by_rows in ways.items()
            }
        except NotInPinocchio:
            return {}
    return {name: (peer, STEPS) for name, peer in _in_steps(simulation).items()}


def _in_steps(simulation: Simulation) -> dict[str, Peer]:
    """Return those that take steps of one length."""
    found: dict[str, Peer] = {}
    system = _with_couples(simulation)
    if system is None:
        return found
    for name, index2 in (("Exudyn alpha", False), ("Exudyn index 2", True)):
        try:
            found[name] = _exudyn(system, simulation, index2)
        except NotInExudyn:
            break
    peer = _mujoco(system, simulation)
    if peer is not None:
        found["MuJoCo RK4"] = peer
    return found


def _with_couples(simulation: Simulation) -> ps.System | None:
    """Return the system with constant torques of hinges on the ground as couples on their bodies.

    None if other joint forces or a moving base act, which the builders do not know.
    """
    system, tau = simulation.system, simulation.options.get("tau")
    if simulation.options.get("base") is not None:
        return None
    if tau is None:
        return system
    if callable(tau) or isinstance(tau, ps.Signal | ps.Callback):
        return None
    forces = np.broadcast_to(np.array(tau, float), system.nv)
    couples = []
    for body in system.bodies:
        own = forces[system.v_slice(body.joint.name or body.name)]
        if not own.any():
            continue
        if body.parent != "world" or body.joint.kind != "revolute":
            return None
        axis = np.array(body.pose.matrix) @ np.array(body.joint.axis)
        couples.append(ps.ConstantForce(body.name, moment=tuple(axis * own[0])))
    return ps.System(
        system.name, system.bodies, gravity=system.gravity, loops=system.loops,
        constraints=system.constraints, forces=(*system.forces, *couples),
    )  # fmt: skip


def _exudyn(system: ps.System, simulation: Simulation, index2: bool) -> Peer:
    model = ExudynModel(system, *simulation.start)
    return lambda steps: model.run(simulation.duration, steps, index2=index2)[simulation.massive]


def _mujoco(system: ps.System, simulation: Simulation) -> Peer | None:
    """Return MuJoCo's RK4; None for loops, which give way in it, and for what MJCF cannot hold."""
    if system.loops or system.constraints:
        return None
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("error")
        path = Path(folder) / "model.xml"
        try:
            ps.save(system, path)
            model = mujoco.MjModel.from_xml_path(str(path))
        except (ps.PoinsotError, ps.ModelWarning, ValueError):
            return None
    model.opt.integrator = mujoco.mjtIntegrator.mjINT_RK4
    data, (q, v) = mujoco.MjData(model), simulation.start
    names = [system.bodies[i].name for i in simulation.massive]

    def run(steps: int) -> np.ndarray:
        mujoco.mj_resetData(model, data)
        model.opt.timestep = simulation.duration / steps
        data.qpos[:], data.qvel[:] = q, v
        mujoco.mj_step(model, data, steps)
        mujoco.mj_kinematics(model, data)
        poses = np.tile(np.eye(4), (len(names), 1, 1))
        for pose, name in zip(poses, names, strict=True):
            pose[:3, :3] = data.body(name).xmat.reshape(3, 3)
            pose[:3, 3] = data.body(name).xpos
        return poses

    return run
