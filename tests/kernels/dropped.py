"""Make systems, use each a little, drop them, and see how the process grows.

``python -m tests.kernels.dropped kept 2000`` prints by how many bytes 2000 systems make it grow;
with ``compiled`` in the place of ``kept``, each has numbers of its own, is used in more ways, and
nothing is kept on disk: to look through a folder takes memory for each of its files.
"""

import ctypes
import gc
import os
import sys
from pathlib import Path

import numpy as np

import poinsot as ps

FIRST = 200
"""Systems after which what lasts, caches and the memory of compilers, has its size."""
REST = np.zeros(1)
MANY = np.zeros((9, 1))


def kept(k):
    """Make a pendulum whose code is on the disk already, and evaluate it."""
    _pendulum(1.0 + k % 8).mass_matrix(REST)


def compiled(k):
    """Make a pendulum that nobody has made, and evaluate it, one state and many, under a law."""
    system = _pendulum(1.0 + k / 64)
    system.mass_matrix(REST)
    system.mass_matrix(MANY)
    ps.simulate(system, REST, REST, 1e-3, tau=lambda t, q, v: -(1.0 + k / 64) * v)


def _pendulum(mass):
    rod = ps.Body("rod", joint=ps.Revolute("y"), mass=mass, com=(0, 0, -0.5))
    return ps.System("pendulum", [rod])


def resident():
    """Return how much memory the process holds [bytes], after all that can go is gone."""
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


def main(use, count):
    """Print the growth [bytes]."""
    if use is compiled:
        os.environ["POINSOT_CACHE"] = "0"
    before = 0
    for k in range(FIRST + count):
        if k == FIRST:
            before = resident()
        use(k)
        if k % 50 == 0:
            gc.collect()  # how long cycles wait for it is no matter here
    print(resident() - before)


if __name__ == "__main__":
    main({"kept": kept, "compiled": compiled}[sys.argv[1]], int(sys.argv[2]))
