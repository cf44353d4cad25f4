"""How many random examples a test tries: few and always the same, or many and new ones.

``make test`` draws the same few in every run, so that a clone which passed passes again.
``make test-long`` draws new ones, many times as many (``POINSOT_EXAMPLES`` says how many times).
"""

import os

FACTOR = int(os.environ.get("POINSOT_EXAMPLES", "1"))


def examples(n, *, at_length=None):
    """Return how many examples to try.

    Args:
        n: How many in a usual run.
        at_length: How many at least in a long one; n times the factor by default.
    """
    return n if FACTOR == 1 else max(n * FACTOR, at_length or 0)
