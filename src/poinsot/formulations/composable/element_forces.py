"""Forces of springs and dampers between points, and in pins and slides, on the links.

between points   F = k (L - L_0) + c dL/dt pulls both ends along the line between them
in a joint       T = -k (x - x_0) - c dx/dt on the second link, x its angle or stroke
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from poinsot.errors import ModelError
from poinsot.formulations.composable.counted_angles import read_poses
from poinsot.formulations.composable.evaluated import evaluated
from poinsot.formulations.composable.joint_rows import driver_rows
from poinsot.formulations.composable.plane import (
    dot,
    plain,
    rotated,
    scaled,
    square_root,
    stacked,
    turned,
)
from poinsot.model.planar.clock import CLOCK
from poinsot.model.planar.force_element import PlanarElement
from poinsot.model.planar.frame_names import shown_ends
from poinsot.model.planar.linkage import PlanarLinkage, PlanarSpring
from poinsot.spatial import Array


def element_forces(
    linkage: PlanarLinkage, poses: Mapping[str, Array], velocities: Mapping[str, Array]
) -> dict[str, Array]:
    """Return forces and couple about the link's origin, (..., 3), of links that have some."""
    forces: dict[str, Array] = {}
    poses = read_poses(linkage, poses)

    def add(body: str, force: Array) -> None:
        forces[body] = forces[body] + force if body in forces else force

    for spring in linkage.springs:
        for body, force in _of_spring(spring, poses, velocities).items():
            add(body, force)
    for joint in linkage.joints:
        if not (joint.k or joint.c):
            continue
        rows = driver_rows(joint, poses[joint.a], poses[joint.b])
        row_a, row_b = rows.of_a[..., 0, :], rows.of_b[..., 0, :]
        rate = np.sum(row_a * velocities[joint.a] + row_b * velocities[joint.b], axis=-1)
        force = -joint.k * (rows.residual[..., 0] - joint.rest) - joint.c * rate
        add(joint.a, scaled(force, row_a))
        add(joint.b, scaled(force, row_b))
    for element in linkage.elements:
        values = element_values(element, poses, velocities)
        for k, link in enumerate(element.links):
            add(link, values[..., 3 * k : 3 * k + 3])
        for k, y in enumerate(element.coordinates, start=3 * len(element.links)):
            rows = driver_rows(y.joint, poses[y.joint.a], poses[y.joint.b])
            add(y.joint.a, scaled(values[..., k], rows.of_a[..., 0, :]))
            add(y.joint.b, scaled(values[..., k], rows.of_b[..., 0, :]))
    return forces


def element_energy(linkage: PlanarLinkage, poses: Mapping[str, Array]) -> Any:  # noqa: ANN401
    """Return the energy of all springs [J], shape (...)."""
    energy: Any = 0.0
    poses = read_poses(linkage, poses)
    for spring in linkage.springs:
        d = _line(spring, poses)[1]
        length = square_root(dot(d, d))
        energy = energy + 0.5 * spring.stiffness * (length - spring.length) ** 2
    for joint in linkage.joints:
        if joint.k:
            x = driver_rows(joint, poses[joint.a], poses[joint.b]).residual[..., 0]
            energy = energy + 0.5 * joint.k * (x - joint.rest) ** 2
    still = {name: 0.0 * pose for name, pose in poses.items()}
    for element in linkage.elements:
        energy = energy + element_values(element, poses, still)[..., -1]
    return energy


def element_values(
    element: PlanarElement, poses: Mapping[str, Array], velocities: Mapping[str, Array]
) -> Array:
    """Return what the program of an element gives."""
    z: list[Any] = []
    for link in element.links:
        z += [plain(np.asarray(motion[link][..., k])) for motion in (poses, velocities)
              for k in range(3)]  # fmt: skip
    for y in element.coordinates:
        rows = driver_rows(y.joint, poses[y.joint.a], poses[y.joint.b])
        row_a, row_b = rows.of_a[..., 0, :], rows.of_b[..., 0, :]
        rate = np.sum(row_a * velocities[y.joint.a] + row_b * velocities[y.joint.b], axis=-1)
        z += [plain(np.asarray(rows.residual[..., 0])) - y.shift, rate]
    still = np.zeros(())
    t = plain(np.asarray(poses[CLOCK][..., 0])) if CLOCK in poses else still
    z += [number.at(t) for number in element.given]
    return evaluated(element.program, stacked(*z))


def _line(spring: PlanarSpring, poses: Mapping[str, Array]) -> tuple[dict[str, Array], Array]:
    """Return levers of both ends, the vector from the first to the second."""
    levers = {
        body: rotated(poses[body][..., 2], point)
        for body, point in ((spring.a, spring.pa), (spring.b, spring.pb))
    }
    d = poses[spring.b][..., :2] + levers[spring.b] - poses[spring.a][..., :2] - levers[spring.a]
    return levers, d


def _of_spring(
    spring: PlanarSpring, poses: Mapping[str, Array], velocities: Mapping[str, Array]
) -> dict[str, Array]:
    levers, d = _line(spring, poses)
    pull = scaled(spring.stiffness, d)
    if spring.length or spring.damping:
        pull = pull + _along(spring, levers, d, velocities)
    forces = {}
    for body, sign in ((spring.a, 1.0), (spring.b, -1.0)):
        F = sign * pull
        forces[body] = stacked(F[..., 0], F[..., 1], dot(turned(levers[body]), F))
    return forces


def _along(
    spring: PlanarSpring, levers: Mapping[str, Array], d: Array, velocities: Mapping[str, Array]
) -> Array:
    """Return what needs the direction of a spring: (c dL/dt - k L_0) along it."""
    length = square_root(dot(d, d))
    if length.dtype != object and not np.all(length != 0.0):
        raise ModelError(
            f"spring {spring.name!r}: its ends on {shown_ends(spring.a, spring.b)} are in one"
            " place, so that the direction of its force is not determined; move an end, or make its"
            " relaxed length and its damping zero"
        )
    along = scaled(1.0 / length, d)
    ends = {
        body: velocities[body][..., :2] + scaled(velocities[body][..., 2], turned(lever))
        for body, lever in levers.items()
    }
    rate = dot(along, ends[spring.b] - ends[spring.a])
    return scaled(spring.damping * rate - spring.stiffness * spring.length, along)
