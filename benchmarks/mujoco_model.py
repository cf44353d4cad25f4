"""A poinsot system of hinges rebuilt in MuJoCo, as MJCF text."""

import mujoco
import numpy as np

import poinsot as ps


def mujoco_model(system: ps.System, *, step: float) -> mujoco.MjModel:
    """Return the system as MuJoCo's model, integrated by RK4; contacts and limits are off.

    Args:
        system: Its joints are all revolute, and its bodies in depth-first order.
        step: Time step [s].
    """
    return mujoco.MjModel.from_xml_string(mjcf(system, step=step))


def mjcf(system: ps.System, *, step: float) -> str:
    """Return the MJCF text of a system of hinges."""
    return f"""
<mujoco>
  <compiler angle="radian"/>
  <option timestep="{step!r}" gravity="{_numbers(system.gravity)}" integrator="RK4">
    <flag contact="disable" constraint="disable"/>
  </option>
  <worldbody>{_children(system, "world")}</worldbody>
</mujoco>"""


def _children(system: ps.System, parent: str) -> str:
    return "".join(_body(system, body) for body in system.bodies if body.parent == parent)


def _body(system: ps.System, body: ps.Body) -> str:
    if body.joint.kind != "revolute":
        raise ValueError(f"no {body.joint.kind} joints in this benchmark")
    I = body.inertia_matrix()
    inertia = (I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2])
    R = np.array(body.pose.matrix)
    axes = (*R[:, 0], *R[:, 1])
    return (
        f'<body name="{body.name}" pos="{_numbers(body.pose.xyz)}" xyaxes="{_numbers(axes)}">'
        f'<joint type="hinge" axis="{_numbers(body.joint.axis)}"/>'
        f'<inertial mass="{body.mass!r}" pos="{_numbers(body.com)}" '
        f'fullinertia="{_numbers(inertia)}"/>'
        f"{_children(system, body.name)}</body>"
    )


def _numbers(values) -> str:
    return " ".join(repr(float(value)) for value in values)
