"""Chains of n links described in words: point masses on a cart, or rods with relative angles.

A case may name the formulation, ``"method": "lagrange"``.
"""

import re

import numpy as np

import poinsot as ps
from tests.cases.contract import Unsupported
from tests.cases.numbers import assignments


def chain(case):
    """Return the accelerations of every chain of the case."""
    text = case["model"]["description"]
    if "point masses on a cart" in text:
        solve = on_cart
    elif "rods with relative joint angles" in text:
        solve = of_rods
    else:
        raise Unsupported(f"chain: the description {text[:40]!r}... is not understood")
    accelerations = {}
    for key in case["reference"]["qdd"]:
        kind, n = re.fullmatch(r"(\D*)(\d+)", key).groups()
        given = assignments(text, n=int(n)) | {"method": case.get("method", "recursive")}
        accelerations[key] = solve(kind, int(n), given)
    return {"qdd": accelerations}


def on_cart(kind, n, given):
    """Return the accelerations of a cart along x and of n angles from +x, all absolute.

    poinsot's angles are relative: differences of the absolute ones.
    """
    m, l = np.broadcast_to(given["m"], n + 1), np.broadcast_to(given["l"], n)
    bodies = [ps.Body("cart", joint=ps.Prismatic("x"), mass=m[0])]
    for i in range(n):
        bodies.append(
            ps.Body(
                f"link {i + 1}",
                parent=bodies[-1].name,
                joint=ps.Revolute("z"),
                pose=ps.Pose((l[i - 1], 0.0, 0.0)) if i else ps.Pose(),
                mass=m[i + 1],
                com=(l[i], 0.0, 0.0),
            )
        )
    system = ps.System("cart", bodies, gravity=(0.0, -given["g"], 0.0))
    tau = np.concatenate([[given["F"]], np.zeros(n)])
    q, u = relative(given["q"]), relative(given["u"])
    a = system.forward_dynamics(q, u, tau, method=given["method"])
    return np.concatenate([a[:1], np.cumsum(a[1:])])


def relative(absolute):
    """Return the place of the cart and the differences of the angles."""
    return np.concatenate([absolute[:1], np.diff(absolute[1:], prepend=0.0)])


def of_rods(kind, n, given):
    """Return the accelerations of n rods about z ("planar"), or about z and y in turn."""
    axes = {"planar": "z", "spatial": "zy"}[kind]
    m, l = np.broadcast_to(given["m"], n), np.broadcast_to(given["l"], n)
    moments = (given["Ia"], given["It"], given["It"])
    bodies = [
        ps.Body(
            f"rod {i + 1}",
            parent=f"rod {i}" if i else "world",
            joint=ps.Revolute(axes[i % len(axes)]),
            pose=ps.Pose((l[i - 1], 0.0, 0.0)) if i else ps.Pose(),
            mass=m[i],
            com=(l[i] / 2, 0.0, 0.0),
            inertia=moments,
        )
        for i in range(n)
    ]
    system = ps.System("rods", bodies, gravity=(0.0, -given["g"], 0.0))
    return system.forward_dynamics(given["q"], given["u"], method=given["method"])
