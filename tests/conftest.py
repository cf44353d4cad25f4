"""Settings of all tests.

Random examples are the same in every run, so that a clone which passed passes again;
``make test-long`` draws new ones (``tests/random_examples.py``) and runs tests marked ``long`` too.
"""

import gc

from hypothesis import settings

from tests.random_examples import FACTOR, examples

# Graphs of earlier tests stay alive in caches; to walk them as often as usual costs a fifth of
# the time of all tests.
gc.set_threshold(400_000, 50, 100)

# No deadline: the first example may compile.
settings.register_profile("same", deadline=None, derandomize=True, max_examples=examples(14))
settings.register_profile("search", deadline=None, max_examples=examples(14), print_blob=True)
settings.load_profile("same" if FACTOR == 1 else "search")
