"""Keywords that had another name: the error says the new one."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

__all__ = ["renamed"]

P = ParamSpec("P")
R = TypeVar("R")


def renamed(**new_names: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return a decorator that refuses old keywords of a function.

    Args:
        new_names: For each old keyword what to write in its place.

    >>> @renamed(keep="joints")
    ... def assemble(q, *, joints=()):
    ...     return q
    >>> assemble(1, keep=["crank"])
    Traceback (most recent call last):
    TypeError: assemble: the keyword is no longer keep= but joints=
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        @wraps(function)
        def checked(*args: P.args, **kwargs: P.kwargs) -> R:
            for old, new in new_names.items():
                if old in kwargs:
                    raise TypeError(
                        f"{function.__name__}: the keyword is no longer {old}= but {new}="
                    )
            return function(*args, **kwargs)

        return checked

    return decorate
