"""Measurements against other libraries: ``python -m benchmarks.tree`` and its neighbours.

Every figure is a ratio within one run, on one core.  Importing this package sets the variables that
keep libraries to one thread, and poinsot from finding code that an earlier run compiled, before any
of them is loaded.
"""

import os

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS"):
    os.environ[_name] = "1"
os.environ["POINSOT_NUM_THREADS"] = "1"
os.environ["POINSOT_CACHE"] = "0"
