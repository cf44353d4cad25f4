"""The native entry: a Python callable that is itself machine code.

One function, compiled once in a process, serves every kernel: it reads what to expect from a table
of numbers that the callable carries (``entry_code.py``).  float64 contiguous arrays of the expected
shape go straight to the kernel and the result is allocated inside, or is ``out=``; so do times
``t=`` and values ``parameters=`` that are numbers, or float64 arrays with one for each state of a
batch.  Any other call (other keywords, lists, other broadcasting, wrong shapes) is passed unchanged
to a Python function that handles it or reports the error.  Batches that are large enough go to
threads (``shared_batch.py``), and large results into memory of earlier ones (``large_results.py``).
"""

from __future__ import annotations

import ctypes
import math
import sys
import sysconfig
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from poinsot.kernels.large_results import empty
from poinsot.kernels.llvm.entry_arguments import GIVEN
from poinsot.kernels.llvm.entry_code import CALLED, ENTRY_IR
from poinsot.kernels.llvm.entry_layout import (
    ARRAY,
    CONTIGUOUS_ALIGNED,
    ITEMS,
    MOST_AXES,
    MOST_INPUTS,
    MOST_PARAMETERS,
    ROWS,
    VALUE,
)
from poinsot.kernels.llvm.library import Library, load_library
from poinsot.kernels.llvm.lookup_code import lookup_library
from poinsot.kernels.llvm.machine_kernel import AbstractMachineKernel
from poinsot.kernels.llvm.shared_batch import run_batch
from poinsot.kernels.llvm.target import Target
from poinsot.kernels.threads import worthwhile_from

RELEASE_ABOVE = 20_000
"""Operations in a call above which the GIL is released, which costs about 50 ns."""


class Samples(NamedTuple):
    """Cubic pieces over time: one coefficient of each power of the time since its sample."""

    times: np.ndarray[Any, Any]
    """When they begin [s], increasing, shape (n,)."""
    pieces: np.ndarray[Any, Any]
    """Their coefficients, shape (n, 1, 4), contiguous."""


@dataclass(frozen=True)
class Keywords:
    """What a callable takes by keyword, besides ``out``; see ``native_callable``.

    Attributes:
        time: Whether it takes ``t``, zero by default.  Where the kernel has no input ``t``, a
            number given for it does not matter.
        parameters: Names of the values that make up the kernel's last input; none: no such input.
        defaults: For each its value if it is not given; None: it must be given.
        samples: By name, those that are looked up at the time ``t`` if they are not given.
    """

    time: bool = False
    parameters: tuple[str, ...] = ()
    defaults: tuple[float | None, ...] = ()
    samples: Mapping[str, Samples] = field(default_factory=dict)


@dataclass(frozen=True)
class Guarded:
    """A kernel of ``guarded_modules.py``: where a state is doubtful, Python answers the call.

    Attributes:
        views: Shapes, of one or two axes, of the arrays that share the results, by name: what is
            returned is a dictionary of them, and of many states they are in columns.  None: the
            results are one array.
    """

    views: Mapping[str, tuple[int, ...]] | None = None


class EntryTable(np.ndarray[Any, Any]):
    """The numbers that the native function reads, and what must live as long as they do."""

    keep: tuple[Any, ...]
    """Objects that the table refers to; the fallback first."""

    def __reduce_ex__(self, protocol: object) -> tuple[Callable[..., Any], tuple[object]]:
        """Pickle as the object whose method falls back: builtins pickle as getattr(self, name)."""
        return _itself, (self.keep[0].__self__,)


def _itself(owner: object) -> object:
    return owner


@lru_cache(maxsize=1)
def supported() -> bool:
    """Say whether this interpreter and NumPy lay out objects as the native function expects."""
    if sys.implementation.name != "cpython" or sysconfig.get_config_var("Py_GIL_DISABLED"):
        return False
    if ctypes.sizeof(ctypes.c_void_p) != 8:
        return False
    probe, pair = np.zeros((3, 5)), (object(), object())
    view = probe[1:]
    dims = ctypes.c_int64 * 2

    def word(address: int, kind: type[Any] = ctypes.c_int64) -> Any:  # noqa: ANN401
        return kind.from_address(address).value

    array = id(probe)
    return (
        word(array + ARRAY["type"]) == id(np.ndarray)
        and word(array + ARRAY["data"]) == probe.ctypes.data
        and word(array + ARRAY["ndim"], ctypes.c_int32) == 2
        and tuple(dims.from_address(word(array + ARRAY["dims"]))) == (3, 5)
        and tuple(dims.from_address(word(array + ARRAY["strides"]))) == probe.strides
        and word(id(view) + ARRAY["base"]) == array
        and word(array + ARRAY["descr"]) == id(np.dtype(np.float64))
        and word(array + ARRAY["flags"], ctypes.c_int32) & CONTIGUOUS_ALIGNED == CONTIGUOUS_ALIGNED
        and [word(id(pair) + ITEMS + 8 * k) for k in range(2)] == [id(item) for item in pair]
        and all(word(id(x) + VALUE, ctypes.c_double) == 1.5 for x in (1.5, np.float64(1.5)))
    )


