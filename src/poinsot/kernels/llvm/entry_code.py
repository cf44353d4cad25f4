"""The code of the native entry, and the layouts that it reads.

The function reads NumPy's array header, whose layout has been the same since NumPy 1.0
(``PyArrayObject_fields`` in ndarraytypes.h), and floats and tuples of CPython; ``supported`` in
``entry.py`` checks that on real ones first.

Keywords are known by the addresses of their names, which CPython interns where they are written in
a call; others fall back, and so does whatever is not exactly as expected.
"""

from __future__ import annotations

MOST_INPUTS = 8
MOST_AXES = 4
MOST_PARAMETERS = 64

# Offsets [bytes] behind the reference count.
ARRAY = {"type": 8, "data": 16, "ndim": 24, "dims": 32, "descr": 56, "flags": 64}
"""In an array object."""
VALUE = 16
"""In a float, also NumPy's float64."""
SIZE = 16
"""In a tuple."""
ITEMS = tuple.__basicsize__
"""In a tuple: where its items begin, 24, or 32 from CPython 3.14 on."""

CONTIGUOUS_ALIGNED = 0x0001 | 0x0100  # NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_ALIGNED
_WRITEABLE = CONTIGUOUS_ALIGNED | 0x0400  # NPY_ARRAY_WRITEABLE
_NPY_DOUBLE = 12

_NAMES = (
    "n_inputs",
    "n_positional",
    "single",
    "batch",
    "fallback",
    "out_axes",
    "release_from",
    "threads_from",
    "zeros",
    "takes_out",
    "takes_time",
    "time",
    "n_parameters",
    "parameter_names",
    "parameter_defaults",
    "parameter_known",
    "sizes",
)
ROWS = {name: k for k, name in enumerate(_NAMES)} | {"out_dims": len(_NAMES) - 1 + MOST_INPUTS}
"""Where the table has what: int64 each, as many ``sizes`` as inputs and ``out_dims`` as axes."""

CALLED = (
    "PyObject_Vectorcall",
    "PyEval_SaveThread",
    "PyEval_RestoreThread",
    "Py_DecRef",
    "Py_IncRef",
    "PyDict_GetItem",
    "PyDict_Size",
)
"""What it calls of CPython."""


def _field(name: str, kind: str, base: str, offset: int) -> str:
    """Return IR lines that load the field at an offset [bytes]."""
    return (
        f"  %{name}.at = getelementptr i8, ptr {base}, i64 {offset}\n"
        f"  %{name} = load {kind}, ptr %{name}.at"
    )


def _row(name: str, row: str, kind: str = "i64") -> str:
    """Return IR lines that load a row of the table."""
    return _field(name, kind, "%table", 8 * ROWS[row])


def _is_float(name: str, value: str) -> str:
    """Return IR lines that say whether an object is a float or a float64."""
    return (
        f"{_field(f'{name}.type', 'ptr', value, ARRAY['type'])}\n"
        f"  %{name}.own = icmp eq ptr %{name}.type, @poinsot_float_type\n"
        f"  %{name}.numpys = icmp eq ptr %{name}.type, @poinsot_float64_type\n"
        f"  %{name}.isfloat = or i1 %{name}.own, %{name}.numpys\n"
        f"  %{name}.value = getelementptr i8, ptr {value}, i64 {VALUE}"
    )


def _header(name: str, array: str, flags: int) -> str:
    """Return IR lines that read the header of an array, and whether it is float64 with flags."""
    kinds = {"ndim": "i32", "dims": "ptr", "descr": "ptr", "flags": "i32"}
    fields = [_field(f"{name}.{key}", kind, array, ARRAY[key]) for key, kind in kinds.items()]
    return "\n".join(
        [
            *fields,
            f"  %{name}.isdouble = icmp eq ptr %{name}.descr, @poinsot_float64",
            f"  %{name}.masked = and i32 %{name}.flags, {flags}",
            f"  %{name}.straight = icmp eq i32 %{name}.masked, {flags}",
            f"  %{name}.usable = and i1 %{name}.isdouble, %{name}.straight",
        ]
    )


