"""The native entry, middle part: time and parameters, which need not be given for each state.

Kernels read a row for each state.  Where a number is given once, or by another array for each
parameter, rows are made in memory that lives as long as the call: for n states, P parameters and
joint forces that are left out

    n x P values of parameters, n times, n rows of zeros

A *source* is the address of a float64 and the step [bytes] to that of the next state, 0 for all
alike.  Parameters that are samples over time are looked up at the time of each state.
"""

from __future__ import annotations

from poinsot.kernels.llvm.entry_layout import ALIGNED, ARRAY, ROWS, VALUE, field, header, row

FUNCTIONS = f"""
define internal ptr @poinsot.number(ptr %object, ptr %place) nounwind {{
  %over = alloca i32
{field("type", "ptr", "%object", ARRAY["type"])}
  %own = icmp eq ptr %type, @poinsot_float_type
  %numpys = icmp eq ptr %type, @poinsot_float64_type
  %isfloat = or i1 %own, %numpys
  br i1 %isfloat, label %real, label %other
real:
  %value = getelementptr i8, ptr %object, i64 {VALUE}
  ret ptr %value
other:
  %isint = icmp eq ptr %type, @poinsot_int_type
  br i1 %isint, label %whole, label %none
whole:
  %int = call i64 @PyLong_AsLongLongAndOverflow(ptr %object, ptr %over)
  %beyond = load i32, ptr %over
  %fits = icmp eq i32 %beyond, 0
  br i1 %fits, label %convert, label %none
convert:
  %double = sitofp i64 %int to double
  store double %double, ptr %place
  ret ptr %place
none:
  ret ptr null
}}

define internal ptr @poinsot.source(ptr %object, i1 %many, i64 %states, ptr %step, ptr %place)
    nounwind {{
  store i64 0, ptr %step
{field("type", "ptr", "%object", ARRAY["type"])}
  %isarray = icmp eq ptr %type, @poinsot_array_type
  br i1 %isarray, label %array, label %plain
plain:
  %number = call ptr @poinsot.number(ptr %object, ptr %place)
  ret ptr %number
array:
{header("a", "%object", ALIGNED)}
{field("data", "ptr", "%object", ARRAY["data"])}
  br i1 %a.usable, label %axes, label %none
axes:
  %isone = icmp eq i32 %a.ndim, 0
  br i1 %isone, label %found, label %axis
axis:
  %flat = icmp eq i32 %a.ndim, 1
  %each = and i1 %flat, %many
  br i1 %each, label %count, label %none
count:
  %n = load i64, ptr %a.dims
  %once = icmp eq i64 %n, 1
  br i1 %once, label %found, label %compare
compare:
  %same = icmp eq i64 %n, %states
  br i1 %same, label %steps, label %none
steps:
{field("strides", "ptr", "%object", ARRAY["strides"])}
  %stride = load i64, ptr %strides
  store i64 %stride, ptr %step
  br label %found
found:
  ret ptr %data
none:
  ret ptr null
}}

define internal void @poinsot.column(ptr %to, i64 %width, ptr %from, i64 %step, i64 %states)
    nounwind {{
  br label %state
state:
  %s = phi i64 [ 0, %0 ], [ %next, %copy ]
  %more = icmp ult i64 %s, %states
  br i1 %more, label %copy, label %done
copy:
  %behind = mul i64 %s, %step
  %source = getelementptr i8, ptr %from, i64 %behind
  %value = load double, ptr %source
  %below = mul i64 %s, %width
  %goal = getelementptr double, ptr %to, i64 %below
  store double %value, ptr %goal
  %next = add i64 %s, 1
  br label %state
done:
  ret void
}}

define internal void @poinsot.samples(ptr %to, i64 %width, ptr %times, i64 %step, i64 %states,
    ptr %signal, ptr %lookup) nounwind {{
  %in = alloca ptr, i64 6
  %out = alloca ptr
  %rate = alloca double
  %edge.at = getelementptr ptr, ptr %in, i64 1
  store ptr @poinsot.never, ptr %edge.at
  %data.at = getelementptr ptr, ptr %in, i64 2
  call void @llvm.memcpy.p0.p0.i64(ptr %data.at, ptr %signal, i64 24, i1 0)
  %rate.at = getelementptr ptr, ptr %in, i64 5
  store ptr %rate, ptr %rate.at
  %alike = icmp eq i64 %step, 0
  %some = icmp ne i64 %states, 0
  %first = zext i1 %some to i64
  %n = select i1 %alike, i64 %first, i64 %states
  br label %state
state:
  %s = phi i64 [ 0, %0 ], [ %next, %look ]
  %more = icmp ult i64 %s, %n
  br i1 %more, label %look, label %looked
look:
  %behind = mul i64 %s, %step
  %time = getelementptr i8, ptr %times, i64 %behind
  store ptr %time, ptr %in
  %below = mul i64 %s, %width
  %goal = getelementptr double, ptr %to, i64 %below
  store ptr %goal, ptr %out
  call void %lookup(ptr %in, ptr %out)
  %next = add i64 %s, 1
  br label %state
looked:
  br i1 %alike, label %repeat, label %done
repeat:
  call void @poinsot.column(ptr %to, i64 %width, ptr %to, i64 0, i64 %states)
  br label %done
done:
  ret void
}}
"""
"""What reads one object, and what makes a column of rows.

- ``number(object, place)``: where the number is, null if it is none; whole ones go to ``place``.
- ``source(object, many, states, step, place)``: where the first number is, and the step to the
  next; null if it does not fit.  Only where there are many states, they may have one each.
- ``column(to, width, from, step, states)``: copies numbers into rows of a width.
- ``samples(to, width, times, step, states, signal, lookup)``: looks them up (``lookup_code.py``).
"""

