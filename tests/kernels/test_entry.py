"""The native entry: every way of calling it, and what it leaves behind."""

import gc
import inspect
import sys
import threading
import weakref

import numpy as np
import pytest

from poinsot.expr import Port, Program, build, symbol_array
from poinsot.kernels.llvm import entry
from poinsot.kernels.llvm.llvm_kernel import LlvmKernel
from tests.kernels.leaks import leak, settle
from tests.kernels.machines import interpret

pytestmark = pytest.mark.skipif(not entry.supported(), reason="no native entry here")

DOC = "mix(x, z)\n--\n\nMix two arrays."


class Tiny:
    """A native callable of two inputs that notes what it hands on to Python."""

    def __init__(self, output=None, single=True, batch=True):
        x, z = symbol_array("x", 3), symbol_array("z", 2)
        y = [[x[0] + z[0], x[1]], [2.0, x[2] * z[1]]] if output is None else output(x, z)
        self.program = build({"x": x, "z": z}, {"y": y})
        self.kernel = LlvmKernel(self.program)
        self.calls = []
        self.call = entry.native_callable("mix", DOC, self.kernel, self._python)
        if single:
            entry.add_single(self.call, self.kernel)
        if batch:
            entry.add_batch(self.call, self.kernel)

    def _python(self, *args, **kwargs):
        self.calls.append((args, kwargs))
        return "python"

    def expected(self, x, z):
        (y,) = interpret(self.program, np.reshape(x, (-1, 3)), np.reshape(z, (-1, 2)))
        return y.reshape(*np.shape(x)[:-1], *self.program.outputs[0].shape)


def states(*batch, seed=0):
    rng = np.random.default_rng(seed)
    return rng.uniform(-1, 1, (*batch, 3)), rng.uniform(-1, 1, (*batch, 2))


@pytest.fixture(scope="module")
def tiny():
    return Tiny()


# Which calls go straight to machine code


@pytest.mark.parametrize("batch", [(), (1,), (2,), (7,), (50,), (0,)])
def test_plain_arrays_go_to_machine_code(tiny, batch):
    """Call with one state and with batches, and see no call of Python."""
    tiny.calls.clear()
    x, z = states(*batch)
    y = tiny.call(x, z)
    assert type(y) is np.ndarray
    assert y.shape == (*batch, 2, 2)
    assert y.dtype == np.float64
    assert y.flags.owndata
    assert y.flags.c_contiguous
    assert y.flags.writeable
    np.testing.assert_array_equal(y, tiny.expected(x, z))
    assert tiny.calls == []


def test_read_only_arrays_are_plain(tiny):
    """Call with arrays that must not be written."""
    tiny.calls.clear()
    x, z = states(4)
    x.flags.writeable = z.flags.writeable = False
    np.testing.assert_array_equal(tiny.call(x, z), tiny.expected(x, z))
    assert tiny.calls == []


def test_scalar_results_are_numbers_for_one_state_and_arrays_for_several():
    """Return a quantity without axes."""
    tiny = Tiny(lambda x, z: x[0] * z[1])
    x, z = states()
    y = tiny.call(x, z)
    assert type(y) is np.float64
    assert y == x[0] * z[1]
    x, z = states(5)
    np.testing.assert_array_equal(tiny.call(x, z), x[:, 0] * z[:, 1])
    assert tiny.calls == []


def test_outputs_of_four_axes_keep_their_shape():
    """Return a quantity of the most axes that fit, and refuse one of more."""
    tiny = Tiny(lambda x, z: np.multiply.outer(np.multiply.outer(np.multiply.outer(x, z), z), x))
    assert entry.fits(tiny.kernel)
    for batch in ((), (5,)):
        x, z = states(*batch)
        y = tiny.call(x, z)
        assert y.shape == (*batch, 3, 2, 2, 3)
        np.testing.assert_allclose(
            y, np.einsum("...i,...j,...k,...l->...ijkl", x, z, z, x), rtol=1e-15, atol=0
        )
    too_many = Program((Port("x", (1,)),), (Port("y", (1, 1, 1, 1, 1)),), (), (), (0,))
    assert not entry.fits(LlvmKernel(too_many))


