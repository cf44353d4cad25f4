"""The native entry: a Python callable that is itself machine code.

One function, compiled once in a process, serves every kernel: it reads what to expect from a table
of numbers that the callable carries.  float64 contiguous arrays of the expected shape go straight
to the kernel and the result is allocated inside; any other call (keywords, lists, broadcasting,
wrong shapes) is handed unchanged to a Python function that understands it or says what is wrong.
So are batches that are large enough to be split over threads.

The function reads NumPy's array header, whose layout has been the same since NumPy 1.0
(``PyArrayObject_fields`` in ndarraytypes.h); ``supported`` checks that on a real array first.
"""

from __future__ import annotations

import ctypes
import sys
import sysconfig
import threading
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poinsot.kernels.llvm.machine import AbstractMachineKernel
from poinsot.kernels.llvm.target import Library, Target, load_library
from poinsot.kernels.threads import worthwhile_from

MOST_INPUTS = 8
MOST_AXES = 4
RELEASE_ABOVE = 20_000
"""Operations in a call above which other Python threads are let in, which costs about 50 ns."""

# Offsets [bytes] in an array object, behind the reference count (8) and the type pointer (8).
_TYPE, _DATA, _NDIM, _DIMS, _DESCR, _FLAGS = 8, 16, 24, 32, 56, 64
_CONTIGUOUS_ALIGNED = 0x0001 | 0x0100  # NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_ALIGNED
_NPY_DOUBLE = 12

# Rows of the table: int64 each.
(
    _N_INPUTS, _SINGLE, _BATCH, _FALLBACK, _OUT_AXES, _RELEASE_FROM, _THREADS_FROM, _ZEROS, _SIZES,
) = range(9)  # fmt: skip
_OUT_DIMS = _SIZES + MOST_INPUTS


class Table(np.ndarray[Any, Any]):
    """The numbers that the native function reads, and what must live as long as they do."""

    keep: tuple[AbstractMachineKernel, Callable[..., Any], NDArray[np.float64]]

    def __reduce_ex__(self, protocol: object) -> tuple[Callable[..., Any], tuple[object]]:
        """Pickle as the object whose method falls back: builtins pickle as getattr(self, name)."""
        return _itself, (self.keep[1].__self__,)  # type: ignore[attr-defined]


def _itself(owner: object) -> object:
    return owner


@lru_cache(maxsize=1)
def supported() -> bool:
    """Say whether this interpreter and NumPy lay out objects as the native function expects."""
    if sys.implementation.name != "cpython" or sysconfig.get_config_var("Py_GIL_DISABLED"):
        return False
    if ctypes.sizeof(ctypes.c_void_p) != 8:
        return False
    probe = np.zeros((3, 5))

    def word(offset: int, kind: type[ctypes.c_int64 | ctypes.c_int32]) -> int:
        return int(kind.from_address(id(probe) + offset).value)

    dims = ctypes.c_int64 * 2
    return (
        word(_TYPE, ctypes.c_int64) == id(np.ndarray)
        and word(_DATA, ctypes.c_int64) == probe.ctypes.data
        and word(_NDIM, ctypes.c_int32) == 2
        and tuple(dims.from_address(word(_DIMS, ctypes.c_int64))) == (3, 5)
        and word(_DESCR, ctypes.c_int64) == id(np.dtype(np.float64))
        and word(_FLAGS, ctypes.c_int32) & _CONTIGUOUS_ALIGNED == _CONTIGUOUS_ALIGNED
    )


def native_callable(
    name: str,
    doc: str,
    kernel: AbstractMachineKernel,
    fallback: Callable[..., Any],
    *,
    zeros_last: bool = False,
) -> Callable[..., Any]:
    """Return a builtin function that calls the kernel, or ``fallback`` where that does not fit.

    Every call goes to ``fallback`` until ``add_single`` or ``add_batch`` compile the code.

    Args:
        name: Its ``__name__``.
        doc: Its docstring, opened by a signature line and ``--`` as CPython's own builtins are.
        kernel: A kernel with one output and inputs of one axis each.
        fallback: Called with the same arguments whenever they are not plain.
        zeros_last: Whether the last input may be left out and is zeros then.
    """
    signature = kernel.signature
    table = np.zeros(_OUT_DIMS + MOST_AXES, np.int64).view(Table)
    table[_N_INPUTS] = len(signature.inputs)
    table[_FALLBACK] = id(fallback)
    table[_OUT_AXES] = len(signature.outputs[0].shape)
    table[_RELEASE_FROM] = RELEASE_ABOVE // (signature.n_operations + 1) + 1
    table[_THREADS_FROM] = worthwhile_from(signature.work)
    for k, port in enumerate(signature.inputs):
        table[_SIZES + k] = port.size
    for k, dim in enumerate(signature.outputs[0].shape):
        table[_OUT_DIMS + k] = dim
    zeros = np.zeros(signature.inputs[-1].size)
    table[_ZEROS] = zeros.ctypes.data if zeros_last else 0
    table.keep = (kernel, fallback, zeros)
    return _new_function(ctypes.byref(_method_definition(name, doc)), table, None)


