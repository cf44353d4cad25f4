"""The inputs of quantities: their sizes, their meaning and the units of their entries."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from poinsot.model import Mechanism

SECTION_NUMBERS: Final = 22
"""Of a section: its pose, and mass, mass centre and inertia of the part beyond it."""

PARAMETERS: Final = "parameters"
"""Name of the input that holds the free parameters and, behind them, the further states, where
there are some; it is the last one."""


@dataclass(frozen=True)
class Input:
    """An input of quantities.

    Attributes:
        about: What it is.
        entries: What its entries belong to, a key of ``UNITS``; or nothing.
        size: How many numbers it has for one state; None: the request says so.
    """

    about: str
    entries: str = ""
    size: Callable[[Mechanism], int] | None = None


INPUTS: Final[Mapping[str, Input]] = {
    "q": Input("configuration", "position", lambda mechanism: mechanism.nq),
    "v": Input("velocity", "velocity", lambda mechanism: mechanism.nv),
    "a": Input("acceleration dv/dt", "rate", lambda mechanism: mechanism.nv),
    "tau": Input("joint forces", "force", lambda mechanism: mechanism.nv),
    "lam": Input("multipliers of the constraints", "row", lambda m: len(m.row_names)),
    "point": Input("point in body coordinates [m]", "", lambda _: 3),
    "section": Input(
        "rotation (9) and origin (3) [m] of a section in its body; mass [kg], centre (3) [m] and "
        "inertia (6) [kg m^2] of the part beyond it",
        "",
        lambda _: SECTION_NUMBERS,
    ),
    "gravity": Input("acceleration of free fall in base axes [m/s^2]", "", lambda _: 3),
    "t": Input("time [s]"),
    "redundancy": Input("accelerations of the motion that a programme leaves free", "rate"),
    "wrenches": Input(
        "wrenches [f; n] [N, N m] on bodies, at their origins in body axes", "wrench"
    ),
    "base": Input(
        "motion of the base in its axes: gravity (3) [m/s^2], velocity [v; w] (6), its rate (6)"
    ),
    PARAMETERS: Input("free parameters, then further states", "parameter"),
}
"""Everything that a quantity may be a function of."""

UNITS: Final[Mapping[str, Mapping[str, str]]] = {
    "position": {},
    "position rate": {"m": "m/s", "rad": "rad/s", "1": "1/s"},
    "velocity": {},
    "rate": {"m/s": "m/s^2", "rad/s": "rad/s^2"},
    "force": {"m/s": "N", "rad/s": "N m"},
}
"""For each kind of array the units of its entries, by those of the joint."""


def input_size(mechanism: Mechanism, name: str) -> int:
    """Return how many numbers an input of a quantity has for one state."""
    size = INPUTS[name].size
    if size is None:
        raise ValueError(f"the size of {name!r} depends on the request")
    return size(mechanism)


def entries_of(mechanism: Mechanism, kind: str, loaded: Sequence[int]) -> list[str]:
    """Return a name with its unit for each entry of an array.

    Args:
        mechanism: The bodies.
        kind: What entries belong to: a key of ``UNITS``, "row", "parameter", "state",
            "sampled state", "wrench" or nothing.
        loaded: Numbers of the bodies that wrenches act on.
    """
    if kind == "row":
        return list(mechanism.row_names)
    if kind == "parameter":
        return list(mechanism.parameter_inputs)
    if kind == "state":
        return list(mechanism.state_values)
    if kind == "sampled state":
        return list(mechanism.sampled_states)
    if kind == "wrench":
        return [mechanism.body_names[i] for i in loaded]
    if kind not in UNITS:
        return []
    names = []
    for joint, body in zip(mechanism.joint_names, mechanism.bodies, strict=True):
        of_q = kind.startswith("position")
        units = body.joint.q_units if of_q else body.joint.v_units
        for k, unit in enumerate(units):
            entry = f"[{k}]" if len(units) > 1 else ""
            names.append(f"{joint}{entry} [{UNITS[kind].get(unit, unit)}]")
    return names