_DECLARATIONS = """
@poinsot_array_type = external global i8
@poinsot_float64 = external global i8
@poinsot_float64_type = external global i8
@poinsot_float_type = external global i8
@poinsot_dict_type = external global i8
@poinsot_none = external global i8
@poinsot_name_out = external global i8
@poinsot_name_t = external global i8
@poinsot_name_parameters = external global i8
@poinsot.now = internal constant double 0.0
declare ptr @poinsot_new_array(ptr, i32, ptr, i32, ptr, ptr, i32, i32, ptr)
declare ptr @poinsot_return(ptr)
declare ptr @PyObject_Vectorcall(ptr, ptr, i64, ptr)
declare ptr @PyEval_SaveThread()
declare void @PyEval_RestoreThread(ptr)
declare void @Py_DecRef(ptr)
declare void @Py_IncRef(ptr)
declare ptr @PyDict_GetItem(ptr, ptr)
declare i64 @PyDict_Size(ptr)
"""

_KEYWORDS = f"""
  %plain = icmp eq ptr %kwnames, null
  br i1 %plain, label %begin, label %keywords
keywords:
{_field("n.keywords", "i64", "%kwnames", SIZE)}
{_row("takes.out", "takes_out")}
  %takes = icmp ne i64 %takes.out, 0
  %names = getelementptr i8, ptr %kwnames, i64 {ITEMS}
  br i1 %takes, label %keyword, label %slow
keyword:
  %w = phi i64 [ 0, %keywords ], [ %w.next, %noted ]
  %reading = icmp ult i64 %w, %n.keywords
  br i1 %reading, label %read, label %begin
read:
  %name.at = getelementptr ptr, ptr %names, i64 %w
  %name = load ptr, ptr %name.at
  %w.place = add i64 %nargs, %w
  %given.at = getelementptr ptr, ptr %args, i64 %w.place
  %given = load ptr, ptr %given.at
  %w.next = add i64 %w, 1
  %none = icmp eq ptr %given, @poinsot_none
  %some = select i1 %none, ptr null, ptr %given
  %is.out = icmp eq ptr %name, @poinsot_name_out
  br i1 %is.out, label %note.out, label %other
note.out:
  store ptr %some, ptr %out.given
  br label %noted
other:
  %is.parameters = icmp eq ptr %name, @poinsot_name_parameters
  br i1 %is.parameters, label %note.parameters, label %another
note.parameters:
  store ptr %some, ptr %parameters.given
  br label %noted
another:
  %is.t = icmp eq ptr %name, @poinsot_name_t
  br i1 %is.t, label %note.t, label %slow
note.t:
  store ptr %given, ptr %t.given
  br label %noted
noted:
  br label %keyword
"""
"""Notes what is given as out, parameters and t."""

_ARRAYS = f"""
begin:
  %all = icmp eq i64 %nargs, %n
  %before.last = sub i64 %n, 1
  %but.last = icmp eq i64 %nargs, %before.last
  %optional = icmp ne ptr %zeros, null
  %without = and i1 %but.last, %optional
  %right = or i1 %all, %without
  br i1 %right, label %looked, label %slow
looked:
  %first = load ptr, ptr %args
{_field("first.type", "ptr", "%first", ARRAY["type"])}
  %first.isarray = icmp eq ptr %first.type, @poinsot_array_type
  br i1 %first.isarray, label %axes, label %slow
axes:
{_field("ndim", "i32", "%first", ARRAY["ndim"])}
{_field("first.dims", "ptr", "%first", ARRAY["dims"])}
  %isone = icmp eq i32 %ndim, 1
  %istwo = icmp eq i32 %ndim, 2
  %either = or i1 %isone, %istwo
  %which = select i1 %isone, i64 {8 * ROWS["single"]}, i64 {8 * ROWS["batch"]}
  %code.at = getelementptr i8, ptr %table, i64 %which
  %code = load ptr, ptr %code.at
  %compiled = icmp ne ptr %code, null
  %go = and i1 %either, %compiled
  br i1 %go, label %count, label %slow
count:
  %first.count = load i64, ptr %first.dims
  %states = select i1 %isone, i64 1, i64 %first.count
  %batched = zext i1 %istwo to i64
{_row("threads.from", "threads_from")}
  %huge = icmp uge i64 %states, %threads.from
  br i1 %huge, label %slow, label %check
check:
  %k = phi i64 [ 0, %count ], [ %k.next, %good ]
  %arg.at = getelementptr ptr, ptr %args, i64 %k
  %arg = load ptr, ptr %arg.at
{_field("type", "ptr", "%arg", ARRAY["type"])}
  %isarray = icmp eq ptr %type, @poinsot_array_type
  br i1 %isarray, label %look, label %slow
look:
{_header("arg", "%arg", CONTIGUOUS_ALIGNED)}
  %same.ndim = icmp eq i32 %arg.ndim, %ndim
  %fits = and i1 %same.ndim, %arg.usable
  br i1 %fits, label %sizes, label %slow
sizes:
  %arg.count = load i64, ptr %arg.dims
  %arg.states = select i1 %isone, i64 1, i64 %arg.count
  %last.at = getelementptr i64, ptr %arg.dims, i64 %batched
  %arg.size = load i64, ptr %last.at
  %row = add i64 %k, {ROWS["sizes"]}
  %size.at = getelementptr i64, ptr %table, i64 %row
  %size = load i64, ptr %size.at
  %same.size = icmp eq i64 %arg.size, %size
  %same.states = icmp eq i64 %arg.states, %states
  %whole = and i1 %same.size, %same.states
  br i1 %whole, label %good, label %slow
good:
{_field("arg.data", "ptr", "%arg", ARRAY["data"])}
  %data.at = getelementptr ptr, ptr %data, i64 %k
  store ptr %arg.data, ptr %data.at
  %k.next = add i64 %k, 1
  %more = icmp ult i64 %k.next, %nargs
  br i1 %more, label %check, label %given.all
given.all:
  br i1 %all, label %time, label %rest
rest:
  %rest.at = getelementptr ptr, ptr %data, i64 %before.last
  store ptr %zeros, ptr %rest.at
  br i1 %isone, label %time, label %slow
"""
"""Checks the positional arguments and notes where their numbers are."""

