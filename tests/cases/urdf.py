"""Robots from URDF files that come with packages, on a fixed or a free base."""

import hashlib
import re
from importlib import metadata
from pathlib import Path

import numpy as np

import poinsot as ps
from tests.cases.contract import Missing, Unsupported

COPIES = Path(__file__).resolve().parents[1] / "data" / "robots"
"""Files that are kept here, so that their packages need not be installed."""


def urdf(case):
    """Return dynamics, energy and places at the state that the reference holds besides results."""
    model, given = case["model"], case["reference"]
    robot = robot_of(model, ps.Fixed() if given.get("base") is None else ps.Free())
    if "joints" not in given:
        raise Unsupported("a reference without names of joints is not understood")
    base, places = base_of(given.get("base"))
    order = [slice(0, 6)] * bool(places) + [robot.v_slice(name) for name in given["joints"]]
    order = np.concatenate([np.arange(robot.nv)[one] for one in order]).astype(int)
    q = robot.neutral()
    q[: len(places)] = places
    values = list(given["q"])
    for name in given["joints"]:
        own = robot.q_slice(name)
        q[own], values = values[: own.stop - own.start], values[own.stop - own.start :]

    def stacked(key, six):
        result = np.zeros(robot.nv)
        result[order] = np.concatenate([six, given.get(key, np.zeros(robot.nv - len(six)))])
        return result

    none = np.zeros(len(base["v"]))
    v, a, tau = stacked("v", base["v"]), stacked("a", base["a"]), stacked("tau_in", none)
    M = robot.mass_matrix(q)[np.ix_(order, order)]
    found = {key: given[key] for key in ("joints", "q", "v", "a", "tau_in", "base") if key in given}
    found |= {
        "rnea_tau": robot.inverse_dynamics(q, v, a)[order],
        "bias": robot.bias(q, v)[order],
        "gravity_tau": robot.gravity_force(q)[order],
        "kinetic_energy": robot.kinetic_energy(q, v),
        "M": M,
        "M_diag": M.diagonal(),
        "M_logdet": np.linalg.slogdet(M)[1],
        "nq": robot.nq,
        "nv": robot.nv,
    }
    if "com_world_moving_links" in given:
        found["com_world_moving_links"] = centre_of_moving(robot, q)
    if "aba_qdd" in given:
        found["aba_qdd"] = robot.forward_dynamics(q, v, tau)[order]
    for key, link in given.items():
        if isinstance(link, dict) and "name" in link:
            X = robot.pose(link["name"], q)
            found[key] = {"name": link["name"], "position": X[:3, 3], "rotation": X[:3, :3]}
    return found


def robot_of(model, root):
    """Return the robot without what the convention of the cases ignores."""
    system = ps.load(file_of(model), root=root, passive=False)
    return ps.System(system.name, system.bodies, gravity=model.get("g", (0.0, 0.0, -9.81)))


def base_of(base):
    """Return velocity and acceleration of a free base, [linear; angular], and its coordinates."""
    if base is None:
        return {"v": [], "a": []}, []
    known = {"position", "rpy", "quat_xyzw", "v_lin_body", "v_ang_body", "a_lin_body_spatial"}
    if not known - {"rpy"} <= base.keys():
        missing = ", ".join(sorted(known - {"rpy"} - base.keys()))
        raise Unsupported(f"a base without {missing} is not understood")
    x, y, z, w = base["quat_xyzw"]
    motion = {
        "v": [*base["v_lin_body"], *base["v_ang_body"]],
        "a": [*base["a_lin_body_spatial"], *base["a_ang_body"]],
    }
    return motion, [*base["position"], w, x, y, z]


def centre_of_moving(robot, q):
    """Return the mass centre of all bodies but those that are fixed to the world."""
    named = {body.name: body for body in robot.bodies}

    def moves(body):
        return body is not None and (body.joint.nv > 0 or moves(named.get(body.parent)))

    bodies = [
        ps.Body(body.name, body.parent, body.joint, body.pose, body.mass * moves(body), body.com)
        for body in robot.bodies
    ]
    if not any(body.mass for body in bodies):
        return Missing("no link that moves has mass")
    return ps.System("moving", bodies).centre_of_mass(q)


def file_of(model):
    """Return the file of a package that the case means, by its name and digest."""
    words = model["package"].split()
    candidates = [*_packaged(words[0], model["file"]), *sorted(COPIES.glob("*.urdf"))]
    digest = model.get("urdf_sha256")
    for path in candidates:
        if digest is None or hashlib.sha256(path.read_bytes()).hexdigest() == digest:
            return path
    have = "has another content" if _packaged(words[0], model["file"]) else "is not here"
    raise Unsupported(f"{model['file']} {have}: pip install {'=='.join(words[:2])}")


def _packaged(package, file):
    try:
        listed = metadata.distribution(package).files or []
    except metadata.PackageNotFoundError:
        return []
    ending = re.compile(rf"(?:.*/)?{re.escape(file)}")
    return [Path(one.locate()) for one in listed if ending.fullmatch(one.as_posix())]