def native_callable(
    name: str,
    doc: str,
    kernel: AbstractMachineKernel,
    fallback: Callable[..., Any],
    *,
    keywords: Keywords | None = None,
    zeros_last: bool = False,
    guarded: Guarded | None = None,
) -> Callable[..., Any]:
    """Return a builtin function that calls the kernel, or ``fallback`` where that does not fit.

    Every call goes to ``fallback`` until ``add_single`` or ``add_batch`` compile the code.

    Args:
        name: Its ``__name__``.
        doc: Its docstring, opened by a signature line and ``--`` as CPython's own builtins are.
        kernel: A kernel with one output and inputs of one axis each.
        fallback: Called with the same arguments whenever they are not plain.
        keywords: What it takes by keyword; None: nothing, all inputs are positional.
        zeros_last: Whether the last positional input may be left out and is zeros then.
        guarded: What is known of a kernel whose last output are guards; None: it is no such one.
    """
    signature = kernel.signature
    taken = keywords or Keywords()
    names = [port.name for port in signature.inputs]
    has_time = taken.time and TIME in names
    n_positional = len(names) - has_time - bool(taken.parameters)
    if taken.samples and not has_time:
        raise ValueError(f"{name} has samples over time, and no time")
    zeros = np.zeros(signature.inputs[n_positional - 1].size)
    has_default = np.array([value is not None for value in taken.defaults], np.int64)
    defaults = np.array([value or 0.0 for value in taken.defaults])
    keys = [sys.intern(key) for key in taken.parameters]
    addresses = np.array([id(key) for key in keys], np.int64)
    signals = [_sampled(taken.samples[key]) if key in taken.samples else None for key in keys]
    blocks = np.array(
        [0 if signal is None else signal[0].ctypes.data for signal in signals], np.int64
    )
    views = None if guarded is None or guarded.views is None else _view_table(guarded.views)
    table = np.zeros(ROWS["out_dims"] + MOST_AXES, np.int64).view(EntryTable)
    rows = {
        "n_inputs": len(names),
        "n_positional": n_positional,
        "fallback": id(fallback),
        "out_axes": len(signature.outputs[0].shape),
        "out_bytes": 8 * signature.outputs[0].size,
        "release_from": RELEASE_ABOVE // (signature.n_operations + 1) + 1,
        "threads_from": worthwhile_from(signature.work),
        "work": signature.work,
        "zeros": zeros.ctypes.data if zeros_last else 0,
        "takes_out": keywords is not None,
        "takes_time": taken.time,
        "time": names.index(TIME) if has_time else -1,
        "n_parameters": len(keys),
        "parameter_names": addresses.ctypes.data,
        "parameter_defaults": defaults.ctypes.data,
        "parameter_known": has_default.ctypes.data,
        "parameter_samples": blocks.ctypes.data,
        "lookup": lookup_library().address("single") if taken.samples else 0,
        "guarded": guarded is not None,
        "views": 0 if views is None else views[0].ctypes.data,
    }
    for row, number in rows.items():
        table[ROWS[row]] = number
    for k, port in enumerate(signature.inputs):
        table[ROWS["sizes"] + k] = port.size
    for k, dim in enumerate(signature.outputs[0].shape):
        table[ROWS["out_dims"] + k] = dim
    table.keep = (
        fallback, kernel, zeros, keys, addresses, has_default, defaults, signals, blocks, views,
    )  # fmt: skip
    return _new_function(ctypes.byref(_method_definition(name, doc)), table, None)


def _view_table(
    views: Mapping[str, tuple[int, ...]],
) -> tuple[np.ndarray[Any, Any], list[str]]:
    """Return the table of ``entry_views.py``, and the names whose addresses are in it."""
    names = [sys.intern(name) for name in views]
    numbers, first = [len(names)], 0
    for name, shape in zip(names, views.values(), strict=True):
        numbers += [id(name), first, len(shape), shape[0], shape[-1]]
        first += math.prod(shape)
    return np.array(numbers, np.int64), names


def _sampled(samples: Samples) -> tuple[np.ndarray[Any, Any], ...]:
    """Return the addresses of what a lookup reads besides the time, and what lies there."""
    sizes = np.array([samples.times.size, 1], np.int64)
    arrays = (*samples, sizes)
    return np.array([array.ctypes.data for array in arrays], np.int64), *arrays


