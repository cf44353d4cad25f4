"""The neutral description of trees: bodies with numbers, joints with placements."""

import numpy as np

import poinsot as ps
from tests.cases.contract import Unsupported

JOINT_ARGUMENTS = {
    "revolute": ("axis",),
    "prismatic": ("axis",),
    "helical": ("axis", "pitch"),
    "cylindrical": ("axis",),
    "universal": ("axis", "axis2"),
    "planar": ("axis", "axis2"),
    "translation": (),
    "euler": ("sequence",),
    "spherical": (),
    "free": (),
    "fixed": (),
}
"""What the description of each type of joint holds besides its placement and forces."""

READ = {
    "type",
    "placement",
    "damping",
    "stiffness",
    "control",
    "id",
    "name",
    "label",
    "title",
    "note",
}
"""What the description of every joint may hold."""


def sorted_bodies(description):
    """Return the bodies by number, which is how q and v are stacked."""
    return sorted(description["bodies"], key=lambda body: body["id"])


def name_of(number):
    """Return the name of a body; number 0 is the base."""
    return f"body {number}" if number else "world"


def system_of(description, *, passive=True, on_free_base=False, loops=()):
    """Return the system of a neutral description.

    Args:
        description: Gravity and bodies.
        passive: Whether its joints have their springs and dampers.
        on_free_base: Put it on a massless free body "base", whose motion then stands first in q
            and v.
        loops: Joints that close loops.
    """
    bodies = [] if not on_free_base else [ps.Body("base", joint=ps.Free())]
    for body in sorted_bodies(description):
        parent = name_of(body["parent"])
        bodies.append(
            ps.Body(
                name_of(body["id"]),
                parent="base" if on_free_base and parent == "world" else parent,
                joint=joint_of(body["joint"], passive=passive),
                pose=pose_of(body["joint"].get("placement", {})),
                mass=body["mass"],
                com=body["com"],
                inertia=body["inertia_com"],
            )
        )
    gravity = description.get("gravity", (0.0, 0.0, 0.0))
    if on_free_base:
        loops = [ps.Loop(one.name, *map(_on_base, one.pair), one.joint) for one in loops]
    return ps.System("case", bodies, gravity=gravity, loops=loops)


def pose_of(placement):
    """Return the pose of a description {"quaternion":, "translation":}."""
    return ps.Pose(
        placement.get("translation", (0.0, 0.0, 0.0)),
        quat=placement.get("quaternion", (1.0, 0.0, 0.0, 0.0)),
    )


def control(description):
    """Return the controls of all joints, stacked; zero where none is given."""
    parts = []
    for body in sorted_bodies(description):
        kind = _joint_class(body["joint"]["type"])
        parts.append(np.asarray(body["joint"].get("control", np.zeros(kind.nv)), float).ravel())
    return np.concatenate(parts)


def joint_of(joint, *, passive=True):
    """Return the joint of a description, with its springs and dampers or without."""
    kind = _joint_class(joint["type"])
    strange = set(joint) - READ - set(JOINT_ARGUMENTS[joint["type"]])
    if strange:
        raise Unsupported(f"{joint['type']} joint with {', '.join(sorted(strange))}")
    given = {name: joint[name] for name in JOINT_ARGUMENTS[joint["type"]] if name in joint}
    if passive:
        given |= {name: joint[name] for name in ("damping", "stiffness") if name in joint}
    return kind(**given)


def _on_base(frame):
    return ("base", frame[1]) if frame[0] == "world" else frame


def _joint_class(name):
    kind = getattr(ps, name.capitalize(), None)
    if name not in JOINT_ARGUMENTS or kind is None:
        raise Unsupported(f"{name} joint: not supported yet")
    return kind
