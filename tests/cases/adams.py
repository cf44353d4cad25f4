"""One body on a joint, a spring, a rod or a link, with the reactions on the ground."""

import re

import numpy as np

import poinsot as ps
from tests.cases.contract import Unsupported, Within
from tests.cases.motion import motion
from tests.cases.numbers import number
from tests.cases.words import direction, rotation, turned, vector

CONVENTION = (
    "world frame; Rforce/Rtorque = what the joint exerts on GROUND, torque about the ground-side "
    "joint point"
)
BODY = re.compile(r"com at (R *\* *)?(\([^()]*\))(?: from joint)?(?:, axes = R)?")
SPRING = re.compile(r"tau *= *-(\S+?)\*angle *-(\S+?)\*rate")
TOLERANCES = {
    "Pos": ("pos",),
    "Vel": ("vel", "pos"),
    "Avel": ("avel", "vel", "pos"),
    "Acc": ("acc", "force", "pos"),
    "Rforce": ("force", "pos"),
    "Rtorque": ("torque", "force", "pos"),
}
"""By which of the case's tolerances each entry is judged, if the first are missing."""


def adams(case):
    """Return the motion of the mass centre and the reactions at the sampled times."""
    model, reference = case["model"], case["reference"]
    if reference.get("convention", CONVENTION) != CONVENTION:
        raise Unsupported(f"convention {reference['convention']!r}: not understood")
    if model.get("initial") != "rest":
        raise Unsupported(f"initial state {model.get('initial')!r}: not understood")
    system, com, to_ground = _system(model)
    q, v = system.neutral(), np.zeros(system.nv)
    run = motion(system, q, v, [sample["t"] for sample in reference["samples"]])
    limits = case.get("tolerance", {})
    samples = []
    for sample in reference["samples"]:
        found = _sample(system, com, to_ground, *run.at(float(sample["t"])))
        samples.append({"t": sample["t"]} | {k: _within(k, x, limits) for k, x in found.items()})
    return {"samples": samples}


def _sample(system, com, to_ground, q, v):
    a = system.forward_dynamics(q, v)
    velocity = system.velocity("body", q, v, com, axes="world")
    wrench = to_ground(system.reactions(q, v, axes="world"))
    return {
        "Pos": (system.pose("body", q) @ [*com, 1.0])[:3],
        "Vel": velocity[:3],
        "Avel": velocity[3:],
        "Acc": system.acceleration("body", q, v, a, com, axes="world")[:3],
        "Rforce": wrench[:3],
        "Rtorque": wrench[3:],
    }


def _within(name, value, limits):
    for key in TOLERANCES[name]:
        if key in limits:
            return Within(value, rtol=limits[key], atol=limits[key])
    return value


def _system(model):
    """Return the system, the mass centre in the body, and reactions -> wrench on the ground."""
    for key, build in (
        ("joint_point", _on_revolute),
        ("revolute_axis", _on_link),
        ("body_point", _on_rod),
    ):
        if key in model:
            return build(model)
    raise Unsupported(f"adams: a model with {', '.join(model)} is not understood")


def _on_revolute(model):
    """Return a body on a revolute joint, perhaps with a spring and a damper."""
    place = BODY.fullmatch(model["body"])
    if place is None:
        raise Unsupported(f"body {model['body']!r}: not understood")
    R = rotation(model["frame"])
    com = vector(place[2]) if place[1] else R.T @ vector(place[2])
    stiffness, damping = _spring(model.get("spring"))
    joint = ps.Revolute(R.T @ turned(model["axis"], R), stiffness=stiffness, damping=damping)
    body = _body(model, com, joint=joint, pose=ps.Pose(model["joint_point"], matrix=R))
    system = ps.System("adams", [body], gravity=model["g"])
    return system, com, lambda wrenches: -wrenches["body"]


def _on_link(model):
    """Return a body on a ball at the end of a massless link that turns about an axis."""
    R = rotation(model.get("R0", "identity"))
    ground, ball = np.array(model["ground_point"], float), np.array(model["spherical_point"], float)
    com = R.T @ (np.array(model["com"], float) - ball)
    link = ps.Body(
        "link", joint=ps.Revolute(direction(model["revolute_axis"])), pose=ps.Pose(ground)
    )
    pose = ps.Pose(ball - ground, matrix=R)
    body = _body(model, com, parent="link", joint=ps.Spherical(), pose=pose)
    system = ps.System("adams", [link, body], gravity=model["g"])
    return system, com, lambda wrenches: -wrenches["link"]


def _on_rod(model):
    """Return a free body with one point at a distance from the ground."""
    R = rotation(model.get("R0", "identity"))
    ground, end = np.array(model["ground_point"], float), np.array(model["body_point"], float)
    com = R.T @ (np.array(model["com"], float) - end)
    body = _body(model, com, joint=ps.Free(), pose=ps.Pose(end, matrix=R))
    rod = ps.Distance(
        "rod", ("world", ground), ("body", (0.0, 0.0, 0.0)), np.linalg.norm(end - ground)
    )
    system = ps.System("adams", [body], gravity=model["g"], constraints=[rod])
    return system, com, lambda wrenches: -wrenches["rod"]


def _body(model, com, **options):
    return ps.Body("body", mass=model["mass"], com=com, inertia=model["I_com"], **options)


def _spring(text):
    """Return stiffness and damping of "tau=-200*angle-10*rate"."""
    if text is None:
        return 0.0, 0.0
    found = SPRING.fullmatch(text.strip())
    if found is None:
        raise Unsupported(f"spring {text!r}: not understood")
    return number(found[1]), number(found[2])
