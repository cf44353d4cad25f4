"""Settings of all tests.

Random examples are the same in every run, so that a clone which passed passes again.  To search for
new ones: ``make test PYTEST_ARGS="--hypothesis-profile=search"``.
"""

from hypothesis import settings

# No deadline: the first example may compile.
settings.register_profile("same", deadline=None, derandomize=True)
settings.register_profile("search", deadline=None)
settings.load_profile("same")
