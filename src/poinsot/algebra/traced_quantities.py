"""Quantities of a system as expressions of named symbols.

Each is the program that computations run, read again on the symbols of a notation: what is shown is
what is computed.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import numpy as np

from poinsot.algebra.alphabet import Letter
from poinsot.algebra.coriolis import coriolis_matrix
from poinsot.algebra.impact_equations import (
    OF_CONTACTS,
    ContactsOfSystem,
    gap,
    gap_jacobian,
    gap_rate,
    impact_velocity,
    impulse_matrix,
)
from poinsot.algebra.letter_styles import GREEK
from poinsot.algebra.minimal_coordinates import MinimalCoordinates, chosen_velocities
from poinsot.algebra.notation import Notation, notation
from poinsot.errors import ModelError
from poinsot.evaluate.formulation import formulation_of
from poinsot.evaluate.inputs import PARAMETERS
from poinsot.evaluate.kernel import refuse_singular
from poinsot.evaluate.request import RECURSIVE, Request
from poinsot.evaluate.trace import trace
from poinsot.expr.replay import replay
from poinsot.formulations.constrained.mechanism_view import MechanismView
from poinsot.model import Mechanism, Rows, suggestion
from poinsot.spatial import Array


class TracedQuantities:
    """The quantities of a mechanism, each traced at first use.

    Args:
        mechanism: The bodies; all its parameters are free.
        method: The formulation.
        contacts: What may touch, with the same parameters.
        minimal: Names of the minimal velocities; the first that can be by default.
        somewhere: Returns numbers of the Jacobian of the constraints, in a configuration that these
            allow; None where none is known.
    """

    def __init__(
        self, mechanism: Mechanism, method: str, contacts: ContactsOfSystem | None = None,
        minimal: Sequence[str] = (), somewhere: Callable[[], Array | None] = lambda: None,
    ) -> None:  # fmt: skip
        self.mechanism, self.method, self.contacts = mechanism, method, contacts
        self._wanted, self._somewhere = minimal, somewhere
        self._found: dict[str, Array] = {}

    @cached_property
    def symbols(self) -> Notation:
        """The symbols that they are written with."""
        return notation(self.mechanism)

    @property
    def whose(self) -> str:
        """The name of the mechanism."""
        return self.mechanism.name

    @property
    def depends_on_time(self) -> bool:
        """Whether forces or constraints depend on the time."""
        return self.mechanism.depends_on_time

    @property
    def is_closed(self) -> bool:
        """Whether there are loops or constraints."""
        return bool(self.mechanism.closures)

    @cached_property
    def is_plain(self) -> bool:
        """Whether v is the rate of q: there are no quaternions."""
        return all(body.joint.nq == body.joint.nv for body in self.mechanism.bodies)

    @cached_property
    def rows(self) -> Rows:
        """The rows of the loops and constraints."""
        return _rows(self)

    @cached_property
    def minimal(self) -> MinimalCoordinates:
        """The motions that the constraints allow, by minimal velocities and the time."""
        symbols = self.symbols
        chosen = chosen_velocities(self.mechanism, self.rows, self._somewhere, self._wanted)
        return MinimalCoordinates(
            self.mechanism, self.rows, (symbols.q, symbols.v, symbols.t), chosen
        )

    def shown(self, name: str) -> Shown:
        """Return how a quantity is shown; accelerations as second rates of q where they are.

        Where a parameter or a coordinate has its letter, that of the quantity is bold.
        """
        shown = SHOWN[name]
        if name == "forward_dynamics" and self.is_plain:
            return replace(shown, letter="q̈", latex=r"\ddot{q}")
        letters = self.symbols.letters.values()
        return shown.apart(letters)

    def __getitem__(self, name: str) -> Array:
        """Return a quantity as expressions, in the shape that it has."""
        if name not in self._found:
            made = _MADE.get(name)
            self._found[name] = made(self) if made else self._computed(name)
        return self._found[name]

    def _computed(self, name: str) -> Array:
        formulation = formulation_of(self.method, name)
        if name in formulation.on_floats:
            raise ModelError(
                f"derive: {name} of method {self.method!r} works on numbers only; "
                "choose method='recursive', 'kane', 'lagrange' or 'screw_matrix'"
            )
        if name == "forward_dynamics":
            refuse_singular(self.mechanism)
        method = self.method if name in formulation.algorithms else RECURSIVE
        program = trace(self.mechanism, Request(name, method))
        symbols = self.symbols
        given = {
            **{"q": symbols.q, "v": symbols.v, "a": symbols.a, "tau": symbols.tau},
            **{"t": symbols.t, PARAMETERS: symbols.parameters},
        }
        (result,) = replay(program, *(given[port.name] for port in program.inputs))
        return result


def _coriolis(traced: TracedQuantities) -> Array:
    symbols = traced.symbols
    return coriolis_matrix(traced.mechanism, traced["mass_matrix"], symbols.q, symbols.v)


def _momenta(traced: TracedQuantities) -> Array:
    momenta: Array = traced["mass_matrix"] @ traced.symbols.v
    return momenta


def _state_rate(traced: TracedQuantities) -> Array:
    return np.concatenate([traced["position_rate"], traced["forward_dynamics"]])


def _rows(traced: TracedQuantities) -> Rows:
    """Return all rows of the constraints: symbols do not tell which are numerically zero."""
    symbols = traced.symbols
    view = MechanismView(traced.mechanism, symbols.q, symbols.v, symbols.t[0])
    blocks = [constraint.rows(view) for constraint in traced.mechanism.closures]
    return Rows(
        *(
            np.concatenate([getattr(block, name) for block in blocks])
            for name in ("phi", "J", "drift", "gamma")
        )
    )


_MADE: Final[Mapping[str, Callable[[TracedQuantities], Array]]] = {
    "coriolis_matrix": _coriolis,
    "momenta": _momenta,
    "state_rate": _state_rate,
    "constraint_residual": lambda traced: traced.rows.phi,
    "constraint_rate": lambda traced: traced.rows.J @ traced.symbols.v + traced.rows.drift,
    "constraint_jacobian": lambda traced: traced.rows.J,
    "constraint_bias": lambda traced: traced.rows.gamma,
    "minimal_map": lambda traced: traced.minimal.transformation,
    "minimal_velocity": lambda traced: traced.minimal.velocity,
    "minimal_mass_matrix": lambda traced: traced.minimal.mass_matrix(traced["mass_matrix"]),
    "minimal_bias": lambda traced: traced.minimal.bias(traced["mass_matrix"], traced["bias"]),
    "prescribed_forces": lambda traced: traced.minimal.forces(
        traced["mass_matrix"], traced["bias"], traced.symbols.a
    ),
    "gap": gap,
    "gap_rate": gap_rate,
    "gap_jacobian": gap_jacobian,
    "impulse_matrix": impulse_matrix,
    "impact_velocity": impact_velocity,
}


@dataclass(frozen=True)
class Shown:
    """How a quantity is shown.

    Attributes:
        letter: Its letter.
        latex: Its letter in LaTeX.
        meaning: What it is, in words.
        inputs: What it is a function of, besides time and parameters.
    """

    letter: str
    latex: str
    meaning: str
    inputs: tuple[str, ...] = ("q", "v")

    @property
    def title(self) -> str:
        """The meaning, as a title."""
        return f"{self.meaning[0].upper()}{self.meaning[1:]}"

    def apart(self, letters: Iterable[Letter]) -> Shown:
        """Return it with a bold letter where one of others is the same."""
        if self.letter in BOLD and self.letter in {letter.unicode for letter in letters}:
            return replace(self, letter=BOLD[self.letter], latex=rf"\boldsymbol{{{self.latex}}}")
        return self


SHOWN: Final[Mapping[str, Shown]] = {
    "mass_matrix": Shown("M", "M", "mass matrix", ("q",)),
    "coriolis_matrix": Shown("C", "C", "Coriolis matrix, by Christoffel symbols"),
    "gravity_force": Shown("G", "G", "forces of gravity", ("q",)),
    "bias": Shown("h", "h", "forces of Coriolis, gravity, springs and dampers"),
    "momenta": Shown("p", "p", "generalised momenta"),
    "kinetic_energy": Shown("T", "T", "kinetic energy"),
    "potential_energy": Shown("V", "V", "potential energy", ("q",)),
    "constraint_residual": Shown("φ", r"\varphi", "constraint equations", ("q",)),
    "constraint_rate": Shown("φ̇", r"\dot{\varphi}", "constraints on the velocities"),
    "constraint_jacobian": Shown("J", "J", "Jacobian of the constraints", ("q",)),
    "constraint_bias": Shown(
        GREEK["gamma"], r"\gamma", "second rate of the constraints without acceleration"
    ),
    "minimal_map": Shown("B", "B", "velocities by those of the free coordinates", ("q",)),
    "minimal_velocity": Shown("v", "v", "velocities that the constraints allow"),
    "minimal_mass_matrix": Shown("Mᵣ", "M_r", "mass matrix of the free coordinates", ("q",)),
    "minimal_bias": Shown("hᵣ", "h_r", "forces on the free coordinates, without acceleration"),
    "prescribed_forces": Shown("τₚ", r"\tau_p", "forces that prescribe motion", ("q", "v", "a")),
    "inverse_dynamics": Shown("τ", r"\tau", "joint forces of a motion", ("q", "v", "a")),
    "forward_dynamics": Shown("v̇", r"\dot{v}", "accelerations", ("q", "v", "tau")),
    "position_rate": Shown("q̇", r"\dot{q}", "rates of the coordinates"),
    "gap": Shown("δ", r"\delta", "gaps of the contacts", ("q",)),
    "gap_rate": Shown("δ̇", r"\dot{\delta}", "rates of the gaps"),
    "gap_jacobian": Shown("A", "A", "Jacobian of the gaps", ("q",)),
    "impulse_matrix": Shown("W", "W", "impulse matrix of the contacts", ("q",)),
    "impact_velocity": Shown("v⁺", "v^{+}", "velocities after an impact at all contacts"),
    "state_rates": Shown("ṡ", r"\dot{s}", "rates of the further states", ("q", "v", "tau")),
    "state_rate": Shown("ẋ", r"\dot{x}", "rates of the state x = (q, v)", ("q", "v", "tau")),
}
"""What equations of motion consist of."""

_GREEK: Final = ("phi", "gamma")
BOLD: Final = {
    **{c: unicodedata.lookup(f"MATHEMATICAL BOLD CAPITAL {c}") for c in "MCGTVJAWHP"},
    **{c: unicodedata.lookup(f"MATHEMATICAL BOLD SMALL {c.upper()}") for c in "hpdbu"},
    **{GREEK[c]: unicodedata.lookup(f"MATHEMATICAL BOLD SMALL {c.upper()}") for c in _GREEK},
}
"""Letters of quantities that look otherwise than those of parameters."""

OF_CLOSURES: Final = (
    "constraint_residual", "constraint_rate", "constraint_jacobian", "constraint_bias",
)  # fmt: skip
MINIMAL: Final = (
    "minimal_map", "minimal_velocity", "minimal_mass_matrix", "minimal_bias", "prescribed_forces",
)  # fmt: skip
"""Of systems with constraints, in as many velocities as these leave free."""
IN_MOTION: Final = ("mass_matrix", "bias", "constraint_jacobian", "constraint_residual",
                    "constraint_bias")  # fmt: skip
"""What the equations of motion of a closed system are made of."""


def constraint_quantities(mechanism: Mechanism) -> tuple[str, ...]:
    """Return which quantities tell the constraints; rates where these constrain velocities only."""
    told = {
        "constraint_residual": bool(mechanism.position_rows),
        "constraint_rate": mechanism.at_positions is not mechanism,
    }
    return tuple(name for name in OF_CLOSURES if mechanism.closures and told.get(name, True))


def checked_quantity(
    name: str, mechanism: Mechanism, contacts: ContactsOfSystem | None = None
) -> str:
    """Return the name of a quantity, rejecting unknown ones."""
    if not isinstance(name, str) or name not in SHOWN:
        raise ModelError(f"derive: there is no quantity {name!r}; {suggestion(name, SHOWN)}")
    if name in (*OF_CLOSURES, *MINIMAL) and not mechanism.closures:
        raise ModelError(
            f"derive: {mechanism.name!r} has no loops and constraints, so no {name}; ask for "
            "mass_matrix or bias"
        )
    if name in OF_CONTACTS and contacts is None:
        raise ModelError(
            f"derive: no contacts of {mechanism.name!r} are given, so no {name}; "
            "derive(system, contacts=[...])"
        )
    if name == "state_rates" and not mechanism.states:
        raise ModelError(f"derive: {mechanism.name!r} has no further states, so no {name}")
    return name