def test_programs_that_do_not_fit_are_known():
    """Ask about programs with other ports than the entry can handle."""
    x, y = Port("x", (1,)), Port("y", ())
    many = tuple(Port(f"x{k}", (1,)) for k in range(entry.MOST_INPUTS + 1))
    for inputs, outputs in (((), (y,)), (many, (y,)), ((Port("x", (1, 1)),), (y,)), ((x,), (y, y))):
        assert not entry.fits(LlvmKernel(Program(inputs, outputs, (1.0,), (), (0,) * len(outputs))))
    assert entry.fits(LlvmKernel(Program(many[:-1], (y,), (), (), (0,))))


def test_the_most_inputs_are_read_in_order():
    """Call a function of as many inputs as fit."""
    n = entry.MOST_INPUTS
    inputs = tuple(Port(f"x{k}", (k + 1,)) for k in range(n))
    kernel = LlvmKernel(
        Program(inputs, (Port("y", (sum(range(n + 1)),)),), (), (), tuple(range(36)))
    )
    call = entry.native_callable("all", "all()\n--\n\n", kernel, print)
    entry.add_single(call, kernel)
    entry.add_batch(call, kernel)
    arrays = [np.full(k + 1, float(k)) for k in range(n)]
    np.testing.assert_array_equal(call(*arrays), np.concatenate(arrays))
    arrays = [np.arange(3.0)[:, None] + x for x in arrays]
    np.testing.assert_array_equal(call(*arrays), np.concatenate(arrays, axis=1))


class Sub(np.ndarray):
    """An array of another type."""


X, Z = states(4)
ODD_CALLS = {
    "keyword": ((X,), {"z": Z}),
    "all keywords": ((), {"x": X, "z": Z}),
    "one keyword more": ((X, Z), {"out": None}),
    "one too few": ((X,), {}),
    "none": ((), {}),
    "one too many": ((X, Z, Z), {}),
    "list": ((X.tolist(), Z), {}),
    "list second": ((X, Z.tolist()), {}),
    "None": ((None, Z), {}),
    "number": ((X, 1.0), {}),
    "float32": ((X.astype(np.float32), Z), {}),
    "float32 second": ((X, Z.astype(np.float32)), {}),
    "int": ((X.astype(int), Z), {}),
    "bool": ((X > 0, Z), {}),
    "complex": ((X + 0j, Z), {}),
    "object": ((X.astype(object), Z), {}),
    "big-endian": ((X.astype(">f8"), Z), {}),
    "big-endian second": ((X, Z.astype(">f8")), {}),
    "strided": ((np.repeat(X, 2, axis=1)[:, ::2], Z), {}),
    "strided rows": ((np.repeat(X, 2, axis=0)[::2], Z), {}),
    "backwards": ((X[::-1], Z), {}),
    "Fortran": ((np.asfortranarray(X), Z), {}),
    "broadcast": ((np.broadcast_to(X[0], (4, 3)), Z), {}),
    "0-d": ((np.array(1.0), np.array(1.0)), {}),
    "0-d second": ((X[0], np.array(1.0)), {}),
    "3-d": ((X.reshape(2, 2, 3), Z.reshape(2, 2, 2)), {}),
    "single beside batch": ((X[0], Z), {}),
    "batch beside single": ((X, Z[0]), {}),
    "batch of one": ((X[:1], Z), {}),
    "other batch": ((X, Z[:3]), {}),
    "subclass": ((X.view(Sub), Z), {}),
    "subclass second": ((X, Z.view(Sub)), {}),
    "wrong size": ((Z, Z), {}),
    "wrong size second": ((X, X), {}),
    "wrong size single": ((X[0], X[0]), {}),
    "empty": ((X[:, :0], Z), {}),
}


@pytest.mark.parametrize("name", ODD_CALLS)
def test_any_other_call_is_handed_on_unchanged(tiny, name):
    """Call in every way that is not plain and find the very same objects handed to Python."""
    args, kwargs = ODD_CALLS[name]
    tiny.calls.clear()
    assert tiny.call(*args, **kwargs) == "python"
    ((seen, named),) = tiny.calls
    assert all(a is b for a, b in zip(seen, args, strict=True))
    assert named.keys() == kwargs.keys()
    assert all(named[key] is kwargs[key] for key in named)


