"""The native entry, last part: the array for the result, the call of the kernel, the return."""

from __future__ import annotations

from poinsot.kernels.large_results import LARGE
from poinsot.kernels.llvm.entry_layout import ARRAY, NPY_DOUBLE, ROWS, WRITEABLE, field, header, row

RESULT = f"""
result:
  %rows = load ptr, ptr %memory.place
{row("views", "views", "ptr")}
  %viewed = icmp ne ptr %views, null
  %c.many = and i1 %viewed, %istwo
  store i64 %states, ptr %dims
{row("out.axes", "out_axes")}
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
  br i1 %c.many, label %c.step, label %c.none
c.step:
  %c.up = add i64 %states, 7
  %c.lines = lshr i64 %c.up, 3
  %c.odd = or i64 %c.lines, 1
  %c.apart = shl i64 %c.odd, 3
{field("c.size", "i64", "%table", 8 * ROWS["out_dims"])}
  %c.all = mul i64 %c.size, %c.apart
  %c.room = add i64 %c.all, 7
  store i64 %c.room, ptr %dims
  br label %c.none
c.none:
  %c.between = phi i64 [ 1, %where ], [ %c.apart, %c.step ]
  store i64 %c.between, ptr %step.place
  %goal.step = getelementptr ptr, ptr %result.place, i64 1
  store ptr %step.place, ptr %goal.step
  %goal.flags = getelementptr ptr, ptr %result.place, i64 2
  store ptr null, ptr %goal.flags
  %made.ndim64 = select i1 %c.many, i64 1, i64 %out.ndim64
  %made.ndim = trunc i64 %made.ndim64 to i32
  %c.doubles = load i64, ptr %dims
  br i1 %new, label %make, label %o.kind.of
o.kind.of:
  br i1 %viewed, label %v.look, label %o.type
v.look:
  %v.memory = call ptr @poinsot.views.memory(ptr %out, ptr %views, i64 %batched, i64 %states,
    i64 %c.between, i64 %c.doubles)
  %v.none = icmp eq ptr %v.memory, null
  br i1 %v.none, label %slow, label %v.found
v.found:
{field("v.data", "ptr", "%v.memory", ARRAY["data"])}
  %v.bytes = shl i64 %c.doubles, 3
  br label %o.shaped
o.type:
{field("o.kind", "ptr", "%out", ARRAY["type"])}
  %o.isarray = icmp eq ptr %o.kind, @poinsot_array_type
  br i1 %o.isarray, label %o.header, label %slow
o.header:
{header("o", "%out", WRITEABLE)}
{field("o.data", "ptr", "%out", ARRAY["data"])}
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
  %g.array = phi ptr [ %out, %o.axis ], [ %v.memory, %v.found ]
  %g.data = phi ptr [ %o.data, %o.axis ], [ %v.data, %v.found ]
  %g.bytes = phi i64 [ %o.bytes, %o.axis ], [ %v.bytes, %v.found ]
  %o.end = getelementptr i8, ptr %g.data, i64 %g.bytes
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
  %y.before = icmp ule ptr %y.end, %g.data
  %y.behind = icmp ule ptr %o.end, %y.data
  %y.apart = or i1 %y.before, %y.behind
  %y.next = add i64 %y, 1
  br i1 %y.apart, label %o.beside, label %slow
o.take:
  call void @Py_IncRef(ptr %out)
  br label %run
make:
{row("bytes.each", "out_bytes")}
  %bytes.rows = mul i64 %bytes.each, %states
  %bytes.columns = shl i64 %c.doubles, 3
  %bytes = select i1 %c.many, i64 %bytes.columns, i64 %bytes.rows
  %big = icmp uge i64 %bytes, {LARGE}
  br i1 %big, label %lease, label %own
lease:
  %leased = call ptr @poinsot_new_large(i64 %made.ndim64, ptr %dims)
  %has.lease = icmp ne ptr %leased, null
  br i1 %has.lease, label %run, label %slow
own:
  %made = call ptr @poinsot_new_array(ptr @poinsot_array_type, i32 %made.ndim, ptr %dims,
    i32 {NPY_DOUBLE}, ptr null, ptr null, i32 0, i32 0, ptr null)
  %nomemory = icmp eq ptr %made, null
  br i1 %nomemory, label %fail, label %run
"""
"""Finds where the result goes: a new array, or the one given, beside all that is read."""

RUN = f"""
run:
  %array = phi ptr [ %g.array, %o.take ], [ %made, %own ], [ %leased, %lease ]
  %owned = phi ptr [ %out, %o.take ], [ %made, %own ], [ %leased, %lease ]
{field("array.data", "ptr", "%array", ARRAY["data"])}
  %lined = zext i1 %c.many to i64
  %first.column = call ptr @poinsot.aligned(ptr %array.data, i64 %lined)
  store ptr %first.column, ptr %result.place
{row("guarded", "guarded")}
  br i1 %isone, label %single, label %batch
single:
  %status.single = call i32 %code(ptr %data, ptr %result.place)
  %sure = icmp eq i32 %status.single, 0
  %unguarded = icmp eq i64 %guarded, 0
  %single.good = or i1 %sure, %unguarded
  br i1 %single.good, label %single.done, label %drop
single.done:
  %scalar = icmp eq i64 %out.axes, 0
  %bare = and i1 %scalar, %new
  br i1 %bare, label %number, label %done
number:
  %value = call ptr @poinsot_return(ptr %array)
  ret ptr %value
batch:
{row("threads.from", "threads_from")}
  %huge = icmp uge i64 %states, %threads.from
  br i1 %huge, label %shared, label %unshared
shared:
{row("work", "work")}
  %status.shared = call i32 @poinsot_run_batch(ptr %code, i64 %states, ptr %data,
    ptr %result.place, i64 %work)
  br label %after
unshared:
{row("release.from", "release_from")}
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
  %status = phi i32 [ %status.held, %held ], [ %status.released, %released ],
    [ %status.shared, %shared ]
  %bad = icmp ne i32 %status, 0
  br i1 %bad, label %drop, label %finish
finish:
  call void @PyMem_RawFree(ptr %rows)
  br label %done
drop:
  call void @Py_DecRef(ptr %owned)
  br label %slow
done:
  %v.named = and i1 %viewed, %new
  br i1 %v.named, label %v.name, label %v.return
v.name:
  %v.dict = call ptr @poinsot.views.new(ptr %views, ptr %array, ptr %first.column, i64 %batched,
    i64 %states, i64 %c.between)
  ret ptr %v.dict
v.return:
  ret ptr %owned
fail:
  call void @PyMem_RawFree(ptr %rows)
  ret ptr null
slow:
  %idle = load ptr, ptr %memory.place
  call void @PyMem_RawFree(ptr %idle)
{row("fallback", "fallback", "ptr")}
  %answer = call ptr @PyObject_Vectorcall(ptr %fallback, ptr %args, i64 %nargs, ptr %kwnames)
  ret ptr %answer
}}
"""
"""Calls the kernel and returns what it has written; or lets Python answer, from anywhere above."""
