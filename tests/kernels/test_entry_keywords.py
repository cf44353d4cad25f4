"""The native entry: ``out``, ``t`` and ``parameters`` by keyword."""

import sys

import numpy as np
import pytest

from poinsot.expr import build, symbol_array
from poinsot.kernels.llvm import entry
from poinsot.kernels.llvm.llvm_kernel import LlvmKernel
from tests.kernels.leaks import leak

pytestmark = pytest.mark.skipif(not entry.supported(), reason="no native entry here")

DOC = "mix(x, z, *, t=0.0, parameters=None, out=None)\n--\n\nMix arrays."
NAMES = ("mass", "length")


class Mixed:
    """y = [x + mass t, length z], a native callable that notes what it hands on to Python."""

    def __init__(self, *, time=True, defaults=(2.0, None), scalar=False):
        x, z, t = symbol_array("x", 1), symbol_array("z", 1), symbol_array("t", 1)
        p = symbol_array("p", 2)
        y = x[0] * p[1] if scalar else [x[0] + p[0] * (t[0] if time else 1.0), p[1] * z[0]]
        inputs = {"x": x, "z": z} | ({"t": t} if time else {}) | {"parameters": p}
        self.kernel = LlvmKernel(build(inputs, {"y": y}))
        self.calls = []
        keywords = entry.Keywords(True, NAMES, defaults)
        self.call = entry.native_callable("mix", DOC, self.kernel, self._python, keywords=keywords)
        entry.add_single(self.call, self.kernel)
        entry.add_batch(self.call, self.kernel)

    def _python(self, *args, **kwargs):
        self.calls.append((args, kwargs))
        return "python"


@pytest.fixture
def mixed():
    return Mixed()


X, Z = np.array([3.0]), np.array([5.0])


@pytest.mark.parametrize("t", [0.5, np.float64(0.5), np.array(0.5)])
def test_numbers_go_to_machine_code(mixed, t):
    """Give time and parameters in every order, some by default, and see no call of Python."""
    length = {"length": 7.0}
    assert mixed.call(X, Z, t=t, parameters=length).tolist() == [4.0, 35.0]
    assert mixed.call(X, Z, parameters=length, t=t).tolist() == [4.0, 35.0]
    assert mixed.call(X, Z, parameters=length).tolist() == [3.0, 35.0]
    both = {"length": np.float64(7.0), "mass": 10.0}
    assert mixed.call(X, Z, t=t, parameters=both, out=None).tolist() == [8.0, 35.0]
    assert mixed.calls == []
    known = Mixed(defaults=(2.0, 7.0))
    assert known.call(X, Z, t=t).tolist() == [4.0, 35.0]
    assert known.call(X, Z, parameters=None).tolist() == [3.0, 35.0]
    assert known.call(X, Z, parameters={}).tolist() == [3.0, 35.0]
    assert known.calls == []


def test_whole_numbers_are_plain(mixed):
    """Give integers of 64 bits, down to the least of them."""
    assert mixed.call(X, Z, t=2, parameters={"length": 7}).tolist() == [7.0, 35.0]
    assert mixed.call(X, Z, parameters={"length": -(2**63)}).tolist() == [3.0, -5.0 * 2.0**63]
    assert mixed.calls == []


def test_times_that_do_not_matter_are_left_out():
    """Give a number for a time that the kernel does not read; anything else is for Python."""
    still = Mixed(time=False, defaults=(2.0, 7.0))
    assert still.call(X, Z, t=9.0).tolist() == [5.0, 35.0]
    assert still.calls == []
    assert still.call(X, Z, t=np.ones(3)) == "python"
    assert still.call(X, Z, t="now") == "python"


def test_the_array_given_receives_the_result(mixed):
    """Give an array for the result, and get it back, written and counted once more."""
    out = np.full(2, np.nan)
    count = sys.getrefcount(out)
    result = mixed.call(X, Z, parameters={"length": 7.0}, out=out)
    assert result is out
    assert out.tolist() == [3.0, 35.0]
    del result
    assert sys.getrefcount(out) == count
    assert mixed.calls == []


def test_scalars_are_written_too():
    """Give an array without axes, and get it, not a number."""
    scalar = Mixed(scalar=True, defaults=(2.0, 7.0))
    out = np.array(np.nan)
    assert scalar.call(X, Z, out=out) is out
    assert out == 21.0
    assert type(scalar.call(X, Z)) is np.float64
    assert scalar.calls == []


@pytest.mark.parametrize("n", [1, 5, 40])
def test_batches_take_arrays(n):
    """Give a time for each state and an array for the results."""
    x, z = symbol_array("x", 1), symbol_array("z", 1)
    t = symbol_array("t", 1)
    kernel = LlvmKernel(build({"x": x, "z": z, "t": t}, {"y": [x[0] + t[0], z[0]]}))
    call = entry.native_callable("f", DOC, kernel, _never, keywords=entry.Keywords(time=True))
    entry.add_batch(call, kernel)
    xs, zs, ts = np.random.default_rng(n).normal(size=(3, n, 1))
    expected = np.concatenate([xs + ts, zs], axis=1)
    np.testing.assert_array_equal(call(xs, zs, t=ts[:, 0].copy()), expected)
    out = np.full((n, 2), np.nan)
    assert call(xs, zs, out=out, t=ts[:, 0].copy()) is out
    np.testing.assert_array_equal(out, expected)


