"""Stresses in links from the loads in their sections: beams of given cross-sections.

With normal force N, moments M_y and M_z, torsion T and shear force V in a section,

    σ = N/A ± M_y z/I_y ± M_z y/I_z,    τ_T = T/W_t,    τ_V = k V/A,

at its edge σ and τ_T, in the middle N/A and τ_T + τ_V; each as √(σ² + 3 τ²) by von Mises
[Young2002, sec. 8.1].  Notches, holes and ends of bars are not in it.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError
from poinsot.front.heaviest import Heaviest, heaviest_of
from poinsot.model.checks import real_array
from poinsot.spatial import Array

if TYPE_CHECKING:
    from matplotlib.figure import Figure

RECTANGLE: Final = 1.5
"""Largest shear stress of a rectangle over the mean one, k."""
ROUND: Final = 4.0 / 3.0
TUBE: Final = 2.0
IDLE: Final = 1e-9
"""Loads below this part of the largest are rounding errors."""
OPTIONAL: Final = ("moment_y", "width", "torsion_modulus")


@dataclass(frozen=True, eq=False)
class CrossSection:
    """A cross-section of a link; along bars that taper numbers may be arrays, one for each cut.

    Heights are along y of the section, across which a planar mechanism bends its links.

    Attributes:
        area: A [m²].
        moment_z: Second moment about z, ∫ y² dA [m⁴].
        height: Distance of the outermost fibres along y [m].
        moment_y: Second moment about y, ∫ z² dA [m⁴]; None: there is no such bending.
        width: Distance of the outermost fibres along z [m].
        torsion_modulus: W_t [m³]; None: there is no torsion.
        shear_factor: k, largest over mean shear stress.
        is_round: Whether moments about y and z add like vectors.
    """

    area: ArrayLike
    moment_z: ArrayLike
    height: ArrayLike
    moment_y: ArrayLike | None = None
    width: ArrayLike | None = None
    torsion_modulus: ArrayLike | None = None
    shear_factor: float = RECTANGLE
    is_round: bool = False

    def __post_init__(self) -> None:
        for name in ("area", "moment_z", "height", *OPTIONAL):
            given = getattr(self, name)
            if given is None and name in OPTIONAL:
                continue
            _positive(given, name)

    @classmethod
    def rectangle(cls, height: ArrayLike, width: ArrayLike) -> CrossSection:
        """Return a rectangle, its height along y and its width along z [m]."""
        h, b = _positive(height, "height"), _positive(width, "width")
        longer, shorter = np.maximum(h, b), np.minimum(h, b)
        r = shorter / longer
        # W_t to less than one percent [Young2002, table 10.1].
        series = 1.0 + r * (0.6095 + r * (0.8865 + r * (0.9100 * r - 1.8023)))
        modulus = longer * shorter**2 / (3.0 * series)
        return cls(h * b, b * h**3 / 12.0, h, h * b**3 / 12.0, b, modulus)

    @classmethod
    def tube(cls, diameter: ArrayLike, inner: ArrayLike = 0.0) -> CrossSection:
        """Return a tube by its outer and inner diameter [m], a round bar without the latter."""
        d, hole = _positive(diameter, "diameter"), real_array(inner, "cross-section: inner")
        if not (np.all(hole >= 0.0) and np.all(hole < d)):
            raise ModelError(
                f"cross-section: inner must be at least 0 and less than the diameter {diameter!r},"
                f" got {inner!r}"
            )
        moment = np.pi * (d**4 - hole**4) / 64.0
        k = ROUND if not np.any(hole) else TUBE
        area = np.pi * (d**2 - hole**2) / 4.0
        return cls(area, moment, d, moment, d, 4.0 * moment / d, k, is_round=True)


@dataclass(frozen=True, eq=False)
class SectionStress:
    """Stresses in k sections along a link, at one instant or along a run, shapes (..., k) [Pa].

    Attributes:
        highest: Largest normal stress of the section, positive where fibres are pulled.
        lowest: Smallest normal stress.
        shear: Largest shear stress.
        equivalent: Largest stress of von Mises.
        body: Name of the link.
        s: Places of the sections along the link [m], shape (k,).
        t: Times [s], shape (n,).
    """

    highest: Array
    lowest: Array
    shear: Array
    equivalent: Array
    body: str
    s: Array
    t: Array

    def heaviest(self) -> Heaviest:
        """Return when and where the equivalent stress is largest, and the stress [Pa]."""
        return heaviest_of(self.equivalent, self.s, self.t)

    def safety(self, yield_strength: float) -> float:
        """Return the yield strength [Pa] over the largest equivalent stress."""
        return float(yield_strength) / self.heaviest().value

    def plot(self, path: str | Path | None = None) -> Figure:
        """Draw the largest and smallest stresses along the link; return the figure.

        Args:
            path: File to write: .png, .svg or .pdf; None: show it.
        """
        from poinsot.plots.figure import plot_panels
        from poinsot.plots.panels import Panel, PlottedCurve

        def over_time(values: Array) -> Array:
            return values.reshape(-1, self.s.size) / 1e6

        normal = (
            PlottedCurve("largest", over_time(self.highest).max(axis=0)),
            PlottedCurve("smallest", over_time(self.lowest).min(axis=0)),
        )
        equivalent = (PlottedCurve("", over_time(self.equivalent).max(axis=0)),)
        rows = [
            (Panel("Normal stress", "MPa", self.s, normal),),
            (Panel("Equivalent stress", "MPa", self.s, equivalent),),
        ]
        return plot_panels(path, f"Stresses along {self.body}", rows, along="along the link [m]")


def section_stress(
    faces: Array, section: CrossSection, body: str, s: Array, t: Array
) -> SectionStress:
    """Return the stresses in sections of a link.

    Args:
        faces: [f; n] on the faces of the parts before the sections, in their axes, (..., k, 6).
        section: The cross-section.
        body: Name of the link.
        s: Places of the sections [m], shape (k,).
        t: Times [s], shape (n,).
    """
    if not isinstance(section, CrossSection):
        raise ModelError(
            "stress: give a cross-section, e.g. ps.CrossSection.rectangle(height, width), got "
            f"{section!r}"
        )
    area = np.asarray(section.area, float)
    axial = faces[..., 0] / area
    levers = np.asarray(section.height) / 2.0
    about_z = np.abs(faces[..., 5]) * levers / np.asarray(section.moment_z)
    about_y = _share(faces, 4, section, "moment_y", body)
    bending = np.hypot(about_y, about_z) if section.is_round else about_y + about_z
    twisted = _share(faces, 3, section, "torsion_modulus", body)
    shear = twisted + section.shear_factor * np.linalg.norm(faces[..., 1:3], axis=-1) / area
    at_edge = (np.abs(axial) + bending) ** 2 + 3.0 * twisted**2
    within = axial**2 + 3.0 * shear**2
    equivalent = np.sqrt(np.maximum(at_edge, within))
    return SectionStress(axial + bending, axial - bending, shear, equivalent, body, s, t)


def _share(faces: Array, component: int, section: CrossSection, key: str, body: str) -> Array:
    """Return the stress of a moment that the cross-section may say nothing about."""
    moment, resistance = np.abs(faces[..., component]), getattr(section, key)
    bends = key == "moment_y"
    if resistance is not None and not (bends and section.width is None):
        lever = np.asarray(section.width) / 2.0 if bends else 1.0
        return np.asarray(moment * lever / np.asarray(resistance))
    largest = np.max(moment, initial=0.0)
    if largest > IDLE * np.max(np.abs(faces[..., 3:]), initial=0.0):
        does, needed = ("bends about y", f"{key} and width") if bends else ("twists", key)
        raise ModelError(
            f"stress: {body!r} {does}, {largest:.3g} N m: the cross-section must have {needed}"
        )
    return 0.0 * moment


def _positive(values: ArrayLike, name: str) -> Array:
    """Return numbers of a cross-section as an array."""
    numbers = real_array(values, f"cross-section: {name}")
    if not (np.isfinite(numbers).all() and (numbers > 0.0).all()):
        raise ModelError(f"cross-section: {name} must be positive and finite, got {values!r}")
    return numbers
