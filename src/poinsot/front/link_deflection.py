"""How far a tool is displaced by elastic links, from the loads in their sections."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError
from poinsot.front.system import System
from poinsot.model.bar import Bar
from poinsot.model.checks import real_array
from poinsot.spatial import Array

CUTS: Final = 41
"""Sections of a link along which its strain is summed up, by Simpson's rule; an odd number."""


def link_deflection(
    system: System, q: Array, tool: Array, links: Sequence[tuple[Bar, ArrayLike]]
) -> Array:
    """Return the displacement [d; φ] of a tool in world axes by the weight at rest, shape (..., 6).

        φ = ∫ κ ds,      d = ∫ (ε a + κ × (p - x)) ds,      κ = M / (GJ, EI_y, EI_z),  ε = N / EA

    of beams without shear strain, small against their length; a is the axis of the link, x the
    section, p the tool.

    Args:
        system: A tree.
        q: Configurations, shape (..., nq).
        tool: Where the tool is in the world [m], shape (..., 3).
        links: Bars with EA [N], GJ, EI_y and EI_z [N m²].
    """
    total = np.zeros((*q.shape[:-1], 6))
    still = np.zeros(system.nv)
    if not isinstance(links, (list, tuple)):
        raise ModelError(f"accuracy: links must be [(bar, (EA, GJ, EI_y, EI_z))], got {links!r}")
    for entry in links:
        if not isinstance(entry, tuple) or len(entry) != 2 or not isinstance(entry[0], Bar):
            raise ModelError(
                f"accuracy: links must be [(bar, (EA, GJ, EI_y, EI_z))], got {entry!r}"
            )
        bar, given = entry
        stiffness = real_array(given, "accuracy: stiffness of a link")
        if stiffness.shape != (4,) or not (stiffness > 0.0).all():
            raise ModelError(
                f"accuracy: link {bar.body!r}: give four positive numbers EA [N], GJ, EI_y and "
                f"EI_z [N m²], got {given!r}"
            )
        loads = system.section_loads(bar, q, still, a=still, cuts=CUTS)
        sections = np.array([bar.section(s).numbers() for s in loads.s.tolist()])
        X = system.pose(bar.body, q)[..., None, :, :]
        axes = X[..., :3, :3] @ sections[:, :9].reshape(-1, 3, 3)
        places = (X[..., :3, :3] @ sections[:, 9:12, None])[..., 0] + X[..., :3, 3]
        weights = np.full(CUTS, 2.0)
        weights[1::2], weights[[0, -1]] = 4.0, 1.0
        weights *= bar.length / (3.0 * (CUTS - 1))
        faces = -loads.wrench  # on the part before the section
        strain = faces[..., 0] / stiffness[0]
        bent = (axes @ (faces[..., 3:] / stiffness[1:])[..., None])[..., 0]
        moved = strain[..., None] * axes[..., 0] + np.cross(bent, tool[..., None, :] - places)
        both = np.concatenate([moved, bent], axis=-1)
        total += (weights[:, None] * both).sum(axis=-2)
    return total
