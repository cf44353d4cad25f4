"""The benchmark bicycle: eigenvalues of weave, capsize and castor over speed, and a free ride.

    python examples/bicycle/bicycle.py

Pushed at 4.6 m/s a bicycle without a rider's hands swings a few times and goes straight on; the
figure shows why.  Below the weave speed the swings grow; above the capsize speed it falls slowly.

Writes bicycle.svg and bicycle.gif.
"""

import numpy as np

import poinsot as ps
from poinsot.library import bicycle, bicycle_state

SPEEDS = np.linspace(0.0, 10.0, 501)  # [m/s]
LABELS = {"capsize": (8.6, 0.5), "castor": (1.9, -7.8), "weave": (2.3, 2.9),
          "weave, imaginary part": (7.1, 6.0), "stable": (4.85, -9.2)}  # fmt: skip
BLUE, RED = "#0072b2", "#d55e00"
PUSH = 0.5  # lean rate at the start of the ride [rad/s]


def eigenvalues(system: ps.System, speeds: np.ndarray) -> np.ndarray:
    """Return the poles of lean and steer [1/s], shape (n, 4), sorted by their real parts.

    M, C1, K0 and K2 are those of the whole bicycle at two speeds.
    """
    names = ["lean", "steer"]
    (M, _, K0), (_, C1, K1) = (
        ps.linearize(system, *bicycle_state(system, speed)).second_order(names)
        for speed in (0.0, 1.0)
    )
    poles = []
    for v in speeds:
        K, C = K0 + v**2 * (K1 - K0), v * C1
        A = np.block(
            [[np.zeros((2, 2)), np.eye(2)], [-np.linalg.solve(M, K), -np.linalg.solve(M, C)]]
        )
        poles.append(sorted(np.linalg.eigvals(A), key=lambda pole: (pole.real, pole.imag)))
    return np.array(poles)


def stable_speeds(speeds: np.ndarray, poles: np.ndarray) -> tuple[float, float]:
    """Return the lowest and the highest speed at which all poles have negative real parts [m/s]."""
    stable = speeds[(poles.real < 0.0).all(axis=1)]
    return float(stable[0]), float(stable[-1])


def ride(system: ps.System, speed: float, duration: float = 10.0) -> ps.Run:
    """Return the run of a bicycle that is pushed sideways."""
    q, v = bicycle_state(system, speed)
    v[system.v_slice("lean")] = PUSH
    return ps.simulate(system, q, system.consistent_velocity(q, v, joints=["lean"]), duration)


def draw(path: str, speeds: np.ndarray, poles: np.ndarray) -> None:
    """Draw real and imaginary parts over the speed."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(7.2, 4.4), layout="constrained")
    low, high = stable_speeds(speeds, poles)
    axes.axvspan(low, high, color="#e8f1e4")
    oscillates = np.abs(poles.imag) > 1e-9
    real = np.sort(np.where(oscillates, np.inf, poles.real), axis=1)  # castor, capsize, two others
    pairs = oscillates.sum(axis=1)
    damping = (poles.real * oscillates).sum(axis=1) / np.maximum(pairs, 1)
    weave = np.where(pairs > 0, damping, np.nan)
    axes.plot(speeds, np.where(np.isfinite(real), real, np.nan), color=RED)
    axes.plot(speeds, weave, color=BLUE)
    swing = poles.imag.max(axis=1)
    axes.plot(speeds, np.where(swing > 1e-9, swing, np.nan), color=BLUE, linestyle="--")
    axes.axhline(0.0, color="black", linewidth=0.8)
    axes.set(xlim=(0, 10), ylim=(-10, 10), xlabel="speed [m/s]", ylabel="eigenvalue [1/s]",
             title="Benchmark bicycle: eigenvalues of lean and steer")  # fmt: skip
    for text, place in LABELS.items():
        axes.annotate(text, place)
    figure.savefig(path)
    plt.close(figure)


def main() -> None:
    """Compute, draw and ride."""
    system = bicycle()
    poles = eigenvalues(system, SPEEDS)
    low, high = stable_speeds(SPEEDS, poles)
    print(f"stable by itself from about {low:.2f} to {high:.2f} m/s")
    draw("bicycle.svg", SPEEDS, poles)
    run = ride(system, 4.6)
    print(f"pushed at 4.6 m/s it leans {np.degrees(np.abs(run.q[:, 4]).max()):.1f} degrees at most")
    ride(system, 4.6, 1.0).animate("bicycle.gif", fps=20, seconds=4.0, view=(1, -2, 0.6))


if __name__ == "__main__":
    main()
