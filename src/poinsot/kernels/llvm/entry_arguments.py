"""The native entry, first part: which arguments are given, and where their numbers are.

Keywords are known by the addresses of their names, which CPython interns where they are written in
a call; others fall back, and so does whatever is not exactly as expected.
"""

from __future__ import annotations

from poinsot.kernels.llvm.entry_layout import (
    ARRAY,
    CONTIGUOUS_ALIGNED,
    ITEMS,
    ROWS,
    SIZE,
    field,
    header,
    row,
)

GIVEN = {"out": "%some", "parameters": "%some", "t": "%given"}
"""What is taken by keyword, and which value is noted: None is nothing, except for the time."""


def _noted(key: str, value: str, otherwise: str) -> str:
    """Return IR lines that note the value of a keyword, or try the next one."""
    return f"""
look.{key}:
  %is.{key} = icmp eq ptr %name, @poinsot_name_{key}
  br i1 %is.{key}, label %note.{key}, label %{otherwise}
note.{key}:
  store ptr {value}, ptr %{key}.given
  br label %noted"""


def _all_noted() -> str:
    keys = list(GIVEN)
    others = [*(f"look.{key}" for key in keys[1:]), "slow"]
    return "".join(_noted(key, GIVEN[key], other) for key, other in zip(keys, others, strict=True))


KEYWORDS = f"""
  %plain = icmp eq ptr %kwnames, null
  br i1 %plain, label %begin, label %keywords
keywords:
{field("n.keywords", "i64", "%kwnames", SIZE)}
{row("takes.out", "takes_out")}
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
  br label %look.{next(iter(GIVEN))}
{_all_noted()}
noted:
  br label %keyword
"""
"""Notes what is given as out, parameters and t."""

ARRAYS = f"""
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
{field("first.type", "ptr", "%first", ARRAY["type"])}
  %first.isarray = icmp eq ptr %first.type, @poinsot_array_type
  br i1 %first.isarray, label %axes, label %slow
axes:
{field("ndim", "i32", "%first", ARRAY["ndim"])}
{field("first.dims", "ptr", "%first", ARRAY["dims"])}
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
  br label %check
check:
  %k = phi i64 [ 0, %count ], [ %k.next, %good ]
  %arg.at = getelementptr ptr, ptr %args, i64 %k
  %arg = load ptr, ptr %arg.at
{field("type", "ptr", "%arg", ARRAY["type"])}
  %isarray = icmp eq ptr %type, @poinsot_array_type
  br i1 %isarray, label %look, label %slow
look:
{header("arg", "%arg", CONTIGUOUS_ALIGNED)}
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
{field("arg.data", "ptr", "%arg", ARRAY["data"])}
  %data.at = getelementptr ptr, ptr %data, i64 %k
  store ptr %arg.data, ptr %data.at
  %k.next = add i64 %k, 1
  %more = icmp ult i64 %k.next, %nargs
  br i1 %more, label %check, label %room
"""
"""Checks the positional arguments and notes where their numbers are."""
