"""Planar mechanisms as parts: described, saved, taken apart, put together, used alone."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError
from poinsot.formulations.composable.clock_motion import clock_motion
from poinsot.formulations.composable.sweep import equations_of, port_inertia
from poinsot.front.planar_evaluation import checked_time
from poinsot.front.planar_quantities import PlanarQuantities
from poinsot.model.checks import finite_vector
from poinsot.model.name_suggestion import suggestion
from poinsot.model.planar.decomposition import Unit
from poinsot.model.planar.description_checks import check_block
from poinsot.model.planar.held_ports import with_driven_links, with_held_ports
from poinsot.model.planar.link_names import checked_link
from poinsot.model.planar.linkage import read_linkage
from poinsot.model.planar.pair_description import storable_pair
from poinsot.model.planar.parts import flattened, named_parts, replaced_part
from poinsot.model.planar.system_content import OF_SYSTEM, system_content
from poinsot.model.planar.unit_part import unit_block
from poinsot.spatial import Array


class PlanarParts(PlanarQuantities):
    """Parts and units of a planar mechanism; see ``PlanarMechanism``."""

    @classmethod
    def from_description(cls, block: Mapping[str, Any]) -> Self:
        """Return the mechanism of a short description, as files hold it: see ``description``."""
        check_block(block)
        stored = [storable_pair(joint) for joint in block.get("joints", ())]
        block = dict(block) | {"joints": stored}
        return cls(read_linkage(block), flattened(block).get("modes"), block)

    def with_forces(
        self,
        springs: Sequence[Mapping[str, Any]] = (),
        joints: Mapping[str, Mapping[str, float]] | None = None,
    ) -> Self:
        """Return the mechanism with further springs, and stiffness, damping or armature in joints.

        Args:
            springs: As ``ps.planar`` takes them.
            joints: For some joints "k", "c", "rest" and "armature".
        """
        block = flattened(self.carried_description)
        names = [joint["id"] for joint in block["joints"]]
        for name, entry in (joints or {}).items():
            if name not in names:
                raise ModelError(f"with_forces: no joint {name!r}; {suggestion(name, names)}")
            if not isinstance(entry, Mapping):
                raise ModelError(
                    f'with_forces: joint {name!r} must have keys, e.g. {{"c": 0.02}}, got {entry!r}'
                )
        block["joints"] = [{**j, **(joints or {}).get(j["id"], {})} for j in block["joints"]]
        block["springs"] = [*block.get("springs", ()), *springs]
        return self.from_description(block)

    def with_drivers(
        self, drivers: Sequence[str | Mapping[str, Any]], q: ArrayLike | None = None, *,
        t: float | None = None,
    ) -> Self:  # fmt: skip
        """Return the mechanism with other driven joints, assembled as it is now.

        Its links are drawn in the poses at q, so that ``drawn`` are the new drivers' coordinates
        there.  Inverse kinematics: drive the joint or the link whose motion is given.

        Args:
            drivers: Names of joints, as many as there are degrees of freedom; a link, such as a
                platform, stands for the coordinates of its frame, three drivers "platform x",
                "platform y" and "platform angle", on slides without mass called like the first two;
                {"link": "rod", "point": (0.3, 0)} for those of a point, "rod point x" and
                "rod point y".
            q: Coordinates of the drivers so far, shape (nq,); by default those of the drawing.
            t: Time at which it is assembled [s], where constraints change with it; by default that
                of the drawing.
        """
        if q is None and self.linkage.drawn is None:
            raise ModelError(
                "with_drivers: the mechanism is not drawn; give q, the coordinates of"
                f" {list(self.linkage.drivers)} at which it is assembled"
            )
        state = self.drawn if q is None else q
        state = finite_vector(state, len(self.linkage.drivers), "with_drivers: q, one state,")
        time = self.linkage.drawn_at if t is None else float(checked_time(t)[0])
        poses = self.positions(state, t=time)
        block = flattened(self.carried_description)
        bodies = {
            name: {**entry, "pose": poses[str(name)].tolist()}
            for name, entry in block["bodies"].items()
        }
        block = with_driven_links(block | {"bodies": bodies, "modes": {}}, drivers, poses)
        content = system_content(block)
        if content:
            block[OF_SYSTEM] = replace(content, drawn_at=time)
        return self.from_description(block)

    def with_part(self, name: str, other: PlanarParts) -> Self:
        """Return the mechanism with another part of the same ports in place of one.

        Args:
            name: Name of the part; of a part inside of a part "outer.inner".
            other: The mechanism that takes its place, with modes of its own.
        """
        block = self.carried_description
        parts = named_parts(block)
        if name not in parts:
            raise ModelError(f"there is no part {name!r}; {suggestion(name, parts)}")
        if not isinstance(other, PlanarParts):
            raise ModelError(
                f"with_part: {name!r} must be replaced by a mechanism with the ports"
                f" {list(parts[name].get('ports', ()))}, got {other!r}"
            )
        return self.from_description(replaced_part(block, name, other.carried_description))

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the description, parts included, to a file; ``ps.load_planar`` reads it.

        Args:
            path: The file, ``.json``.
        """
        file = Path(path)
        if file.suffix.lower() != ".json":
            raise ModelError(f"save: the file must end in .json, got {file.name!r}")
        top = {"format": "poinsot/1", "kind": "planar", **self.description}
        file.write_text(json.dumps(top, indent=1, default=np.ndarray.tolist), encoding="utf-8")
        return file

    def unit(self, link: str) -> Self:
        """Return the unit of a link as a part: links that it hangs on are its ports.

        Args:
            link: Name of one of its links.
        """
        unit = self._unit_of(link, "unit")
        block = unit_block(self.carried_description, self.linkage, unit)
        inner = [pair.name for pair in unit.inner]
        modes = {name: mode for name, mode in self.modes.items() if name in inner}
        return self.from_description(block | {"modes": modes})

    def alone(self, drawn: Mapping[str, Sequence[float]] | None = None) -> Self:
        """Return a part by itself: coordinates of its ports are drivers, in front of its own.

        A port on which only pins at its origin hang is a point, "port x" and "port y"; others are
        guides, "port angle" too.  The forces of these drivers are what acts on the ports from
        outside, and the mass matrix is the inertia that is felt there.

        Args:
            drawn: Poses (x, y, angle) of the ports in the drawing, where bodies have poses.
        """
        block = with_held_ports(self.carried_description, drawn or {})
        return self.from_description(block | {"modes": self.modes})

    def port_inertia(self, unit: str, joint: str, q: ArrayLike, *, t: ArrayLike = 0.0) -> Array:
        """Return how the force on a unit at an outer pin grows with the pin's acceleration.

        R = R_0 + R_1 p̈: what a mechanism that carries the unit has to know of its mass.

        Args:
            unit: Name of one of the links of the unit.
            joint: Name of one of its outer pins.
            q: Coordinates of the drivers, shape (..., nq).
            t: Time [s], shape (...), where constraints change with it.

        Returns:
            R_1 [kg], shape (..., 2, 2), symmetric and positive semidefinite.
        """
        group = self._unit_of(unit, "port_inertia")
        pins = [pair.name for pair in group.outer if pair.kind == "R"]
        if joint not in pins:
            raise ModelError(
                f"port_inertia: {joint!r} is no outer pin of the unit of {unit!r}; "
                f"{suggestion(joint, pins)}"
            )
        clock = clock_motion(self.linkage, checked_time(t)).poses
        poses = self.positions(self.checked_floats("q", q), t=t) | clock
        equations = equations_of(self.linkage, poses)[self.units.index(group)]
        return port_inertia(self.linkage, equations, poses, joint)

    def _unit_of(self, link: str, where: str) -> Unit:
        name = checked_link(link, self.linkage.links, where)
        return next(unit for unit in self.units if name in unit.bodies)