_TIME = f"""
time:
{_row("t.index", "time")}
  %timed = icmp sge i64 %t.index, 0
  %t = load ptr, ptr %t.given
  %t.left = icmp eq ptr %t, null
  br i1 %t.left, label %t.default, label %t.taken
t.taken:
{_row("takes.time", "takes_time")}
  %t.known = icmp ne i64 %takes.time, 0
  br i1 %t.known, label %t.look, label %slow
t.look:
{_is_float("t.number", "%t")}
  %t.many = and i1 %timed, %istwo
  br i1 %t.many, label %t.array, label %t.single
t.single:
  br i1 %t.number.isfloat, label %t.one, label %slow
t.one:
  br i1 %timed, label %t.store, label %parameters
t.array:
  %t.isarray = icmp eq ptr %t.number.type, @poinsot_array_type
  br i1 %t.isarray, label %t.header, label %slow
t.header:
{_header("t", "%t", CONTIGUOUS_ALIGNED)}
  %t.flat = icmp eq i32 %t.ndim, 1
  %t.fits = and i1 %t.flat, %t.usable
  br i1 %t.fits, label %t.count, label %slow
t.count:
  %t.states = load i64, ptr %t.dims
{_field("t.data", "ptr", "%t", ARRAY["data"])}
  %t.same = icmp eq i64 %t.states, %states
  br i1 %t.same, label %t.store, label %slow
t.default:
  br i1 %timed, label %t.now, label %parameters
t.now:
  br i1 %isone, label %t.store, label %slow
t.store:
  %t.place = phi ptr [ %t.number.value, %t.one ], [ %t.data, %t.count ], [ @poinsot.now, %t.now ]
  %t.at = getelementptr ptr, ptr %data, i64 %t.index
  store ptr %t.place, ptr %t.at
  br label %parameters
"""
"""Notes where the time is: in a float, in an array with one for each state, or zero."""

