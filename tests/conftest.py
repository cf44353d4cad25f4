"""Settings of all tests.

Random examples are the same in every run, so that a clone which passed passes again.  To search for
new ones: ``make test PYTEST_ARGS="--hypothesis-profile=search"``.
"""

import gc

from hypothesis import settings

# Graphs of earlier tests stay alive in caches; to walk them as often as usual costs a fifth of
# the time of all tests.
gc.set_threshold(100_000, 50, 100)

# No deadline: the first example may compile.
settings.register_profile("same", deadline=None, derandomize=True)
settings.register_profile("search", deadline=None)
settings.load_profile("same")