ROOM = f"""
room:
{row("n.parameters", "n_parameters")}
{row("n.inputs", "n_inputs")}
{row("t.index", "time")}
  %timed = icmp sge i64 %t.index, 0
  %rest.row = add i64 %before.last, {ROWS["sizes"]}
  %rest.size.at = getelementptr i64, ptr %table, i64 %rest.row
  %rest.size = load i64, ptr %rest.size.at
  %rest.columns = select i1 %without, i64 %rest.size, i64 0
  %t.columns = zext i1 %timed to i64
  %t.rest = add i64 %t.columns, %rest.columns
  %columns = add i64 %t.rest, %n.parameters
  %columns.some = icmp ne i64 %columns, 0
  %columns.made = and i1 %columns.some, %istwo
  br i1 %columns.made, label %room.make, label %room.had
room.make:
  %columns.bytes = shl i64 %columns, 3
  %memory = call ptr @PyMem_RawCalloc(i64 %states, i64 %columns.bytes)
  store ptr %memory, ptr %memory.place
  %memory.none = icmp eq ptr %memory, null
  br i1 %memory.none, label %slow, label %room.had
room.had:
  %p.values = phi ptr [ %memory, %room.make ], [ %values, %room ]
  %p.count = mul i64 %states, %n.parameters
  %t.room = getelementptr double, ptr %p.values, i64 %p.count
  %t.count = mul i64 %states, %t.columns
  %rest.room = getelementptr double, ptr %t.room, i64 %t.count
  %rest.zeros = select i1 %isone, ptr %zeros, ptr %rest.room
  br i1 %without, label %rest, label %time
rest:
  %rest.at = getelementptr ptr, ptr %data, i64 %before.last
  store ptr %rest.zeros, ptr %rest.at
  br label %time
"""
"""Finds room for rows, all zeros.  One state needs none: its parameters go to ``values``."""

TIME = f"""
time:
  %t = load ptr, ptr %t.given
  %t.left = icmp eq ptr %t, null
  br i1 %t.left, label %t.found, label %t.taken
t.taken:
{row("takes.time", "takes_time")}
  %t.known = icmp ne i64 %takes.time, 0
  br i1 %t.known, label %t.look, label %slow
t.look:
  %t.source = call ptr @poinsot.source(ptr %t, i1 %istwo, i64 %states, ptr %t.step.place,
    ptr %t.number)
  %t.odd = icmp eq ptr %t.source, null
  br i1 %t.odd, label %slow, label %t.found
t.found:
  %t.from = phi ptr [ @poinsot.now, %time ], [ %t.source, %t.look ]
  %t.step = load i64, ptr %t.step.place
  br i1 %timed, label %t.use, label %parameters
t.use:
  %t.rows = icmp eq i64 %t.step, 8
  %t.there = or i1 %t.rows, %isone
  br i1 %t.there, label %t.store, label %t.fill
t.fill:
  call void @poinsot.column(ptr %t.room, i64 1, ptr %t.from, i64 %t.step, i64 %states)
  br label %t.store
t.store:
  %t.place = phi ptr [ %t.from, %t.use ], [ %t.room, %t.fill ]
  %t.at = getelementptr ptr, ptr %data, i64 %t.index
  store ptr %t.place, ptr %t.at
  br label %parameters
"""
"""Notes where the times are: in what is given, or in rows of their own; zero by default."""

