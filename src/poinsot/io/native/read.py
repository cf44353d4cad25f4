"""From the tree of a file to the mechanism."""

from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from poinsot.io.meshes import MeshFolder
from poinsot.io.native.constraints import read_constraint, read_loop
from poinsot.io.native.elements import read_element, read_fields
from poinsot.io.native.forces import read_force
from poinsot.io.native.node import Node
from poinsot.io.native.notation import NULL
from poinsot.io.native.signals import read_signals
from poinsot.model import Body, Mechanism
from poinsot.model.dh_tables import dh_bodies, low_pair_bodies, mdh_bodies
from poinsot.model.parameters import checked_parameter_name

__all__ = ["FORMAT", "mechanism_from_native"]

FORMAT: Final = "poinsot/1"
"""What the key ``format`` must say."""

_NOT_YET: Final = {
    "base": "is no part of a system here; give it to simulate and to the dynamics: base=...",
    "kind": "is not supported yet; leave it out",
}
"""Keys of the format that this version refuses, and what it says."""

_DH: Final = ("a", "alpha", "d", "theta", "joint")
_TABLES: Final[dict[str, tuple[Callable[..., list[Body]], tuple[str, ...]]]] = {
    "low_pairs": (low_pair_bodies, ("a", "b", "alpha", "nu")),
    "dh": (dh_bodies, _DH),
    "mdh": (mdh_bodies, _DH),
}
"""What may stand in place of ``bodies``: what makes the bodies, and the keys of a row."""

_KEYS: Final = (
    "format",
    "name",
    "gravity",
    "parameters",
    "signals",
    "free",
    "bodies",
    "loops",
    "constraints",
    "forces",
    "states",
    *_TABLES,
    *_NOT_YET,
)


@np.errstate(all="ignore")  # huge numbers are rejected by the model's checks, with a message
def mechanism_from_native(
    data: Mapping[str, Any], where: str, folder: str | None = None
) -> Mechanism:
    """Return the mechanism that a tree of keys describes.

    Args:
        data: The tree: dicts, lists, texts and numbers.
        where: What messages call the file.
        folder: Where the file is; meshes are looked for there.

    Raises:
        ModelError: If something is wrong; the message says where.
        FormulaError: If a formula cannot be read.

    >>> data = {"format": "poinsot/1", "name": "arm", "bodies": [{"name": "hand", "mass": 2}]}
    >>> mechanism_from_native(data, "arm.json").bodies[0].mass
    2.0
    """
    meshes = MeshFolder(folder)
    top = Node(data, "", where, meshes=meshes)
    fields = top.fields(_KEYS, ("format",))
    if fields["format"].value != FORMAT:
        raise fields["format"].must_be(f"{FORMAT!r}")
    _refuse(fields)
    signals = read_signals(fields["signals"]) if "signals" in fields else {}
    parameters = _parameters(fields["parameters"]) if "parameters" in fields else {}
    for name in signals.keys() & parameters.keys():
        raise fields["signals"].error(f"has {name!r}, which is among the parameters too")
    listed = fields["states"].entries() if "states" in fields else []
    states = [read_element(node, "state") for node in listed]
    names = {name: None for state in states for name in state.inputs}
    for name in names.keys() & (signals.keys() | parameters.keys()):
        raise fields["states"].error(f"has {name!r}, which is a parameter or a signal too")
    top = Node(data, "", where, parameters | dict.fromkeys(signals) | names, meshes=meshes)
    fields = top.fields(_KEYS, ("name",))
    given: dict[str, Any] = {"name": fields["name"].text(), "bodies": _bodies(top, fields)}
    if "gravity" in fields:
        given["gravity"] = fields["gravity"].vector(3)
    for key, read in (("loops", read_loop), ("constraints", read_constraint)):
        if key in fields:
            given[key] = [read(node) for node in fields[key].entries()]
    if "forces" in fields:
        given["forces"] = [read_force(node) for node in fields["forces"].entries()]
    if "free" in fields:
        given["free"] = [node.text() for node in fields["free"].entries()]
    meshes.warn()
    with top.named():
        return Mechanism(
            **given,
            parameters={name: x for name, x in top.parameters.items() if name not in names},
            texts=top.texts.values(),
            signals=signals,
            states=states,
        )


def _refuse(fields: Mapping[str, Node]) -> None:
    """Reject keys that belong to the format but not to this version."""
    for key, why in _NOT_YET.items():
        if key in fields:
            raise fields[key].error(why)


def _parameters(node: Node) -> dict[str, float | None]:
    """Return numbers by name; None for null, which TOML writes as text."""
    keys = tuple(node.value) if isinstance(node.value, Mapping) else ()
    numbers: dict[str, float | None] = {}
    for key, value in node.fields(keys).items():
        checked_parameter_name(key, f"{node.where}: {node.path}")
        if value.value is None or value.value == NULL:
            numbers[key] = None
        elif isinstance(value.value, str):
            raise value.must_be("a number or null")
        else:
            numbers[key] = float(value.number())
    return numbers


def _bodies(top: Node, fields: Mapping[str, Node]) -> list[Body]:
    forms = [key for key in ("bodies", *_TABLES) if key in fields]
    if len(forms) != 1:
        got = " and ".join(map(repr, forms)) or "none of them"
        raise top.error(f"must have one of 'bodies', 'low_pairs', 'dh' and 'mdh', got {got}")
    (form,) = forms
    if form in _TABLES:
        return _table(fields[form], *_TABLES[form])
    return [read_fields(node, Body) for node in fields[form].entries()]


def _table(node: Node, make: Callable[..., list[Body]], numbers: tuple[str, ...]) -> list[Body]:
    """Return the bodies of a table, whose rows may also say what bodies and joints do."""
    rows = []
    lists: dict[str, list[Any]] = {key: [] for key, _, _ in _LINKS.values()}
    for i, entry in enumerate(node.entries(), start=1):
        fields = entry.fields((*numbers, *_LINKS))
        rows.append(
            {
                key: fields[key].text() if key == "joint" else fields[key].number()
                for key in numbers
                if key in fields
            }
        )
        for key, (plural, read, default) in _LINKS.items():
            lists[plural].append(read(fields[key]) if key in fields else default)
        if "name" not in fields:
            lists["names"][-1] = f"link {i}"
    with node.named():
        return make(rows, **lists)


_LINKS: Final[dict[str, tuple[str, Callable[[Node], Any], Any]]] = {
    "name": ("names", Node.text, None),
    "mass": ("masses", Node.number, 0.0),
    "com": ("coms", lambda node: node.vector(3), (0.0, 0.0, 0.0)),
    "inertia": ("inertias", Node.numbers, (0.0, 0.0, 0.0)),
    **{key: (key, Node.number, 0.0) for key in ("damping", "stiffness", "rest", "armature")},
}
"""Keys of a row besides its numbers: what the makers of tables call them, reader and default."""
