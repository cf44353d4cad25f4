"""Draw joint_frames.svg: where a body's frames are, for docs/bodies.md."""

from pathlib import Path

import matplotlib as mpl
import numpy as np

mpl.use("Agg")
import matplotlib.pyplot as plt

INK, GREY, ORANGE, BLUE = "#2b2d33", "#9aa0a8", "#d55e00", "#0072b2"


def frame(axes, place, angle, name, colour, beside=(-0.05, -0.12)):
    """Draw two axes of a frame, and its name."""
    for turn, letter in ((0.0, "x"), (np.pi / 2, "z")):
        tip = place + 0.32 * np.array([np.cos(angle + turn), np.sin(angle + turn)])
        arrow = {"arrowstyle": "-|>", "color": colour, "lw": 1.8}
        axes.annotate("", xy=tip, xytext=place, arrowprops=arrow)
        axes.text(*(place + 1.22 * (tip - place)), letter, color=colour, ha="center", va="center")
    side = "right" if beside[0] < 0 else "left"
    axes.text(*(place + beside), name, color=colour, ha=side, weight="bold")


def bar(axes, start, end, colour):
    """Draw a body as a thick line with round ends."""
    x, z = np.stack([start, end], axis=1)
    axes.plot(x, z, color=colour, lw=16, alpha=0.25, solid_capstyle="round", zorder=0)


figure, axes = plt.subplots(figsize=(7.2, 3.5))
parent, joint, angle = np.array([0.0, 0.0]), np.array([1.5, 0.45]), 0.6
end = joint + 1.5 * np.array([np.cos(angle), np.sin(angle)])
mass = joint + 0.8 * np.array([np.cos(angle), np.sin(angle)])
bar(axes, parent, joint, GREY)
bar(axes, joint, end, ORANGE)
frame(axes, parent, 0.0, "parent", INK)
frame(axes, joint, 0.0, "J", BLUE, beside=(0.06, -0.19))
frame(axes, joint, angle, "B", ORANGE, beside=(-0.16, 0.1))
axes.annotate(
    "", xy=joint, xytext=parent, arrowprops={"arrowstyle": "->", "ls": "--", "color": BLUE}
)
axes.text(0.68, 0.33, "pose", color=BLUE, ha="center")
turn = np.linspace(0.05, angle - 0.05, 30)
axes.plot(joint[0] + 0.55 * np.cos(turn), joint[1] + 0.55 * np.sin(turn), color=ORANGE, lw=1.2)
axes.text(*(joint + 0.66 * np.array([np.cos(0.3), np.sin(0.3)])), "q", color=ORANGE, va="center")
axes.plot(*mass, "o", ms=9, mfc="white", mec=INK)
axes.text(mass[0] + 0.09, mass[1] - 0.16, "com, mass, inertia", color=INK)
axes.set(xlim=(-0.55, 3.3), ylim=(-0.35, 1.55), aspect="equal")
axes.axis("off")
figure.savefig(Path(__file__).with_suffix(".svg"), bbox_inches="tight")
