"""The ends of trajectories."""

import poinsot as ps

ACCURACY = 1e-11
"""Of the integration to the end of a trajectory."""

SUFFIXES = ("_end", "_T", "_final")


def end_of(system, q, v, tau, wanted, more=None):
    """Return the state and the energies at the end, under the names that are wanted.

    Args:
        system: The system.
        q: Configuration at the start.
        v: Velocity at the start.
        tau: Joint forces.
        wanted: ``t_end`` and the expected values, whose names may end in ``_end``.
        more: run -> further values by name.
    """
    run = ps.simulate(system, q, v, wanted["t_end"], tau=tau, rtol=ACCURACY)
    if not run.status.ok:
        raise RuntimeError(run.status.message)
    q, v = run.q[-1], run.v[-1]
    kinetic, potential = run.kinetic_energy()[-1], run.potential_energy()[-1]
    values = {
        "q": q,
        "qd": v,
        "v": v,
        "kinetic_energy": kinetic,
        "potential_energy_gravity": system.potential_energy(q, "gravity"),
        "potential_energy": potential,
        "energy": kinetic + potential,
        "total_energy": kinetic + potential,
        "total_momentum_screw_inertial": system.momentum(q, v),
    }
    if system.nq == system.nv:
        for i, (angle, rate) in enumerate(zip(q, v, strict=True), start=1):
            values |= {f"theta{i}": angle, f"theta{i}_dot": rate}
    if more is not None:
        values |= more(run)
    found = {"t_end": wanted["t_end"]}
    for name in wanted:
        key = name
        for suffix in SUFFIXES:
            key = key.removesuffix(suffix)
        if key in values:
            found[name] = values[key]
    return found