def fits(kernel: AbstractMachineKernel) -> bool:
    """Say whether a kernel has the ports that the native entry can handle."""
    signature = kernel.signature
    return (
        supported()
        and len(signature.outputs) == 1
        and 1 <= len(signature.inputs) <= MOST_INPUTS
        and all(len(port.shape) == 1 for port in signature.inputs)
        and len(signature.outputs[0].shape) < MOST_AXES
    )


def add_single(function: Callable[..., Any], kernel: AbstractMachineKernel) -> None:
    """Let a native callable handle single states itself from now on; compiles the code."""
    table: Table = function.__self__  # type: ignore[attr-defined]
    table[_SINGLE] = kernel.single_address


def add_batch(function: Callable[..., Any], kernel: AbstractMachineKernel) -> None:
    """Let a native callable handle batches itself from now on; compiles the batch code."""
    table: Table = function.__self__  # type: ignore[attr-defined]
    table[_BATCH] = kernel.batch_address


class _MethodDef(ctypes.Structure):
    """CPython's PyMethodDef."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


_METH_KEYWORDS, _METH_FASTCALL = 0x0002, 0x0080


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


def _new_function(method: Any, owner: Table, module: None) -> Callable[..., Any]:  # noqa: ANN401
    function: Callable[..., Any] = _new_function_api()(method, owner, module)
    return function


@lru_cache(maxsize=1)
def _entry_library() -> Library:
    """Return the one copy of the code; under ``_loading``, or a second copy would be unloaded."""
    capsule = np._core._multiarray_umath._ARRAY_API  # type: ignore[attr-defined]  # noqa: SLF001
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)
    api = ctypes.cast(pointer(capsule, None), ctypes.POINTER(ctypes.c_void_p))
    imports = {  # places in NumPy's table of functions: __multiarray_api.h, part of its ABI
        "poinsot_array_type": id(np.ndarray),
        "poinsot_float64": id(np.dtype(np.float64)),
        "poinsot_new_array": api[93] or 0,
        "poinsot_return": api[76] or 0,
    }
    for name in ("PyObject_Vectorcall", "PyEval_SaveThread", "PyEval_RestoreThread", "Py_DecRef"):
        imports[name] = ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value or 0
    return load_library(ENTRY_IR, ("entry",), imports, Target.current())


def _field(name: str, kind: str, base: str, offset: int) -> str:
    """Return IR lines that load the field at an offset [bytes]."""
    return (
        f"  %{name}.at = getelementptr i8, ptr {base}, i64 {offset}\n"
        f"  %{name} = load {kind}, ptr %{name}.at"
    )


ENTRY_IR = f"""
@poinsot_array_type = external global i8
@poinsot_float64 = external global i8
declare ptr @poinsot_new_array(ptr, i32, ptr, i32, ptr, ptr, i32, i32, ptr)
declare ptr @poinsot_return(ptr)
declare ptr @PyObject_Vectorcall(ptr, ptr, i64, ptr)
declare ptr @PyEval_SaveThread()
declare void @PyEval_RestoreThread(ptr)
declare void @Py_DecRef(ptr)

