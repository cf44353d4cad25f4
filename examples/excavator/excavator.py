"""An excavator lifts its boom: hydraulic pressures are states, as are works and the valve's lag.

    python examples/excavator/excavator.py

Two cylinders carry boom and stick.  In each chamber dp/dt = B (Q - A dx/dt) / V with the bulk
modulus B of the oil [Merritt, Hydraulic Control Systems, 1967], flows through the valve go with the
root of the pressure drop, and the spool lags behind its command.  The valve of the stick is closed:
its oil is a spring.  The energy that flows in is found again in the arm, in compressed oil and in
friction.  A batch lifts a thousand different loads.
"""

import time

import numpy as np

import poinsot as ps

BULK = 1.5e9  # [Pa]
SUPPLY, TANK = 2.5e7, 1e5  # [Pa]
FLOW = 1e-6  # of the fully open valve, times the root of the pressure drop [m³/(s √Pa)]
SMOOTH = 1e4  # pressure drop below which flow is laminar [Pa]
FRICTION = 2e4  # of seals [N s/m]
LAG = 0.05  # of the spool [s]
DURATION = 2.5  # [s]
POSE = [0.35, -1.9]  # of boom and stick at the start [rad]


class Cylinder:
    """A cylinder between two points, with its formulas.

    Args:
        name: Its name.
        ends: Bodies and points [m].
        shortest: Its length when it is retracted [m].
        bore: Area of the piston on the side of the bottom [m²].
        ring: The same on the side of the rod [m²].
        stroke: How far it extends [m].
    """

    def __init__(self, name, ends, shortest, bore=0.03, ring=0.015, stroke=1.6):
        self.name = name
        extended = f"(length.{name} - {shortest})"
        self.volumes = f"(2e-3 + {bore}*{extended})", f"(2e-3 + {ring}*({stroke} - {extended}))"
        self.areas = bore, -ring
        push = f"{bore}*{name}_a - {ring}*{name}_b - {FRICTION}*rate"
        self.force = ps.Actuator(*ends, push, name=name)

    @property
    def chambers(self):
        """Names of the pressures."""
        return f"{self.name}_a", f"{self.name}_b"

    def states(self, flows):
        """Return the pressures as states, with flows into the chambers as formulas."""
        return [
            ps.State(
                chamber,
                rate=f"{BULK}*({flow} - {area}*rate.{self.name})/{volume}",
                initial=5e6,
                unit="Pa",
            )
            for chamber, flow, area, volume in zip(
                self.chambers, flows, self.areas, self.volumes, strict=True
            )
        ]


BOOM = Cylinder("lift", (("world", (0.5, 0, 0.9)), ("boom", (2.4, 0, 0.5))), shortest=1.6)
STICK = Cylinder("crowd", (("boom", (2.6, 0, 0.8)), ("stick", (-0.7, 0, 0.2))), shortest=1.7)


def root(drop):
    """Return the signed root of a pressure drop, smooth at zero, as a formula."""
    return f"(({drop})/sqrt(sqrt(({drop})**2 + {SMOOTH}**2)))"


def valve():
    """Return the flows into the chambers of the boom's cylinder [m³/s], as formulas."""
    flows = []
    for chamber, sign in zip(BOOM.chambers, ("", "-"), strict=True):
        filling, emptying = f"max({sign}spool, 0)", f"max(-({sign}spool), 0)"
        inflow = f"{filling}*{root(f'{SUPPLY} - {chamber}')}"
        flows.append(f"{FLOW}*({inflow} - {emptying}*{root(f'{chamber} - {TANK}')})")
    return flows


