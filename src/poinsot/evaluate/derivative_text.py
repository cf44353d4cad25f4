"""Derivatives of exported quantities by a text: "inverse_dynamics by q", "d2/dt2 pose:tool".

QUANTITY by ARGUMENT ...            as in ``system.derivative``, by as many as wanted
QUANTITY by ARGUMENT:along ...      along a direction, which becomes an input
weighted QUANTITY by ARGUMENT ...   of the sum of its entries times weights, which become one
dN/dtN QUANTITY                     along a motion, as in ``system.time_derivative``
hessian QUANTITY                    by q twice, symmetric, as in ``system.hessian``
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from poinsot.errors import PoinsotError
from poinsot.evaluate.derivative import WEIGHTS, direction_name
from poinsot.evaluate.inputs import PARAMETERS
from poinsot.evaluate.motion_in_time import base_rate_name, motion_arguments, rate_name
from poinsot.evaluate.quantity import Export
from poinsot.evaluate.registry import QUANTITIES
from poinsot.evaluate.request import Derivative
from poinsot.model import LoadInputs, Mechanism, parameter_hint

__all__ = ["DerivativeText", "derivative_of_text"]

ALONG: Final = ":along"
WEIGHTED: Final = "weighted "
HESSIAN: Final = "hessian "
_RATE: Final = re.compile(r"d([1-9]\d*)?/dt([1-9]\d*)? (.+)")


class DerivativeText(NamedTuple):
    """A derivative of an exported quantity.

    Attributes:
        quantity: The quantity, with its body and axes.
        derivative: Which derivative of it; None: the quantity itself.
    """

    quantity: str
    derivative: Derivative | None

    @property
    def words(self) -> list[str]:
        """What the name of the quantity is followed by."""
        asked = self.derivative
        if asked is None:
            return []
        if asked.rate:
            return [f"dt{asked.rate if asked.rate > 1 else ''}"]
        if asked.symmetric:
            return [HESSIAN.strip()]
        pairs = zip(asked.by, asked.along, strict=True)
        each = [f"{name}_along" if along else name for name, along in pairs]
        return ["by", *each, *(["weighted"] if asked.weighted else [])]

    def shown(self, export: Export) -> Export:
        """Return how the derivative of a quantity is shown."""
        asked = self.derivative
        if asked is None:
            return export
        if asked.rate:
            order = "" if asked.rate == 1 else f" of order {asked.rate}"
            about = f"{export.about}; its time derivative{order} along a motion"
        elif asked.symmetric:
            about = f"{export.about}; its symmetric second derivative by q, along integrate"
        else:
            named = [
                f"{name} along {direction_name(k)}" if along else name
                for k, (name, along) in enumerate(zip(asked.by, asked.along, strict=True))
            ]
            what = "the derivative of its weighted sum" if asked.weighted else "its derivative"
            turning = ", q along integrate" if "q" in asked.by else ""
            about = f"{export.about}; {what} by {', '.join(named)}{turning}"
        return Export("_".join([export.symbol, *self.words]), about)

    def notes(self) -> dict[str, str]:
        """Return what the inputs are that the derivative has besides those of the quantity."""
        asked = self.derivative
        if asked is None:
            return {}
        if asked.rate:
            known = len(QUANTITIES[self.quantity.partition(":")[0]].inputs)
            orders = {k: known + k - 2 for k in range(1, asked.rate + 1)}
            own = {
                rate_name(k): "velocity" if n == 0 else f"time derivative {n} of the velocity"
                for k, n in orders.items()
            }
            of_base = {
                base_rate_name(k): f"time derivative {k} of the acceleration of the base, in its "
                "axes"
                for k in orders
            }
            return own | of_base
        directions = {
            direction_name(k): f"direction of {name}, in which it is differentiated"
            for k, (name, along) in enumerate(zip(asked.by, asked.along, strict=True))
            if along
        }
        return directions | ({WEIGHTS: "weights of the entries"} if asked.weighted else {})


def derivative_of_text(mechanism: Mechanism, quantity: str, loads: LoadInputs) -> DerivativeText:
    """Return what is to be differentiated, and how.

    Args:
        mechanism: The bodies, as they were described: with parameters that are constants.
        quantity: The text.
        loads: External loads, which are inputs.

    Raises:
        PoinsotError: If it cannot be differentiated by that.
    """
    plain = DerivativeText(quantity, None)
    if not isinstance(quantity, str) or quantity in QUANTITIES:
        return plain
    rate = _RATE.fullmatch(quantity)
    if rate is not None:
        return _along_a_motion(rate)
    if quantity.startswith(HESSIAN):
        return _hessian(quantity.removeprefix(HESSIAN))
    is_weighted = quantity.startswith(WEIGHTED)
    text, _, rest = quantity.removeprefix(WEIGHTED).rpartition(" by ")
    name = text.partition(":")[0]
    if name not in QUANTITIES:
        if is_weighted and not text:
            raise PoinsotError(
                f"export: {quantity!r} says nothing to differentiate by; write e.g. "
                "'weighted inverse_dynamics by q'"
            )
        return plain
    arguments = rest.split()
    along = tuple(argument.endswith(ALONG) for argument in arguments)
    by = tuple(argument.removesuffix(ALONG) for argument in arguments)
    known = _known(mechanism, name, loads)
    for argument in by:
        if argument not in known:
            raise PoinsotError(
                f"export: {text!r} cannot be differentiated by {argument!r}; "
                f"{_remedy(argument) or parameter_hint(argument, mechanism, known)}"
            )
    if not by:
        raise PoinsotError(f"export: {quantity!r} says nothing to differentiate by")
    return DerivativeText(text, Derivative(by, along, is_weighted))


def _along_a_motion(rate: re.Match[str]) -> DerivativeText:
    """Return a time derivative."""
    order, again, text = rate.groups()
    if order != again:
        raise PoinsotError(
            f"export: {rate.group()!r} has two orders; write e.g. 'd/dt {text}' or 'd2/dt2 {text}'"
        )
    name = text.partition(":")[0]
    if name in QUANTITIES:
        motion_arguments("export", name, QUANTITIES[name].inputs)
    return DerivativeText(text, Derivative(rate=int(order or 1)))


def _hessian(text: str) -> DerivativeText:
    """Return the symmetric second derivative of a quantity."""
    name = text.partition(":")[0]
    if name in QUANTITIES and "q" not in QUANTITIES[name].inputs:
        raise PoinsotError(f"export: {name} does not depend on q, so there is no hessian of it")
    return DerivativeText(text, Derivative(("q", "q"), (False, False), symmetric=True))


def _known(mechanism: Mechanism, name: str, loads: LoadInputs) -> list[str]:
    """Return what a quantity can be differentiated by."""
    entry, parameters = QUANTITIES[name], mechanism.parameter_inputs
    known = [*entry.inputs, *parameters, *([PARAMETERS] if parameters else [])]
    return [*known, *(loads.inputs(mechanism) if entry.loaded else ())]


def _remedy(argument: str) -> str:
    """Return how something becomes an input, by which one can differentiate."""
    return {
        "wrenches": "name the bodies on which they act, wrenches=[...]",
        "base": "make its motion an input, base=True",
        "t": "nothing in it depends on the time",
    }.get(argument, "")
