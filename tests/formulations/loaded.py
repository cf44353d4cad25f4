"""Random force elements on random trees, and what they amount to by Jacobians."""

import numpy as np

import poinsot as ps
from poinsot.formulations.forces import element_joint_forces, element_wrenches
from poinsot.model import Mechanism


def random_springs(case, n=4, *, damping=0.0, to_world=True):
    """Return springs between bodies drawn at random, every other one of length zero."""
    names, rng = case.mechanism.body_names, case.rng
    places = (*names, "world") if to_world else names
    springs = []
    while len(springs) < n and len(places) > 1:
        first, second = (places[k] for k in rng.choice(len(places), 2, replace=False))
        length = 0.0 if len(springs) % 2 else rng.uniform(0.1, 1.0)
        ends = (first, rng.uniform(-1, 1, 3)), (second, rng.uniform(-1, 1, 3) + 3.0)
        springs.append(ps.Spring(*ends, rng.uniform(1, 10), damping, length))
    return springs


def random_bushing(case, *, damping=0.0, to_world=True):
    """Return a bushing between frames on two bodies drawn at random, if there are two."""
    names, rng = case.mechanism.body_names, case.rng
    places = (*names, "world") if to_world else names
    if len(places) < 2:
        return []
    bodies = rng.choice(places, 2, replace=False).tolist()
    frames = [(body, ps.Pose(rng.normal(size=3), rpy=rng.normal(size=3))) for body in bodies]
    springs, dampers = rng.uniform(0, 9, (2, 3)), damping * rng.uniform(0, 1, (2, 3))
    return [ps.Bushing(*frames, *springs, *dampers)]


def random_joint_forces(case, *, conservative=False):
    """Return elements of all kinds that act along joints drawn at random."""
    m, rng = case.mechanism, case.rng
    names = [name for name, joint in m.joints.items() if joint.nv]
    plain = [name for name in names if m.joints[name].nq == m.joints[name].nv]

    def along(joints):
        name = joints[rng.integers(len(joints))]
        return name, {"index": int(rng.integers(m.joints[name].nv))}

    table = ps.Table(np.cumsum(rng.uniform(0.2, 1.0, 6)) - 2.0, rng.normal(size=6))
    straight = ps.Table([-1.0, 0.0, 0.5, 2.0], rng.normal(size=4), kind="linear")
    found = []
    if plain:
        (a, at_a), (b, at_b), (c, at_c) = (along(plain) for _ in range(3))
        found += [
            ps.JointStop(a, -0.5, 0.3, stiffness=30.0, **at_a),
            ps.JointStop(b, upper=0.1, stiffness=9.0, exponent=1.5, **at_b),
            ps.JointSpring(c, table, scale=2.0, **at_c),
            ps.JointForce(b, potential="3*(1 - cos(q)) + q**4/5", **at_b),
            ps.JointSpring(a, straight, **at_a),
        ]
        if not conservative:
            other = {"x": (b, "q", at_b["index"]), "u": (c, "v", at_c["index"])}
            found += [
                ps.JointStop(a, 0.2, stiffness=20.0, dissipation=0.4, exponent=2, **at_a),
                ps.JointSpring(b, table, straight, **at_b),
                ps.JointForce(a, "sin(t)*q - v + 2*x*u", where=other, **at_a),
                ps.JointForce(a, "q + x", where=other, **at_a),
            ]
    if names and not conservative:
        (a, at_a), (b, at_b) = along(names), along(names)
        found += [
            ps.JointFriction(a, 2.0, 3.0, viscous=0.2, smoothing=0.1, **at_a),
            ps.JointFriction(b, 1.5, smoothing=0.3, backward=2.5, **at_b),
            ps.JointForce(b, "cos(2*t)", **at_b),
            ps.Motor(b, 5.0, torque="0.1*t - 0.02*v", viscous=0.01, **at_b),
            ps.Motor(
                a,
                -3.0,
                voltage="4*sin(t)",
                constant=0.2,
                resistance=1.5,
                friction=0.1,
                loss=0.2,
                smoothing=0.3,
                **at_a,
            ),
            ps.Motor(
                b, 2.0, curve=straight, throttle="cos(t)", peak=ps.Table([0, 3], [1, 0]), **at_b
            ),
        ]
    return found


