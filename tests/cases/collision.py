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
