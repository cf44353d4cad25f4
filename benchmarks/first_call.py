"""The first calls of a method in a process of its own, timed from within.

    python -m benchmarks.first_call "chain of 7" inverse_dynamics

prints them as JSON [s]; :func:`first_calls` does that in a new process and reads it.  The clock
starts when poinsot and llvmlite have been imported and the system has been made, so that all of the
tracing and compiling is in the first call for one state, and the compiling of the code for batches
in the first call for a batch.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping


def first_calls(
    subject: str, method: str, *, batch: bool = True, settings: Mapping[str, str] | None = None
) -> dict[str, float]:
    """Return the times of the first calls in a new process [s]: import, make, single, batch.

    Args:
        subject: A key of ``SUBJECTS`` or ``LOADED``.
        method: A key of ``INPUTS``.
        batch: Whether to call it for a batch too.
        settings: Variables of the environment, in addition to ours.
    """
    command = [sys.executable, "-m", "benchmarks.first_call", subject, method]
    command += ["--batch"] if batch else []
    environment = {**os.environ, "BENCHMARKS_SETTINGS": json.dumps(dict(settings or {}))}
    result = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        raise RuntimeError(f"{' '.join(command)} failed:\n{result.stderr}")
    times: dict[str, float] = json.loads(result.stdout)
    return times


def main() -> None:
    """Time the first calls in this process."""
    os.environ.update(json.loads(os.environ.get("BENCHMARKS_SETTINGS", "{}")))
    marks = [time.perf_counter()]

    import poinsot as ps  # noqa: F401

    marks.append(time.perf_counter())

    import llvmlite.binding  # noqa: F401

    marks.append(time.perf_counter())

    from benchmarks.mechanisms import LOADED, SUBJECTS, random_states

    subject, method = (SUBJECTS | LOADED)[sys.argv[1]], sys.argv[2]
    start = time.perf_counter()
    system = subject.make()
    made = time.perf_counter() - start
    states = list(random_states(system, method, 16).values())
    one = [array[0].copy() for array in states]
    times = {"poinsot": marks[1] - marks[0], "llvmlite": marks[2] - marks[1], "make": made}
    for name, arguments in (("single", one), ("second", one), ("batch", states)):
        if name != "batch" or "--batch" in sys.argv:
            start = time.perf_counter()
            getattr(system, method)(*arguments)
            times[name] = time.perf_counter() - start
    print(json.dumps(times))


if __name__ == "__main__":
    main()
