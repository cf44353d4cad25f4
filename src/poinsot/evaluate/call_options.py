"""The keywords that methods of a system share, and the error for any other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, TypedDict

from numpy.typing import ArrayLike

from poinsot.model import BaseMotion, suggestion
from poinsot.spatial import Array

FORMER: Final = {"actuated": "joints", "given": "joints"}
"""Keywords that had another name."""

ELSEWHERE: Final = {
    "order": "there is no order=: by= of derivative names an argument for each, by=('q', 'q')"
}
"""Keywords of which the meaning is said by others."""


class Loads(TypedDict, total=False):
    """External loads.

    Attributes:
        wrenches: For some bodies the wrench [f; n] [N, N m] on them, at the body's
            origin in body axes, shape (..., 6).
        base: Motion of the world body; at rest by default.
        drives: For some loops and curves the forces along their own velocities [N or N m],
            shape (..., nv of their own).
    """

    wrenches: Mapping[str, ArrayLike] | None
    base: BaseMotion | None
    drives: Mapping[str, ArrayLike] | None


class SolveOptions(Loads, total=False):
    """Keywords of dynamics whose results are not one array.

    Attributes:
        parameters: Values of free parameters by name, shapes (...); those with a number of their
            own may be left out.
        states: Values of further states by name, shapes (...); initial ones by default.
        backend: What computes it: "auto", "llvm", "rolled", "interpreter" or "floats".
    """

    parameters: Mapping[str, ArrayLike] | None
    states: Mapping[str, ArrayLike] | None
    backend: str


class LoadOptions(SolveOptions, total=False):
    """Keywords of quantities that external loads are part of.

    Attributes:
        out: Array for the result.
    """

    out: Array | None


class CallOptions(TypedDict, total=False):
    """Keywords of all other quantities.

    Attributes:
        parameters: Values of free parameters by name, shapes (...); those with a number of their
            own may be left out.
        states: Values of further states by name, shapes (...); initial ones by default.
        out: Array for the result.
        backend: What computes it: "auto", "llvm", "rolled", "interpreter" or "floats".
    """

    parameters: Mapping[str, ArrayLike] | None
    states: Mapping[str, ArrayLike] | None
    out: Array | None
    backend: str


class FormulaOptions(TypedDict, total=False):
    """Keywords of formulas of a state.

    Attributes:
        parameters: Values of free parameters by name, shapes (...); those with a number of their
            own may be left out.
        states: Values of further states by name, shapes (...); initial ones by default.
    """

    parameters: Mapping[str, ArrayLike] | None
    states: Mapping[str, ArrayLike] | None


def check_keywords(name: str, given: Mapping[str, Any], allowed: Any) -> None:  # noqa: ANN401
    """Reject keywords that a method does not have.

    Args:
        name: The method.
        given: What it was given.
        allowed: The ``TypedDict`` of its keywords.

    Raises:
        TypeError: If there is such a keyword; the message says which may be meant.
    """
    names = allowed.__annotations__
    for key in given:
        if key not in names:
            hint = f"it is {FORMER[key]}= now" if key in FORMER else suggestion(key, names)
            hint = ELSEWHERE.get(key, hint)
            raise TypeError(f"{name}() got an unexpected keyword argument {key!r}; {hint}")
