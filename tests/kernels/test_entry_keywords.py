"""The native entry: ``out``, ``t`` and ``parameters`` by keyword."""

import sys

import numpy as np
import pytest

from poinsot.expr import build, symbol_array
from poinsot.kernels.llvm import entry
from poinsot.kernels.llvm.kernel import LlvmKernel
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


@pytest.mark.parametrize("t", [0.5, np.float64(0.5)])
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
    "an integer": {"parameters": {"length": 7}},
    "an array": {"parameters": {"length": np.ones(3)}},
    "no dict": {"parameters": [7.0]},
    "subclass of dict": {"parameters": type("D", (dict,), {})(length=7.0)},
    "time: an integer": {"t": 1, "parameters": {"length": 7.0}},
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
    out = np.zeros(2)

    def call():
        mixed.call(X, Z, t=1.0, parameters={"length": 7.0}, out=out)
        mixed.call(X, Z, t=1, parameters={"length": 7.0}, out=out)
        mixed.calls.clear()

    grown, objects = leak(call, 500)
    assert grown < 2000
    assert objects < 5
