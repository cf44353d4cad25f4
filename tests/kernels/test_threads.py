"""Batches split over threads: the same bits as on one thread, whatever happens to the threads."""

import os
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

from poinsot.errors import PoinsotError
from poinsot.evaluate.evaluator import Evaluator
from poinsot.evaluate.request import Request
from poinsot.kernels import threads
from poinsot.kernels.threads import (
    GRAIN,
    NEVER,
    run_together,
    split,
    thread_count,
    threads_for,
    worthwhile_from,
)
from poinsot.library import chain

SYSTEM = chain(3)


@pytest.fixture
def eager(monkeypatch):
    """Let every batch be worth a thread."""
    monkeypatch.setattr(threads, "WORTH_A_THREAD", 1)
    monkeypatch.setenv("POINSOT_NUM_THREADS", "4")


def states(n_states):
    """Return states with angles small and huge, and some that are not numbers."""
    rng = np.random.default_rng(n_states)
    q, v, a = rng.normal(size=(3, n_states, SYSTEM.nv))
    q[rng.random(q.shape) < 0.05] *= 1e7
    v[rng.random(v.shape) < 0.02] = np.nan
    return q, v, a


@pytest.mark.parametrize("n_threads", [2, 3, 8])
def test_every_number_of_threads_gives_the_same_bits(eager, monkeypatch, n_threads):
    """Check that the result of a state does not depend on where in which range it stands."""
    evaluate = Evaluator(SYSTEM.mechanism, Request("inverse_dynamics"), "llvm")
    for n_states in (*range(2, 70), 127, 128, 129, 1000, 1003):
        arguments = states(n_states)
        monkeypatch.setenv("POINSOT_NUM_THREADS", "1")
        alone = evaluate(arguments)
        monkeypatch.setenv("POINSOT_NUM_THREADS", str(n_threads))
        assert evaluate(arguments).tobytes() == alone.tobytes()


def test_a_method_hands_large_batches_to_threads(monkeypatch):
    """Check the native callable on both sides of the border, and that threads do take part."""
    monkeypatch.setenv("POINSOT_NUM_THREADS", "3")
    monkeypatch.setattr(threads, "WORTH_A_THREAD", 20_000)
    seen, called_in = [], threads._called_in
    monkeypatch.setattr(
        threads, "_called_in", lambda task, n: seen.append((n_states, n)) or called_in(task, n)
    )
    system = chain(3)
    n_states = 4000
    q, v, a = states(n_states)
    whole = system.inverse_dynamics(q, v, a)
    work = Evaluator(SYSTEM.mechanism, Request("inverse_dynamics"), "auto").kernel.signature.work
    border = worthwhile_from(work)
    assert 2 < border < 4000
    del seen[:]
    for n_states in (border - 1, border, 2, 4000):
        part = system.inverse_dynamics(q[:n_states], v[:n_states], a[:n_states])
        assert part.tobytes() == whole[:n_states].tobytes()
    assert seen == [(border, 1), (4000, 2)]


def test_split():
    """Check that ranges make up the batch, begin at whole grains, and are about equal."""
    for n_states in (*range(1, 100), 1000, 12345):
        for parts in (1, 2, 3, 8, 100):
            ranges = list(split(n_states, parts))
            starts, stops = zip(*ranges, strict=True)
            assert starts == (0, *stops[:-1])
            assert stops[-1] == n_states
            assert all(start % GRAIN == 0 for start in starts)
            sizes = [stop - start for start, stop in ranges]
            assert min(sizes) >= min(GRAIN, n_states)
            assert max(sizes) <= min(sizes) + 2 * GRAIN
            assert len(ranges) <= parts


def test_small_batches_stay_in_the_calling_thread(monkeypatch):
    """Check that no thread is woken for less than it costs."""
    monkeypatch.setenv("POINSOT_NUM_THREADS", "4")
    assert threads_for(100, 100) == threads_for(0, 100) == threads_for(10**9, 0) == 1
    assert threads_for(7, 10**9) == 1
    assert threads_for(10**6, 16) == 2
    assert threads_for(10**9, 100) == 4
    monkeypatch.setattr(threads, "_called_in", lambda *_: pytest.fail("called a thread in"))
    calls = []
    run_together(lambda: calls.append(threading.get_ident()), 1)
    assert calls == [threading.get_ident()]


def test_threads_work_at_the_same_time():
    """Check that two threads are at work at once."""
    meeting, workers = threading.Barrier(2, timeout=30), set()

    def work():
        workers.add(threading.get_ident())
        meeting.wait()

    run_together(work, 2)
    assert len(workers) == 2


