"""Impacts: a cradle, a column of beads, a leg that lands, an arm against a bag, two arms in a cell.

    python examples/impacts/impacts.py

Writes cradle.png, column.png and cell.png, and prints what each impact does.
"""

import numpy as np

import poinsot as ps


def cradle() -> ps.Run:
    """Let the first of four balls swing against the others."""
    system = ps.library.newtons_cradle(4)
    contacts = ps.library.newtons_cradle_contacts(system)
    return ps.simulate(system, [0.5, 0, 0, 0], np.zeros(4), 0.8, contacts=contacts)


def column(ratio: float) -> ps.Run:
    """Drop three beads, each lighter than the one below: the top one is thrown up."""
    system = ps.library.bead_column(3, ratio=ratio)
    start = [0.5, 0.5401, 0.5802]
    contacts = ps.library.bead_column_contacts(system)
    return ps.simulate(system, start, np.zeros(3), 0.5, contacts=contacts)


def landing() -> tuple[ps.Run, ps.Run]:
    """Let a leg land; once its foot stays on the ground, go on with it as a constraint."""
    leg = ps.library.landing_leg()
    (foot,) = ps.library.landing_leg_contacts(restitution=0.0)
    q, v = ps.library.landing_leg_state(drop=0.1)
    height = "body - 0.25*cos(thigh) - 0.25*cos(thigh + shin)"
    fall = ps.simulate(leg, q, v, 1.0, events=[ps.Event("down", height, stop=True)])
    strike = ps.impact(leg, fall.q[-1], fall.v[-1], [foot])
    stands = ps.System("standing leg", leg.bodies, constraints=[foot.constraint])
    return fall, ps.simulate(stands, fall.q[-1], strike.v, 0.5)


def bag() -> ps.Collision:
    """Hit a hanging bag with the last link of a swinging arm."""
    arm = ps.MovingSystem(ps.library.double_pendulum(), [0.0, 0.0], [-2.0, -3.0])
    rope = ps.Body("bag", joint=ps.Revolute("y"), mass=20.0, com=(0, 0, -1.2), inertia=(2, 2, 0.5))
    hanging = ps.MovingSystem(
        ps.System("bag", [rope]), [0.0], [0.0], ps.BaseMotion(ps.Pose((0.25, 0, -0.4)))
    )
    fist = ps.ImpactPoint("lower", "bag", point=(0, 0, -1.9), normal=(1, 0, 0), restitution=0.3,
                          friction=0.5, name="fist")  # fmt: skip
    return ps.collide(arm, hanging, [fist], law="stronge")


def cell() -> ps.Collision:
    """Let two arms of a cell hit each other in two points; one stands on a cart that moves."""
    arm = ps.library.double_pendulum()
    left = ps.MovingSystem(arm, [0.2, -0.2], [3.0, 1.0])
    base = ps.BaseMotion(ps.Pose((-0.35, 0, 0)), velocity=(0.2, 0, 0, 0, 0, 0))
    right = ps.MovingSystem(arm, [-0.2, 0.2], [0.0, 0.0], base)
    points = [
        ps.ImpactPoint("upper", "upper", point=(-0.18, 0, -0.9), normal=(-1, 0, 0), restitution=0.4,
                       friction=0.2, name="elbows"),
        ps.ImpactPoint("lower", "lower", point=(-0.18, 0, -1.7), normal=(-1, 0, 0), restitution=0.6,
                       friction=0.2, name="fists"),
    ]  # fmt: skip
    return ps.collide(left, right, points, law="unilateral")


def main() -> None:
    """Compute, draw and print."""
    swing = cradle()
    swing.plot("cradle.png")
    print(
        f"cradle: {len(swing.events)} impacts, velocities at the end {swing.v[-1].round(3)} rad/s"
    )
    thrown = column(0.2)
    thrown.plot("column.png")
    print(f"column: the top bead leaves with {thrown.v[:, 2].max():.2f} m/s")
    fall, stand = landing()
    print(f"leg: it lands after {fall.t[-1]:.3f} s, and sinks to {stand.q[:, 0].min():.3f} m")
    print(f"bag:\n{bag()}")
    hit = cell()
    hit.draw("cell.png")
    print(f"cell:\n{hit}")


if __name__ == "__main__":
    main()
