"""Impacts in a run that is differentiated: which contacts push, and what their impact does."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from poinsot.expr import Program
from poinsot.spatial import Array

Acting: TypeAlias = tuple[tuple[str, bool], ...]
"""Names of contacts that push in an impact, and whether each was closing."""


class ImpactChange(NamedTuple):
    """How an impact changes with what was before it.

    Attributes:
        acting: Names of the contacts that push.
        after: Velocities after it, shape (nv,).
        matrix: Their derivatives by q, v, parameters and the time, shape (nv, nq + nv + p + 1).
    """

    acting: tuple[str, ...]
    after: Array
    matrix: Array


class ImpactReset(NamedTuple):
    """An impact, which a run computes by a Python function, and its derivatives.

    Attributes:
        acting: Which contacts push in the impact at a state (t, q, v).
        program: The velocities after the impact of such contacts, by Newton's law without friction.
        change: What it does at a state (t, q, v) to changes of that and of parameters, the only
            contact that takes part, or None for all that touch, and names of parameters given; None
            where ``program`` tells it.
    """

    acting: Callable[[float, Array, Array], Acting]
    program: Callable[[Acting], Program]
    change: Callable[[tuple[float, Array, Array], str | None, tuple[str, ...]], ImpactChange | None]
