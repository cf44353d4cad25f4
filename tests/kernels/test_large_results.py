"""Large results use memory again that earlier ones left behind, and only that."""

import threading

import numpy as np
import pytest

from poinsot.kernels import large_results
from poinsot.kernels.large_results import KEPT, LARGE, empty
from poinsot.library import chain


@pytest.fixture(autouse=True)
def nothing_waits(monkeypatch):
    large_results._waiting.clear()
    yield
    large_results._waiting.clear()


def place(array):
    return array.__array_interface__["data"][0]


def numbers(n_bytes):
    return (-(-n_bytes // 80), 10)


def test_memory_is_used_again_when_its_result_and_all_views_are_gone():
    """Drop a result, then views of it, and look where the next ones are."""
    first = empty(numbers(LARGE))
    where, view = place(first), first[5:].T
    del first
    second = empty(numbers(LARGE))
    assert place(second) != where, "a view of it is alive"
    view[...] = 1.0
    second[...] = 2.0
    assert (view == 1.0).all()
    del view
    third = empty(numbers(LARGE))
    assert place(third) == where
    assert third.shape == numbers(LARGE)
    assert third.flags.writeable
    assert third.flags.c_contiguous
    assert third.flags.aligned
    assert third.dtype == np.float64


def test_only_blocks_of_about_the_size_fit():
    """Ask for less and more than what waits has."""
    where = place(empty(numbers(2 * LARGE)))
    for size in (LARGE, 3 * LARGE):
        assert place(empty(numbers(size))) != where
    smaller = empty(numbers(int(1.9 * LARGE)))
    assert place(smaller) == where


def test_small_results_are_plain_arrays():
    assert empty(numbers(LARGE // 2)).base is None
    assert not large_results._waiting


def test_no_more_than_the_limit_waits():
    """Drop many results, and one that is larger than the limit."""
    results = [empty(numbers(LARGE)) for _ in range(KEPT // LARGE + 3)]
    del results
    assert 0 < sum(block.nbytes for block in large_results._waiting) <= KEPT
    large_results._waiting.clear()
    empty(numbers(KEPT + 800))
    assert not large_results._waiting


def test_results_of_many_threads_share_no_memory():
    """Take and drop results in several threads at once; each finds its own numbers."""
    wrong = []

    def work(k):
        for _ in range(20):
            mine = empty((LARGE // 8,))
            mine[:: 2**16] = k
            if not (mine[:: 2**16] == k).all():
                wrong.append(k)

    workers = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not wrong


@pytest.mark.parametrize("n_threads", ["1", "3"])
def test_methods_use_it(monkeypatch, n_threads):
    """Call a method for a large batch twice: the same memory; and a third, with one alive."""
    monkeypatch.setenv("POINSOT_NUM_THREADS", n_threads)
    system = chain(7)
    q = np.random.default_rng(1).normal(size=(LARGE // (8 * 49) + 1, 7))
    few = system.mass_matrix(q[:50])
    where = place(system.mass_matrix(q))
    M = system.mass_matrix(q)
    assert place(M) == where
    assert M.shape == (len(q), 7, 7)
    other = system.mass_matrix(-q)
    assert place(other) != where
    np.testing.assert_array_equal(M[:50], few)
    given = np.empty_like(M)
    assert system.mass_matrix(q, out=given) is given
    np.testing.assert_array_equal(given, M)
