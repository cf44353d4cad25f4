"""Impacts of plane pendulums: with a wall, or with each other."""

import re

import numpy as np

import poinsot as ps
from tests.cases.contract import Unsupported, Within
from tests.cases.numbers import number

ACCURACY = 1e-12
WALL = re.compile(r"([xy]) *(>=|<=) *([-\d.e]+) for both bobs")


def impact(case):
    """Return what the benchmark with this description asks for."""
    for key, adapter in (("wall", wall), ("pivots", two_pendulums)):
        if key in case["model"]:
            return adapter(case)
    raise Unsupported(f"impact: a model with {', '.join(case['model'])} is not understood")


def wall(case):
    """Return the impacts of a double pendulum on a wall, and angles between them."""
    model, reference, limits = case["model"], case["reference"], case.get("tolerance", {})
    system, contacts = _double_pendulum(model)
    absolute = np.array([[1.0, 0.0], [1.0, 1.0]])  # angles from the vertical, of the joints' angles
    relative = np.linalg.inv(absolute)
    rows = reference.get("siconos_rows", {}).get("rows", [])
    times = [event["t"] for event in reference["events"]] + [row[0] for row in rows]
    run = ps.simulate(
        system, relative @ np.array(model["q0"], float), relative @ np.array(model["v0"], float),
        1.001 * max(times), rtol=ACCURACY, contacts=contacts,
    )  # fmt: skip
    if not run.status.ok:
        raise RuntimeError(run.status.message)
    when, speed = limits.get("event_time_abs", 1e-9), limits.get("velocity_abs", 1e-9)
    events = []
    for event in run.events[: len(reference["events"])]:
        hit = ps.impact(system, event.q_before, event.v_before, contacts)
        bobs = [int(name.split()[1]) for name in hit.acted]
        events.append({
            "t": Within(event.t, atol=when),
            "contact_bob": bobs[0] if len(bobs) == 1 else bobs,
            "q": Within(absolute @ event.q, atol=when),
            "v_before": Within(absolute @ event.v_before, atol=speed),
            "v_after": Within(absolute @ event.v, atol=speed),
            "impulse": Within([hit.impulses[name] for name in hit.acted], atol=speed),
        })  # fmt: skip
    found = {"events": events}
    if rows:
        angles = [[t, *(absolute @ run.at(t)[0])] for t, *_ in rows]
        found["siconos_rows"] = {"rows": Within(angles, atol=limits["vs_siconos_abs"])}
    return found


def two_pendulums(case):
    """Return what the first impact of two discs on rods without mass does."""
    model = case["model"]
    L, R, m, e = (number(model[name]) for name in ("L", "R", "m", "e"))
    if model["body"] != "disc of radius R at rod end, massless rod":
        raise Unsupported(f"body {model['body']!r}: not understood")
    J = number(model["J"], m=m, R=R)
    bodies = [
        ps.Body(
            f"pendulum {k}", joint=ps.Revolute("z"), pose=ps.Pose((*pivot, 0.0)), mass=m,
            com=(0, -L, 0), inertia=(J, J, J),
        )
        for k, pivot in enumerate(model["pivots"], start=1)
    ]  # fmt: skip
    system = ps.System("two pendulums", bodies, gravity=(0.0, -number(model["g"]), 0.0))
    ends = [(body.name, body.com) for body in bodies]
    discs = ps.Contact(ps.Distance("discs", *ends, 2.0 * R), e)
    if not re.fullmatch(r"\S+ deg and \S+(?: deg)?", model["angles0"]):
        raise Unsupported(f"angles0 {model['angles0']!r}: not understood")
    start = np.deg2rad([float(word) for word in re.findall(r"-?\d+\.?\d*", model["angles0"])])
    run = ps.simulate(
        system, start, [0.0, 0.0], 10.0 * np.sqrt(L / number(model["g"])), rtol=ACCURACY,
        contacts=[discs],
    )  # fmt: skip
    if not run.events:
        raise RuntimeError(f"no impact: {run.status.message}")
    first = run.events[0]
    hit = ps.impact(system, first.q_before, first.v_before, [discs])
    found = {"impulse": hit.impulses["discs"]}
    for k in (0, 1):
        found |= {f"omega{k + 1}_before": hit.v_before[k], f"omega{k + 1}_after": hit.v[k]}
    return found


def _double_pendulum(model):
    """Return two bobs on rods without mass, and what each may hit."""
    if "absolute from the downward vertical" not in model["angles"]:
        raise Unsupported(f"angles {model['angles']!r}: not understood")
    side = WALL.fullmatch(model["wall"])
    if not side or not model["law"].startswith("Newton restitution"):
        raise Unsupported(f"wall {model['wall']!r}, law {model['law']!r}: not understood")
    axis, way, place = side.groups()
    gap = f"{axis} - ({place})" if way == ">=" else f"({place}) - {axis}"
    bodies, parent, above = [], "world", 0.0
    for k, (mass, length) in enumerate(zip(model["masses"], model["lengths"], strict=True), 1):
        bodies.append(
            ps.Body(
                f"bob {k}", parent, ps.Revolute("z"), ps.Pose((0.0, -above, 0.0)), mass=mass,
                com=(0.0, -length, 0.0),
            )
        )  # fmt: skip
        parent, above = f"bob {k}", length
    system = ps.System("double pendulum", bodies, gravity=(0.0, -number(model["g"]), 0.0))
    contacts = [
        ps.Contact(ps.PointOnSurface(f"wall {k}", (body.name, body.com), gap), e)
        for k, (body, e) in enumerate(zip(bodies, model["e"], strict=True), 1)
    ]
    return system, contacts
