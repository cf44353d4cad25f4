"""The planar four-bar of hinges H1 to H4, moved by gravity, loads and a drive torque."""

import numpy as np

import poinsot as ps
from poinsot.library import four_bar_configuration
from tests.cases.motion import motion

LINKS = ("link1", "link2", "link3")


def four_bar_simulation(case):
    """Return angle, rate and energy of the driven link at the times."""
    given, bar = case["given"], case["given"]["fourbar"]
    system, q = _start(bar, given["q0"])
    v = system.consistent_velocity(q, [given["qd0"], 0.0, 0.0], joints=[LINKS[0]])
    times = [row["t"] for row in case["expect"]]
    run = motion(system, q, v, times, tau=[given["M_d"], 0.0, 0.0])
    return [_row(system, float(t), *run.at(float(t))) for t in times]


def _row(system, t, q, v):
    energy = system.kinetic_energy(q, v) + system.potential_energy(q, "gravity")
    return {"t": t, "q": q[0], "qd": v[0], "mechanical_energy": energy}


def _start(bar, angle):
    """Return the linkage, link 3 carried by the frame, and the configuration that closes it.

    q = [link 1 from x, link 2 from link 1, link 3 from x].
    """
    H1, H4 = np.array(bar["H1"], float), np.array(bar["H4"], float)
    l1, l2, l3 = bar["l1"], bar["l2"], bar["l3"]
    places = {"link1": ("world", H1), "link2": ("link1", (l1, 0.0)), "link3": ("world", H4)}
    bodies, forces = [], []
    for name, mass, moment, load in zip(
        LINKS, bar["mass"], bar["J_com"], bar["loads_at_com"], strict=True
    ):
        parent, place = places[name]
        com = (*bar["com_local"][name], 0.0)
        pose = ps.Pose((*place, 0.0))
        bodies.append(
            ps.Body(name, parent, ps.Revolute("z"), pose, mass=mass, com=com, inertia=3 * (moment,))
        )
        if np.any(load):
            force, couple = (*load[:2], 0.0), (0.0, 0.0, load[2])
            forces.append(ps.ConstantForce(name, force, couple, point=com))
    pin = ps.Loop("pin", ("link2", (l2, 0, 0)), ("link3", (l3, 0, 0)), ps.Revolute("z"))
    gravity = (*bar["gravity"], 0.0)
    system = ps.System("four-bar", bodies, gravity=gravity, loops=[pin], forces=forces)
    across = H4 - H1
    turn = np.arctan2(across[1], across[0])
    near = four_bar_configuration(
        angle - turn, lengths=(l1, l2, l3), ground=np.hypot(*across), branch=bar["M"]
    )
    q = np.array([angle, near[1], np.sum(near) + turn + np.pi])
    return system, system.assemble(q, joints=[LINKS[0]])
