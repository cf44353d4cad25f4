"""Trees of plain values and arrays in files: NumPy's ``.npz`` and Parquet.

A tree is dicts, lists, texts, numbers, true, false, null and float64 arrays.  The arrays stand in
the file by themselves, under their path in the tree (``equations.tau``), and the rest as one text
in JSON, ``description``.  Nothing in such a file can run code: no pickles, and what does not fit is
rejected before memory is taken for it.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.lib import format as npy

from poinsot.errors import ModelError, PoinsotError
from poinsot.io import native
from poinsot.io.atomic_write import temporary_file
from poinsot.io.optional_packages import imported
from poinsot.spatial import Array

__all__ = ["read_tree", "write_tree"]

Tree: TypeAlias = dict[str, Any]

DESCRIPTION: Final = "description"
"""Name of the text."""

ARRAY: Final = "array"
"""Key of the object that stands in the text for an array: its name in the file."""

COLUMNS: Final = "columns"
"""Key of the part of a tree, arrays of one length, that is the table of a Parquet file."""

_LARGEST_HEADER = 10_000
_EPOCH = (1980, 1, 1, 0, 0, 0)
"""The earliest date that zip knows: without a date the same tree gives the same file."""


def write_tree(path: Path, tree: Tree) -> None:
    """Write a tree to a file atomically; the suffix says how.

    Args:
        path: The file, ``.npz`` or ``.parquet``.
        tree: The tree; ``tree["columns"]`` holds arrays of shape (n,) by name.

    Raises:
        ModelError: If the suffix is another.
        OSError: If it cannot be written.
    """
    write = _chosen(_WRITERS, path)
    arrays: dict[str, Array] = {}
    text = json.dumps(_without_arrays(tree, "", arrays), allow_nan=False)
    with temporary_file(path) as temporary:
        write(temporary, text, arrays)


def read_tree(path: Path) -> Tree:
    """Return the tree of a file that ``write_tree`` wrote.

    Raises:
        ModelError: If it is no such file.
        OSError: If it cannot be opened.
    """
    read = _chosen(_READERS, path)
    with path.open("rb"), _refused(path):
        arrays = read(path)
        text = arrays.pop(DESCRIPTION, None)
        if not isinstance(text, bytes):
            raise ModelError(f"there is no {DESCRIPTION!r} in it; poinsot writes one")
    with _refused(path):
        tree: Tree = _with_arrays(native.from_json(text.decode("utf-8"), str(path)), arrays)
    return tree


def _without_arrays(value: Any, path: str, arrays: dict[str, Array]) -> Any:  # noqa: ANN401
    """Return a tree with names in place of its arrays, which are added to ``arrays``."""
    if isinstance(value, np.ndarray):
        arrays[path] = value
        return {ARRAY: path}
    if isinstance(value, Mapping):
        start = f"{path}." if path else ""
        return {key: _without_arrays(item, f"{start}{key}", arrays) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_without_arrays(item, f"{path}[{k}]", arrays) for k, item in enumerate(value)]
    return value


def _with_arrays(value: Any, arrays: Mapping[str, Any]) -> Any:  # noqa: ANN401
    if isinstance(value, dict):
        if set(value) == {ARRAY}:
            name = value[ARRAY]
            if not isinstance(name, str) or not isinstance(arrays.get(name), np.ndarray):
                raise ModelError(f"there is no array {str(name)[:60]!r} in it")
            return arrays[name]
        return {key: _with_arrays(item, arrays) for key, item in value.items()}
    return [_with_arrays(item, arrays) for item in value] if isinstance(value, list) else value


def _write_npz(path: Path, text: str, arrays: Mapping[str, Array]) -> None:
    held = {DESCRIPTION: np.frombuffer(text.encode("utf-8"), np.uint8), **arrays}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as file:
        for name, array in held.items():
            with file.open(zipfile.ZipInfo(f"{name}.npy", _EPOCH), "w", force_zip64=True) as stream:
                npy.write_array(stream, array, allow_pickle=False)


def _read_npz(path: Path) -> dict[str, Any]:
    arrays: dict[str, Any] = {}
    with zipfile.ZipFile(path) as file:
        for info in file.infolist():
            if info.compress_type != zipfile.ZIP_STORED:  # so that memory is bounded by the file
                raise ModelError(f"{info.filename[:60]!r} in it is compressed; poinsot does not")
            name = info.filename.removesuffix(".npy")
            with file.open(info) as stream:
                arrays[name] = _array(stream.read(), name)
    return arrays


def _array(content: bytes, name: str) -> Any:  # noqa: ANN401 (an array, or the text)
    """Return an array of a file in NumPy's format, without a copy."""
    stream = BytesIO(content)
    version = npy.read_magic(stream)
    if version != (1, 0):
        raise ModelError(f"{name[:60]!r} in it has another version of NumPy's format")
    shape, fortran, dtype = npy.read_array_header_1_0(stream, max_header_size=_LARGEST_HEADER)
    if name == DESCRIPTION and dtype == np.uint8:
        return content[stream.tell() :]
    array = np.frombuffer(content, np.uint8, offset=stream.tell())
    if dtype != np.float64 or array.size != 8 * np.prod([float(size) for size in shape]):
        raise ModelError(f"{name[:60]!r} in it is no array of float64")
    return array.view(np.float64).reshape(shape, order="F" if fortran else "C").copy()


