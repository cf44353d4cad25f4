"""MJCF, MuJoCo's models, to a mechanism: bodies, joints, inertia, gravity and equalities.

As mujoco.readthedocs.io specifies (XML reference).  What else a file holds is listed in a warning:
contacts, actuators, tendons, sensors and pictures.
"""

from __future__ import annotations

import os
import warnings
from dataclasses import dataclass

import numpy as np

from poinsot.errors import ModelError, ModelWarning
from poinsot.io.mjcf.bodies import Reading, bodies_of
from poinsot.io.mjcf.compiler import compiler_of, gravity_of
from poinsot.io.mjcf.defaults import Defaults
from poinsot.io.mjcf.equality import closures_of
from poinsot.io.mjcf.folder import Folder
from poinsot.io.mjcf.ignored_elements import LeftOut
from poinsot.io.mjcf.include import expand
from poinsot.io.mjcf.meshes import Meshes
from poinsot.io.mjcf.reference_configuration import reference_of
from poinsot.io.mjcf.worldbody import branches_of
from poinsot.io.xml import MAX_SIZE, Element, parse_xml
from poinsot.model import Mechanism

__all__ = ["MjcfModel", "model_from_mjcf", "read_mjcf"]

_TAKEN = ("compiler", "option", "default", "asset", "worldbody", "equality")
"""The sections that are read."""


@dataclass(frozen=True)
class MjcfModel:
    """What is taken from a file.

    Attributes:
        mechanism: The mechanism.
        q: The coordinates at which its bodies are where the file places them, MuJoCo's ``qpos0``.
    """

    mechanism: Mechanism
    q: tuple[float, ...]


def model_from_mjcf(
    text: str, *, folder: str | os.PathLike[str] | None = None, passive: bool = True
) -> MjcfModel:
    """Return the model that an MJCF describes.

    q is MuJoCo's ``qpos`` and v its ``qvel``, but for the first three velocities of a free joint,
    which MuJoCo gives in the axes of the world and we in those of the body.  Bodies keep their
    names and frames; those with several joints hang on massless ones, ``body/joint``; sites with a
    name are massless bodies fixed to theirs.  A free body is at the world's origin where its
    coordinates are zero; the ``q`` of the model has the place that the file gives it.

    ``<equality>``: connect is a loop with a spherical joint, weld one with a fixed joint, joint a
    gear, or a formula if its polynomial is not linear.  MuJoCo's are soft, ours hold exactly.

    Args:
        text: The MJCF.
        folder: Where files that it names are looked for; none is read without it, and none that
            lies elsewhere.
        passive: Whether to take damping, springs and friction of the joints.

    Raises:
        ModelError: If it is no MJCF, or uses what cannot be left out; the message names the line.

    Warns:
        ModelWarning: With the list of what was not taken.

    Examples:
        >>> with warnings.catch_warnings(action="ignore"):
        ...     arm = model_from_mjcf('''<mujoco><worldbody><body name="rod" pos="0 0 1">
        ...       <joint name="hinge" axis="0 1 0"/><geom type="box" size="0.1 0.1 0.5" mass="3"/>
        ...     </body></worldbody></mujoco>''').mechanism
        >>> arm.bodies[0].mass, arm.bodies[0].joint
        (3.0, Revolute(name='hinge', axis=(0.0, 1.0, 0.0)))
    """
    return _model(parse_xml(text, "MJCF"), Folder(folder), passive=passive)


def read_mjcf(path: str | os.PathLike[str], *, passive: bool = True) -> MjcfModel:
    """Return the model of an MJCF file; see :func:`model_from_mjcf`.

    Args:
        path: The file; those that it names must lie in its folder.
        passive: Whether to take damping, springs and friction of the joints.

    Raises:
        ModelError: If it describes no mechanism; the message begins with the file.
        OSError: If the file cannot be read.
    """
    with open(path, "rb") as file:
        data = file.read(MAX_SIZE + 1)
    try:
        folder = Folder(os.path.dirname(os.path.realpath(path)))
        return _model(parse_xml(data, "MJCF"), folder, passive=passive)
    except ModelError as error:
        raise ModelError(f"{os.fspath(path)}: {error}") from error


@np.errstate(all="ignore")  # huge numbers are rejected by the model's checks, with a message
def _model(root: Element, folder: Folder, *, passive: bool) -> MjcfModel:
    if root.tag != "mujoco":
        root.refuse(f"the outermost element must be <mujoco>, got <{root.tag[:60]}>")
    expand(root, folder)
    left_out = LeftOut()
    compiler = compiler_of(root, left_out)
    gravity = gravity_of(root, left_out)
    defaults = Defaults(root, left_out)
    meshes = Meshes(root, defaults, compiler, folder, left_out)
    branches = branches_of(root, defaults, compiler, left_out)
    bodies, q = bodies_of(branches, Reading(compiler, meshes, left_out, passive))
    if not bodies:
        root.refuse("there is no <body> in <worldbody>; there must be at least one")
    name = root.attributes.get("model", "").strip() or "MuJoCo Model"
    reference = reference_of(branches, bodies, q, compiler)
    loops, constraints = closures_of(root, defaults, reference, bodies, left_out)
    with root.named("mujoco"):
        mechanism = Mechanism(name, bodies, gravity, loops=loops, constraints=constraints)
    for section in root.children:
        if section.tag not in _TAKEN and not section.children:
            left_out.element(section.tag, section)
        elif section.tag not in _TAKEN:
            for child in section.children:
                left_out.element(f"{section.tag}/{child.tag}", child)
    told = left_out.told()
    if told:
        warnings.warn(f"MJCF: not taken: {told}", ModelWarning, stacklevel=4)
    return MjcfModel(mechanism, tuple(q))
