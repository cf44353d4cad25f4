"""Force and moment in sections of links: normal force, shear, torsion and bending."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from poinsot.errors import ModelError
from poinsot.front.heaviest import Heaviest, heaviest_of
from poinsot.front.section_stress import CrossSection, SectionStress, section_stress
from poinsot.model import suggestion
from poinsot.spatial import Array

if TYPE_CHECKING:
    from matplotlib.figure import Figure

KINDS: Final = {"normal": "N", "shear": "N", "torsion": "N m", "bending": "N m"}
"""Kinds of section loads, and their units."""

_IDLE: Final = 1e-9
"""Components below this part of the largest beside them [N or N m] are not drawn."""


@dataclass(frozen=True, eq=False)
class SectionLoad:
    """The load in a section; the face of the part before feels the opposite.

    Attributes:
        wrench: [f; n] of the part before the section on the part beyond, at the section's origin in
            its axes [N, N m], shape (..., 6).
        static: The same at rest, under gravity and the same external loads, shape (..., 6).
    """

    wrench: Array
    static: Array

    @property
    def inertial(self) -> Array:
        """What the motion adds to the load at rest [N, N m], shape (..., 6)."""
        return self.wrench - self.static

    @property
    def normal(self) -> Array:
        """Normal force [N], positive where the link is pulled, shape (...)."""
        return 0.0 - self.wrench[..., 0]

    @property
    def shear(self) -> Array:
        """Shear forces along y and z of the section [N], on the part before, shape (..., 2)."""
        return 0.0 - self.wrench[..., 1:3]

    @property
    def torsion(self) -> Array:
        """Moment about the normal of the section [N m], on the part before, shape (...)."""
        return 0.0 - self.wrench[..., 3]

    @property
    def bending(self) -> Array:
        """Bending moments about y and z [N m], on the part before, shape (..., 2)."""
        return 0.0 - self.wrench[..., 4:]

    def size(self, kind: str) -> Array:
        """Return the size of the "normal" or "shear" force, "torsion" or "bending" moment, (...).

        Args:
            kind: Which.
        """
        if kind not in KINDS:
            raise ModelError(f"section load: there is no kind {kind!r}; {suggestion(kind, KINDS)}")
        values: Array = getattr(self, kind)
        return np.abs(values) if kind in ("normal", "torsion") else np.linalg.norm(values, axis=-1)


class SectionMotion(NamedTuple):
    """The motion of a section's frame.

    Attributes:
        pose: In the world, shape (..., 4, 4).
        velocity: [v; w] of its origin in its axes [m/s, rad/s], shape (..., 6).
        acceleration: Rates of the components of ``velocity`` [m/s², rad/s²], shape (..., 6); that
            of the origin is w × v more.
    """

    pose: Array
    velocity: Array
    acceleration: Array


@dataclass(frozen=True, eq=False)
class SectionLoads(SectionLoad):
    """Loads in k sections along a link, at one instant or along a run.

    Attributes:
        wrench: As of ``SectionLoad``, shape (..., k, 6); (n, k, 6) along a run.
        static: At rest, the same shape.
        body: Name of the link.
        s: Places of the sections along the link [m], shape (k,).
        t: Times [s], shape (n,); of one instant one.
    """

    body: str
    s: Array
    t: Array

    def heaviest(self, kind: str = "bending") -> Heaviest:
        """Return when and where a load is largest: "normal", "shear", "torsion" or "bending"."""
        return heaviest_of(self.size(kind), self.s, self.t)

    def envelope(self) -> tuple[Array, Array]:
        """Return the smallest and largest of each component of ``wrench`` by section, (k, 6)."""
        all_instants = self.wrench.reshape(-1, self.s.size, 6)
        return all_instants.min(axis=0), all_instants.max(axis=0)

    def stress(self, section: CrossSection) -> SectionStress:
        """Return the stresses in a cross-section, area and second moment: as of beams.

        Args:
            section: ``ps.CrossSection.rectangle(height, width)``, ``.tube(diameter)``, or numbers.
        """
        return section_stress(-self.wrench, section, self.body, self.s, self.t)

    def plot(self, path: str | Path | None = None) -> Figure:
        """Draw normal force, shear, torsion and bending along the link; return the figure.

        Of several instants the smallest and largest of each, and dashed the instant of the largest
        bending moment.

        Args:
            path: File to write: .png, .svg or .pdf; None: show it.
        """
        from poinsot.plots.figure import plot_panels
        from poinsot.plots.panels import Panel, PlottedCurve

        faces = -self.wrench.reshape(-1, self.s.size, 6)
        instant = int(np.argmax(self.size("bending").reshape(-1, self.s.size).max(axis=1)))
        t = float(np.broadcast_to(self.t, len(faces))[instant])

        def panel(title: str, unit: str, columns: dict[str, int]) -> Panel:
            sizes = np.abs(faces[..., list(columns.values())]).max(axis=(0, 1))
            curves = []
            for (name, k), size in zip(columns.items(), sizes, strict=True):
                if size < _IDLE * max(sizes.max(), _IDLE):
                    continue
                if len(faces) == 1:
                    curves.append(PlottedCurve(name, faces[0, :, k]))
                    continue
                curves.append(PlottedCurve(f"{name} largest".strip(), faces[..., k].max(axis=0)))
                curves.append(PlottedCurve(f"{name} smallest".strip(), faces[..., k].min(axis=0)))
                curves.append(
                    PlottedCurve(f"{name} at {t:.3g} s".strip(), faces[instant, :, k], True)
                )
            flat = (PlottedCurve("", np.zeros(self.s.size)),)
            return Panel(title, unit, self.s, tuple(curves) or flat)

        rows = [
            (panel("Normal force", "N", {"": 0}), panel("Torsion", "N m", {"": 3})),
            (panel("Shear", "N", {"y": 1, "z": 2}), panel("Bending", "N m", {"y": 4, "z": 5})),
        ]
        return plot_panels(path, f"Loads along {self.body}", rows, along="along the link [m]")
