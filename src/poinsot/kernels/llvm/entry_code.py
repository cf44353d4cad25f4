"""The code of the native entry: all its parts in one function of LLVM IR."""

from __future__ import annotations

from poinsot.kernels.llvm.entry_arguments import ARRAYS, GIVEN, KEYWORDS
from poinsot.kernels.llvm.entry_layout import (
    ARRAY,
    MOST_AXES,
    MOST_INPUTS,
    MOST_PARAMETERS,
    field,
    row,
)
from poinsot.kernels.llvm.entry_numbers import FUNCTIONS, PARAMETERS, ROOM, TIME
from poinsot.kernels.llvm.entry_result import RESULT, RUN
from poinsot.kernels.llvm.entry_views import FUNCTIONS as VIEWS

CALLED = {
    "PyObject_Vectorcall": "ptr (ptr, ptr, i64, ptr)",
    "PyEval_SaveThread": "ptr ()",
    "PyEval_RestoreThread": "void (ptr)",
    "Py_DecRef": "void (ptr)",
    "Py_IncRef": "void (ptr)",
    "PyDict_GetItem": "ptr (ptr, ptr)",
    "PyDict_Size": "i64 (ptr)",
    "PyDict_New": "ptr ()",
    "PyDict_SetItem": "i32 (ptr, ptr, ptr)",
    "PyLong_AsLongLongAndOverflow": "i64 (ptr, ptr)",
    "PyMem_RawCalloc": "ptr (i64, i64)",
    "PyMem_RawFree": "void (ptr)",
}
"""What it calls of CPython."""
OBJECTS = ("array_type", "float64", "float64_type", "float_type", "int_type", "dict_type", "none")
"""What it compares with, besides names of keywords."""


def _declaration(name: str, kind: str) -> str:
    result, arguments = kind.split(" ", 1)
    return f"declare {result} @{name}{arguments}"


_OBJECTS = [f"@poinsot_{name} = external global i8" for name in OBJECTS]
_KEYS = [f"@poinsot_name_{name} = external global i8" for name in GIVEN]
_CALLED = [_declaration(name, kind) for name, kind in CALLED.items()]

ENTRY_IR = f"""{chr(10).join([*_OBJECTS, *_KEYS, *_CALLED])}
@poinsot.now = internal constant double 0.0
@poinsot.never = internal constant double 0x7FF0000000000000
declare ptr @poinsot_new_array(ptr, i32, ptr, i32, ptr, ptr, i32, i32, ptr)
declare ptr @poinsot_return(ptr)
declare i32 @poinsot_set_base(ptr, ptr)
declare ptr @poinsot_new_large(i64, ptr)
declare i32 @poinsot_run_batch(ptr, i64, ptr, ptr, i64)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
{FUNCTIONS}{VIEWS}
define ptr @entry(ptr %self, ptr %args, i64 %nargs, ptr %kwnames) {{
  %data = alloca ptr, i64 {MOST_INPUTS}
  %dims = alloca i64, i64 {MOST_AXES + 1}
  %values = alloca double, i64 {MOST_PARAMETERS}
  %result.place = alloca ptr, i64 3
  %step.place = alloca i64
  %memory.place = alloca ptr
  %out.given = alloca ptr
  %parameters.given = alloca ptr
  %t.given = alloca ptr
  %t.number = alloca double
  %t.step.place = alloca i64
  %p.number = alloca double
  %p.step.place = alloca i64
  store ptr null, ptr %memory.place
  store ptr null, ptr %out.given
  store ptr null, ptr %parameters.given
  store ptr null, ptr %t.given
  store i64 0, ptr %t.step.place
{field("table", "ptr", "%self", ARRAY["data"])}
{row("n", "n_positional")}
{row("zeros", "zeros", "ptr")}
{KEYWORDS}{ARRAYS}{ROOM}{TIME}{PARAMETERS}{RESULT}{RUN}"""
"""``entry(self, args, nargs, kwnames)``: a METH_FASTCALL | METH_KEYWORDS function of CPython."""
