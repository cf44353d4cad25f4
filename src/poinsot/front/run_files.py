"""Files of runs: the model and the trajectory."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from poinsot.errors import ModelError
from poinsot.front.system import System
from poinsot.io.native import native_from_mechanism
from poinsot.io.native.node import Node
from poinsot.io.tree_file import write_tree
from poinsot.simulation.files.checkpoint_writer import FORMAT as CHECKPOINT
from poinsot.simulation.files.saved_simulation import mechanism_from_tree
from poinsot.simulation.files.saved_trajectory import KEYS, trajectory_from_tree, trajectory_tree
from poinsot.simulation.running.trajectory import Trajectory

FORMAT: Final = "poinsot-run/1"
"""What the key ``format`` must say."""


def save_run(system: System, trajectory: Trajectory, path: str | os.PathLike[str]) -> Path:
    """Write a run to a file; see ``Run.save``."""
    file = Path(path)
    model = native_from_mechanism(system.description)
    write_tree(file, {"format": FORMAT, "model": model, **trajectory_tree(trajectory)})
    return file


def run_from_tree(top: Node) -> tuple[System, Trajectory]:
    """Return the content of a file that ``save_run`` wrote; see ``load_run``."""
    if isinstance(top.value, dict) and top.value.get("format") == CHECKPOINT:
        where = top.where
        raise ModelError(
            f"{where}: is a checkpoint of a run in progress; ps.resume goes on with it"
        )
    keys = ("format", "model", *KEYS)
    nodes = top.fields(keys, ("format",))
    if nodes["format"].value != FORMAT:
        raise nodes["format"].must_be(f"{FORMAT!r}")
    nodes = top.fields(keys, keys)
    description = mechanism_from_tree(nodes["model"])
    return System.from_mechanism(description), trajectory_from_tree(description.bound, nodes)
