"""The two notations of a tree of keys: JSON and TOML, from text and to text."""

import json
import re
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any, NoReturn

from poinsot.errors import ModelError

__all__ = ["from_json", "from_toml", "read_text", "to_json", "to_toml"]

LARGEST = 256 * 2**20
"""Size of the largest file that is read [bytes]: about a million bodies."""

_DOTTED = re.compile(
    r"""(?m)(?:^|[\[{,])[ \t]*+(?:(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){50}"""
)
"""A key of over fifty names, for which tomllib takes quadratic time.

The quantifiers are possessive (``++``, ``*+``), so the search itself is linear.
"""
NULL = "null"
"""What TOML, which has no null, says of a parameter without a number."""

_LISTED = 8
"""How many keys of an object a message lists."""


def read_text(path: Path) -> str:
    """Return the text of a file.

    Raises:
        OSError: If it cannot be opened.
        ModelError: If it is too large, or is no text.
    """
    with path.open("rb") as file:
        content = file.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise ModelError(f"{path}: a model file has at most {LARGEST // 2**20} MiB")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ModelError(f"{path}: not text in UTF-8: {error}") from None


def from_json(text: str, where: str) -> dict[str, Any]:
    """Return the tree of a text in JSON, rejecting keys that repeat, NaN and Infinity.

    Args:
        text: The text.
        where: What messages call the file.
    """

    def without_repetition(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        tree = dict(pairs)
        if len(tree) < len(pairs):
            keys = [key for key, _ in pairs]
            twice = Counter(keys).most_common(1)[0][0]
            shown = ", ".join(keys[:_LISTED]) + ", ..." * (len(keys) > _LISTED)
            raise ModelError(f"{where}: the key {twice!r} occurs twice in {{{shown}}}")
        return tree

    def no_number(word: str) -> NoReturn:
        raise ModelError(f"{where}: {word} is no number; all numbers must be finite")

    try:
        tree = json.loads(text, object_pairs_hook=without_repetition, parse_constant=no_number)
    except ModelError:
        raise
    except (ValueError, RecursionError) as error:
        raise ModelError(f"{where}: not JSON: {_why(error)}") from None
    return _object(tree, where)


def from_toml(text: str, where: str) -> dict[str, Any]:
    """Return the tree of a text in TOML.

    Args:
        text: The text.
        where: What messages call the file.
    """
    dotted = _DOTTED.search(text)
    if dotted is not None:
        line = text.count("\n", 0, dotted.start()) + 1
        raise ModelError(f"{where}: line {line}: a key of over 50 names with dots between them")
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise ModelError(f"{where}: not TOML: {_why(error)}") from None


def to_json(tree: dict[str, Any]) -> str:
    """Return a tree as JSON, one line per key of a body.

    >>> print(to_json({"name": "arm", "bodies": [{"name": "hand", "com": [0.0, 1.0]}]}), end="")
    {
      "name": "arm",
      "bodies": [
        {
          "name": "hand",
          "com": [0.0, 1.0]
        }
      ]
    }
    """
    entries = [f'  "{key}": {_json_value(value)}' for key, value in tree.items()]
    return "{\n" + ",\n".join(entries) + "\n}\n"


def to_toml(tree: dict[str, Any]) -> str:
    """Return a tree as TOML, one table per body.

    >>> print(to_toml({"name": "arm", "bodies": [{"name": "hand", "com": [0.0, 1.0]}]}), end="")
    name = "arm"
    <BLANKLINE>
    [[bodies]]
    name = "hand"
    com = [0.0, 1.0]
    """
    lines = [f"{key} = {_toml(value)}" for key, value in tree.items() if not _is_table(value)]
    for key, value in tree.items():
        if _is_table(value):
            for entry in value:
                lines += ["", f"[[{key}]]", *(f"{k} = {_toml(v)}" for k, v in entry.items())]
    return "\n".join(lines) + "\n"


def _why(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "too many brackets inside each other"
    return str(error)


def _object(tree: object, where: str) -> dict[str, Any]:
    if not isinstance(tree, dict):
        raise ModelError(f"{where}: the file must be an object with keys: {{...}}")
    return tree


def _is_table(value: object) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], dict)


def _json_value(value: Any) -> str:  # noqa: ANN401 (a node of the tree)
    if not _is_table(value):
        return _json(value)
    entries = [
        "    {\n" + ",\n".join(f'      "{k}": {_json(v)}' for k, v in entry.items()) + "\n    }"
        for entry in value
    ]
    return "[\n" + ",\n".join(entries) + "\n  ]"


def _json(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    return text if _is_utf8(text) else json.dumps(value, allow_nan=False)


def _is_utf8(text: str) -> bool:
    """Return whether files can hold a text: half a surrogate pair has no bytes."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _toml(value: object) -> str:
    if isinstance(value, dict):
        return (
            "{" + ", ".join(f"{_key(key)} = {_toml(entry)}" for key, entry in value.items()) + "}"
        )
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    if isinstance(value, str):
        if not _is_utf8(value):
            raise ModelError(f"TOML cannot hold the text {value!r}; rename it, or write JSON")
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return _toml(NULL) if value is None else repr(value)


def _key(key: str) -> str:
    """Return a key of TOML, in quotes where it has letters beyond ASCII."""
    return key if key.isascii() else _toml(key)
