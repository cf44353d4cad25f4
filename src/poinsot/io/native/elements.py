"""Elements of declared fields in files: the type, then one key per field, by its name.

It is the same for all types, those of users' own packages among them: what a class declares is what
a file holds.
"""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, replace
from functools import cache
from typing import Any, Final

from poinsot.errors import ModelError
from poinsot.expr.same_formula import same

# those import for what they add to the readers and writers of values
from poinsot.io.native import constraint_values, force_values, limit_values  # noqa: F401
from poinsot.io.native.node import Node
from poinsot.io.native.poses import pose_tree, read_pose
from poinsot.io.native.tables import read_table, table_tree
from poinsot.io.native.values import read_value, value_tree
from poinsot.model import (
    AbstractShape,
    Mesh,
    Pose,
    Table,
    constraints,
    forces,
    joints,
    shapes,
    states,
    suggestion,
)
from poinsot.model.fields import Declaration, Declared, Instance, declarations, types_of
from poinsot.model.shapes import Shapes

__all__ = ["element_tree", "fields_tree", "keys_of", "known_types", "read_element", "read_fields"]

ENTRY_POINTS: Final = "poinsot.elements"
"""The group of entry points under which packages name their modules with types of elements."""

_OURS: Final = {
    **{"constraint": constraints, "force": forces, "joint": joints, "shape": shapes},
    "state": states,
}
"""Where our own types are: they are imported before a file is read."""

_OTHERS: Final[Mapping[type, tuple[Callable[[Node], Any], Callable[[Any], Any]]]] = {
    Pose: (read_pose, pose_tree),
    Table: (read_table, table_tree),
}
"""Readers and writers of objects that do not declare their fields."""


@read_value.register
def _(kind: Instance, node: Node) -> Any:  # noqa: ANN401
    if kind.of in _OTHERS:
        return _OTHERS[kind.of][0](node)
    family = getattr(kind.of, "family", None)
    return read_fields(node, kind.of) if family is None else read_element(node, family)


@value_tree.register
def _(kind: Instance, value: Any, where: str) -> Any:  # noqa: ANN401
    if kind.of in _OTHERS:
        return _OTHERS[kind.of][1](value)
    return fields_tree(value, where) if not hasattr(kind.of, "family") else element_tree(value)


@read_value.register
def _(kind: Shapes, node: Node) -> list[AbstractShape]:
    return [_shape(entry) for entry in node.entries()]


@value_tree.register
def _(kind: Shapes, value: tuple[AbstractShape, ...], where: str) -> list[dict[str, Any]]:
    return [element_tree(shape) for shape in value]


def _shape(node: Node) -> AbstractShape:
    """Return a shape; files of meshes are looked for."""
    shape: AbstractShape = read_element(node, "shape")
    return replace(shape, file=node.meshes.find(shape.path)) if isinstance(shape, Mesh) else shape


def read_element(node: Node, family: str) -> Any:  # noqa: ANN401 (of the family)
    """Return the element that an object describes.

    Args:
        node: The object.
        family: What it must be one of, e.g. ``"force"``.
    """
    types = known_types(family)
    value: Mapping[str, Any] = node.value if isinstance(node.value, Mapping) else {}
    given = value.get("type")
    if isinstance(given, str) and given not in types:
        _import_others()
    if not isinstance(given, str) or given not in types:
        # keys that no type has are those of a type of another package, or wrong for any
        given_keys = tuple(value) if isinstance(given, str) else ()
        every = dict.fromkeys(
            key for element_type in types.values() for key in keys_of(element_type)
        )
        kind = node.fields(("type", *every, *given_keys), ("type",))["type"]
        hint = suggestion(kind.text(), sorted(types))
        raise kind.error(
            f"must be a type of {family}, got {given!r}; {hint}; types of other packages are known "
            "once the package that defines them is imported"
        )
    return read_fields(node, types[given], ("type",))


def read_fields(node: Node, make: Any, more: tuple[str, ...] = ()) -> Any:  # noqa: ANN401 (a class)
    """Return the object of a class that an object of keys describes.

    Args:
        node: The object.
        make: The class.
        more: Keys that it must have besides those of the fields.
    """
    keys = keys_of(make)
    needed = (key for key, declaration in keys.items() if declaration.default is MISSING)
    fields = node.fields((*more, *keys), (*more, *needed))
    given = {
        key: read_value(declaration.kind, fields[key])
        for key, declaration in keys.items()
        if key in fields
    }
    with node.named():
        return make(**given)


def element_tree(element: Declared) -> dict[str, Any]:
    """Return the object that describes an element.

    Raises:
        ModelError: If files know nothing of its class.
    """
    kind: Any = type(element)
    name = getattr(kind, "file_type", None)
    if name is None or types_of(kind.family).get(name) is not kind:
        what = f"this kind of {kind.family} cannot be written to a file"
        raise ModelError(
            f"{element.label}: {what}; decorate its class with poinsot.extending.declared"
        )
    return {"type": name, **fields_tree(element)}


def fields_tree(element: Declared, where: str = "") -> dict[str, Any]:
    """Return the keys that describe the fields; what is not there or as by default is left out.

    Args:
        element: What is described.
        where: Opens the message of an error; by default the label of the element.
    """
    kind: Any = type(element)
    tree = {}
    for key, declaration in keys_of(kind).items():
        value = getattr(element, key)
        omits = kind.omits_defaults if declaration.omit is None else declaration.omit
        if value is not None and not (omits and _is_default(element, declaration, value)):
            tree[key] = value_tree(declaration.kind, value, f"{where or element.label}: {key}")
    return tree


@cache
def keys_of(kind: Any) -> Mapping[str, Declaration]:  # noqa: ANN401 (a class)
    """Return the fields of a class that files hold: its name, then in the constructor's order."""
    ranks = {attribute.name: 1 + bool(attribute.kw_only) for attribute in fields(kind)} | {
        "name": 0
    }
    stated = {
        key: declaration for key, declaration in declarations(kind).items() if declaration.in_files
    }
    return {key: stated[key] for key in sorted(stated, key=ranks.__getitem__)}


def known_types(family: str) -> Mapping[str, Any]:
    """Return the types of a family by their names in files."""
    _import_ours(family)
    return types_of(family)


@cache
def _import_others() -> None:
    """Import the modules of installed packages that say they have types of elements."""
    from importlib.metadata import entry_points

    for entry in entry_points(group=ENTRY_POINTS):
        entry.load()


@cache
def _import_ours(family: str) -> None:
    for name in _OURS[family].__all__:
        getattr(_OURS[family], name)


def _is_default(element: Declared, stated: Declaration, value: object) -> bool:
    if stated.default is MISSING or stated.default is None:
        return False
    return same(value, stated.kind.stored(stated.default, "default", element))