PARAMETERS = f"""
parameters:
  %p = load ptr, ptr %parameters.given
  %p.left = icmp eq ptr %p, null
  %p.free = icmp ne i64 %n.parameters, 0
  br i1 %p.free, label %p.look, label %p.never
p.never:
  br i1 %p.left, label %result, label %slow
p.look:
{row("p.names", "parameter_names", "ptr")}
{row("p.defaults", "parameter_defaults", "ptr")}
{row("p.known", "parameter_known", "ptr")}
{row("p.signals", "parameter_samples", "ptr")}
{row("lookup", "lookup", "ptr")}
  br i1 %p.left, label %p.each, label %p.type
p.type:
{field("p.kind", "ptr", "%p", ARRAY["type"])}
  %p.isdict = icmp eq ptr %p.kind, @poinsot_dict_type
  br i1 %p.isdict, label %p.each, label %slow
p.each:
  %i = phi i64 [ 0, %p.look ], [ 0, %p.type ], [ %i.next, %p.next ]
  %found = phi i64 [ 0, %p.look ], [ 0, %p.type ], [ %found.next, %p.next ]
  %i.more = icmp ult i64 %i, %n.parameters
  br i1 %i.more, label %p.one, label %p.all
p.one:
  %p.goal = getelementptr double, ptr %p.values, i64 %i
  br i1 %p.left, label %p.own, label %p.find
p.find:
  %p.name.at = getelementptr ptr, ptr %p.names, i64 %i
  %p.name = load ptr, ptr %p.name.at
  %p.value = call ptr @PyDict_GetItem(ptr %p, ptr %p.name)
  %p.missing = icmp eq ptr %p.value, null
  br i1 %p.missing, label %p.own, label %p.found
p.found:
  %found.one = add i64 %found, 1
  %p.source = call ptr @poinsot.source(ptr %p.value, i1 %istwo, i64 %states, ptr %p.step.place,
    ptr %p.number)
  %p.source.step = load i64, ptr %p.step.place
  %p.odd = icmp eq ptr %p.source, null
  br i1 %p.odd, label %slow, label %p.column
p.own:
  %p.signal.at = getelementptr ptr, ptr %p.signals, i64 %i
  %p.signal = load ptr, ptr %p.signal.at
  %p.sampled = icmp ne ptr %p.signal, null
  br i1 %p.sampled, label %p.samples, label %p.default
p.samples:
  call void @poinsot.samples(ptr %p.goal, i64 %n.parameters, ptr %t.from, i64 %t.step, i64 %states,
    ptr %p.signal, ptr %lookup)
  br label %p.next
p.default:
  %p.flag.at = getelementptr i64, ptr %p.known, i64 %i
  %p.flag = load i64, ptr %p.flag.at
  %p.has = icmp ne i64 %p.flag, 0
  %p.default.at = getelementptr double, ptr %p.defaults, i64 %i
  br i1 %p.has, label %p.column, label %slow
p.column:
  %p.from = phi ptr [ %p.source, %p.found ], [ %p.default.at, %p.default ]
  %p.step = phi i64 [ %p.source.step, %p.found ], [ 0, %p.default ]
  %found.more = phi i64 [ %found.one, %p.found ], [ %found, %p.default ]
  call void @poinsot.column(ptr %p.goal, i64 %n.parameters, ptr %p.from, i64 %p.step, i64 %states)
  br label %p.next
p.next:
  %found.next = phi i64 [ %found.more, %p.column ], [ %found, %p.samples ]
  %i.next = add i64 %i, 1
  br label %p.each
p.all:
  %p.index = sub i64 %n.inputs, 1
  %p.at = getelementptr ptr, ptr %data, i64 %p.index
  store ptr %p.values, ptr %p.at
  br i1 %p.left, label %result, label %p.others
p.others:
  %p.size = call i64 @PyDict_Size(ptr %p)
  %p.same = icmp eq i64 %p.size, %found
  br i1 %p.same, label %result, label %slow
"""
"""Gathers the values of the parameters, those given or their own; strange names fall back.

A value is copied before the next is asked for: a dictionary may run Python to compare its keys.
"""
