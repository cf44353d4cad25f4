"""The search without guidance: random damage to valid inputs, as fast as it goes."""

import random
import time

from tests.fuzz.contract import check
from tests.fuzz.corpus import corpus
from tests.fuzz.mutate import mutated


def search(form, seconds, seed, folder):
    """Try inputs for some seconds; return how many, and the first that breaks the contract.

    Returns:
        (number of inputs, None) or (number of inputs, (the bytes, the exception)).
    """
    source, valid = random.Random(seed), corpus(form)
    stop, n = time.monotonic() + seconds, 0
    while time.monotonic() < stop:
        data = mutated(source.choice(valid), form, source, valid)
        n += 1
        try:
            check(form, data, folder)
        except Exception as error:
            return n, (data, error)
    return n, None
