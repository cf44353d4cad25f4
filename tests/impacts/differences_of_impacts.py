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
    """Return derivatives in one matrix: [v; P; friction] by [q, v, e, μ]."""
    names = ("q", "v", "restitution", "friction")
    rows = [[getattr(exact, f"{y}_{x}") for x in names] for y in ("v", "impulses")]
    across = [getattr(exact, f"friction_impulses_{x}") for x in names]
    return np.block([*rows, [x.reshape(-1, x.shape[-1]) for x in across]])


def differences(parties, points, law, order="simultaneous", step=H):
    """Return the same by central differences; friction of smooth points stays."""
    s = len(points)

    def outcome(changes):
        moved, start = [], 0
        changes_q, changes_v, changes_e, changes_mu = np.split(changes, [n, 2 * n, 2 * n + s])
        for party in parties:
            if party is None:
                moved.append(None)
                continue
            own = slice(start, start + party.v.size)
            q = party.q if party.system is None else party.system.integrate(party.q, changes_q[own])
            moved.append(ps.MovingSystem(party.system, q, party.v + changes_v[own], party.base))
            start = own.stop
        bent = [
            at(
                (p.first, p.second), p.point, p.normal, p.restitution + de, name=p.name, law=p.law,
                friction=p.friction + (dmu if p.friction else 0.0),
                tangential_restitution=p.tangential_restitution,
            )
            for p, de, dmu in zip(points, changes_e, changes_mu, strict=True)
        ]  # fmt: skip
        hit = ps.collide(*moved, bent, law=law, order=order)
        return np.concatenate([*hit.v, hit.impulses, hit.friction_impulses.ravel()])

    n = sum(party.v.size for party in parties if party is not None)
    units = step * np.eye(2 * n + 2 * s)
    return np.array([(outcome(x) - outcome(-x)) / (2.0 * step) for x in units]).T
