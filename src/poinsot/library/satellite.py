"""A free-flying satellite with two solar panels and an arm."""

from poinsot.front.system import System
from poinsot.model import WORLD, Body, Free, Pose, Revolute
from poinsot.model.checks import Vec3

__all__ = ["satellite"]

HUB_SIZE = (1.6, 1.4, 1.4)
PANEL_SIZE = (1.5, 4.0, 0.04)
ARM_LENGTHS = (0.3, 1.2, 1.0)


def satellite() -> System:
    """Return a satellite of 500 kg in free space: 11 degrees of freedom.

    The hub is free (q[:7], v[:6]), its origin at its centre.  A panel turns on either side about y,
    the line from the hub through both panels, to follow the sun.  The arm on the front (+x) has a
    shoulder that yaws about x, a shoulder that pitches about y and an elbow that pitches about y;
    at q = neutral it reaches straight forward.  All parts are uniform boxes; sizes and masses are
    plausible values, not those of a real satellite.  There is no gravity.

    >>> craft = satellite()
    >>> craft.nv, sum(body.mass for body in craft.bodies)
    (11, 500.0)
    >>> craft.joint_names[1:]
    ('left panel', 'right panel', 'shoulder', 'upper arm', 'forearm')
    """
    turret, upper, fore = ARM_LENGTHS
    front, side = HUB_SIZE[0] / 2.0, HUB_SIZE[1] / 2.0
    reach = side + PANEL_SIZE[1] / 2.0 + 0.3  # 0.3 m of boom between hub and panel
    no = (0.0, 0.0, 0.0)
    hub = Body("hub", WORLD, Free(), mass=400.0, inertia=_box(400.0, HUB_SIZE))
    return System(
        "satellite",
        [
            hub,
            _part("left panel", "hub", "y", (0.0, reach, 0.0), 20.0, no, PANEL_SIZE),
            _part("right panel", "hub", "y", (0.0, -reach, 0.0), 20.0, no, PANEL_SIZE),
            _link("shoulder", "hub", "x", (front, 0.0, 0.0), 15.0, turret),
            _link("upper arm", "shoulder", "y", (turret, 0.0, 0.0), 25.0, upper),
            _link("forearm", "upper arm", "y", (upper, 0.0, 0.0), 20.0, fore),
        ],
        gravity=no,
    )


def _link(name: str, parent: str, axis: str, origin: Vec3, mass: float, length: float) -> Body:
    """Return a box of 0.2 m by 0.2 m along x on a revolute joint at its near end."""
    return _part(name, parent, axis, origin, mass, (length / 2.0, 0.0, 0.0), (length, 0.2, 0.2))


def _part(
    name: str, parent: str, axis: str, origin: Vec3, mass: float, com: Vec3, size: Vec3
) -> Body:
    return Body(name, parent, Revolute(axis), Pose(origin), mass, com, _box(mass, size))


def _box(mass: float, size: Vec3) -> Vec3:
    """Return the principal moments of a uniform box of these edges [kg·m²]."""
    xx, yy, zz = (edge**2 for edge in size)
    return mass * (yy + zz) / 12.0, mass * (xx + zz) / 12.0, mass * (xx + yy) / 12.0
