"""Whether two commits compute the same: digests of the IR of every quantity, side by side.

    python -m benchmarks.programs OLD NEW

OLD and NEW are checkouts of poinsot.  In each, every quantity of the systems below is asked for
once, with the disk cache off, one state and a batch, and every formulation of the dynamics; the IR
of each function that is compiled on the way is recorded.  What differs is listed with its number of
operations at both commits; the exit status is 1 where one takes more operations than before.
"""

import argparse
import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

from benchmarks.every_quantity import OF_CLOSURES, OF_TREES

SYSTEMS = (
    "double_pendulum()", "chain(7)", "chain(100)", "puma560()", "humanoid()", "rrp_arm_on_rail()",
    "satellite()", "heavy_top()", "n_link_pendulum(30)", "four_bar()", "andrews_squeezer()",
    "stewart_platform()", "bennett()", "delta_robot()", "n_four_bar(5)", "n_four_bar(40)",
)  # fmt: skip
LARGE = ("chain(100)", "n_link_pendulum(30)", "n_four_bar(40)")
METHODS = ("screw_matrix", "kane", "lagrange", "newton_euler")


def digests(system_text: str) -> dict[str, list[str]]:
    """Return the digests of all IR that one system's quantities are compiled from, by call."""
    import numpy as np

    from poinsot import library
    from poinsot.kernels.llvm import target

    recorded: list[str] = []
    real = target.ir_key

    def recording(ir: str, *rest):
        operations = ir.count(" fadd ") + ir.count(" fmul ") + ir.count(" fsub ")
        recorded.append(f"{hashlib.sha256(ir.encode()).hexdigest()[:16]} {operations}")
        return real(ir, *rest)

    library.pendulum().bias([0.0], [0.0])  # loads the native entry, which is the same for all
    target.ir_key = recording
    system = eval(f"library.{system_text}", {"library": library})
    rng = np.random.default_rng(1)
    known = {key: rng.normal(size=system.nv) for key in ("v", "a", "tau")} | {
        "q": system.random(rng),
        "body": system.bodies[-1].name,
    }
    named = dict(OF_TREES) | (OF_CLOSURES if system.row_names else {})
    named.pop("mobility", None)
    if system_text in LARGE:
        for slow in ("regressor", "energy_regressor", "multipliers", "reactions"):
            named.pop(slow, None)
        if system.row_names:
            for slow in ("inverse_dynamics", "constraint_jacobian", "constraint_bias"):
                named.pop(slow, None)
    found: dict[str, list[str]] = {}

    def asked(label: str, name: str, arguments: list, **keywords) -> None:
        recorded.clear()
        getattr(system, name)(*arguments, **keywords)
        found[label] = list(recorded)

    for name, inputs in named.items():
        one = [known[key] for key in inputs.split()]
        asked(f"{name}, one state", name, one)
        many = [x if isinstance(x, str) else np.stack([x] * 9) for x in one]
        asked(f"{name}, batch", name, many)
    if system_text not in LARGE:
        for method in METHODS:
            for name in ("mass_matrix", "bias", "forward_dynamics"):
                one = [known[key] for key in named[name].split()]
                asked(f"{name}, {method}", name, one, method=method)
    return found


def main() -> None:
    """Compare, or print the digests of one system."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.programs", description=__doc__)
    parser.add_argument("checkouts", nargs=2, help="two checkouts, or '-' and a system")
    old, new = parser.parse_args().checkouts
    if old == "-":
        print(json.dumps(digests(new)))
        return
    same, changed, worse = 0, [], 0
    for system in SYSTEMS:
        before, after = (_in_checkout(Path(folder), system) for folder in (old, new))
        for label in before:
            if before[label] == after.get(label):
                same += len(before[label])
                continue
            counts = [_operations(side.get(label, [])) for side in (before, after)]
            worse += counts[1] > counts[0]
            changed.append(f"{system}: {label}: {counts[0]} -> {counts[1]} operations")
    print(f"{same} functions are the same, {len(changed)} calls differ")
    print("\n".join(changed))
    sys.exit(bool(worse))


def _in_checkout(folder: Path, system: str) -> dict[str, list[str]]:
    environment = {**os.environ, "POINSOT_CACHE": "0", "PYTHONPATH": str(folder.resolve() / "src")}
    command = [sys.executable, "-m", "benchmarks.programs", "-", system]
    result = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if result.returncode:
        raise RuntimeError(f"{folder}, {system}: {result.stderr}")
    return json.loads(result.stdout.splitlines()[-1])


def _operations(functions: list[str]) -> int:
    return sum(int(text.split()[1]) for text in functions)


if __name__ == "__main__":
    main()
