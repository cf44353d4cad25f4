"""A mechanism to URDF: the frame of a link is that of its joint, as our bodies have it.

The world is a link of that name, unless one body is fixed to it with the identity pose: that is the
root link itself.
"""

from __future__ import annotations

from collections.abc import Iterator

from poinsot.io.urdf.closure_tags import closure_tags
from poinsot.io.urdf.joint_chain import steps_of
from poinsot.io.urdf.joint_tags import JointWriter
from poinsot.io.urdf.names import UrdfNames
from poinsot.io.urdf.shape_tags import shape_tags
from poinsot.io.urdf.unsupported import Lost
from poinsot.io.xml.write import Tag, number_text, numbers_text, to_xml
from poinsot.model import WORLD, Body, Fixed, Mechanism, Pose, nonzero
from poinsot.model.model_warnings import warn

__all__ = ["urdf_from_mechanism"]


def urdf_from_mechanism(mechanism: Mechanism) -> str:
    """Return the URDF of a mechanism.

    Joints that URDF has no type for become chains of its joints with the same coordinates: q and v
    are stacked as before.  Links between them have no mass.  A capsule becomes a cylinder and two
    spheres.  Loops and gears are written as ``<poinsot>``, which other readers ignore.

    Raises:
        ModelError: If a joint has coordinates that no such chain has.

    Warns:
        ModelWarning: Once, of all that URDF cannot hold: gravity, forces, stiffness, armature, and
            constraints but gears.

    >>> from poinsot.model import Revolute
    >>> rod = Body("rod", joint=Revolute("y"), mass=2.0, com=(0, 0, -0.5))
    >>> print(urdf_from_mechanism(Mechanism("pendulum", [rod])), end="")
    <?xml version="1.0" encoding="utf-8"?>
    <robot name="pendulum">
      <link name="world"/>
      <link name="rod">
        <inertial>
          <origin xyz="0 0 -0.5"/>
          <mass value="2"/>
          <inertia ixx="0" iyy="0" izz="0" ixy="0" ixz="0" iyz="0"/>
        </inertial>
      </link>
      <joint name="rod" type="continuous">
        <parent link="world"/>
        <child link="rod"/>
        <axis xyz="0 1 0"/>
      </joint>
    </robot>
    """
    lost = Lost()
    lost.add_whole(mechanism)
    root = _root(mechanism)
    links = [] if root is not None else [Tag("link", {"name": WORLD})]
    joints: list[Tag] = []
    names = UrdfNames((WORLD, *mechanism.body_names), mechanism.joint_names)
    for body, joint in zip(mechanism.bodies, mechanism.joint_names, strict=True):
        links.append(_link(body, lost))
        if body.name != root:
            more_links, more_joints = _carried(body, joint, names, lost)
            links += more_links
            joints += more_joints
    closures = closure_tags(mechanism, lost)
    text = to_xml(Tag("robot", {"name": mechanism.name}, [*links, *joints, *closures]))
    if lost.text():
        warn(f"URDF cannot hold all of {mechanism.name!r}; lost are: {lost.text()}", 3)
    return text


def _root(mechanism: Mechanism) -> str | None:
    """Return the body that may be the root link; None: that is the world."""
    on_world = [body for body in mechanism.bodies if body.parent == WORLD]
    first = on_world[0]
    stands = first.joint == Fixed() and first.pose == Pose()
    return first.name if len(on_world) == 1 and stands else None


def _link(body: Body, lost: Lost) -> Tag:
    children = list(_inertial(body))
    for shape in body.shapes:
        children += shape_tags(shape)
        if shape.role == "collision" and shape.color is not None:
            lost.add("colour of a collision shape", body.name)
    return Tag("link", {"name": body.name}, children)


def _inertial(body: Body) -> Iterator[Tag]:
    if not nonzero(body.mass, body.inertia):
        return
    keys = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
    inertia = dict(zip(keys, map(number_text, body.inertia), strict=True))
    yield Tag(
        "inertial",
        {},
        [
            Tag("origin", {"xyz": numbers_text(body.com)}),
            Tag("mass", {"value": number_text(body.mass)}),
            Tag("inertia", inertia),
        ],
    )


def _carried(body: Body, joint: str, names: UrdfNames, lost: Lost) -> tuple[list[Tag], list[Tag]]:
    """Return the joints that carry a body, and the links between them."""
    steps = steps_of(body, joint)
    writer = JointWriter(body.joint, joint, lost)
    moving = sum(step.kind != "fixed" for step in steps)
    links, joints, parent = [], [], body.parent
    for k, step in enumerate(steps, start=1):
        child = body.name if k == len(steps) else names.link(f"{body.name} {k}")
        keeps_name = step.kind != "fixed" or moving == 0
        name = joint if keeps_name and moving <= 1 else names.joint(f"{joint} {k}")
        joints.append(writer.tag(step, name, parent, child))
        if child != body.name:
            links.append(Tag("link", {"name": child}))
        parent = child
    return links, joints
