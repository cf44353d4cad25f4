"""Times of ``assembly_modes`` as users call it, in a process of its own without a cache.

    python -m benchmarks.assembly_times "four_bar()"

prints the first call and the median of later ones [s] as JSON, with the modes that they found;
:func:`times_of_modes` does that in a new process and reads it.
"""

import inspect
import json
import os
import subprocess
import sys
from functools import partial
from statistics import median

import poinsot as ps
from benchmarks.timing import timed, use_one_core

DRIVEN = {"four_bar()": "crank", "stephenson()": "crank", "stewart_platform()": "leg"}
"""Systems, and how the names of the joints that are fixed begin."""
STARTS: int = inspect.signature(ps.System.assembly_modes).parameters["starts"].default
"""Random guesses where the user does not say how many."""
REPEATS = 9


def times_of_modes(name: str) -> dict[str, float]:
    """Return the seconds of the first call, of a later one, and the number of modes."""
    command = [sys.executable, "-m", "benchmarks.assembly_times", name]
    environment = {**os.environ, "POINSOT_CACHE": "0"}
    result = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        raise RuntimeError(f"{' '.join(command)} failed:\n{result.stderr}")
    times: dict[str, float] = json.loads(result.stdout)
    return times


def main() -> None:
    """Time the calls in this process."""
    from poinsot import library

    use_one_core()
    library.rrp_arm().bias([0.0] * 3, [0.0] * 3)  # loads what any first call needs
    name = sys.argv[1]
    system: ps.System = getattr(library, name.removesuffix("()"))()
    fixed = [joint for joint in system.joint_names if joint.startswith(DRIVEN[name])]
    q = system.neutral()
    if name == "stewart_platform()":
        q = library.stewart_platform_configuration(ps.Pose((0.0, 0.0, 0.7)))
    call = partial(system.assembly_modes, q, joints=fixed)
    modes, first = timed(call)
    again = median(timed(call)[1] for _ in range(REPEATS))
    print(json.dumps({"first": first, "again": again, "modes": len(modes)}))


if __name__ == "__main__":
    main()