_PARAMETERS = f"""
parameters:
{_row("n.parameters", "n_parameters")}
{_row("n.inputs", "n_inputs")}
  %p = load ptr, ptr %parameters.given
  %p.left = icmp eq ptr %p, null
  %p.free = icmp ne i64 %n.parameters, 0
  br i1 %p.free, label %p.single, label %p.never
p.never:
  br i1 %p.left, label %result, label %slow
p.single:
  br i1 %isone, label %p.look, label %slow
p.look:
{_row("p.names", "parameter_names", "ptr")}
{_row("p.defaults", "parameter_defaults", "ptr")}
{_row("p.known", "parameter_known", "ptr")}
  br i1 %p.left, label %p.each, label %p.type
p.type:
{_field("p.kind", "ptr", "%p", ARRAY["type"])}
  %p.isdict = icmp eq ptr %p.kind, @poinsot_dict_type
  br i1 %p.isdict, label %p.each, label %slow
p.each:
  %i = phi i64 [ 0, %p.look ], [ 0, %p.type ], [ %i.next, %p.next ]
  %found = phi i64 [ 0, %p.look ], [ 0, %p.type ], [ %found.next, %p.next ]
  %i.more = icmp ult i64 %i, %n.parameters
  br i1 %i.more, label %p.one, label %p.all
p.one:
  br i1 %p.left, label %p.default, label %p.find
p.find:
  %p.name.at = getelementptr ptr, ptr %p.names, i64 %i
  %p.name = load ptr, ptr %p.name.at
  %p.value = call ptr @PyDict_GetItem(ptr %p, ptr %p.name)
  %p.missing = icmp eq ptr %p.value, null
  br i1 %p.missing, label %p.default, label %p.found
p.found:
{_is_float("p.number", "%p.value")}
  %found.one = add i64 %found, 1
  br i1 %p.number.isfloat, label %p.next, label %slow
p.default:
  %p.flag.at = getelementptr i64, ptr %p.known, i64 %i
  %p.flag = load i64, ptr %p.flag.at
  %p.has = icmp ne i64 %p.flag, 0
  %p.default.at = getelementptr double, ptr %p.defaults, i64 %i
  br i1 %p.has, label %p.next, label %slow
p.next:
  %p.source = phi ptr [ %p.number.value, %p.found ], [ %p.default.at, %p.default ]
  %found.next = phi i64 [ %found.one, %p.found ], [ %found, %p.default ]
  %p.double = load double, ptr %p.source
  %p.goal = getelementptr double, ptr %values, i64 %i
  store double %p.double, ptr %p.goal
  %i.next = add i64 %i, 1
  br label %p.each
p.all:
  %p.index = sub i64 %n.inputs, 1
  %p.at = getelementptr ptr, ptr %data, i64 %p.index
  store ptr %values, ptr %p.at
  br i1 %p.left, label %result, label %p.others
p.others:
  %p.size = call i64 @PyDict_Size(ptr %p)
  %p.same = icmp eq i64 %p.size, %found
  br i1 %p.same, label %result, label %slow
"""
"""Gathers the values of the parameters, those given or their own; strange names fall back."""

