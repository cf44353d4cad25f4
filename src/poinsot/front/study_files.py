"""Files of studies: the model with its drives, and the states."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import numpy as np

from poinsot.assemble.driven_motion import Followed
from poinsot.errors import ModelError
from poinsot.front.system import System
from poinsot.io.native import native_from_mechanism
from poinsot.io.tree_file import write_tree
from poinsot.spatial import Array

FORMAT: Final = "poinsot-study/1"
"""What the key ``format`` must say."""
ARRAYS: Final = ("t", "q", "v", "a", "reached", "end", "ok")
KEYS: Final = ("format", "model", "drives", "shape", "numbers", *ARRAYS)
STATES: Final = "states"
"""Key of the further states, where there are some."""


def save_studies(
    file: Path, system: System, motion: Followed, drives: tuple[str, ...],
    batch: tuple[tuple[int, ...], Array] | None,
) -> Path:  # fmt: skip
    """Write one motion, or a batch: its shape and the values of its parameters."""
    if file.suffix.lower() != ".npz":
        raise ModelError(f"save: the file of a study must end in .npz, got {file.name!r}")
    shape, numbers = (None, np.zeros(0)) if batch is None else (list(batch[0]), batch[1])
    states = {name: np.asarray(getattr(motion, name), np.float64) for name in ARRAYS}
    model = native_from_mechanism(system.description)
    tree: dict[str, Any] = {"format": FORMAT, "model": model, "drives": list(drives)}
    if motion.further is not None and system.states:
        states[STATES] = motion.further
    write_tree(file, tree | {"shape": shape, "numbers": numbers, **states})
    return file
