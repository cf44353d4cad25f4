"""Samples over time in files."""

from collections.abc import Mapping
from typing import Any

from poinsot.io.native.node import Node
from poinsot.model import Signal
from poinsot.model.parameters import checked_parameter_name

__all__ = ["read_signals", "signal_tree"]


def signal_tree(signal: Signal) -> dict[str, Any]:
    """Return the object that describes samples."""
    tree = {key: getattr(signal, key).tolist() for key in ("times", "values")}
    return {**tree, "kind": signal.kind, "beyond": signal.beyond}


def read_signals(node: Node) -> dict[str, Signal]:
    """Return samples by name."""
    if not isinstance(node.value, Mapping):
        raise node.must_be("an object of samples by name")
    signals = {}
    for name, entry in node.fields(tuple(node.value)).items():
        checked_parameter_name(name, f"{node.where}: {node.path}")
        fields = entry.fields(("times", "values", "kind", "beyond"), ("times", "values"))
        times, values = (_numbers(fields[key]) for key in ("times", "values"))
        words = {key: fields[key].text() for key in ("kind", "beyond") if key in fields}
        with entry.named():
            signals[name] = Signal(times, values, **words)
    return signals


def _numbers(node: Node) -> list[float]:
    """Return a list of plain numbers; a long one of floats is not checked entry by entry."""
    entries = node.value
    if isinstance(entries, list) and all(type(entry) is float for entry in entries):
        return entries
    return [_number(entry) for entry in node.entries()]


def _number(node: Node) -> float:
    if isinstance(node.value, bool) or not isinstance(node.value, int | float):
        raise node.must_be("a number")
    return float(node.value)
