"""Files of studies: the model with its drives, and the states."""

from __future__ import annotations

import math
import os
from pathlib import Path
from typing import Any, Final

import numpy as np

from poinsot.assemble.driven_motion import Followed
from poinsot.errors import ModelError
from poinsot.front.studies import Studies
from poinsot.front.study import Study
from poinsot.front.system import System
from poinsot.io.native import native_from_mechanism
from poinsot.io.native.node import Node
from poinsot.io.tree_file import read_tree, write_tree
from poinsot.simulation.files.saved_simulation import (
    checked_array,
    mechanism_from_tree,
    whole_number,
)
from poinsot.spatial import Array

FORMAT: Final = "poinsot-study/1"
"""What the key ``format`` must say."""
_ARRAYS: Final = ("t", "q", "v", "a", "reached", "end", "ok")
_KEYS: Final = ("format", "model", "drives", "shape", "numbers", *_ARRAYS)


def save_studies(
    file: Path, system: System, motion: Followed, drives: tuple[str, ...],
    batch: tuple[tuple[int, ...], Array] | None,
) -> Path:  # fmt: skip
    """Write one motion, or a batch: its shape and the values of its parameters."""
    if file.suffix.lower() != ".npz":
        raise ModelError(f"save: the file of a study must end in .npz, got {file.name!r}")
    shape, numbers = (None, np.zeros(0)) if batch is None else (list(batch[0]), batch[1])
    states = {name: np.asarray(getattr(motion, name), np.float64) for name in _ARRAYS}
    model = native_from_mechanism(system.description)
    tree: dict[str, Any] = {"format": FORMAT, "model": model, "drives": list(drives)}
    write_tree(file, tree | {"shape": shape, "numbers": numbers, **states})
    return file


def load_study(path: str | os.PathLike[str]) -> Any:  # noqa: ANN401 (a Study, or Studies)
    """Return the ``Study`` or ``Studies`` that ``save`` wrote to a file.

    Args:
        path: The file, ``.npz``.

    Raises:
        OSError: If it cannot be opened.
        ModelError: If it is no study, or its content is invalid; the message names the error.
    """
    file = Path(path)
    top = Node(read_tree(file), "", str(file))
    nodes = top.fields(_KEYS, ("format",))
    if nodes["format"].value != FORMAT:
        raise nodes["format"].must_be(f"{FORMAT!r}")
    nodes = top.fields(_KEYS, _KEYS)
    system = System.from_mechanism(mechanism_from_tree(nodes["model"]))
    drives = [entry.text() for entry in nodes["drives"].entries()]
    if not drives or set(drives) - set(system.joint_names):
        raise nodes["drives"].must_be(f"joints of {system.name!r}")
    one = nodes["shape"].value is None
    shape = () if one else tuple(whole_number(node, 0) for node in nodes["shape"].entries())
    batch, t = () if one else (math.prod(shape),), checked_array(nodes["t"], (None,))
    sizes = {"q": (t.size, system.nq), "v": (t.size, system.nv), "a": (t.size, system.nv),
             "reached": (), "end": (system.nq,), "ok": ()}  # fmt: skip
    arrays = {name: _array(nodes[name], (*batch, *size)) for name, size in sizes.items()}
    arrays["ok"] = arrays["ok"] > 0.5
    motion = Followed(t, **arrays)
    if one:
        return Study(system, motion, drives)
    numbers = _array(nodes["numbers"], (*batch, len(system.free)))
    return Studies(system, motion, drives, shape, numbers)


def _array(node: Node, shape: tuple[int, ...]) -> Array:
    """Return the array of a node, in which motions that ended are NaN."""
    array = node.value
    if not isinstance(array, np.ndarray) or array.shape != shape or array.dtype != np.float64:
        raise node.must_be(f"an array of shape {shape}")
    return array
