"""Chains with points that are led along given paths: rows, reactions and accelerations."""

import numpy as np

import poinsot as ps
from tests.cases.contract import Unsupported
from tests.cases.link_chain import bodies_of, wrenches_of
from tests.cases.neutral import name_of

PATH = {"a0", "a1", "w", "ph"}
"""Of a path a0 + a1 sin(w t + ph)."""


def holonomic(case):
    """Return f, its rates, and N and the accelerations of A q'' + b = Q + Gammaᵀ N."""
    given = case["given"]
    led = given["constraints"] if "constraints" in given else [given["constraint"]]
    system = ps.System(
        "chain",
        bodies_of(given["chain"]),
        gravity=given["chain"].get("gravity", (0.0, 0.0, 0.0)),
        constraints=[led_point(f"point {k}", one) for k, one in enumerate(led, start=1)],
    )
    q, v, Q = (np.array(given[name], float) for name in ("q", "qd", "Q"))
    t, wrenches = given.get("t", 0.0), wrenches_of(given)
    return {
        "A": system.mass_matrix(q),
        "b": system.bias(q, v, t=t, wrenches=wrenches),
        "f": system.constraint_residual(q, t=t),
        "fdot": system.constraint_rate(q, v, t=t),
        "Gamma": system.constraint_jacobian(q, t=t),
        "Gammadot": np.concatenate([rate_of_rows(system, one, q, v) for one in led]),
        "bias": system.constraint_bias(q, v, t=t),
        "N": system.multipliers(q, v, Q, t=t, wrenches=wrenches).values,
        "qdd": system.forward_dynamics(q, v, Q, t=t, wrenches=wrenches),
        "rank": system.mobility(q, t=t).rank,
    }


def led_point(name, led):
    """Return the constraint of a point of a link whose coordinates follow paths."""
    where, formulas = {}, []
    for axis in led["components"]:
        path = led["desired"][axis]
        if not set(path) <= PATH:
            raise Unsupported(f"path with {', '.join(path)}")
        a0, a1, w, ph = (float(path.get(key, 0.0)) for key in ("a0", "a1", "w", "ph"))
        where[axis] = (name_of(led["link"]), led["point_local"], axis)
        formulas.append(f"{axis} - ({a0!r} + {a1!r} * sin({w!r} * t + {ph!r}))")
    return ps.FormulaConstraint(name, formulas, where)


def rate_of_rows(system, led, q, v):
    """Return the rate of the rows of a point's Jacobian, in world axes."""
    body, point = name_of(led["link"]), led["point_local"]
    rate = system.jacobian_rate(body, q, v, point=point, axes="world")
    return rate[["xyz".index(axis) for axis in led["components"]]]
