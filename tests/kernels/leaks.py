"""How much a process grows while something is called again and again."""

import gc
import tracemalloc


def settle():
    """Free what others left behind, and what only that held."""
    for _ in range(10):
        if not gc.collect():
            return


def leak(call, n, error=()):
    """Return by how many bytes and objects the process grows in ``n`` calls.

    Args:
        call: What to call.
        n: How often.
        error: What each call raises.
    """

    def go():
        raised = 0
        for _ in range(n):
            try:
                call()
            except error:
                raised += 1
        assert raised == (n if error else 0)

    go()
    gc.freeze()  # what others left need not be looked through again and again
    least = None
    for _ in range(3):  # a leak grows every time; a table of the interpreter's grows once
        settle()
        tracemalloc.start()
        objects, before = len(gc.get_objects()), tracemalloc.get_traced_memory()[0]
        go()
        settle()
        grown = tracemalloc.get_traced_memory()[0] - before
        tracemalloc.stop()
        found = grown, len(gc.get_objects()) - objects
        least = found if least is None else min(least, found)
        if grown < n:
            break
    gc.unfreeze()
    return least
