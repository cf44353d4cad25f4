"""Inverse dynamics of a chain of hinges with three-vectors, for what Pinocchio cannot hold.

Written apart from poinsot's formulations and only as a check: forces and moments of each body in
its own axes [Luh, Walker and Paul 1980], all states of a batch at a time.
"""

import numpy as np

import poinsot as ps


def inverse_dynamics(system: ps.System, q, v, a) -> np.ndarray:
    """Return the joint forces for states (B, n) of a chain whose joints are all revolute."""
    bodies = system.bodies
    _check(bodies)
    count = q.shape[0]
    w, dw = np.zeros((count, 3)), np.zeros((count, 3))
    acc = np.broadcast_to(-np.array(system.gravity), (count, 3))
    turns, forces, moments = [], [], []
    for i, body in enumerate(bodies):
        r, c, axis = np.array(body.pose.xyz), np.array(body.com), np.array(body.joint.axis)
        turn = np.array(body.pose.matrix) @ _rotation(axis, q[:, i])
        acc = _back(turn, acc + np.cross(dw, r) + np.cross(w, np.cross(w, r)))
        w, dw = _back(turn, w), _back(turn, dw)
        spin = axis * v[:, i, None]
        dw = dw + axis * a[:, i, None] + np.cross(w, spin)
        w = w + spin
        inertia = body.inertia_matrix()
        forces.append(body.mass * (acc + np.cross(dw, c) + np.cross(w, np.cross(w, c))))
        moments.append(dw @ inertia + np.cross(w, w @ inertia) + np.cross(c, forces[-1]))
        turns.append(turn)
    tau = np.empty_like(v)
    for i in reversed(range(len(bodies))):
        tau[:, i] = moments[i] @ np.array(bodies[i].joint.axis)
        if i > 0:
            force = _forth(turns[i], forces[i])
            forces[i - 1] = forces[i - 1] + force
            r = np.array(bodies[i].pose.xyz)
            moments[i - 1] = moments[i - 1] + _forth(turns[i], moments[i]) + np.cross(r, force)
    return tau


def _check(bodies) -> None:
    for i, body in enumerate(bodies):
        parent = "world" if i == 0 else bodies[i - 1].name
        if body.joint.kind != "revolute" or body.parent != parent:
            raise ValueError(f"{body.name} is not a link of a chain of hinges")


def _rotation(axis: np.ndarray, angle: np.ndarray) -> np.ndarray:
    """Return rotations (B, 3, 3) about a unit axis [Rodrigues]."""
    x, y, z = axis
    K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle)[:, None, None] * K + (1 - np.cos(angle))[:, None, None] * K @ K


def _forth(turn: np.ndarray, vector: np.ndarray) -> np.ndarray:
    return (turn @ vector[:, :, None])[:, :, 0]


def _back(turn: np.ndarray, vector: np.ndarray) -> np.ndarray:
    return (vector[:, None, :] @ turn)[:, 0, :]
