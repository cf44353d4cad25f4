"""Impacts of two systems on moving bases, in several points (Zhang 1996)."""

import numpy as np

import poinsot as ps
from tests.cases.asked import asked
from tests.cases.neutral import name_of, system_of


def collision(case):
    """Return matrices, velocities and impulses by both laws."""
    scene = case["scene"]
    both = [party(scene, number) for number in ("1", "2")]
    points = [
        ps.ImpactPoint(
            name_of(contact["body1"]), name_of(contact["body2"]), name=f"contact {k}",
            point=contact["point"], normal=contact["normal"], restitution=contact["restitution"],
        )
        for k, contact in enumerate(scene["contacts"], start=1)
    ]  # fmt: skip
    hit = ps.collide(*both, points, law="unilateral")
    entries = {
        "M1": both[0].mass_matrix,
        "M2": both[1].mass_matrix,
        "A": lambda: hit.A,
        "G": lambda: hit.G,
        "rank_G": lambda: hit.rank,
        "normal_velocity_pre": lambda: hit.rates_before,
        "H": lambda: hit.H,
        "newton_consistent": lambda: newton(both, points) is not None,
        "contact_points_body1": lambda: hit.places[0],
        "contact_points_body2": lambda: hit.places[1],
        "kinetic_energy_pre": lambda: sum(one.kinetic_energy(one.v) for one in both),
        "newton": lambda: outcome(both, newton(both, points)),
        "hand_formula": lambda: outcome(both, newton(both, points)),
        "complementarity": lambda: outcome(both, hit),
    }
    return asked(case["expected"], entries)


def collision_with_friction(case):
    """Return the impact in one point of a plane with friction, by normal and tangent."""
    scene, (contact,) = case["scene"], case["scene"]["contacts"]
    both = [party(scene, number) for number in ("1", "2")]
    n = np.array(contact["normal"], float) / np.linalg.norm(contact["normal"])
    axes = np.array([n, [-n[1], n[0], 0.0]])
    bodies, place = (name_of(contact["body1"]), name_of(contact["body2"])), contact["point"]
    keys = {"point": place, "normal": n, "restitution": contact["restitution"]}
    hit = ps.collide(*both, [ps.ImpactPoint(*bodies, **keys, friction=case["friction"]["mu"])])

    def opening(party, body):
        return axes @ party.point_velocity(body, place)

    ends = [
        ps.MovingSystem(one.system, one.q, v, one.base) for one, v in zip(both, hit.v, strict=True)
    ]
    before, after = (
        opening(parties[1], bodies[1]) - opening(parties[0], bodies[0]) for parties in (both, ends)
    )
    rows = [axes @ one.point_jacobian(body, place) for one, body in zip(both, bodies, strict=True)]
    delassus = sum(
        row @ np.linalg.solve(one.mass_matrix(), row.T)
        for one, row in zip(both, rows, strict=True)
        if row.size
    )
    impulse = [hit.impulses[0], axes[1] @ hit.friction_impulses[0]]
    entries = {
        "delassus_nt": lambda: delassus,
        "velocity_pre_nt": lambda: before,
        "mode": lambda: "stick" if hit.sticks else "slip",
        "impulse_nt": lambda: impulse,
        "velocity_post_nt": lambda: after,
        "delta_qd": lambda: np.concatenate(hit.changes),
        "contact_work": lambda: hit.contact_work,
        "hand_formula_impulse_nt": lambda: impulse,
    }
    return asked(case["expected"], entries)


def party(scene, number):
    """Return a system at the instant of the impact."""
    description, state = scene[f"system{number}"], scene["state"]
    base = description["base"]
    pose = ps.Pose(base["position"], quat=base["orientation"])
    turned = np.transpose(pose.matrix)
    velocity = [*turned @ base["velocity"], *turned @ base["omega"]]
    motion = ps.BaseMotion(pose, velocity)
    if not description["bodies"]:
        return ps.MovingSystem(base=motion)
    q, v = state[f"q{number}"], state[f"qd{number}"]
    return ps.MovingSystem(system_of(description), q, v, motion)


def newton(both, points):
    """Return what Newton's law says as printed, None where restitutions contradict."""
    try:
        return ps.collide(*both, points)
    except ps.ModelError as error:
        if "restitution asks" in str(error):
            return None
        raise


def outcome(both, hit):
    """Return what a law says."""
    if hit is None:
        return None
    return {
        "impulses": hit.impulses,
        "delta_qd": np.concatenate(hit.changes),
        "qd_post": np.concatenate(hit.v),
        "normal_velocity_post": hit.rates,
        "target_normal_velocity": np.maximum(0.0, hit.H + hit.rates_before),  # -e u
        "contact_work": hit.contact_work,
        "impulses_unique": hit.unique,
        "any_negative_impulse": bool((hit.impulses < -1e-12).any()),
        "kinetic_energy_post": sum(
            one.kinetic_energy(v) for one, v in zip(both, hit.v, strict=True)
        ),
    }
