"""From the bodies of a file to ours, which have one joint each.

A body with several joints hangs on a chain of massless ones, ``name/joint``, that end in it.  It
keeps its name and its frame: where the last joint does not turn about the body's origin, the body
is fixed to the one that turns.  A site becomes a massless body fixed to its own, so that its frame
can be asked for by name.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from poinsot.io.mjcf.compiler import Compiler
from poinsot.io.mjcf.ignored_elements import LeftOut
from poinsot.io.mjcf.inertia import body_lump
from poinsot.io.mjcf.joints import JointStep, steps_of
from poinsot.io.mjcf.lumped_mass import Lump
from poinsot.io.mjcf.meshes import Meshes
from poinsot.io.mjcf.names import MjcfNames
from poinsot.io.mjcf.placement import PLACE, as_pose, site_place
from poinsot.io.mjcf.worldbody import WORLD_INDEX, Branch
from poinsot.io.xml import Element
from poinsot.model import WORLD, Body, Fixed, Pose
from poinsot.spatial import Transform

__all__ = ["Reading", "bodies_of"]


@dataclass(frozen=True)
class Reading:
    """What is needed to read a file: settings, meshes, and where to note what is left out."""

    compiler: Compiler
    meshes: Meshes
    left_out: LeftOut
    passive: bool


def bodies_of(branches: Sequence[Branch], reading: Reading) -> tuple[list[Body], list[float]]:
    """Return our bodies, in the order in which MuJoCo stacks their coordinates.

    Returns:
        The bodies, and the coordinates at which they are where the file places them.
    """
    for kind, elements in (
        ("body", [branch.element for branch in branches]),
        ("joint", [item[0] for branch in branches for item in branch.joints]),
        ("site", [item[0] for branch in branches for item in branch.sites]),
    ):
        _check_names(kind, elements)
    lumps = _lumps(branches, reading)
    names = _body_names(branches)
    bodies: list[Body] = []
    q: list[float] = []
    taken = MjcfNames([*names, WORLD])
    joints = MjcfNames(
        item[0].attributes["name"]
        for branch in branches
        for item in branch.joints
        if item[0].attributes.get("name")
    )
    for i, branch in enumerate(branches):
        for geom, _ in branch.geoms:
            reading.left_out.element("geom (its shape)", geom)
        if i != WORLD_INDEX:
            with branch.element.named(branch.where):
                steps = _steps(branch, names[i], joints, reading)
                q += [value for step in steps for value in step.q]
                parent = names[branch.parent]
                bodies += _chain(branch.X, steps, names[i], parent, lumps[i], taken, joints)
        for site, frame in branch.sites:
            with site.named("site"):
                bodies += _site(site, frame, names[i], taken, joints, reading)
    return bodies, q


def _check_names(kind: str, elements: Iterable[Element]) -> None:
    """Reject a name that two elements of a kind have."""
    lines: dict[str, int] = {}
    for element in elements:
        name = element.attributes.get("name", "")
        if name in lines:
            element.refuse(
                f"{kind} {name[:60]!r}: another has this name, see line {lines[name]}; rename one"
            )
        if name:
            lines[name] = element.line


def _body_names(branches: Sequence[Branch]) -> list[str]:
    """Return a name for every body: its own, or ``body`` and MuJoCo's number."""
    given = [branch.element.attributes.get("name", "") for branch in branches]
    names = MjcfNames([*given, WORLD])
    return [
        WORLD if i == WORLD_INDEX else name or names.free(f"body {i}")
        for i, name in enumerate(given)
    ]


def _lumps(branches: Sequence[Branch], reading: Reading) -> list[Lump]:
    """Return the mass of every body; that of the world does not matter."""
    compiler = reading.compiler
    lumps = [Lump()] + [
        body_lump(branch.inertial, branch.geoms, compiler, reading.meshes, reading.left_out)
        for branch in branches[WORLD_INDEX + 1 :]
    ]
    total = sum(lump.mass for lump in lumps)
    if compiler.settotalmass > 0.0 and total > 0.0:
        lumps = [lump.scaled(compiler.settotalmass / total) for lump in lumps]
    return lumps


def _chain(
    X: Transform,
    steps: Sequence[JointStep],
    name: str,
    parent: str,
    lump: Lump,
    bodies: MjcfNames,
    joints: MjcfNames,
) -> list[Body]:
    """Return a body that is placed at ``X``, and the massless ones between it and its parent."""
    if not steps:
        return [Body(name, parent, _fixed(name, joints), as_pose(X), lump.mass, lump.com, lump.I)]
    chain = []
    X = Transform.identity() if steps[0].absolute else X
    for step in steps[:-1]:
        carrier = bodies.free(f"{name}/{step.joint.name}")
        chain.append(Body(carrier, parent, step.joint, as_pose(X @ step.X_before)))
        parent, X = carrier, step.X_after
    last = steps[-1]
    pose = as_pose(X @ last.X_before)
    if not last.X_after.p.any():
        return [*chain, Body(name, parent, last.joint, pose, lump.mass, lump.com, lump.I)]
    carrier = bodies.free(f"{name}/{last.joint.name}")
    pose_in_carrier = as_pose(last.X_after)
    return [
        *chain,
        Body(carrier, parent, last.joint, pose),
        Body(name, carrier, _fixed(name, joints), pose_in_carrier, lump.mass, lump.com, lump.I),
    ]


def _steps(branch: Branch, name: str, joints: MjcfNames, reading: Reading) -> list[JointStep]:
    """Return the joints of a body; those without name are called after it."""
    steps = []
    for k, (element, frame) in enumerate(branch.joints, start=1):
        called = element.attributes.get("name") or joints.free(
            name if len(branch.joints) == 1 else f"{name}/{k}"
        )
        steps += steps_of(
            element,
            called,
            frame,
            branch.X,
            reading.compiler,
            reading.left_out,
            passive=reading.passive,
        )
    free = [step for step in steps if step.absolute]
    if free and (branch.parent != WORLD_INDEX or len(branch.joints) > 1):
        branch.element.refuse(
            f"{branch.where}: a free joint must be the only one of a body in <worldbody>"
        )
    if free and as_pose(branch.X) != Pose():
        reading.left_out.element("body (its place: it is free)", branch.element)
    return steps


def _site(
    site: Element,
    frame: Transform,
    body: str,
    bodies: MjcfNames,
    joints: MjcfNames,
    reading: Reading,
) -> list[Body]:
    """Return the frame of a site that has a name."""
    reading.left_out.attributes(site, (*PLACE, "name", "fromto"))
    name = site.attributes.get("name", "")
    if not name.strip():
        reading.left_out.element("site without name", site)
        return []
    frame_name = bodies.free(name)
    X = site_place(site, f"site {name[:60]!r}", reading.compiler)
    return [Body(frame_name, body, _fixed(frame_name, joints), as_pose(frame @ X))]


def _fixed(body: str, joints: MjcfNames) -> Fixed:
    """Return a fixed joint; it is called after its body, if no joint of the file has that name."""
    name = joints.free(body)
    return Fixed(name=None if name == body else name)
