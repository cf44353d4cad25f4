"""Systems with joints, force elements and constraints of another package."""

import poinsot as ps


def link(k, joint, parent=None, **more):
    """Return a link of a chain along -z."""
    return ps.Body(
        f"link {k}", parent or (f"link {k - 1}" if k else "world"), joint,
        ps.Pose((0.02, 0, -0.4 if k else 0), rpy=(0, 0, 0.3)), mass=1.0 + 0.1 * k,
        com=(0.05, 0.01, -0.2), inertia=(0.03, 0.02, 0.025), **more,
    )  # fmt: skip


def chain(PinInSlot, n):
    """Return bodies in a row on pins in slots of several directions."""
    axes = [("x", "y"), ("z", (1, 1, 0)), ((0, 1, 1), "x")]
    joints = [
        PinInSlot(*axes[k % 3], damping=(0.3, 0.1), stiffness=(20 + k, 0.5)) for k in range(n)
    ]
    return ps.System("chain", [link(k, joint) for k, joint in enumerate(joints)])


def mounted(Bushing, **given):
    """Return two free bodies on bushings, one between them, one to the world."""
    bodies = [
        ps.Body(name, joint=ps.Free(), mass=m, com=(0.01, 0, 0.1), inertia=(0.9, 1.1, 0.7))
        for name, m in (("engine", 30.0), ("frame", 50.0))
    ]
    numbers = {
        "stiffness": (5e3, 4e3, 9e3), "torsion": (60, 80, 50), "damping": (50, 60, 90),
        "drag": (2, 3, 1), "progression": (1e5, 0, 2e5),
    }  # fmt: skip
    E = ps.Pose((0, 0.1, 0.3), rpy=(0.3, -0.2, 0.5))
    F = ps.Pose((0.1, 0, 0.2), axis=(1, 2, 3), angle=0.4)
    forces = [
        Bushing(("frame", E), ("engine", F), **numbers | given, name="mount"),
        Bushing(("world", F), ("frame", E), **numbers | given, name="foot"),
    ]
    return ps.System("car", bodies, forces=forces)


def coupled(Homokinetic, constraint=None, angle=0.6):
    """Return two shafts that are inclined to each other, coupled."""
    bodies = [
        ps.Body(
            name, joint=ps.Revolute("z", damping=0.01), pose=ps.Pose(rpy=(roll, 0, 0)), mass=1.0,
            com=(0.1, 0, 0), inertia=(0.03, 0.03, 0.02 + 0.01 * roll),
        )
        for name, roll in (("input", 0.0), ("output", angle))
    ]  # fmt: skip
    constraint = constraint or Homokinetic("coupling", "input", "output")
    return ps.System("drive", bodies, constraints=[constraint])


def without_forces(system):
    """Return the bodies alone."""
    return ps.System(system.name, system.bodies)
