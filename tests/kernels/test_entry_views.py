"""The native entry of quantities of several things: dictionaries of arrays, and ``out=``."""

import gc
import weakref

import numpy as np
import pytest

from poinsot.expr import build, sqrt, symbol_array
from poinsot.kernels.llvm import entry
from poinsot.kernels.llvm.guarded_modules import guarded_codes
from poinsot.kernels.llvm.llvm_kernel import LlvmKernel
from tests.kernels.leaks import leak

pytestmark = pytest.mark.skipif(not entry.supported(), reason="no native entry here")

VIEWS = {"far": (2,), "wide": (3, 2), "near": (1,)}
COUNTS = (1, 2, 7, 8, 50, 512)


class Named:
    """A native callable of three results by name, doubtful where x < 0; notes calls of Python."""

    def __init__(self):
        x, z = symbol_array("x", 1), symbol_array("z", 2)
        values = [x[0], z[0], *(k * x[0] + z[1] for k in range(6)), x[0] * z[0]]
        program = build({"x": x, "z": z}, {"y": values, "guards": [sqrt(x[0])]})
        self.kernel = LlvmKernel(program, codes=guarded_codes(columns=True))
        self.calls = []
        guarded = entry.Guarded(VIEWS)
        assert entry.fits(self.kernel, guarded=guarded)
        assert not entry.fits(self.kernel)
        self.call = entry.native_callable(
            "named", "named(x, z)\n--\n\nNamed.", self.kernel, self._python,
            keywords=entry.Keywords(), guarded=guarded,
        )  # fmt: skip
        entry.add_single(self.call, self.kernel)
        entry.add_batch(self.call, self.kernel)

    def _python(self, *args, **kwargs):
        self.calls.append((args, kwargs))
        return "python"


@pytest.fixture
def named():
    return Named()


def states(*lead, seed=0):
    rng = np.random.default_rng(seed)
    return rng.uniform(0, 1, (*lead, 1)), rng.uniform(-1, 1, (*lead, 2))


def expected(x, z):
    """Return what the program computes, by NumPy."""
    wide = np.arange(6) * x + z[..., 1:]
    return {
        "far": np.concatenate([x, z[..., :1]], axis=-1),
        "wide": wide.reshape(*x.shape[:-1], 3, 2),
        "near": x * z[..., :1],
    }


def check(result, x, z):
    wanted = expected(x, z)
    assert list(result) == list(VIEWS)
    for name, array in result.items():
        assert type(array) is np.ndarray
        assert array.flags.writeable
        assert array.shape == (*x.shape[:-1], *VIEWS[name])
        np.testing.assert_allclose(array, wanted[name], rtol=1e-14, atol=1e-15)


@pytest.mark.parametrize("lead", [(), *((count,) for count in COUNTS)])
def test_results_are_arrays_by_name(named, lead):
    """Call with one state and with batches, into new arrays and those of another call."""
    x, z = states(*lead)
    result = named.call(x, z)
    check(result, x, z)
    x2, z2 = states(*lead, seed=1)
    arrays = dict(result)
    again = named.call(x2, z2, out=result)
    assert again is result
    assert all(again[name] is arrays[name] for name in arrays)
    check(again, x2, z2)
    assert named.calls == []


def test_only_dictionaries_of_a_call_are_written(named):
    """Leave to Python what does not share the memory of a call of this shape."""
    x, z = states(9)
    result = named.call(x, z)
    fewer = named.call(*states(8))
    single = named.call(x[0], z[0])
    foreign = {name: array.copy() for name, array in result.items()}
    swapped = dict(result) | {"far": result["far"][::-1]}
    other = dict(result) | {"near": named.call(x, z)["near"]}
    read_only = dict(named.call(x, z))
    read_only["far"] = read_only["far"][:]
    read_only["far"].flags.writeable = False
    lists = dict(result) | {"far": [1.0]}
    missing = {name: array for name, array in result.items() if name != "near"}
    more = dict(result) | {"more": result["near"]}
    bad = [
        fewer,
        single,
        foreign,
        swapped,
        other,
        read_only,
        lists,
        missing,
        more,
        result["far"],
        3,
    ]
    for out in bad:
        assert named.call(x, z, out=out) == "python"
    assert [kwargs["out"] is out for (_, kwargs), out in zip(named.calls, bad, strict=True)]
    check(result, x, z)
    assert named.call(x, result["far"], out=result) == "python"  # reads what it would write
    assert named.call(x, z, out=None).keys() == VIEWS.keys()


def test_doubtful_states_are_left_to_python(named):
    """Call with one doubtful state, alone and among others, with and without out."""
    x, z = states(30)
    result = named.call(x, z)
    x[17] = -1.0
    assert named.call(x, z) == "python"
    assert named.call(x, z, out=result) == "python"
    assert named.call(x[17], z[17]) == "python"
    assert len(named.calls) == 3
    check(named.call(x[18:], z[18:]), x[18:], z[18:])


def test_memory_lives_as_long_as_its_arrays(named):
    """Keep one array of a result, and see it whole; then see that nothing is left."""
    x, z = states(100)
    far = named.call(x, z)["far"]
    gc.collect()
    np.testing.assert_array_equal(far, expected(x, z)["far"])
    end = weakref.ref(far.base)
    del far
    assert end() is None


def test_nothing_leaks(named):
    """Call in every way, also such that Python answers, and count what stays."""
    x, z = states(20)
    result, doubtful = named.call(x, z), np.where(np.arange(20)[:, None] == 3, -1.0, x)
    named.calls = type("Forgetful", (), {"append": lambda self, item: None})()

    def calls():
        named.call(x, z)
        named.call(x[0], z[0])
        named.call(x, z, out=result)
        named.call(doubtful, z)
        named.call(doubtful, z, out=result)
        named.call(x, z, out={})

    grown, objects = leak(calls, 300)
    assert grown < 3000
    assert objects < 20
