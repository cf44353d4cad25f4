"""The five-body tree of Huang (1997): input table, equations, C program, and the printed table."""

import json
import shutil
import subprocess
import sys
import tempfile
from fractions import Fraction
from pathlib import Path

import numpy as np

import poinsot as ps

HERE = Path(__file__).parent
INTERVAL = 0.01
"""Time between two rows of the table [s]."""


def read(name):
    """Return a table of the paper."""
    return json.loads((HERE / name).read_text(encoding="utf-8"))


def tree(table):
    """Return the system of an input table; m, l and g stay symbols.

    Body frames sit at the joints, x along the rods; d_own leads from a joint to the mass centre of
    its body, d_inner from the mass centre of the inner body to the joint.
    """
    m, l, g = ps.symbols("m l g")
    own = [float(Fraction(text)) for text in table["d_own"]]
    bodies = []
    for j, inner in enumerate(table["topology"]):
        place = own[inner - 1] + float(Fraction(table["d_inner"][j])) if inner else 0.0
        moment = float(Fraction(table["inertia"][j])) * m * l**2
        bodies.append(
            ps.Body(
                f"{j + 1}",
                parent=f"{inner}" if inner else "world",
                joint=ps.Revolute("z"),
                pose=ps.Pose((place * l, 0, 0)),
                mass=float(Fraction(table["mass"][j])) * m,
                com=(own[j] * l, 0, 0),
                inertia=(0, moment, moment),
            )
        )
    numbers = table["parameters"]
    return ps.System("five body", bodies, gravity=(0, -g, 0), parameters=numbers, free=numbers)


def generate(system, table, folder):
    """Write the equations of motion in C, and what the main program starts from."""
    system.export("c", "forward_dynamics", path=folder, method="lagrange")
    values = [table["parameters"][name] for name in system.free]
    arrays = {"q0": table["q"], "v0": table["v"], "parameters": values}
    lines = [f"#define N {system.nv}", "#define ROWS 10", "#define STEPS 100"]
    lines.append(f"#define INTERVAL {INTERVAL}")
    for name, array in arrays.items():
        lines.append(f"static const double {name}[] = {{{', '.join(map(repr, array))}}};")
    (folder / "start.h").write_text("\n".join(lines) + "\n", encoding="utf-8")
    shutil.copy(HERE / "simulate.c", folder)


def run(folder):
    """Compile the program, run it, and return times, angles and rates."""
    flags = ["-std=c99", "-O2", "-Wall", "-Werror"]
    sources = ["simulate.c", "five_body.c"]
    subprocess.run(["cc", *flags, *sources, "-lm", "-o", "simulate"], cwd=folder, check=True)
    done = subprocess.run([folder / "simulate"], check=True, capture_output=True, text=True)
    rows = np.array([line.split() for line in done.stdout.splitlines()], dtype=float)
    return rows[:, 0], rows[:, 1:6], rows[:, 6:]


def as_printed(value, printed):
    """Say whether a number rounds to what is printed, to four digits."""
    digits = 4 - int(np.floor(np.log10(abs(printed)))) - 1
    return abs(value - printed) <= 0.5001 * 10.0**-digits


def show(label, found, printed):
    """Print a row, mark what is not as printed, and return how many numbers are."""
    good = [as_printed(x, y) for x, y in zip(found, printed, strict=True)]
    marks = [f"{x:10.4g}{' ' if ok else '!'}" for x, ok in zip(found, good, strict=True)]
    print(f"{label:>6} {''.join(marks)}")
    return sum(good)


def main():
    """Go all the way and compare; return how many of the numbers are as printed."""
    table, printed = read("input.json"), read("printed.json")["rows"]
    system = tree(table)
    print(system)
    print(ps.derive(system, method="lagrange").text("mass_matrix", "bias"))
    print(system.operations("forward_dynamics", method="lagrange"))
    with tempfile.TemporaryDirectory() as name:
        generate(system, table, Path(name))
        _, q, v = run(Path(name))
    right = 0
    print("   t/s " + "".join(f"{f'q{k}':>11}" for k in range(1, 6)))
    for row, angles, rates in zip(printed, q, v, strict=True):
        right += show(f"{row['t']:.2f}", angles, row["q"])
        right += show("", rates, row["v"])
    print(f"{right} of 100 numbers are as printed in the paper")
    return right


if __name__ == "__main__":
    sys.exit(0 if main() == 100 else 1)
