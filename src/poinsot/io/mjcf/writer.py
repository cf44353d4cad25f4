"""From a mechanism to MJCF."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence

import numpy as np

from poinsot.errors import ModelError, ModelWarning
from poinsot.io.mjcf.body_links import BodyLink, links_of
from poinsot.io.mjcf.equality_tags import equalities_of
from poinsot.io.mjcf.joint_pieces import MjcfJoint
from poinsot.io.mjcf.masses import Mass, masses_of
from poinsot.io.mjcf.tags import numbers_text, quoted, tag_text
from poinsot.io.xml import MAX_DEPTH
from poinsot.model import WORLD, AbstractJoint, Mechanism
from poinsot.spatial import matrix_to_quaternion

__all__ = ["mjcf_from_mechanism"]

_AROUND = 4
"""Levels that are not bodies: the document, mujoco and worldbody outside, joint inside."""


def mjcf_from_mechanism(mechanism: Mechanism) -> str:
    """Return a mechanism as MJCF, for MuJoCo 3 and later.

    ``qpos`` holds our q, stacked as ``mechanism.order`` lists the bodies, and ``qvel`` our v, but
    for the velocity of a free joint, which MuJoCo has in the axes of the joint frame.  A free joint
    that is placed elsewhere than the world's origin, or hangs on a body, is written as three slides
    and a ball.  A massless body that carries one other is written as a further joint of that.
    Moments that no body can have, and which MuJoCo rejects, are added to the body to which theirs
    is fixed.

    Loops with a spherical joint become ``connect`` between two sites, with a revolute joint two of
    them on its axis, with a fixed joint ``weld``; gears, and racks on pinions, ``joint``.  MuJoCo
    keeps them softly.

    Args:
        mechanism: The mechanism.

    Raises:
        ModelError: If MuJoCo has no counterpart of something, or rejects it.

    Warns:
        ModelWarning: If there are limits of speed, or of coordinates and forces of joints with a
            quaternion, which are not written; or impossible moments of fixed bodies.

    Examples:
        >>> from poinsot.model import Body, Revolute
        >>> rod = Body("rod", joint=Revolute("y"), mass=2, com=(0, 0, -1), inertia=(1, 1, 0.1))
        >>> print(mjcf_from_mechanism(Mechanism("pendulum", [rod])))
        <mujoco model="pendulum">
          <compiler angle="radian"/>
          <option gravity="0.0 0.0 -9.81"/>
          <worldbody>
            <body name="rod">
              <joint name="rod" type="hinge" axis="0.0 1.0 0.0"/>
              <inertial pos="0.0 0.0 -1.0" mass="2.0" diaginertia="1.0 1.0 0.1"/>
            </body>
          </worldbody>
        </mujoco>
        <BLANKLINE>
    """
    if mechanism.forces:
        force = mechanism.forces[0]
        raise ModelError(f"{force.label}: force elements cannot be written to MJCF")
    equalities = equalities_of(mechanism)
    links = links_of(mechanism)
    masses = masses_of(links)
    _check_names(links.values())
    _warn_of_limits(mechanism)
    lines = [
        f"<mujoco model={quoted(mechanism.name)}>",
        '  <compiler angle="radian"/>',
        f"  <option gravity={numbers_text(mechanism.gravity)}/>",
        "  <worldbody>",
        *(f"    {site}" for site in equalities.sites.get(WORLD, ())),
    ]
    open_bodies: list[int] = []
    for i, link in links.items():
        while open_bodies and open_bodies[-1] != link.parent:
            open_bodies.pop()
            lines.append("  " * (len(open_bodies) + 2) + "</body>")
        sites = equalities.sites.get(link.body.name, ())
        lines += ["  " * (len(open_bodies) + 2) + line for line in _body(link, masses[i], sites)]
        open_bodies.append(i)
        if len(open_bodies) + _AROUND > MAX_DEPTH:
            raise ModelError(
                f"body {link.body.name!r}: more than {MAX_DEPTH - _AROUND} bodies carry each "
                "other, which is deeper than MuJoCo reads"
            )
    lines += ["  " * (k + 2) + "</body>" for k in reversed(range(len(open_bodies)))]
    lines.append("  </worldbody>")
    if equalities.lines:
        inside = [f"    {line}" for line in equalities.lines]
        lines += ["  <equality>", *inside, "  </equality>"]
    return "\n".join([*lines, "</mujoco>", ""])


def _body(link: BodyLink, mass: Mass, sites: Sequence[str]) -> list[str]:
    attributes = {"name": quoted(link.body.name)}
    if link.X.p.any():
        attributes["pos"] = numbers_text(link.X.p)
    if not np.array_equal(link.X.R, np.eye(3)):
        attributes["quat"] = numbers_text(matrix_to_quaternion(link.X.R))
    lines = [tag_text("body", attributes, end=">")]
    lines += ["  " + tag_text("joint", _joint(joint)) for joint in link.joints]
    if mass.mass or mass.moments.any():
        lines.append("  " + tag_text("inertial", _inertial(mass)))
    return lines + [f"  {site}" for site in sites]


def _joint(joint: MjcfJoint) -> dict[str, str]:
    attributes = {"name": quoted(joint.name), "type": f'"{joint.kind}"'}
    if joint.pos.any() and joint.kind != "slide":
        attributes["pos"] = numbers_text(joint.pos)
    if joint.axis is not None:
        attributes["axis"] = numbers_text(joint.axis)
    return attributes | {key: numbers_text(numbers) for key, numbers in joint.numbers}


def _inertial(mass: Mass) -> dict[str, str]:
    attributes = {"pos": numbers_text(mass.com), "mass": numbers_text([mass.mass])}
    if not np.array_equal(mass.axes, np.eye(3)):
        attributes["quat"] = numbers_text(matrix_to_quaternion(mass.axes))
    attributes["diaginertia"] = numbers_text(mass.moments)
    return attributes


def _check_names(links: Iterable[BodyLink]) -> None:
    """Reject that a part of a joint has the name of another joint."""
    taken: set[str] = set()
    for link in links:
        for joint in link.joints:
            if joint.name in taken:
                raise ModelError(f"joint {joint.name!r}: two have this name in MuJoCo; rename one")
            taken.add(joint.name)


def _warn_of_limits(mechanism: Mechanism) -> None:
    names = [
        name
        for name, body in zip(mechanism.joint_names, mechanism.bodies, strict=True)
        if _loses_limits(body.joint)
    ]
    if names:
        warnings.warn(
            "MJCF: limits of speed, ranges of one point, and limits of joints with a quaternion "
            f"are not written: {', '.join(map(repr, names))}",
            ModelWarning,
            stacklevel=3,
        )


def _loses_limits(joint: AbstractJoint) -> bool:
    limits = joint.limits
    if limits is None:
        return False
    narrow = any(low == high for low, high in zip(limits.lower, limits.upper, strict=True))
    return narrow or bool(limits.velocity) or joint.nq != joint.nv
