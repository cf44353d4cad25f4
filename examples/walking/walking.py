"""Walking down a slope without a drive: gaits, their stability, and the way to limping.

    python examples/walking/walking.py

The compass gait has point feet, the other walker feet of an arc, on which it rolls.  For each slope
a gait is a state that one step leads back to, a fixed point of the Poincaré map; multipliers are
the eigenvalues of its derivative.  Where one passes -1 the gait repeats only after two steps, a
short and a long one, later after four [Goswami1998]: the picture shows the times of the last of
many steps.

Writes walking.png (a gait, its orbits, multipliers and times of steps over the slope).
"""

import numpy as np

import poinsot as ps

COMPASS = {"hip_mass": 10.0, "leg_mass": 5.0, "leg_inertia": 0.0, "length": 1.0, "com": 0.5}
ROUND = {"hip_mass": 10.0, "leg_mass": 5.0, "leg_inertia": 0.1, "length": 0.7, "com": 0.4,
         "foot_radius": 0.3}  # fmt: skip
SLOPES = np.radians(np.arange(2.0, 5.01, 0.15))
SETTLING, SHOWN = 40, 4  # steps


def gaits(legs, slopes):
    """Return the gaits over the slope, each found from the one before; None: there is none."""
    found, guesses = [], None
    for slope in slopes:
        try:
            gait = ps.Walker(**legs, slope=slope).gait(guesses)
        except ps.ModelError:
            gait = None
        found.append(gait)
        guesses = guesses if gait is None else [gait.state]
    return found


def last_steps(walker, state):
    """Return the times of the last of many steps [s]; fewer if it falls."""
    times = []
    for _ in range(SETTLING + SHOWN):
        try:
            step = walker.step(state)
        except ps.ModelError:
            break
        times.append(step.time)
        state = step.after
    return times[SETTLING:]


def times_of_steps(slopes, found):
    """Return slope [rad] and time [s] of the last steps, begun beside each gait."""
    pairs = []
    for slope, gait in zip(slopes, found, strict=True):
        if gait is not None:
            walker = ps.Walker(**COMPASS, slope=slope)
            pairs += [(slope, time) for time in last_steps(walker, gait.state * 1.002)]
    return np.array(pairs)


def picture(slopes, compass, arcs, pairs):
    """Draw a gait as legs and in its phase plane, multipliers and times of steps."""
    import matplotlib.pyplot as plt

    figure, ((legs, phase), (growth, times)) = plt.subplots(
        2, 2, figsize=(9, 7), layout="constrained"
    )
    walker = ps.Walker(**COMPASS, slope=slopes[2])
    run = walker.step(compass[2].state).run
    for k in np.linspace(0, len(run.t) - 1, 9).astype(int):
        hip = run.q[k, :2]
        for angle, colour in ((run.q[k, 2], "C0"), (run.q[k, 3], "C1")):
            foot = hip + COMPASS["length"] * np.array([np.sin(angle), -np.cos(angle)])
            legs.plot(*np.array([hip, foot]).T, color=colour, lw=1.2)
    legs.axhline(0.0, color="0.4", lw=1)
    legs.set(title="one step of the compass gait", aspect="equal", xlabel="along the slope [m]")
    phase.plot(np.degrees(run.q[:, 2]), run.v[:, 2], label="leg that stands")
    phase.plot(np.degrees(run.q[:, 3]), run.v[:, 3], label="leg that swings")
    phase.set(title="its phase plane", xlabel="angle [°]", ylabel="rate [rad/s]")
    phase.legend()
    for name, found, mark in (("points", compass, "o-"), ("arcs", arcs, "s-")):
        sizes = [np.nan if x is None else np.abs(x.multipliers).max() for x in found]
        growth.plot(np.degrees(slopes), sizes, mark, label=f"feet: {name}")
    growth.axhline(1.0, color="0.4", lw=1)
    growth.set(title="largest multiplier", xlabel="slope [°]", ylim=(0, None))
    growth.legend()
    times.plot(np.degrees(pairs[:, 0]), pairs[:, 1], "k.")
    times.set(title="times of steps, compass gait", xlabel="slope [°]", ylabel="[s]")
    figure.savefig("walking.png", dpi=120)


def main():
    """Find gaits over the slope, print their multipliers, and draw."""
    compass, arcs = gaits(COMPASS, SLOPES), gaits(ROUND, SLOPES)
    for slope, point, arc in zip(SLOPES, compass, arcs, strict=True):
        sizes = [
            "none" if x is None else f"{np.abs(x.multipliers).max():.3f}" for x in (point, arc)
        ]
        print(
            f"{np.degrees(slope):.1f}°: largest multiplier {sizes[0]} (points), {sizes[1]} (arcs)"
        )
    picture(SLOPES, compass, arcs, times_of_steps(SLOPES, compass))


if __name__ == "__main__":
    main()