def random_forces(case):
    """Return springs, constant forces, formula forces and forces in joints; some over time."""
    names, rng = case.mechanism.body_names, case.rng
    some = [names[k] for k in rng.integers(len(names), size=4)]
    more = {"point": rng.uniform(-1, 1, 3)}
    return [
        *random_springs(case, damping=0.7),
        *random_bushing(case, damping=0.4),
        ps.ConstantForce(some[0], rng.normal(size=3), rng.normal(size=3), **more),
        ps.ConstantForce(some[1], rng.normal(size=3), rng.normal(size=3), axes="body", **more),
        ps.FormulaForce(some[2], ("sin(t)*x", "-vy", "exp(-z**2)"), ("cos(t)", 0, "vz"), **more),
        ps.FormulaForce(some[3], ("2*t", "abs(vx)", "y"), axes="body", **more),
        ps.TabulatedSpring(
            (some[0], rng.uniform(-1, 1, 3)),
            ("world", (3, 4, 5)),
            ps.Table([2.0, 5.0, 8.0], [-3.0, 0.0, 9.0]),
            ps.Table([-1, 0, 1], [-5, 0, 1], "linear"),
            scale=1.3,
        ),
        ps.Actuator((some[1], rng.uniform(-1, 1, 3)), ("world", (4, 3, 5)), "sin(t)*length - rate"),
        *random_joint_forces(case),
    ]


def with_forces(m, forces):
    return Mechanism(m.name, m.bodies, m.gravity, forces)


def system_with(m, forces):
    return ps.System(m.name, m.bodies, gravity=m.gravity, forces=forces)


def generalized(m, q, v, t=0.0):
    """Return the joint forces that the elements amount to, by Jacobians: sum of Jᵀ F."""
    system = ps.System(m.name, m.bodies, gravity=m.gravity)
    total = np.zeros(m.nv)
    for i, wrench in element_wrenches(m, q, v, t).items():
        total += system.jacobian(m.body_names[i], q, backend="interpreter").T @ wrench
    along = element_joint_forces(m, q, v, t)
    return total if along is None else total + along


def machine():
    """Return two links with a cylinder, a bushing, motors by table and friction with two sides."""
    links = [
        ps.Body("boom", joint=ps.Revolute("y"), mass=3.0, com=(0.4, 0, 0), inertia=(0.1, 0.2, 0.2)),
        ps.Body("stick", "boom", ps.Revolute("y"), ps.Pose((0.8, 0, 0)), mass=2.0, com=(0.3, 0, 0),
                inertia=(0.05, 0.1, 0.1)),
        ps.Body("seat", "boom", ps.Free(), mass=1.0, inertia=(0.1, 0.1, 0.1)),
    ]  # fmt: skip
    frames = ("boom", (0.3, 0, 0.1)), ("seat", (0, 0, 0))
    damping = {"damping": (9, 9, 9), "torsional_damping": (0.5, 0.5, 0.5)}
    curve, peak = ps.Table([-50, 0, 50], [1, 0.8, 0.1]), ps.Table([0, 40], [0.6, 0.1])
    losses = {"friction": 0.02, "loss": 0.1, "smoothing": 0.1}
    push = "900*(0.7 - length) - 80*rate"
    forces = [
        ps.Actuator(("world", (0.2, 0, -0.5)), ("boom", (0.5, 0, 0)), push, name="ram"),
        ps.Bushing(*frames, (2e3, 3e3, 4e3), (5, 6, 7), **damping, name="mount"),
        ps.JointFriction("stick", 1.5, smoothing=0.1, backward=2.0, name="seal"),
        ps.Motor("stick", 20, 1e-3, curve=curve, throttle="sin(2*t)", **losses, name="engine"),
        ps.Motor("stick", 5, torque="3*(0.3 - q) - v", peak=peak, name="servo"),
    ]
    return ps.System("machine", links, forces=forces)


def slider(*forces):
    """Return a mass of 2 kg that slides along x without gravity."""
    body = ps.Body("mass", joint=ps.Prismatic("x"), mass=2.0)
    return ps.System("slider", [body], gravity=(0, 0, 0), forces=forces)