@pytest.mark.parametrize("guilty", ["caller", "helper"])
def test_an_error_ends_the_batch_when_all_threads_are_done(guilty):
    """Check that no thread is still at work when the error comes out."""
    running, lock, caller = [0], threading.Lock(), threading.get_ident()
    meeting = threading.Barrier(3, timeout=30)

    def work():
        with lock:
            running[0] += 1
        meeting.wait()
        called = threading.get_ident() == caller
        if called != (guilty == "caller"):
            time.sleep(0.01)
        with lock:
            running[0] -= 1
        if called == (guilty == "caller"):
            raise MemoryError("no scratch memory")

    with pytest.raises(MemoryError, match="scratch"):
        run_together(work, 3)
    assert running == [0]


def test_helpers_that_come_late_do_nothing(monkeypatch):
    """Check a task that ends before its helpers begin, and the one after it."""
    busy, go_on = threading.Event(), threading.Event()
    monkeypatch.setattr(threads, "_pool", threads._Pool())
    threads._called_in(lambda: busy.set() or go_on.wait(30), 1)
    assert busy.wait(30)
    done = []
    run_together(lambda: done.append(threading.get_ident()), 2)  # its helper waits in the queue
    assert done == [threading.get_ident()]
    go_on.set()
    meeting = threading.Barrier(2, timeout=30)
    run_together(meeting.wait, 2)
    assert done == [threading.get_ident()]


def test_threads_that_cannot_be_had_are_done_without(eager, monkeypatch):
    """Check a process that can start no thread, as while the interpreter shuts down."""

    def refused(self):
        raise RuntimeError("can't start new thread")

    evaluate = Evaluator(SYSTEM.mechanism, Request("inverse_dynamics"), "llvm")
    arguments = states(1000)
    expected = evaluate(arguments).tobytes()
    monkeypatch.setattr(threads, "_pool", threads._Pool())
    monkeypatch.setattr(threading.Thread, "start", refused)
    assert evaluate(arguments).tobytes() == expected


def test_many_callers_share_the_pool(eager):
    """Check batches from several threads of the user at once, bit for bit."""
    evaluate = Evaluator(SYSTEM.mechanism, Request("inverse_dynamics"), "llvm")
    arguments = states(2000)
    expected = evaluate(arguments).tobytes()
    wrong = []

    def call():
        for _ in range(20):
            if evaluate(arguments).tobytes() != expected:
                wrong.append(1)

    callers = [threading.Thread(target=call) for _ in range(6)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    assert not wrong


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_process_has_threads_of_its_own():
    """Check that a child does not wait for threads that only its parent has."""
    code = """
import os, sys, warnings
import numpy as np
from poinsot.kernels import threads
from poinsot.library import chain
warnings.simplefilter("ignore", DeprecationWarning)  # Python 3.12: fork with threads
threads.WORTH_A_THREAD = 1000
system = chain(2)
q = np.random.default_rng(0).normal(size=(5000, 2))
expected = system.mass_matrix(q).tobytes()
assert threads._pool._n_threads == 2
child = os.fork()
if child == 0:
    same = system.mass_matrix(q).tobytes() == expected and threads._pool._n_threads == 2
    os._exit(0 if same else 3)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
assert system.mass_matrix(q).tobytes() == expected
"""
    environment = os.environ | {"POINSOT_NUM_THREADS": "3"}
    command = [sys.executable, "-c", code]
    result = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=120)
    assert result.returncode == 0, result.stderr


# How many


def test_all_processors_by_default(monkeypatch):
    monkeypatch.delenv("POINSOT_NUM_THREADS", raising=False)
    if hasattr(os, "sched_getaffinity"):
        assert thread_count() == len(os.sched_getaffinity(0))
        monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: 12)
    assert thread_count() == 12
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert thread_count() == 1


def test_as_many_as_asked_for(monkeypatch):
    for text, n in (("1", 1), (" 6 ", 6), ("007", 7)):
        monkeypatch.setenv("POINSOT_NUM_THREADS", text)
        assert thread_count() == n
    monkeypatch.setenv("POINSOT_NUM_THREADS", "")
    assert thread_count() >= 1


def test_one_thread_never_splits(monkeypatch):
    monkeypatch.setenv("POINSOT_NUM_THREADS", "1")
    assert worthwhile_from(1000) == NEVER
    monkeypatch.setenv("POINSOT_NUM_THREADS", "2")
    assert worthwhile_from(10**12) == 2
    assert worthwhile_from(0) < NEVER


@pytest.mark.parametrize("text", ["0", "-2", "2.0", "many", "1e3", "²", "0x4"])
def test_a_number_of_threads_that_is_none_is_an_error(monkeypatch, text):
    """Check that the message names the variable, the value and the remedy."""
    monkeypatch.setenv("POINSOT_NUM_THREADS", text)
    with pytest.raises(PoinsotError, match=f"POINSOT_NUM_THREADS .*{text}.*leave it out"):
        chain(2).mass_matrix(np.zeros(2))
