"""A shaper with a quick return: torque of the crank, bearing forces, coupler curve, and a workbook.

    python examples/quick_return/quick_return.py

The crank turns steadily about O; its pin slides in the slot of an arm, which swings about A below O
and moves the ram by a link.  The tool cuts on the slow way, to the left.  With d = OA and the
crank r the arm's extreme angles are ±asin(r/d), so that the times of cutting and return are as
π + 2 asin(r/d) to π - 2 asin(r/d).

Writes quick_return.xlsx, quick_return.png, coupler_curve.png and quick_return.gif.
"""

import numpy as np

import poinsot as ps

CRANK, CENTRES, ARM, LINK, HEIGHT = 0.10, 0.30, 0.60, 0.25, 0.55  # r, d, AB, BC, of the ram [m]
SPEED = 2 * np.pi  # of the crank [rad/s]: one turn a second
CUTTING = 800.0  # force on the tool while it cuts [N]
POSITIONS = 361


def bar(name: str, parent: str, place, length: float, mass: float) -> ps.Body:
    """Return a slender bar along its x axis, which turns about its end."""
    inertia = mass * length**2 / 12
    return ps.Body(name, parent, ps.Revolute("z"), ps.Pose(place), mass=mass,
                   com=(length / 2, 0, 0), inertia=(1e-4, inertia, inertia))  # fmt: skip


def shaper() -> ps.System:
    """Return the mechanism in the x-y plane, A at the origin, gravity along -y."""
    bodies = [
        bar("crank", "world", (0, CENTRES, 0), CRANK, 1.5),
        ps.Body("block", "crank", ps.Revolute("z"), ps.Pose((CRANK, 0, 0)), mass=0.5,
                inertia=(2e-4, 2e-4, 2e-4)),
        bar("arm", "world", (0, 0, 0), ARM, 6.0),
        bar("link", "arm", (ARM, 0, 0), LINK, 2.0),
        ps.Body("ram", "world", ps.Prismatic("x"), ps.Pose((0, HEIGHT, 0)), mass=15.0),
    ]  # fmt: skip
    loops = [
        ps.Loop("slot", ("arm", (0, 0, 0)), ("block", (0, 0, 0)), ps.Prismatic("x")),
        ps.Loop("pin", ("link", (LINK, 0, 0)), ("ram", (0, 0, 0)), ps.Revolute("z")),
    ]
    cut = ps.FormulaForce("ram", (f"{CUTTING}*smoothstep(0, 0.05, -vx)", 0, 0), name="tool")
    return ps.System("quick return", bodies, loops=loops, forces=[cut], gravity=(0, -9.81, 0))


def configuration(crank: float) -> np.ndarray:
    """Return q for an angle of the crank, by trigonometry; a start for the study."""
    pin = np.array([CRANK * np.cos(crank), CENTRES + CRANK * np.sin(crank)])
    arm = np.arctan2(pin[1], pin[0])
    top = ARM * np.array([np.cos(arm), np.sin(arm)])
    link = np.arcsin((HEIGHT - top[1]) / LINK)
    ram = top[0] + LINK * np.cos(link)
    return np.array([crank, arm - crank, arm, link - arm, ram])


def study(system: ps.System) -> ps.Study:
    """Return one turn of the crank."""
    return ps.drive(system, configuration(0.0), {"crank": f"{SPEED}*t"}, 1.0, positions=POSITIONS)


def time_ratio(turn: ps.Study) -> float:
    """Return the time of cutting over that of the return."""
    cutting = np.mean(turn.evaluate("v.ram")[:-1] < 0)
    return float(cutting / (1 - cutting))


def main() -> None:
    """Study one turn and write all results."""
    system = shaper()
    turn = study(system)
    torque = turn.drive_forces()["crank"]
    bearings = {
        name: np.linalg.norm(wrench[:, :3], axis=1)
        for name, wrench in turn.reactions(axes="world").items()
    }
    print(f"stroke {np.ptp(turn.q[:, 4]):.3f} m, time ratio {time_ratio(turn):.3f}")
    print(f"torque of the crank: {torque.min():.0f} to {torque.max():.0f} N m")
    for name, force in bearings.items():
        print(f"largest force in {name}: {force.max():.0f} N")
    turn.save_table("quick_return.xlsx", {"force of the tool [N]": "force.tool"})
    turn.plot(
        "quick_return.png", what=["ram", "v.ram", "a.ram", "tau.crank", "energy", "force.tool"]
    )
    middle = ("link", (LINK / 2, 0.04, 0))
    turn.draw("coupler_curve.png", t=[0.1, 0.3, 0.55], trace=[middle, "link"])
    turn.animate("quick_return.gif", fps=20, trace=middle)


if __name__ == "__main__":
    main()