def excavator() -> ps.System:
    """Return boom, stick and bucket with a load, on cylinders."""
    load = ps.symbols("load")
    hinge = ps.Revolute((0, -1, 0))  # positive angles lift
    bodies = [
        ps.Body("boom", joint=hinge, pose=ps.Pose((0, 0, 1.5)), mass=1800.0, com=(2.6, 0, 0.3),
                inertia=(200, 5200, 5200)),
        ps.Body("stick", "boom", hinge, ps.Pose((5.4, 0, 0)), mass=900.0, com=(0.9, 0, 0.1),
                inertia=(50, 700, 700)),
        ps.Body("bucket", "stick", pose=ps.Pose((2.8, 0, 0)), mass=500.0 + load, com=(0.3, 0, -0.2),
                inertia=(120, 150, 120)),
    ]  # fmt: skip
    flows, closed = valve(), ("0", "0")
    inflow = " + ".join(f"{p}*{flow}" for p, flow in zip(BOOM.chambers, flows, strict=True))
    chambers = [
        pair
        for cylinder in (BOOM, STICK)
        for pair in zip(cylinder.chambers, cylinder.volumes, strict=True)
    ]
    compression = " + ".join(f"{volume}*{p}*rate.{p}/{BULK}" for p, volume in chambers)
    friction = " + ".join(f"{FRICTION}*rate.{c.name}**2" for c in (BOOM, STICK))
    states = [
        *BOOM.states(flows),
        *STICK.states(closed),
        ps.State(
            "spool", rate=f"(smoothstep(0.2, 0.6, t) - smoothstep(1.5, 1.9, t) - spool)/{LAG}"
        ),
        ps.State("supplied", rate=inflow, unit="J"),
        ps.State("compressed", rate=compression, unit="J"),
        ps.State("lost", rate=friction, unit="J"),
    ]
    forces = [BOOM.force, STICK.force]
    return ps.System(
        "excavator", bodies, forces=forces, parameters={"load": 800.0}, free=["load"], states=states
    )


def pressures_at_rest(system: ps.System, load) -> dict:
    """Return pressures that carry boom and stick at rest [Pa], by name, for loads of any shape.

    Those on the side of the rod are given; forces are linear in the others.
    """
    carrying = [cylinder.chambers[0] for cylinder in (BOOM, STICK)]
    empty = {"lift_b": TANK, "crowd_b": 4e6} | dict.fromkeys(carrying, 0.0)
    given = {"parameters": {"load": load}}
    rest = system.bias(POSE, [0.0, 0.0], states=empty, **given)
    lever = np.stack(
        [rest - system.bias(POSE, [0.0, 0.0], states=empty | {p: 1.0}, **given) for p in carrying],
        axis=-1,
    )
    solved = np.linalg.solve(lever, rest[..., None])[..., 0]
    return empty | {p: solved[..., k] for k, p in enumerate(carrying)}


def imbalance(motion) -> float:
    """Return the energy that is missing, as part of the work done, at most over a motion."""
    states, energy = motion.states, motion.energy()
    gained = energy - energy[..., :1] + states["compressed"] + states["lost"]
    return float(np.max(np.abs(states["supplied"] - gained)) / np.max(np.abs(states["supplied"])))


def lift(system: ps.System, load, **options):
    """Return the motion with a load [kg], or with many."""
    given = {"parameters": {"load": load}, "states": pressures_at_rest(system, load)}
    return ps.simulate(system, POSE, [0.0, 0.0], DURATION, **given, **options)


def main() -> None:
    """Lift one load and look at it, then a thousand."""
    system = excavator()
    run = lift(system, 800.0, rtol=1e-10)
    print(run)
    print(f"energy: {run.states['supplied'][-1]:.0f} J supplied, {imbalance(run):.1e} missing")
    loads = np.linspace(0.0, 2000.0, 1000)
    began = time.perf_counter()
    runs = lift(system, loads, save=0.1)
    took = time.perf_counter() - began
    peak = runs.states["lift_a"].max(axis=-1) / 1e5
    print(f"{runs.size} loads in {took:.1f} s: peaks of {peak.min():.0f} to {peak.max():.0f} bar")
    what = ["q", ["lift_a", "lift_b"], ["crowd_a", "crowd_b"], ["supplied", "compressed", "lost"]]
    run.plot("excavator.png", what)


if __name__ == "__main__":
    main()
