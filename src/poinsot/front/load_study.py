"""Studies from files: ``ps.load_study``."""

from __future__ import annotations

import math
import os
from pathlib import Path
from typing import Any

import numpy as np

from poinsot.assemble.driven_motion import Followed
from poinsot.front.studies import Studies
from poinsot.front.study import Study
from poinsot.front.study_files import FORMAT, KEYS, STATES
from poinsot.front.system import System
from poinsot.io.native.node import Node
from poinsot.io.tree_file import read_tree
from poinsot.simulation.files.saved_simulation import (
    checked_array,
    mechanism_from_tree,
    whole_number,
)
from poinsot.spatial import Array


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
    nodes = top.fields((*KEYS, STATES), ("format",))
    if nodes["format"].value != FORMAT:
        raise nodes["format"].must_be(f"{FORMAT!r}")
    nodes = top.fields((*KEYS, STATES), KEYS)
    system = System.from_mechanism(mechanism_from_tree(nodes["model"]))
    drives = [entry.text() for entry in nodes["drives"].entries()]
    if not drives or set(drives) - set(system.joint_names):
        raise nodes["drives"].must_be(f"joints of {system.name!r}")
    alone = nodes["shape"].value is None
    shape = () if alone else tuple(whole_number(node, 0) for node in nodes["shape"].entries())
    batch, t = () if alone else (math.prod(shape),), checked_array(nodes["t"], (None,))
    sizes = {"q": (t.size, system.nq), "v": (t.size, system.nv), "a": (t.size, system.nv),
             "reached": (), "end": (system.nq,), "ok": ()}  # fmt: skip
    arrays = {name: _array(nodes[name], (*batch, *size)) for name, size in sizes.items()}
    arrays["ok"] = arrays["ok"] > 0.5
    initial = np.array([*system.mechanism.state_values.values()])
    further = np.broadcast_to(initial, (*batch, t.size, initial.size))
    if STATES in nodes:
        further = _array(nodes[STATES], further.shape)
    motion = Followed(t, **arrays, further=further)
    if alone:
        return Study(system, motion, drives)
    numbers = _array(nodes["numbers"], (*batch, len(system.mechanism.parameter_inputs)))
    return Studies(system, motion, drives, shape, numbers)


def _array(node: Node, shape: tuple[int, ...]) -> Array:
    """Return the array of a node, in which motions that ended are NaN."""
    array = node.value
    if not isinstance(array, np.ndarray) or array.shape != shape or array.dtype != np.float64:
        raise node.must_be(f"an array of shape {shape}")
    return array
