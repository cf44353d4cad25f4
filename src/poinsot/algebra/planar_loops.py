"""Loops of planar linkages: closures as sums of vectors from joint to joint.

Each joint that is not in a spanning tree of the links closes one loop.  Going round it, a link adds
the vector between its joints, turned by its angle, and a slide its stroke along its guide.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from poinsot.model.planar.linkage import PlanarJoint, PlanarLinkage

Term: TypeAlias = tuple[float, str, str]
"""A number, the stroke and the cosine or sine that it is multiplied by; empty for 1."""
Step: TypeAlias = tuple[PlanarJoint, bool]
"""A joint, and whether it is passed from its first link to the second."""


def planar_loops(linkage: PlanarLinkage) -> list[tuple[list[str], tuple[list[Term], list[Term]]]]:
    """Return names of joints round each independent loop, and its closure along x and y."""
    reached: dict[str, list[Step]] = {linkage.frame: []}
    waiting, closing = list(linkage.joints), list[PlanarJoint]()
    bodies = [linkage.frame]
    for body in bodies:
        for joint in list(waiting):
            if body not in (joint.a, joint.b):
                continue
            waiting.remove(joint)
            other = joint.other(body)
            if other in reached:
                closing.append(joint)
                continue
            reached[other] = [*reached[body], (joint, joint.a == body)]
            bodies.append(other)
    loops = []
    for joint in closing:
        out, back = reached[joint.a], reached[joint.b]
        while out and back and out[0] == back[0]:
            out, back = out[1:], back[1:]
        steps = [*out, (joint, True), *((j, not forward) for j, forward in reversed(back))]
        loops.append(([j.name for j, _ in steps], _closure(steps, linkage.frame)))
    return loops


def _closure(steps: Sequence[Step], frame: str) -> tuple[list[Term], list[Term]]:
    x: list[Term] = []
    y: list[Term] = []
    for (joint, forward), (following, onwards) in zip(steps, [*steps[1:], steps[0]], strict=True):
        link = joint.b if forward else joint.a
        start = np.asarray(joint.pb if forward else joint.pa, float)
        end = np.asarray(following.pa if onwards else following.pb, float)
        _add(x, y, (end - start).tolist(), "", link, 0.0, frame)
        if following.kind == "P":
            sign = 1.0 if onwards else -1.0
            _add(x, y, [sign, 0.0], f"s_{following.name}", following.a, float(following.ua), frame)
    return x, y


def _add(
    x: list[Term], y: list[Term], vector: Sequence[float], stroke: str, link: str, turn: float,
    frame: str,
) -> None:  # fmt: skip
    """Add a vector that turns with a link, times a stroke."""
    c, s = float(np.cos(turn)), float(np.sin(turn))
    a, b = c * vector[0] - s * vector[1], s * vector[0] + c * vector[1]
    if link == frame:
        x.append((a, stroke, ""))
        y.append((b, stroke, ""))
        return
    cosine, sine = f"cos(φ_{link})", f"sin(φ_{link})"
    x += [(a, stroke, cosine), (-b, stroke, sine)]
    y += [(a, stroke, sine), (b, stroke, cosine)]