@pytest.mark.parametrize("n", [0, 1, 2, 5, 40])
def test_batches_take_numbers_and_columns(mixed, n):
    """Give time and parameters once, or out of a table with a row for each state."""
    table = np.random.default_rng(n).normal(size=(n, 5))
    x, z, ts, masses, lengths = (table[:, k] for k in range(5))
    rows = x[:, None].copy(), z[:, None].copy()
    for t in (0.0, 3, ts, ts.copy(), ts[::-1], np.array([0.5])):
        for mass in (-1.5, masses, np.array(2.0)):
            for length in (4, lengths[::-1]):
                given = {"mass": mass, "length": length}
                expected = np.stack(np.broadcast_arrays(x + mass * t, length * z), axis=-1)
                found = mixed.call(*rows, t=t, parameters=given)
                np.testing.assert_allclose(found, expected, rtol=1e-14, atol=1e-15)
    assert mixed.calls == []


def test_batches_of_other_lengths_are_for_python(mixed):
    """Give numbers for more, fewer or other states than there are."""
    rows, length = (np.ones((3, 1)), np.ones((3, 1))), {"length": 1.0}
    other = (np.ones(2), np.ones(4), np.ones(0), np.ones((3, 1)), np.ones((1, 3)), np.ones((0, 3)))
    for odd in other:
        assert mixed.call(*rows, t=odd, parameters=length) == "python"
        assert mixed.call(*rows, parameters={"length": odd}) == "python"
    for one in (np.ones(1), np.ones(3)):  # makes many of the one state
        assert mixed.call(X, Z, t=one, parameters=length) == "python"
        assert mixed.call(X, Z, parameters={"length": one}) == "python"
    assert len(mixed.calls) == 2 * len(other) + 4


def test_endless_batches_are_for_python(monkeypatch):
    """Ask for rows that no memory can hold, 2**66 bytes of them: states without numbers."""
    monkeypatch.setenv("POINSOT_NUM_THREADS", "1")
    x, p = symbol_array("x", 0), symbol_array("p", 16)
    kernel = LlvmKernel(build({"x": x, "parameters": p}, {"y": [p[0]]}))
    called = []
    keywords = entry.Keywords(False, tuple(f"p{k}" for k in range(16)), (1.0,) * 16)
    call = entry.native_callable("f", DOC, kernel, called.append, keywords=keywords)
    entry.add_batch(call, kernel)
    for n in (2**59, 2**60 - 1):
        call(np.empty((n, 0)))
    assert [x.shape[0] for x in called] == [2**59, 2**60 - 1]
    assert call(np.empty((3, 0))).tolist() == [[1.0]] * 3


def _never(*_, **__):
    raise AssertionError("a call of Python")


SHARED = np.arange(6.0)
FIXED = np.zeros(2)
FIXED.flags.writeable = False
ODD = {
    "another keyword": {"backend": "auto"},
    "another name": {"parameters": {"length": 7.0, "width": 1.0}},
    "no value": {"parameters": {"mass": 7.0}},
    "nothing": {},
    "an integer beyond 64 bits": {"parameters": {"length": 2**63}},
    "a truth": {"parameters": {"length": True}},
    "an array": {"parameters": {"length": np.ones(3)}},
    "no dict": {"parameters": [7.0]},
    "subclass of dict": {"parameters": type("D", (dict,), {})(length=7.0)},
    "time: an integer beyond 64 bits": {"t": -(2**63) - 1, "parameters": {"length": 7.0}},
    "time: float32": {"t": np.float32(1.0), "parameters": {"length": 7.0}},
    "time: big-endian": {"t": np.array(1.0, ">f8"), "parameters": {"length": 7.0}},
    "time: None": {"t": None, "parameters": {"length": 7.0}},
    "time: an array": {"t": np.ones(1), "parameters": {"length": 7.0}},
    "out: a list": {"out": [0.0, 0.0]},
    "out: other shape": {"out": np.zeros(3)},
    "out: other axes": {"out": np.zeros((1, 2))},
    "out: float32": {"out": np.zeros(2, np.float32)},
    "out: big-endian": {"out": np.zeros(2, ">f8")},
    "out: strided": {"out": np.zeros(4)[::2]},
    "out: read-only": {"out": FIXED},
    "out: matrix": {"out": np.zeros((2, 2)).view(np.matrix)[0]},
}


@pytest.mark.parametrize("name", ODD)
def test_any_other_keyword_is_handed_on_unchanged(mixed, name):
    """Give what is not plain, and see it in Python as it was given."""
    given = dict(ODD[name])
    if name.startswith("out"):
        given["parameters"] = {"length": 7.0}
    assert mixed.call(X, Z, **given) == "python"
    ((args, kwargs),) = mixed.calls
    assert args == (X, Z)
    assert kwargs.keys() == given.keys()
    assert all(kwargs[key] is given[key] for key in given)


@pytest.mark.parametrize("start", range(5))
def test_arrays_that_share_memory_are_not_plain(start):
    """Put the result on, or right beside, what is read: only the latter goes to machine code."""
    mixed = Mixed(defaults=(0.0, 1.0))
    memory = np.arange(6.0)
    x = memory[2:3]
    out = memory[start : start + 2]
    overlaps = start in (1, 2)
    answer = mixed.call(x, Z, out=out)
    assert (answer is out) is not overlaps
    assert bool(mixed.calls) is overlaps


def test_calls_with_keywords_leak_nothing(mixed):
    """Call again and again, natively and through Python."""
    out, many = np.zeros(2), np.ones((50, 1))

    def call():
        mixed.call(X, Z, t=1.0, parameters={"length": 7.0}, out=out)
        mixed.call(X, Z, t=True, parameters={"length": 7.0}, out=out)
        mixed.call(many, many, t=1.0, parameters={"length": 7.0})
        mixed.call(many, many, t=1.0, parameters={"length": 7.0, "width": 1.0})
        mixed.calls.clear()

    grown, objects = leak(call, 500)
    assert grown < 2000
    assert objects < 5
