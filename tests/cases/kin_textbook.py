"""A textbook's four-bar and slider-crank: angles [deg], angular velocities and accelerations.

Rockers point from their fixed pin, the slider's rod from the slider to the crank.
"""

import numpy as np

import poinsot as ps
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
    ends = [
        ("A", 0, (0, 0), "crank", (0, 0)),
        ("B", "crank", (of["crank"], 0), "coupler", (0, 0)),
        ("C", "coupler", (of["coupler"], 0), "rocker", (of["rocker"], 0)),
        ("D", 0, (of["ground"], 0), "rocker", (0, 0)),
    ]
    linkage = _mechanism(ends, [], branch)
    q = [np.radians(of["theta2_deg"])]
    v, a = [of.get("omega2", 0.0)], [of.get("alpha2", 0.0)]
    angles = {link: pose[2] for link, pose in linkage.positions(q).items()}
    found = {
        "theta3_deg": _degrees(angles["coupler"]),
        "theta4_deg": _degrees(angles["rocker"]),
    }
    motions = {"w": linkage.velocities(q, v), "al": linkage.accelerations(q, v, a)}
    for symbol, motion in motions.items():
        found |= {f"{symbol}3": motion["coupler"][2], f"{symbol}4": motion["rocker"][2]}
    return found


def _slider_crank(of, branch):
    ends = [
        ("A", 0, (0, 0), "crank", (0, 0)),
        ("B", "crank", (of["crank"], 0), "rod", (0, 0)),
        ("C", "rod", (of["coupler"], 0), "slider", (0, 0)),
    ]
    guide = {"id": "D", "type": "P", "a": 0, "pa": (0, of["offset"]), "b": "slider"}
    linkage = _mechanism(ends, [guide], branch)
    poses = linkage.positions([np.radians(of["theta2_deg"])])
    return {"theta3_deg": _degrees(poses["rod"][2] + np.pi), "d": poses["slider"][0]}


def _mechanism(ends, slides, mode):
    """Return the planar mechanism of pins (name, link, its point, link, its point) and slides."""
    pins = [{"id": name, "a": a, "pa": pa, "b": b, "pb": pb} for name, a, pa, b, pb in ends]
    bodies = {b: {} for _, _, _, b, _ in ends}
    return ps.planar(bodies, [*pins, *slides], ["A"], modes={"C": mode})


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
