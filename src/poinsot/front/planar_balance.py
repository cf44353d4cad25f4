"""Balancing of planar mechanisms: counterweights, and wheels that turn against links."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from poinsot.errors import ModelError
from poinsot.formulations.composable.plane import rotated, scaled, turned
from poinsot.front.planar_quantities import PlanarQuantities
from poinsot.model.checks import finite_number
from poinsot.model.name_suggestion import suggestion
from poinsot.model.planar.linkage import PlanarJoint, PlanarLink, PlanarLinkage
from poinsot.model.planar.pair_description import read_pair
from poinsot.spatial import Array


class Counterweights(NamedTuple):
    """Counterweights of a mechanism.

    Attributes:
        linkage: The linkage with them.
        counterweights: Mass [kg] and place in the link's frame [m], by link.
        before: Largest shaking force of inertia over the positions [N].
        after: The same with the counterweights.
        counter_inertias: Inertia of the wheels that turn against links [kg m²], by link.
        moment_before: Largest shaking moment of inertia over the positions with the counterweights,
            about the origin [N m].
        moment_after: The same with the wheels.
    """

    linkage: PlanarLinkage
    counterweights: dict[str, tuple[float, Array]]
    before: float
    after: float
    counter_inertias: dict[str, float]
    moment_before: float
    moment_after: float

    def __str__(self) -> str:
        """Return the weights and wheels, and what they do."""
        lines = [f"largest shaking force: {self.before:.4g} N before, {self.after:.4g} N after"]
        for link, (mass, (x, y)) in self.counterweights.items():
            lines.append(f"  counterweight on {link}: {mass:.4g} kg at ({x:.4g}, {y:.4g}) m")
        if self.counter_inertias:
            moments = f"{self.moment_before:.4g} N m before, {self.moment_after:.4g} N m after"
            lines.append(f"largest shaking moment: {moments}")
        for link, inertia in self.counter_inertias.items():
            lines.append(f"  wheel against {link}: {inertia:.4g} kg m²")
        return "\n".join(lines)


def balance(
    mechanism: PlanarQuantities, links: Sequence[str], q: Array, radius: Mapping[str, float],
    wheels: Mapping[str, float],
) -> Counterweights:  # fmt: skip
    """Find counterweights on pivoted links by linear least squares; see ``balanced``.

    A mass m at s from the pivot of a link adds -(φ̈ J A - φ̇² A) m s to the shaking force.  A wheel
    of inertia I that a gear of ratio -1 turns against a link adds I φ̈ to the shaking moment.
    """
    linkage = mechanism.linkage
    pivots = {link: _pivot(linkage, link) for link in links}
    weightless = type(mechanism)(replace(linkage, gravity=(0.0, 0.0)), mechanism.modes)
    v, a = np.ones_like(q), np.zeros_like(q)
    shaking = weightless.shaking_force(q, v, a)[:, :2]
    poses = weightless.positions(q)
    rates, accelerations = weightless.velocities(q, v), weightless.accelerations(q, v, a)
    columns = []
    for link in links:
        for unit in np.eye(2):
            s = rotated(poses[link][:, 2], unit)
            w, alpha = rates[link][:, 2], accelerations[link][:, 2]
            columns.append(-(scaled(alpha, turned(s)) - scaled(w**2, s)).ravel())
    moments: Array = np.zeros(0)
    if columns:
        moments = np.linalg.lstsq(np.stack(columns, axis=-1), -shaking.ravel(), rcond=None)[0]
    changed, weights = dict(linkage.links), {}
    for link, moment in zip(links, moments.reshape(-1, 2), strict=True):
        length = float(np.hypot(*moment))
        reach = finite_number(radius[link], f"balanced: distance of {link!r}")
        if reach <= 0.0:
            raise ModelError(f"balanced: distance of {link!r} [m] must be positive, got {reach:g}")
        place = pivots[link] + (moment * reach / length if length else moment)
        weights[link] = length / reach, place
        changed[link] = _with_mass(changed[link], *weights[link])
    after = replace(linkage, links=changed)
    light = type(mechanism)(replace(after, gravity=(0.0, 0.0)), mechanism.modes)
    remaining = light.shaking_force(q, v, a)[:, :2]
    largest = [float(np.max(np.hypot(*force.T))) for force in (shaking, remaining)]
    inertias = _counter_inertias(light, q, wheels)
    turned_links = _with_wheels(after, inertias, wheels)
    quiet = type(mechanism)(replace(turned_links, gravity=(0.0, 0.0)), mechanism.modes)
    couples = [float(np.max(np.abs(x.shaking_force(q, v, a)[:, 2]))) for x in (light, quiet)]
    return Counterweights(turned_links, weights, largest[0], largest[1], inertias, *couples)


def _counter_inertias(
    light: PlanarQuantities, q: Array, wheels: Mapping[str, float]
) -> dict[str, float]:
    """Return inertias, not negative, that make the shaking moment least.

    At constant speed of the driver; of the driver's own link under acceleration from rest, which
    nothing else tells.
    """
    if not wheels:
        return {}
    from scipy.optimize import nnls

    rows, right = [], []
    still, unity = np.zeros_like(q), np.ones_like(q)
    driven = {light.linkage.by_name[name].b for name in light.linkage.drivers}
    driven |= {light.linkage.by_name[name].a for name in light.linkage.drivers}
    states = [(unity, still)] + ([(still, unity)] if driven & set(wheels) else [])
    for v, a in states:
        motions = light.accelerations(q, v, a)
        rows.append(np.stack([motions[link][:, 2] for link in wheels], axis=-1))
        right.append(-light.shaking_force(q, v, a)[:, 2])
    solution, _ = nnls(np.concatenate(rows), np.concatenate(right))
    return dict(zip(wheels, solution.tolist(), strict=True))


def _with_wheels(
    linkage: PlanarLinkage, inertias: Mapping[str, float], wheels: Mapping[str, float]
) -> PlanarLinkage:
    """Return a linkage with wheels of equal size that gears turn against some links."""
    links, joints, pairs, entries = dict(linkage.links), [*linkage.joints], [], []
    for link, inertia in inertias.items():
        distance = finite_number(wheels[link], f"balanced: distance of the wheel of {link!r}")
        if distance <= 0.0:
            raise ModelError(f"balanced: a wheel of {link!r} must stand apart, got {distance:g} m")
        pivot = _pivot_joint(linkage, link)
        wheel, name = f"counter {link}", f"counter {pivot.name}"
        place = np.asarray(pivot.point(linkage.frame), float) + np.array([distance, 0.0])
        links[wheel] = PlanarLink(0.0, inertia)
        joints.append(PlanarJoint(name, "R", linkage.frame, wheel, tuple(place.tolist())))
        entry = {"id": f"{name} mesh", "type": "gear", "a": link, "b": wheel,
                 "radii": [distance / 2, distance / 2]}  # fmt: skip
        pairs.append(read_pair(entry, (link, wheel, linkage.frame), joints))
        entries.append(entry)
    if not inertias:
        return linkage
    undrawn = {name: replace(link, pose=None) for name, link in links.items()}
    return replace(
        linkage, links=undrawn, joints=tuple(joints), pairs=(*linkage.pairs, *pairs),
        pair_entries=(*linkage.pair_entries, *entries),
    )  # fmt: skip


def _pivot(linkage: PlanarLinkage, link: str) -> Array:
    return np.asarray(_pivot_joint(linkage, link).point(link), float)


def _pivot_joint(linkage: PlanarLinkage, link: str) -> PlanarJoint:
    """Return the pin of a link on the ground."""
    pins = [j for j in linkage.joints if j.kind == "R" and linkage.frame in (j.a, j.b)]
    for joint in pins:
        if link in (joint.a, joint.b):
            return joint
    hint = suggestion(link, [joint.other(linkage.frame) for joint in pins])
    raise ModelError(f"balanced: {link!r} has no pin on the ground; {hint}")


def _with_mass(link: PlanarLink, mass: float, place: Array) -> PlanarLink:
    """Return a link with a point mass more."""
    total = link.mass + mass
    com = np.asarray(link.com, float)
    both = (link.mass * com + mass * place) / total if total else com
    inertia = link.inertia + link.mass * np.sum((com - both) ** 2)
    inertia += mass * np.sum((place - both) ** 2)
    return replace(link, mass=total, com=tuple(both.tolist()), inertia=float(inertia))
