"""What the native entry reads: objects of CPython and NumPy, and the table that a callable carries.

NumPy's array header has had the same layout since NumPy 1.0 (``PyArrayObject_fields`` in
ndarraytypes.h); ``supported`` in ``entry.py`` checks that on a real one first, and so it does with
CPython's floats and tuples.
"""

from __future__ import annotations

MOST_INPUTS = 8
MOST_AXES = 5
MOST_PARAMETERS = 64

# Offsets [bytes] behind the reference count.
ARRAY = {
    "type": 8,
    "data": 16,
    "ndim": 24,
    "dims": 32,
    "strides": 40,
    "base": 48,
    "descr": 56,
    "flags": 64,
}
"""In an array object."""
VALUE = 16
"""In a float, also NumPy's float64."""
SIZE = 16
"""In a tuple."""
ITEMS = tuple.__basicsize__
"""In a tuple: where its items begin, 24, or 32 from CPython 3.14 on."""

ALIGNED = 0x0100  # NPY_ARRAY_ALIGNED
CONTIGUOUS_ALIGNED = 0x0001 | ALIGNED  # and NPY_ARRAY_C_CONTIGUOUS
WRITEABLE = CONTIGUOUS_ALIGNED | 0x0400  # and NPY_ARRAY_WRITEABLE
WRITEABLE_ONLY = 0x0400
NPY_DOUBLE = 12

_NAMES = (
    "n_inputs",
    "n_positional",
    "single",
    "batch",
    "fallback",
    "out_axes",
    "out_bytes",
    "release_from",
    "threads_from",
    "work",
    "zeros",
    "takes_out",
    "takes_time",
    "time",
    "n_parameters",
    "parameter_names",
    "parameter_defaults",
    "parameter_known",
    "parameter_samples",
    "lookup",
    "guarded",
    "views",
    "sizes",
)
ROWS = {name: k for k, name in enumerate(_NAMES)} | {"out_dims": len(_NAMES) - 1 + MOST_INPUTS}
"""Where the table has what: int64 each, as many ``sizes`` as inputs and ``out_dims`` as axes."""


def field(name: str, kind: str, base: str, offset: int) -> str:
    """Return IR lines that load the field at an offset [bytes]."""
    return (
        f"  %{name}.at = getelementptr i8, ptr {base}, i64 {offset}\n"
        f"  %{name} = load {kind}, ptr %{name}.at"
    )


def row(name: str, key: str, kind: str = "i64") -> str:
    """Return IR lines that load a row of the table."""
    return field(name, kind, "%table", 8 * ROWS[key])


def header(name: str, array: str, flags: int) -> str:
    """Return IR lines that read the header of an array, and whether it is float64 with flags."""
    kinds = {"ndim": "i32", "dims": "ptr", "descr": "ptr", "flags": "i32"}
    fields = [field(f"{name}.{key}", kind, array, ARRAY[key]) for key, kind in kinds.items()]
    return "\n".join(
        [
            *fields,
            f"  %{name}.isdouble = icmp eq ptr %{name}.descr, @poinsot_float64",
            f"  %{name}.masked = and i32 %{name}.flags, {flags}",
            f"  %{name}.straight = icmp eq i32 %{name}.masked, {flags}",
            f"  %{name}.usable = and i1 %{name}.isdouble, %{name}.straight",
        ]
    )
