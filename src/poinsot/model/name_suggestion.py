"""Point at the right name when a wrong one was given."""

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Protocol

__all__ = ["parameter_hint", "suggestion"]

_LISTED = 8
"""How many known names a message lists when none of them is near."""

_LONGEST = 100
_MOST = 10_000
"""Length and number of the names that are compared, whose cost is quadratic."""


def suggestion(name: object, known: Iterable[str]) -> str:
    """Return the end of a message: the known name nearest to ``name``, or the known names.

    Examples:
        >>> suggestion("uper", ["upper", "lower"])
        "did you mean 'upper'?"
        >>> suggestion("q", ["upper", "lower"])
        "known are 'upper', 'lower'"
    """
    names = list(known)
    if not names:
        return "there are none"
    short = [candidate for candidate in names[:_MOST] if len(candidate) <= _LONGEST]
    near: list[str] = []
    if isinstance(name, str) and len(name) <= _LONGEST:
        near = get_close_matches(name, short, n=1)
    if near:
        return f"did you mean {near[0]!r}?"
    listed = ", ".join(repr(candidate) for candidate in names[:_LISTED])
    return f"known are {listed}" + (", ..." if len(names) > _LISTED else "")


class Described(Protocol):
    """What has parameters, of which some are inputs: a mechanism."""

    @property
    def parameters(self) -> Iterable[tuple[str, object]]:
        """Names and numbers."""

    @property
    def free_parameters(self) -> tuple[str, ...]:
        """Names of those that are inputs."""


def parameter_hint(name: object, described: Described, known: Iterable[str]) -> str:
    """Return the end of a message about an input that there is not; constants name ``free=``.

    Args:
        name: What was asked for.
        described: The mechanism, as it was described: with the parameters that are constants.
        known: The names of what there is.
    """
    is_parameter = any(name == parameter for parameter, _ in described.parameters)
    if is_parameter and name not in described.free_parameters:
        return f"it is folded in as a constant; make it an input: free=[{name!r}] of the system"
    return suggestion(name, known)