def test_misaligned_arrays_are_not_plain(tiny):
    """Call with a contiguous array at an odd address."""
    raw = np.zeros(8 * 3 + 1, np.uint8)[1:].view(float)
    assert not raw.flags.aligned
    tiny.calls.clear()
    assert tiny.call(raw, Z[0]) == "python"
    assert len(tiny.calls) == 1


def test_code_is_used_as_soon_as_it_is_added():
    """Start with neither code, add that of single states, and then that of batches."""
    tiny = Tiny(single=False, batch=False)
    one, many = states(), states(3)
    assert tiny.call(*one) == tiny.call(*many) == "python"
    entry.add_single(tiny.call, tiny.kernel)
    np.testing.assert_array_equal(tiny.call(*one), tiny.expected(*one))
    assert tiny.call(*many) == "python"
    entry.add_batch(tiny.call, tiny.kernel)
    np.testing.assert_array_equal(tiny.call(*many), tiny.expected(*many))
    assert len(tiny.calls) == 3


def test_results_are_fresh_memory(tiny):
    """Keep several results and change one."""
    for batch in ((), (3,)):
        x, z = states(*batch)
        first, second = tiny.call(x, z), tiny.call(x, z)
        assert not np.shares_memory(first, second)
        assert not np.shares_memory(first, x)
        first[...] = 0.0
        np.testing.assert_array_equal(second, tiny.expected(x, z))


def test_errors_of_python_come_through():
    """Raise in the function that handles odd calls."""

    def fail(*args):
        raise KeyError("inside")

    kernel = Tiny().kernel
    call = entry.native_callable("mix", DOC, kernel, fail)
    with pytest.raises(KeyError, match="inside"):
        call(1, 2)


def test_large_batches_let_other_threads_in(tiny):
    """Evaluate more states than the limit up to which the GIL is held."""
    n = entry.RELEASE_ABOVE
    x, z = states(n)
    results = [None] * 4
    threads = [
        threading.Thread(target=lambda k=k: results.__setitem__(k, tiny.call(x, z)))
        for k in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for y in results:
        np.testing.assert_array_equal(y, tiny.expected(x, z))


def test_name_signature_and_documentation(tiny):
    """Look at the callable as ``help`` does."""
    assert tiny.call.__name__ == "mix"
    assert tiny.call.__doc__ == "Mix two arrays."
    assert str(inspect.signature(tiny.call)) == "(x, z)"
    assert callable(tiny.call)


# What calls leave behind


@pytest.mark.parametrize("batch", [(), (3,)])
def test_plain_calls_leak_nothing(tiny, batch):
    """Count references, objects and memory over ten thousand calls."""
    x, z = states(*batch)
    watched = (x, z, np.dtype(float), np.ndarray, tiny.call, tiny.call.__self__)
    settle()
    before = [sys.getrefcount(a) for a in watched]
    grown, objects = leak(lambda: tiny.call(x, z), 10_000)
    after = [sys.getrefcount(a) for a in watched]
    assert max(abs(a - b) for a, b in zip(after, before, strict=True)) < 10
    assert grown < 10_000
    assert objects < 100


def test_scalar_results_leak_nothing():
    """Count memory over ten thousand calls that return a number."""
    tiny = Tiny(lambda x, z: x[0] * z[1])
    x, z = states()
    grown, objects = leak(lambda: tiny.call(x, z), 10_000)
    assert grown < 10_000
    assert objects < 100


def test_functions_keep_what_they_need_and_go_away_with_it():
    """Hold nothing but the function, call it, and drop it."""
    tiny, helper = Tiny(), Tiny()
    kernel, python = weakref.ref(tiny.kernel), weakref.ref(helper)
    call = entry.native_callable("mix", DOC, tiny.kernel, helper._python)
    entry.add_batch(call, tiny.kernel)
    x, z = states(5)
    expected = tiny.expected(x, z)
    del tiny, helper
    gc.collect()
    assert kernel() is not None
    assert python() is not None
    np.testing.assert_array_equal(call(x, z), expected)
    assert call(x) == "python"
    del call
    gc.collect()
    assert kernel() is None
    assert python() is None
