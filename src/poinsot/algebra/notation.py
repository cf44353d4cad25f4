"""The symbols of a system's equations: coordinates are called after their joints."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from poinsot.algebra.alphabet import Alphabet, Letter
from poinsot.algebra.letter_styles import (
    GREEK,
    NAMES,
    identifier,
    latex_name,
    lowered,
    subscript,
    unicode_name,
)
from poinsot.algebra.parameter_places import parameter_owners
from poinsot.expr import Expr, symbol
from poinsot.model import Mechanism
from poinsot.model.coordinate_names import (
    acceleration_unit,
    coordinate_entries,
    force_unit,
    velocity_entries,
)
from poinsot.spatial import Array

DOT, DOTS = "\u0307", "\u0308"
_WORD = re.compile(r"[\w.]+")
_LETTER = re.compile(r"([^\W\d_]+)_?(\d*)")
_PLACES = ("x", "y", "z", "s", "r", "u")
"""Latin letters that a coordinate may be called by alone."""
_TAKEN = ("tau", "lambda", "pi")
"""Greek letters with another meaning in equations of motion."""


@dataclass(frozen=True, eq=False)
class Notation:
    """The symbols of a mechanism.

    Attributes:
        q: Coordinates, shape (nq,).
        v: Velocities, shape (nv,); the rates of q but for quaternions.
        a: Accelerations dv/dt, shape (nv,).
        tau: Joint forces, shape (nv,).
        lam: Multipliers of the constraints, one for each row.
        t: Time, shape (1,).
        parameters: The parameters, in the order of the kernels' input.
        letters: How each symbol is written, by name.
    """

    q: Array
    v: Array
    a: Array
    tau: Array
    lam: Array
    t: Array
    parameters: Array
    letters: dict[str, Letter] = field(repr=False)

    @property
    def ordered(self) -> list[Expr]:
        """All symbols in the order in which factors and terms are written."""
        vectors = (self.parameters, self.t, self.q, self.v, self.a, self.tau, self.lam)
        return [x for vector in vectors for x in vector]

    @property
    def rates(self) -> list[Expr]:
        """Velocities, accelerations, forces and multipliers."""
        return [x for vector in (self.v, self.a, self.tau, self.lam) for x in vector]


def notation(mechanism: Mechanism) -> Notation:
    """Return the symbols of a mechanism, all of whose parameters are free."""
    alphabet = Alphabet()
    meanings = parameter_owners(mechanism)
    for name in mechanism.free_parameters:
        alphabet.add_named(name, meanings.get(name, "parameter"), rank=0)
    units = {name: state.unit for state in mechanism.states for name in state.inputs}
    for name, unit in units.items():
        alphabet.add_named(name, "state", unit, rank=1)
    alphabet.add_named("t", "time", "s", rank=2)
    moving = velocity_entries(mechanism)
    plain = [
        joint.nq == joint.nv
        for joint in (body.joint for body in mechanism.bodies)
        for _ in range(joint.nv)
    ]
    made = _Maker(alphabet)
    q = made.array(
        "q",
        ((x.name, f"coordinate of joint {x.name}", x.unit) for x in coordinate_entries(mechanism)),
        lambda k: ("q", "q"),
    )
    v = made.array(
        "v",
        ((x.name, f"velocity of joint {x.name}", x.unit) for x in moving),
        lambda k: (f"q{DOT}", r"\dot{q}") if plain[k] else ("v", "v"),
    )
    a = made.array(
        "a",
        ((x.name, f"acceleration of joint {x.name}", acceleration_unit(x.unit)) for x in moving),
        lambda k: (f"q{DOTS}", r"\ddot{q}") if plain[k] else (f"v{DOT}", r"\dot{v}"),
    )
    tau = made.array(
        "tau",
        ((x.name, f"drive of joint {x.name}", force_unit(x.unit)) for x in moving),
        lambda k: ("τ", r"\tau"),
    )
    rows = mechanism.row_names
    lam = made.array(
        "lam",
        ((str(k), f"multiplier of {name}", "") for k, name in enumerate(rows, start=1)),
        lambda k: ("λ", r"\lambda"),
    )
    t = np.array([symbol("t")], dtype=object)
    parameters = _array(map(symbol, mechanism.parameter_inputs))
    return Notation(q, v, a, tau, lam, t, parameters, alphabet.letters)


class _Maker:
    """Makes symbols whose names nobody has yet."""

    def __init__(self, alphabet: Alphabet) -> None:
        self._alphabet = alphabet

    def array(
        self,
        kind: str,
        entries: Iterable[tuple[str, str, str]],
        heads: Callable[[int], tuple[str, str]],
    ) -> Array:
        """Return symbols ``kind_name``; entries are names, meanings and units."""
        rank = 2 if kind == "q" else 4
        symbols = []
        for k, (name, meaning, unit) in enumerate(entries):
            wanted = f"{kind}_{identifier(name)}"
            head_for_eye, head_in_latex = heads(k)
            forms = partial(_for_eye, head_for_eye, name), partial(_in_latex, head_in_latex, name)
            added = self._alphabet.add(wanted, *forms, meaning, unit, rank)
            symbols.append(symbol(added))
        return _array(symbols)


def _for_eye(head: str, name: str, strokes: str) -> str:
    own = _own_letter(head, name)
    if own is not None and not strokes:
        letter, dots, number = own
        return unicodedata.normalize("NFC", GREEK.get(letter, letter) + dots) + lowered(number)
    shown = name if _WORD.fullmatch(name) else identifier(name)
    shown = unicode_name(shown) if _own_letter("q", name) else shown
    full = f"{head}_{shown}"
    return (unicode_name(full) if shown.isdigit() else full) + strokes


def _in_latex(head: str, name: str, strokes: str) -> str:
    own = _own_letter(head, name)
    if own is not None and not strokes:
        letter, dots, number = own
        text = f"\\{letter}" if letter in GREEK else letter
        dotted = f"{dots}{{{text}}}" if dots else text
        return f"{dotted}_{{{number}}}" if number else dotted
    below = latex_name(name) + strokes if _own_letter("q", name) else subscript(name + strokes)
    return f"{head}_{{{below}}}"


def _own_letter(head: str, name: str) -> tuple[str, str, str] | None:
    """Return letter, dots and number of a coordinate that is called by a letter; None if it is not.

    Joint "theta" or "θ" has the coordinate θ and its rates, joint "x2" has x₂; the drive of either
    is τ with its name behind it.
    """
    shape = _LETTER.fullmatch(name)
    letter = "" if shape is None else NAMES.get(shape[1], shape[1])
    if shape is None or (letter not in GREEK and letter not in _PLACES) or letter in _TAKEN:
        return None
    heads = {"q": "", f"q{DOT}": DOT, f"q{DOTS}": DOTS, r"\dot{q}": r"\dot", r"\ddot{q}": r"\ddot"}
    return (letter, heads[head], shape[2]) if head in heads else None


def _array(symbols: Iterable[Expr]) -> Array:
    listed: Sequence[Expr] = list(symbols)
    array = np.empty(len(listed), dtype=object)
    array[:] = listed
    return array
