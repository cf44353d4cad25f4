"""Keywords that had another name, or are misspelt: the error says the right one."""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches
from functools import wraps
from typing import ParamSpec, TypeVar

__all__ = ["renamed"]

P = ParamSpec("P")
R = TypeVar("R")


def renamed(**new_names: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return a decorator that refuses old and misspelt keywords of a function.

    Args:
        new_names: For each old keyword what to write in its place.

    >>> @renamed(keep="joints")
    ... def assemble(q, *, joints=()):
    ...     return q
    >>> assemble(1, keep=["crank"])
    Traceback (most recent call last):
    TypeError: assemble: the keyword is no longer keep= but joints=
    >>> assemble(1, joinst=["crank"])
    Traceback (most recent call last):
    TypeError: assemble() got an unexpected keyword argument 'joinst'; did you mean joints=?
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        code = function.__code__
        known = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]

        @wraps(function)
        def checked(*args: P.args, **kwargs: P.kwargs) -> R:
            for old, new in new_names.items():
                if old in kwargs:
                    raise TypeError(
                        f"{function.__name__}: the keyword is no longer {old}= but {new}="
                    )
            for key in kwargs:
                if key not in known:
                    (near,) = get_close_matches(key, known, n=1) or [", ".join(known[1:])]
                    raise TypeError(
                        f"{function.__name__}() got an unexpected keyword argument {key!r}; "
                        f"did you mean {near}=?"
                    )
            return function(*args, **kwargs)

        return checked

    return decorate