def fits(
    kernel: AbstractMachineKernel, n_parameters: int = 0, *, guarded: Guarded | None = None
) -> bool:
    """Say whether a kernel has the ports, and the parameters, that the native entry can handle."""
    signature = kernel.signature
    return (
        supported()
        and len(signature.outputs) == (1 if guarded is None else 2)
        and 1 <= len(signature.inputs) <= MOST_INPUTS
        and all(len(port.shape) == 1 for port in signature.inputs)
        and len(signature.outputs[0].shape) < MOST_AXES
        and n_parameters <= MOST_PARAMETERS
    )


def add_single(function: Callable[..., Any], kernel: AbstractMachineKernel) -> None:
    """Let a native callable handle single states itself from now on; compiles the code."""
    table: EntryTable = function.__self__  # type: ignore[attr-defined]
    table[ROWS["single"]] = kernel.single_address


def add_batch(function: Callable[..., Any], kernel: AbstractMachineKernel) -> None:
    """Let a native callable handle batches itself from now on; compiles the batch code."""
    table: EntryTable = function.__self__  # type: ignore[attr-defined]
    table[ROWS["batch"]] = kernel.batch_address


class _MethodDef(ctypes.Structure):
    """CPython's PyMethodDef."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


_METH_KEYWORDS, _METH_FASTCALL = 0x0002, 0x0080
_NAMES = tuple(sys.intern(name) for name in GIVEN)
TIME = "t"
"""Name of the input that is the time."""


_definitions: dict[tuple[str, str], _MethodDef] = {}
_loading = threading.Lock()


def _method_definition(name: str, doc: str) -> _MethodDef:
    """Return a definition that is never freed: a function reads its own even while it goes away."""
    with _loading:
        if (name, doc) not in _definitions:
            flags = _METH_FASTCALL | _METH_KEYWORDS
            made = _MethodDef(name.encode(), _entry_library().address("entry"), flags, doc.encode())
            ctypes.pythonapi.Py_IncRef(ctypes.py_object(made))
            _definitions[name, doc] = made
        return _definitions[name, doc]


@lru_cache(maxsize=1)
def _new_function_api() -> Any:  # noqa: ANN401
    make = ctypes.pythonapi.PyCFunction_NewEx
    make.restype = ctypes.py_object
    make.argtypes = (ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p)
    return make


def _new_function(method: Any, owner: EntryTable, module: None) -> Callable[..., Any]:  # noqa: ANN401
    function: Callable[..., Any] = _new_function_api()(method, owner, module)
    return function


def _new_large(n_axes: int, dims: int) -> int | None:
    """Return a new reference to a large array, or None where there is no memory."""
    shape = tuple((ctypes.c_int64 * n_axes).from_address(dims))
    try:
        result = ctypes.py_object(empty(shape))
    except MemoryError:  # the call is handed to Python, which reports it
        return None
    ctypes.pythonapi.Py_IncRef(result)
    return id(result.value)


def _run_batch(batch: int, n_states: int, inputs: int, outputs: int, work: int) -> int:
    """Run a batch by threads; where that fails, the call is handed to Python, which reports it."""
    try:
        return run_batch(batch, n_states, inputs, outputs, work)
    except Exception:
        return 1


_CALLBACKS = {
    "poinsot_new_large": ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_int64, ctypes.c_void_p)(
        _new_large
    ),
    "poinsot_run_batch": ctypes.PYFUNCTYPE(
        ctypes.c_int32, ctypes.c_void_p, ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p,
        ctypes.c_int64,
    )(_run_batch),
}  # fmt: skip
"""Functions of Python that it calls."""


def _address(function: object) -> int:
    """Return where a function of ctypes starts."""
    return ctypes.cast(function, ctypes.c_void_p).value or 0  # type: ignore[arg-type]


@lru_cache(maxsize=1)
def _entry_library() -> Library:
    """Return the one copy of the code; under ``_loading``, or a second copy would be unloaded."""
    capsule = np._core._multiarray_umath._ARRAY_API  # type: ignore[attr-defined]  # noqa: SLF001
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)
    api = ctypes.cast(pointer(capsule, None), ctypes.POINTER(ctypes.c_void_p))
    imports = {  # indices in NumPy's table of functions: __multiarray_api.h, part of its ABI
        "poinsot_array_type": id(np.ndarray),
        "poinsot_float64": id(np.dtype(np.float64)),
        "poinsot_float64_type": id(np.float64),
        "poinsot_float_type": id(float),
        "poinsot_int_type": id(int),
        "poinsot_dict_type": id(dict),
        "poinsot_none": id(None),
        **{f"poinsot_name_{name}": id(name) for name in _NAMES},
        "poinsot_new_array": api[93] or 0,
        "poinsot_return": api[76] or 0,
        "poinsot_set_base": api[282] or 0,
        **{name: _address(function) for name, function in _CALLBACKS.items()},
    }
    for name in CALLED:
        imports[name] = _address(getattr(ctypes.pythonapi, name))
    return load_library(ENTRY_IR, ("entry",), imports, Target.of_loops())
