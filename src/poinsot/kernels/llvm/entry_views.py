"""The native entry, for quantities of several things: a dictionary of arrays by name.

Their numbers stand in columns of one vector, the *memory*, as ``kernels/columns.py`` lays them out;
of one state they stand side by side.  Each array is a view of the memory, which it keeps alive.  A
callable carries a table of i64: how many views there are, and for each

    address of its name, first column, number of axes (1 or 2), its dimensions

``out=`` is a dictionary from an earlier call of the same shape, whose memory is written again.
"""

from __future__ import annotations

from typing import Final

from poinsot.kernels.llvm.entry_layout import (
    ALIGNED,
    ARRAY,
    NPY_DOUBLE,
    WRITEABLE,
    WRITEABLE_ONLY,
    field,
    header,
)

RECORD: Final = 5
"""Numbers of a view in the table."""

FUNCTIONS = f"""
define internal ptr @poinsot.aligned(ptr %data, i64 %batched) nounwind {{
  %address = ptrtoint ptr %data to i64
  %up = add i64 %address, 63
  %line = and i64 %up, -64
  %many = icmp ne i64 %batched, 0
  %start = select i1 %many, i64 %line, i64 %address
  %place = inttoptr i64 %start to ptr
  ret ptr %place
}}

define internal i64 @poinsot.views.shape(ptr %view, i64 %batched, i64 %states, i64 %step,
    ptr %dims, ptr %strides) nounwind {{
{field("axes", "i64", "%view", 16)}
{field("d0", "i64", "%view", 24)}
{field("d1", "i64", "%view", 32)}
  store i64 %states, ptr %dims
  store i64 8, ptr %strides
  %dims.own = getelementptr i64, ptr %dims, i64 %batched
  %strides.own = getelementptr i64, ptr %strides, i64 %batched
  %column = shl i64 %step, 3
  %row = mul i64 %column, %d1
  %pair = icmp eq i64 %axes, 2
  %first = select i1 %pair, i64 %row, i64 %column
  store i64 %d0, ptr %dims.own
  store i64 %first, ptr %strides.own
  br i1 %pair, label %second, label %done
second:
  %dims.last = getelementptr i64, ptr %dims.own, i64 1
  %strides.last = getelementptr i64, ptr %strides.own, i64 1
  store i64 %d1, ptr %dims.last
  store i64 %column, ptr %strides.last
  br label %done
done:
  %ndim = add i64 %axes, %batched
  ret i64 %ndim
}}

define internal ptr @poinsot.views.place(ptr %view, ptr %start, i64 %step) nounwind {{
{field("first", "i64", "%view", 8)}
  %skip = mul i64 %first, %step
  %place = getelementptr double, ptr %start, i64 %skip
  ret ptr %place
}}

define internal ptr @poinsot.views.new(ptr %views, ptr %memory, ptr %start, i64 %batched,
    i64 %states, i64 %step) {{
  %dims = alloca i64, i64 3
  %strides = alloca i64, i64 3
  %count = load i64, ptr %views
  %records = getelementptr i64, ptr %views, i64 1
  %dict = call ptr @PyDict_New()
  %none = icmp eq ptr %dict, null
  br i1 %none, label %failed, label %view
view:
  %k = phi i64 [ 0, %0 ], [ %k.next, %kept ]
  %more = icmp ult i64 %k, %count
  br i1 %more, label %make, label %done
make:
  %k.skip = mul i64 %k, {RECORD}
  %record = getelementptr i64, ptr %records, i64 %k.skip
  %name = load ptr, ptr %record
  %ndim64 = call i64 @poinsot.views.shape(ptr %record, i64 %batched, i64 %states, i64 %step,
    ptr %dims, ptr %strides)
  %ndim = trunc i64 %ndim64 to i32
  %place = call ptr @poinsot.views.place(ptr %record, ptr %start, i64 %step)
  %array = call ptr @poinsot_new_array(ptr @poinsot_array_type, i32 %ndim, ptr %dims,
    i32 {NPY_DOUBLE}, ptr %strides, ptr %place, i32 0, i32 {WRITEABLE_ONLY}, ptr null)
  %missing = icmp eq ptr %array, null
  br i1 %missing, label %drop, label %base
base:
  call void @Py_IncRef(ptr %memory)
  %based = call i32 @poinsot_set_base(ptr %array, ptr %memory)
  %unbased = icmp slt i32 %based, 0
  br i1 %unbased, label %drop.array, label %keep
keep:
  %set = call i32 @PyDict_SetItem(ptr %dict, ptr %name, ptr %array)
  %unset = icmp slt i32 %set, 0
  br i1 %unset, label %drop.array, label %kept
kept:
  call void @Py_DecRef(ptr %array)
  %k.next = add i64 %k, 1
  br label %view
done:
  call void @Py_DecRef(ptr %memory)
  ret ptr %dict
drop.array:
  call void @Py_DecRef(ptr %array)
  br label %drop
drop:
  call void @Py_DecRef(ptr %dict)
  br label %failed
failed:
  call void @Py_DecRef(ptr %memory)
  ret ptr null
}}

define internal ptr @poinsot.views.item(ptr %dict, ptr %record) {{
  %name = load ptr, ptr %record
  %item = call ptr @PyDict_GetItem(ptr %dict, ptr %name)
  %missing = icmp eq ptr %item, null
  br i1 %missing, label %none, label %some
some:
{field("type", "ptr", "%item", ARRAY["type"])}
  %isarray = icmp eq ptr %type, @poinsot_array_type
  br i1 %isarray, label %good, label %none
good:
  ret ptr %item
none:
  ret ptr null
}}

define internal ptr @poinsot.views.memory(ptr %dict, ptr %views, i64 %batched, i64 %states,
    i64 %step, i64 %doubles) {{
  %dims = alloca i64, i64 3
  %strides = alloca i64, i64 3
{field("kind", "ptr", "%dict", ARRAY["type"])}
  %isdict = icmp eq ptr %kind, @poinsot_dict_type
  br i1 %isdict, label %length, label %none
length:
  %count = load i64, ptr %views
  %size = call i64 @PyDict_Size(ptr %dict)
  %alike = icmp eq i64 %size, %count
  br i1 %alike, label %head, label %none
head:
  %records = getelementptr i64, ptr %views, i64 1
  %head.item = call ptr @poinsot.views.item(ptr %dict, ptr %records)
  %head.none = icmp eq ptr %head.item, null
  br i1 %head.none, label %none, label %owner
owner:
{field("memory", "ptr", "%head.item", ARRAY["base"])}
  %unowned = icmp eq ptr %memory, null
  br i1 %unowned, label %none, label %owned
owned:
{field("memory.type", "ptr", "%memory", ARRAY["type"])}
  %memory.isarray = icmp eq ptr %memory.type, @poinsot_array_type
  br i1 %memory.isarray, label %vector, label %none
vector:
{header("m", "%memory", WRITEABLE)}
  %flat = icmp eq i32 %m.ndim, 1
  %usable = and i1 %flat, %m.usable
  br i1 %usable, label %long, label %none
long:
  %length.m = load i64, ptr %m.dims
  %fitting = icmp eq i64 %length.m, %doubles
{field("m.data", "ptr", "%memory", ARRAY["data"])}
  %start = call ptr @poinsot.aligned(ptr %m.data, i64 %batched)
  br i1 %fitting, label %view, label %none
view:
  %k = phi i64 [ 0, %long ], [ %k.next, %axis ]
  %more = icmp ult i64 %k, %count
  br i1 %more, label %look, label %found
look:
  %k.skip = mul i64 %k, {RECORD}
  %record = getelementptr i64, ptr %records, i64 %k.skip
  %item = call ptr @poinsot.views.item(ptr %dict, ptr %record)
  %item.none = icmp eq ptr %item, null
  br i1 %item.none, label %none, label %same
same:
  %ndim64 = call i64 @poinsot.views.shape(ptr %record, i64 %batched, i64 %states, i64 %step,
    ptr %dims, ptr %strides)
  %ndim = trunc i64 %ndim64 to i32
  %place = call ptr @poinsot.views.place(ptr %record, ptr %start, i64 %step)
{header("i", "%item", ALIGNED | WRITEABLE_ONLY)}
{field("i.data", "ptr", "%item", ARRAY["data"])}
{field("i.base", "ptr", "%item", ARRAY["base"])}
{field("i.strides", "ptr", "%item", ARRAY["strides"])}
  %i.there = icmp eq ptr %i.data, %place
  %i.owned = icmp eq ptr %i.base, %memory
  %i.same = icmp eq i32 %i.ndim, %ndim
  %i.one = and i1 %i.there, %i.same
  %i.both = and i1 %i.owned, %i.usable
  %i.good = and i1 %i.one, %i.both
  %k.next = add i64 %k, 1
  br i1 %i.good, label %axis, label %none
axis:
  %x = phi i64 [ 0, %same ], [ %x.next, %fits ]
  %x.more = icmp ult i64 %x, %ndim64
  br i1 %x.more, label %fits, label %view
fits:
  %x.dim.at = getelementptr i64, ptr %i.dims, i64 %x
  %x.dim = load i64, ptr %x.dim.at
  %x.wanted.at = getelementptr i64, ptr %dims, i64 %x
  %x.wanted = load i64, ptr %x.wanted.at
  %x.stride.at = getelementptr i64, ptr %i.strides, i64 %x
  %x.stride = load i64, ptr %x.stride.at
  %x.step.at = getelementptr i64, ptr %strides, i64 %x
  %x.step = load i64, ptr %x.step.at
  %x.long = icmp eq i64 %x.dim, %x.wanted
  %x.apart = icmp eq i64 %x.stride, %x.step
  %x.same = and i1 %x.long, %x.apart
  %x.next = add i64 %x, 1
  br i1 %x.same, label %axis, label %none
found:
  ret ptr %memory
none:
  ret ptr null
}}
"""
"""``views.new`` makes the dictionary and takes over the reference to the memory; ``views.memory``
returns that of a dictionary that could have been made so, else null."""
