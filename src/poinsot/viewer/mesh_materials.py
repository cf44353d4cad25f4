"""Colours of meshes from files beside them: materials of OBJ files (.mtl) and textures.

A page shows plain colours: of a texture its mean.  Only files in the mesh's own folder are read, of
limited size; what is missing or broken there gives no colour.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import numpy as np

from poinsot.spatial import Array

__all__ = ["hex_colour", "material_colours", "mean_colour"]

MOST_BYTES: Final = 32 * 2**20
"""Size of the largest file that is read."""
MOST_PIXELS: Final = 64 * 2**20
"""Of the largest texture that is read."""
IMAGES: Final = ("PNG", "JPEG", "BMP", "TGA", "TIFF")


def material_colours(folder: Path, name: str) -> dict[str, str | None]:
    """Return the diffuse colours of the materials of a file .mtl, by name.

    Args:
        folder: Of the mesh.
        name: What the mesh calls the file.
    """
    file = _beside(folder, name)
    colours: dict[str, str | None] = {}
    if file is None:
        return colours
    material = ""
    for line in file.read_text(encoding="utf-8", errors="replace").splitlines():
        words = line.split()
        if words[:1] == ["newmtl"]:
            material = " ".join(words[1:])
            colours[material] = None
        elif words[:1] == ["Kd"] and len(words) >= 4 and material:
            colours[material] = colours[material] or _told(words[1:4])
        elif words[:1] == ["map_Kd"] and material:
            colours[material] = mean_colour(folder, words[-1]) or colours[material]
    return colours


def mean_colour(folder: Path, name: str) -> str | None:
    """Return the mean colour of a texture, None where it cannot be read."""
    file = _beside(folder, name)
    if file is None:
        return None
    from PIL import Image

    try:
        with Image.open(file, formats=IMAGES) as image:
            if image.width * image.height > MOST_PIXELS:
                return None
            small = image.convert("RGB").resize((16, 16), Image.Resampling.BOX)
        return hex_colour(np.asarray(small, dtype=float).reshape(-1, 3).mean(axis=0) / 255.0)
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return None


def hex_colour(channels: Array) -> str:
    """Return red, green and blue, from 0 to 1, as "#rrggbb"."""
    return "#" + "".join(f"{round(float(x) * 255):02x}" for x in np.clip(channels, 0.0, 1.0))


def _told(words: list[str]) -> str | None:
    try:
        channels = np.array(words, dtype=float)
    except ValueError:
        return None
    return hex_colour(channels) if np.isfinite(channels).all() else None


def _beside(folder: Path, name: str) -> Path | None:
    """Return a file in the folder or below it; None: it is elsewhere, missing or too large."""
    try:
        root, file = os.path.realpath(folder), os.path.realpath(folder / name.replace("\\", "/"))
        inside = os.path.commonpath([root, file]) == root
        if inside and os.path.isfile(file) and os.path.getsize(file) <= MOST_BYTES:
            return Path(file)
    except (OSError, ValueError):
        pass
    return None
