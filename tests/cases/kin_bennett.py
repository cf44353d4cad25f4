"""Bennett's linkage: angles, mobility and the relation between angles."""

import numpy as np

from poinsot.library import bennett, bennett_configuration
from tests.cases.contract import Unsupported
from tests.cases.numbers import number

CLOSED = 1e-9
"""Largest residual of a closed linkage, and difference of values that agree."""

BENNETT = (
    "standard DH, offsets d=0; lengths a,b,a,b; twists {alpha:g},{beta:g},{alpha:g},{beta:g} deg"
)


def bennett_linkage(case):
    """Return angles and mobility."""
    model, reference = case["model"], case["reference"]
    degrees = {"alpha": model["alpha_deg"], "beta": model["beta_deg"]}
    if model.get("DH", BENNETT.format(**degrees)) != BENNETT.format(**degrees):
        raise Unsupported(f"linkage {model['DH']!r}: not supported yet")
    twists = {name: float(np.radians(value)) for name, value in degrees.items()}
    linkage = bennett(a=model["a"], b=model["b"], **twists)
    q = bennett_configuration(model["theta1"], **twists)
    missed = np.abs(linkage.constraint_residual(q)).max()
    if missed > CLOSED:
        raise ValueError(f"the linkage is not closed: {missed:.1e}")
    angles = [*q, *linkage.loop_position("closure", q)]
    mobility = linkage.mobility(q)
    found = {f"theta{i}": angle for i, angle in enumerate(angles, start=1)}
    found |= {"mobility": mobility.degrees, "gruebler": linkage.nv - mobility.n_rows}
    names = found | {f"th{i}": angle for i, angle in enumerate(angles, start=1)}
    names |= {"al": twists["alpha"], "be": twists["beta"]}
    within = case.get("tolerance", {}).get("abs", CLOSED)
    for key, text in reference.items():
        if isinstance(text, str):
            found[key] = agreed(text, found.get(key), names, within)
    return found


def agreed(text, value, names, within):
    """Return a text where it is true, else what it comes to.

    Args:
        text: A formula for the value, or an equation "left = right".
        value: What was found; None for an equation.
        names: What the names in it stand for.
        within: Largest difference.
    """
    sides = [number(side, **names) for side in text.split("=")]
    if value is not None:
        sides.append(value)
    return text if len(sides) == 2 and abs(sides[0] - sides[1]) <= within else str(sides)
