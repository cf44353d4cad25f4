"""Our own model files, JSON and TOML: the same tree of keys in two notations.

A file becomes text, the text a tree of plain values (``notation``), the tree a mechanism (``read``;
``node`` knows where in the tree it is, for the messages), and back again (``write``).
"""

from poinsot.io.native.notation import from_json, from_toml, read_text, to_json, to_toml
from poinsot.io.native.read import mechanism_from_native
from poinsot.io.native.write import native_from_mechanism

__all__ = [
    "from_json",
    "from_toml",
    "mechanism_from_native",
    "native_from_mechanism",
    "read_text",
    "to_json",
    "to_toml",
]
