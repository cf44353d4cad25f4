"""Derivatives of impacts by central differences of impacts."""

import numpy as np

import poinsot as ps

H = 1e-6
TOLERANCE = {"rtol": 1e-6, "atol": 2e-7}
"""Of central differences with this step, of quantities of size one to ten."""


def at(bodies, place, normal, e, **options):
    """Return a point of impact."""
    return ps.ImpactPoint(*bodies, point=place, normal=normal, restitution=e, **options)


def blocks_of(exact):
    """Return derivatives in one matrix: [v; P; friction] by [q, v, e, μ, e_t, parameters]."""
    names = ("q", "v", "restitution", "friction", "tangential_restitution", "parameters")
    rows = [[getattr(exact, f"{y}_{x}") for x in names] for y in ("v", "impulses")]
    across = [getattr(exact, f"friction_impulses_{x}") for x in names]
    return np.block([*rows, [x.reshape(3 * len(x), x.shape[-1]) for x in across]])


def numbers_of(party):
    """Return the numbers of the free parameters of a system."""
    if party is None or party.system is None:
        return np.zeros(0)
    own = [party.system.parameters[name] for name in party.system.free]
    return party.numbers if party.numbers.size else np.array(own, float)


def changed(party, dq, dv, dp):
    """Return a system in another state, with other numbers."""
    if party is None or party.system is None:
        return party
    numbers = dict(zip(party.system.free, numbers_of(party) + dp, strict=True))
    q = party.system.integrate(party.q, dq)
    return ps.MovingSystem(party.system, q, party.v + dv, party.base, parameters=numbers)


def differences(parties, points, law, order="simultaneous", step=H):
    """Return the same by differences; friction of smooth points stays.

    They are central but for tangential restitution from 0, which cannot be less.
    """
    s, p = len(points), [numbers_of(party).size for party in parties]
    sizes = [0 if party is None else party.v.size for party in parties]
    n, ends, last = sum(sizes), np.cumsum(sizes)[:-1], np.cumsum(p)[:-1]
    slides = [x.friction > 0.0 and (x.law or law) in ("printed", "unilateral") for x in points]

    def outcome(changes):
        dq, dv, de, dmu, dt, dp = np.split(changes, np.cumsum([n, n, s, s, s]))
        moved = [
            changed(party, *x)
            for party, *x in zip(
                parties, np.split(dq, ends), np.split(dv, ends), np.split(dp, last), strict=True
            )
        ]
        bent = [
            at(
                (x.first, x.second), x.point, x.normal, x.restitution + de[k], name=x.name,
                law=x.law, friction=x.friction + (dmu[k] if x.friction else 0.0),
                tangential_restitution=x.tangential_restitution + (dt[k] if slides[k] else 0.0),
            )
            for k, x in enumerate(points)
        ]  # fmt: skip
        hit = ps.collide(*moved, bent, law=law, order=order)
        return np.concatenate([*hit.v, hit.impulses, hit.friction_impulses.ravel()])

    units = step * np.eye(2 * n + 3 * s + sum(p))
    forward = {2 * n + 2 * s + k for k, x in enumerate(points) if not x.tangential_restitution}
    columns = []
    for k, x in enumerate(units):
        if k in forward:
            columns.append(4.0 * outcome(x) - outcome(2.0 * x) - 3.0 * outcome(0.0 * x))
        else:
            columns.append(outcome(x) - outcome(-x))
    return np.array(columns).T / (2.0 * step)
