"""What several adapters ask of each body."""

from itertools import pairwise

from poinsot.spatial import Transform


def velocities(system, q, v, skip=0):
    """Return [v; w] of each body in its own axes, from body number ``skip`` on."""
    return [system.velocity(name, q, v) for name in system.body_names[skip:]]


def momenta(system, q, v, skip=0):
    """Return the momentum screw of each body about its origin, in its own axes."""
    return [
        body.spatial_inertia().apply(system.velocity(body.name, q, v))
        for body in system.bodies[skip:]
    ]


def transforms_along(system, q):
    """Return the pose of each body of a serial chain in the one before, and of the last one."""
    poses = [Transform.identity()]
    for name in system.body_names:
        matrix = system.pose(name, q)
        poses.append(Transform(matrix[:3, :3], matrix[:3, 3]))
    steps = [X.inverse() @ Y for X, Y in pairwise(poses)]
    return steps, poses[-1]