def _write_parquet(path: Path, text: str, arrays: Mapping[str, Array]) -> None:
    pa, pq = _arrow()
    start = f"{COLUMNS}."
    columns = {
        key.removeprefix(start): array for key, array in arrays.items() if key.startswith(start)
    }
    metadata = {DESCRIPTION: text.encode("utf-8")}
    for key, array in arrays.items():
        if not key.startswith(start):
            stream = BytesIO()
            npy.write_array(stream, array, allow_pickle=False)
            metadata[key] = stream.getvalue()
    table = pa.table({key: pa.array(column, pa.float64()) for key, column in columns.items()})
    table = table.replace_schema_metadata(metadata)
    pq.write_table(table, path, compression="none", write_page_checksum=True)


def _read_parquet(path: Path) -> dict[str, Any]:
    pa, pq = _arrow()
    table = pq.read_table(path, page_checksum_verification=True)
    arrays: dict[str, Any] = {}
    for key, content in (table.schema.metadata or {}).items():
        name = key.decode("utf-8")
        if name != "ARROW:schema" and name != "pandas":
            arrays[name] = content if name == DESCRIPTION else _array(content, name)
    for name in table.column_names:
        column = table.column(name)
        if column.type != pa.float64() or column.null_count:
            raise ModelError(f"the column {name[:60]!r} must be of float64 without gaps")
        arrays[f"{COLUMNS}.{name}"] = np.array(column.to_numpy())
    return arrays


def _arrow() -> tuple[Any, Any]:
    what = "a run in a Parquet file"
    return imported("pyarrow", "data", what), imported("pyarrow.parquet", "data", what)


@contextmanager
def _refused(path: Path) -> Iterator[None]:
    """Say of a file that cannot be read what is wrong with it."""
    try:
        yield
    except PoinsotError as error:
        if isinstance(error, ImportError):
            raise
        said = str(error)
        raise ModelError(said if said.startswith(str(path)) else f"{path}: {said}") from None
    except Exception as error:  # the parsers of zip, NumPy and Arrow raise whatever they like
        raise ModelError(f"{path}: no run of poinsot: {error}") from error


def _chosen(table: Mapping[str, Callable[..., Any]], path: Path) -> Callable[..., Any]:
    if path.suffix.lower() not in table:
        raise ModelError(
            f"{path}: files with the suffix {path.suffix!r} hold no runs; known are "
            + ", ".join(table)
        )
    return table[path.suffix.lower()]


_WRITERS: Final = {".npz": _write_npz, ".parquet": _write_parquet}
_READERS: Final = {".npz": _read_npz, ".parquet": _read_parquet}