define ptr @entry(ptr %self, ptr %args, i64 %nargs, ptr %kwnames) {{
  %data = alloca ptr, i64 {MOST_INPUTS}
  %dims = alloca i64, i64 {MOST_AXES + 1}
  %result = alloca ptr
{_field("table", "ptr", "%self", _DATA)}
{_field("n", "i64", "%table", 8 * _N_INPUTS)}
{_field("zeros", "ptr", "%table", 8 * _ZEROS)}
  %plain = icmp eq ptr %kwnames, null
  %all = icmp eq i64 %nargs, %n
  %before.last = sub i64 %n, 1
  %but.last = icmp eq i64 %nargs, %before.last
  %optional = icmp ne ptr %zeros, null
  %without = and i1 %but.last, %optional
  %right = or i1 %all, %without
  %simple = and i1 %plain, %right
  br i1 %simple, label %begin, label %slow
begin:
  %first = load ptr, ptr %args
{_field("first.type", "ptr", "%first", _TYPE)}
  %first.isarray = icmp eq ptr %first.type, @poinsot_array_type
  br i1 %first.isarray, label %axes, label %slow
axes:
{_field("ndim", "i32", "%first", _NDIM)}
{_field("first.dims", "ptr", "%first", _DIMS)}
  %isone = icmp eq i32 %ndim, 1
  %istwo = icmp eq i32 %ndim, 2
  %either = or i1 %isone, %istwo
  %which = select i1 %isone, i64 {8 * _SINGLE}, i64 {8 * _BATCH}
  %code.at = getelementptr i8, ptr %table, i64 %which
  %code = load ptr, ptr %code.at
  %compiled = icmp ne ptr %code, null
  %go = and i1 %either, %compiled
  br i1 %go, label %count, label %slow
count:
  %first.count = load i64, ptr %first.dims
  %states = select i1 %isone, i64 1, i64 %first.count
  %batched = zext i1 %istwo to i64
{_field("threads.from", "i64", "%table", 8 * _THREADS_FROM)}
  %huge = icmp uge i64 %states, %threads.from
  br i1 %huge, label %slow, label %check
check:
  %k = phi i64 [ 0, %count ], [ %k.next, %good ]
  %arg.at = getelementptr ptr, ptr %args, i64 %k
  %arg = load ptr, ptr %arg.at
{_field("type", "ptr", "%arg", _TYPE)}
  %isarray = icmp eq ptr %type, @poinsot_array_type
  br i1 %isarray, label %look, label %slow
look:
{_field("arg.ndim", "i32", "%arg", _NDIM)}
{_field("arg.dims", "ptr", "%arg", _DIMS)}
{_field("arg.descr", "ptr", "%arg", _DESCR)}
{_field("arg.flags", "i32", "%arg", _FLAGS)}
  %same.ndim = icmp eq i32 %arg.ndim, %ndim
  %isdouble = icmp eq ptr %arg.descr, @poinsot_float64
  %masked = and i32 %arg.flags, {_CONTIGUOUS_ALIGNED}
  %straight = icmp eq i32 %masked, {_CONTIGUOUS_ALIGNED}
  %ok1 = and i1 %same.ndim, %isdouble
  %ok2 = and i1 %ok1, %straight
  br i1 %ok2, label %sizes, label %slow
sizes:
  %arg.count = load i64, ptr %arg.dims
  %arg.states = select i1 %isone, i64 1, i64 %arg.count
  %last.at = getelementptr i64, ptr %arg.dims, i64 %batched
  %arg.size = load i64, ptr %last.at
  %row = add i64 %k, {_SIZES}
  %size.at = getelementptr i64, ptr %table, i64 %row
  %size = load i64, ptr %size.at
  %same.size = icmp eq i64 %arg.size, %size
  %same.states = icmp eq i64 %arg.states, %states
  %ok3 = and i1 %same.size, %same.states
  br i1 %ok3, label %good, label %slow
good:
{_field("arg.data", "ptr", "%arg", _DATA)}
  %data.at = getelementptr ptr, ptr %data, i64 %k
  store ptr %arg.data, ptr %data.at
  %k.next = add i64 %k, 1
  %more = icmp ult i64 %k.next, %nargs
  br i1 %more, label %check, label %given
given:
  br i1 %all, label %allocate, label %rest
rest:
  %rest.at = getelementptr ptr, ptr %data, i64 %before.last
  store ptr %zeros, ptr %rest.at
  br i1 %isone, label %allocate, label %slow
allocate:
  store i64 %states, ptr %dims
{_field("out.axes", "i64", "%table", 8 * _OUT_AXES)}
  %dims.own = getelementptr i64, ptr %dims, i64 %batched
  br label %copy
copy:
  %d = phi i64 [ 0, %allocate ], [ %d.next, %copied ]
  %copying = icmp ult i64 %d, %out.axes
  br i1 %copying, label %copied, label %make
copied:
  %d.row = add i64 %d, {_OUT_DIMS}
  %d.from = getelementptr i64, ptr %table, i64 %d.row
  %d.value = load i64, ptr %d.from
  %d.to = getelementptr i64, ptr %dims.own, i64 %d
  store i64 %d.value, ptr %d.to
  %d.next = add i64 %d, 1
  br label %copy
make:
  %out.ndim64 = add i64 %out.axes, %batched
  %out.ndim = trunc i64 %out.ndim64 to i32
  %array = call ptr @poinsot_new_array(ptr @poinsot_array_type, i32 %out.ndim, ptr %dims,
    i32 {_NPY_DOUBLE}, ptr null, ptr null, i32 0, i32 0, ptr null)
  %nomemory = icmp eq ptr %array, null
  br i1 %nomemory, label %fail, label %run
run:
{_field("array.data", "ptr", "%array", _DATA)}
  store ptr %array.data, ptr %result
  br i1 %isone, label %single, label %batch
single:
  call void %code(ptr %data, ptr %result)
  %scalar = icmp eq i64 %out.axes, 0
  br i1 %scalar, label %number, label %done
number:
  %value = call ptr @poinsot_return(ptr %array)
  ret ptr %value
batch:
{_field("release.from", "i64", "%table", 8 * _RELEASE_FROM)}
  %large = icmp uge i64 %states, %release.from
  br i1 %large, label %released, label %held
held:
  %status.held = call i32 %code(i64 0, i64 %states, ptr %data, ptr %result)
  br label %after
released:
  %thread = call ptr @PyEval_SaveThread()
  %status.released = call i32 %code(i64 0, i64 %states, ptr %data, ptr %result)
  call void @PyEval_RestoreThread(ptr %thread)
  br label %after
after:
  %status = phi i32 [ %status.held, %held ], [ %status.released, %released ]
  %bad = icmp ne i32 %status, 0
  br i1 %bad, label %drop, label %done
drop:
  call void @Py_DecRef(ptr %array)
  br label %slow
done:
  ret ptr %array
fail:
  ret ptr null
slow:
{_field("fallback", "ptr", "%table", 8 * _FALLBACK)}
  %answer = call ptr @PyObject_Vectorcall(ptr %fallback, ptr %args, i64 %nargs, ptr %kwnames)
  ret ptr %answer
}}
"""
