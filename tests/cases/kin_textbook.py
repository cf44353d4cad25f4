"""A textbook's four-bar and slider-crank: angles [deg], angular velocities and accelerations.

Rockers point from their fixed pin, the slider's rod from the slider to the crank.
"""

import numpy as np

from poinsot.library import (
    four_bar,
    four_bar_configuration,
    slider_crank,
    slider_crank_configuration,
)
from tests.cases.contract import Unsupported, Within

BRANCHES = {"open": 1, "crossed": -1}
BOOK = {"2 decimals": 0.01}
"""How far numbers printed in a book may be off, by the words of the case."""


def textbook(case):
    """Return both branches of the linkages of the case, and what of them a book prints."""
    model, tolerance = case["model"], case.get("tolerance", {})
    within = tolerance.get("deg_abs", 1e-8)
    found = {}
    for name, branch in BRANCHES.items():
        if "fourbar" in model:
            found[name] = _four_bar(model["fourbar"], branch)
        if "slider" in model:
            found[f"slider_{name}"] = _slider_crank(model["slider"], branch)
    if "book" in case["reference"]:
        found["book"] = _printed(case["reference"]["book"], found, tolerance)
    for one in found.values():
        one.update({key: Within(v, atol=within) for key, v in one.items() if "deg" in key})
    return found


def _four_bar(of, branch):
    lengths = [of["crank"], of["coupler"], of["rocker"]]
    linkage = four_bar(lengths=lengths, ground=of["ground"])
    q = four_bar_configuration(
        np.radians(of["theta2_deg"]), lengths=lengths, ground=of["ground"], branch=branch
    )
    speed, change = of.get("omega2", 0.0), of.get("alpha2", 0.0)
    v = linkage.consistent_velocity(q, [speed, 0.0, 0.0], joints=["crank"])
    a = linkage.consistent_acceleration(q, v, [change, 0.0, 0.0], joints=["crank"])
    found = {"theta3_deg": _degrees(q[:2].sum()), "theta4_deg": _degrees(q.sum() + np.pi)}
    for symbol, rate in (("w", v), ("al", a)):
        found |= {f"{symbol}3": rate[:2].sum(), f"{symbol}4": rate.sum()}
    return found


def _slider_crank(of, branch):
    sizes = {"crank": of["crank"], "rod_length": of["coupler"], "offset": of["offset"]}
    linkage = slider_crank(**sizes)
    guess = slider_crank_configuration(np.radians(of["theta2_deg"]), **sizes, branch=branch)
    q = linkage.assemble(guess, joints=["crank"])
    return {"theta3_deg": _degrees(q[0] + q[1] + np.pi), "d": q[2]}


def _printed(book, found, tolerance):
    """Return what is found under the names of the book; rates are those of the open linkage."""
    if tolerance.get("book_digits") not in BOOK:
        raise Unsupported(f"book digits {tolerance.get('book_digits')!r}: not understood")
    printed = {}
    for key in book:
        name, _, branch = key.rpartition("_")
        if key in found:
            printed[key] = [found[key]["theta3_deg"], found[key]["d"]]
        elif branch in BRANCHES:
            printed[key] = found[branch][f"{name}_deg"]
        else:
            printed[key] = found["open"][key]
    within = BOOK[tolerance["book_digits"]]
    return {key: Within(value, atol=within) for key, value in printed.items()}


def _degrees(angle):
    return np.degrees(np.angle(np.exp(1j * angle)))
