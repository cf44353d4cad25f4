"""Runs whose states are compared at given times."""

import re

import numpy as np

import poinsot as ps
from tests.cases.contract import Unsupported

ACCURACY = 1e-12
"""Of the integration, relative."""


def motion(system, q, v, times, *, tau=None):
    """Return the run that reaches all times; where there is none but t = 0, a very short one.

    Raises:
        RuntimeError: If it stops before the last of them.
    """
    run = ps.simulate(system, q, v, max(np.max(times), 1e-3), tau=tau, rtol=ACCURACY)
    if not run.status.ok:
        raise RuntimeError(run.status.message)
    return run


def tables_of(reference, others=()):
    """Return the times of every table of a reference by its name.

    A table is a list of rows that begin with the time, or one such row.
    """
    return {
        key: np.atleast_2d(np.array(rows, float))[:, 0]
        for key, rows in reference.items()
        if isinstance(rows, list) and key not in others
    }


def filled(run, columns, reference, tables):
    """Return the tables of a reference with what a run has in their places.

    Args:
        run: The run.
        columns: Functions (q, v) -> number, of the columns behind the time.
        reference: What the case expects.
        tables: Times by name.
    """
    found = {}
    for key, times in tables.items():
        rows = []
        for t in times.tolist():
            q, v = run.at(t)
            rows.append([t, *(float(column(q, v)) for column in columns)])
        found[key] = np.array(rows).reshape(np.shape(reference[key]))
    return found


def columns_of(text, known):
    """Return what each column behind the time shows, from a list of names.

    Args:
        text: The names, e.g. "t, crank angle, slider x".
        known: What can be shown, by patterns of names.
    """
    first, *names = (" ".join(name.split()) for name in text.split(","))
    if first != "t":
        raise Unsupported(f"columns {text!r}: the first is not t")
    columns = []
    for name in names:
        fits = [(show, found) for key, show in known.items() if (found := re.fullmatch(key, name))]
        if not fits:
            raise Unsupported(f"column {name!r}: not understood")
        show, found = fits[0]
        columns.append(show(*found.groups()) if found.groups() else show)
    return columns


def keep_energy(run, limit, until=np.inf):
    """Fail if the energy of a run changes by more than a limit [J] up to a time [s]."""
    energy = run.energy()[run.t <= until]
    drift = np.max(np.abs(energy - energy[0]))
    if not drift <= limit:
        raise ValueError(f"energy drift: {drift:.1e} J > {limit:g} J")