_RESULT = f"""
result:
  store i64 %states, ptr %dims
{_row("out.axes", "out_axes")}
  %dims.own = getelementptr i64, ptr %dims, i64 %batched
  %out.ndim64 = add i64 %out.axes, %batched
  %out.ndim = trunc i64 %out.ndim64 to i32
  br label %copy
copy:
  %d = phi i64 [ 0, %result ], [ %d.next, %copied ]
  %copying = icmp ult i64 %d, %out.axes
  br i1 %copying, label %copied, label %where
copied:
  %d.row = add i64 %d, {ROWS["out_dims"]}
  %d.from = getelementptr i64, ptr %table, i64 %d.row
  %d.value = load i64, ptr %d.from
  %d.to = getelementptr i64, ptr %dims.own, i64 %d
  store i64 %d.value, ptr %d.to
  %d.next = add i64 %d, 1
  br label %copy
where:
  %out = load ptr, ptr %out.given
  %new = icmp eq ptr %out, null
  br i1 %new, label %make, label %o.type
o.type:
{_field("o.kind", "ptr", "%out", ARRAY["type"])}
  %o.isarray = icmp eq ptr %o.kind, @poinsot_array_type
  br i1 %o.isarray, label %o.header, label %slow
o.header:
{_header("o", "%out", _WRITEABLE)}
{_field("o.data", "ptr", "%out", ARRAY["data"])}
  %o.same = icmp eq i32 %o.ndim, %out.ndim
  %o.good = and i1 %o.same, %o.usable
  br i1 %o.good, label %o.axis, label %slow
o.axis:
  %x = phi i64 [ 0, %o.header ], [ %x.next, %o.fits ]
  %o.bytes = phi i64 [ 8, %o.header ], [ %o.bytes.next, %o.fits ]
  %x.more = icmp ult i64 %x, %out.ndim64
  br i1 %x.more, label %o.fits, label %o.shaped
o.fits:
  %x.at = getelementptr i64, ptr %o.dims, i64 %x
  %x.dim = load i64, ptr %x.at
  %x.wanted.at = getelementptr i64, ptr %dims, i64 %x
  %x.wanted = load i64, ptr %x.wanted.at
  %x.same = icmp eq i64 %x.dim, %x.wanted
  %x.next = add i64 %x, 1
  %o.bytes.next = mul i64 %o.bytes, %x.dim
  br i1 %x.same, label %o.axis, label %slow
o.shaped:
  %o.end = getelementptr i8, ptr %o.data, i64 %o.bytes
  br label %o.beside
o.beside:
  %y = phi i64 [ 0, %o.shaped ], [ %y.next, %o.apart ]
  %y.more = icmp ult i64 %y, %n.inputs
  br i1 %y.more, label %o.apart, label %o.take
o.apart:
  %y.at = getelementptr ptr, ptr %data, i64 %y
  %y.data = load ptr, ptr %y.at
  %y.row = add i64 %y, {ROWS["sizes"]}
  %y.size.at = getelementptr i64, ptr %table, i64 %y.row
  %y.size = load i64, ptr %y.size.at
  %y.count = mul i64 %y.size, %states
  %y.end = getelementptr double, ptr %y.data, i64 %y.count
  %y.before = icmp ule ptr %y.end, %o.data
  %y.behind = icmp ule ptr %o.end, %y.data
  %y.apart = or i1 %y.before, %y.behind
  %y.next = add i64 %y, 1
  br i1 %y.apart, label %o.beside, label %slow
o.take:
  call void @Py_IncRef(ptr %out)
  br label %run
make:
  %made = call ptr @poinsot_new_array(ptr @poinsot_array_type, i32 %out.ndim, ptr %dims,
    i32 {_NPY_DOUBLE}, ptr null, ptr null, i32 0, i32 0, ptr null)
  %nomemory = icmp eq ptr %made, null
  br i1 %nomemory, label %fail, label %run
"""
"""Finds where the result goes: a new array, or the one given, beside all that is read."""

_RUN = f"""
run:
  %array = phi ptr [ %out, %o.take ], [ %made, %make ]
{_field("array.data", "ptr", "%array", ARRAY["data"])}
  store ptr %array.data, ptr %result.place
  br i1 %isone, label %single, label %batch
single:
  call void %code(ptr %data, ptr %result.place)
  %scalar = icmp eq i64 %out.axes, 0
  %bare = and i1 %scalar, %new
  br i1 %bare, label %number, label %done
number:
  %value = call ptr @poinsot_return(ptr %array)
  ret ptr %value
batch:
{_row("release.from", "release_from")}
  %large = icmp uge i64 %states, %release.from
  br i1 %large, label %released, label %held
held:
  %status.held = call i32 %code(i64 0, i64 %states, ptr %data, ptr %result.place)
  br label %after
released:
  %thread = call ptr @PyEval_SaveThread()
  %status.released = call i32 %code(i64 0, i64 %states, ptr %data, ptr %result.place)
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
{_row("fallback", "fallback", "ptr")}
  %answer = call ptr @PyObject_Vectorcall(ptr %fallback, ptr %args, i64 %nargs, ptr %kwnames)
  ret ptr %answer
}}
"""

ENTRY_IR = f"""{_DECLARATIONS}
define ptr @entry(ptr %self, ptr %args, i64 %nargs, ptr %kwnames) {{
  %data = alloca ptr, i64 {MOST_INPUTS}
  %dims = alloca i64, i64 {MOST_AXES + 1}
  %values = alloca double, i64 {MOST_PARAMETERS}
  %result.place = alloca ptr
  %out.given = alloca ptr
  %parameters.given = alloca ptr
  %t.given = alloca ptr
  store ptr null, ptr %out.given
  store ptr null, ptr %parameters.given
  store ptr null, ptr %t.given
{_field("table", "ptr", "%self", ARRAY["data"])}
{_row("n", "n_positional")}
{_row("zeros", "zeros", "ptr")}
{_KEYWORDS}{_ARRAYS}{_TIME}{_PARAMETERS}{_RESULT}{_RUN}"""
"""``entry(self, args, nargs, kwnames)``: a METH_FASTCALL | METH_KEYWORDS function of CPython."""
