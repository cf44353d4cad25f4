"""Pictures into a file that plays them: GIF, animated PNG, WebP or, with FFmpeg, MP4."""

from base64 import b64encode
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot.plots.mp4_film import mp4_bytes
from poinsot.plots.picture_file import checked_target
from poinsot.spatial import Array

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["FILMS", "Animation", "durations", "film_bytes"]

FILMS = (".gif", ".apng", ".png", ".webp", ".mp4")
"""Suffixes of animations."""

_COLOURS = 128
"""Colours of the common palette of all frames; fewer make smaller files."""

_SAMPLES = 6
"""Pictures from which these colours are chosen."""

_EXACT = 32
"""Number of palette entries that are the most frequent colours; the others are quantised."""


def durations(n: int, fps: float) -> list[int]:
    """Return the duration of each of ``n`` frames [ms]: multiples of a hundredth of a second.

    GIF has no finer ones. Their sum is exact: 30 per second are 30, 40, 30, 30, 40, ... ms.

    >>> durations(3, 30)
    [30, 40, 30]
    """
    ends = np.round(np.arange(n + 1) * 100.0 / fps).astype(int) * 10
    return [int(duration) for duration in np.diff(ends)]


@dataclass(frozen=True)
class Animation:
    """A moving picture, as ``animate`` returns it; notebooks show it.

    Attributes:
        data: The file.
        suffix: Its suffix, which says the format: ".gif", ".apng", ".png", ".webp" or ".mp4".
        path: Where it was written; None if it was not.
    """

    data: bytes
    suffix: str
    path: Path | None = None

    def save(self, path: str | Path) -> Path:
        """Write it to a file with the same suffix; return the file."""
        target = checked_target(path, (self.suffix,), "animation")
        target.write_bytes(self.data)
        return target

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        """Return what a notebook shows."""
        if self.suffix == ".mp4":
            film = b64encode(self.data).decode()
            video = f'<video controls loop src="data:video/mp4;base64,{film}"></video>'
            return {"text/html": video, "text/plain": repr(self)}
        kind = "png" if self.suffix == ".apng" else self.suffix[1:]
        return {f"image/{kind}": b64encode(self.data).decode(), "text/plain": repr(self)}

    def __repr__(self) -> str:
        size = f"{len(self.data) / 1e6:.2g} MB"
        return f"Animation({str(self.path or self.suffix)!r}, {size})"


def film_bytes(
    pictures: Callable[[range], Iterator[Array]], n: int, suffix: str, *, fps: float
) -> bytes:
    """Return an animation of ``n`` frames that loops, as a file.

    Args:
        pictures: Gives the pictures of a range, shape (height, width, 4), 8 bits a channel.
        n: Number of pictures.
        suffix: Says the format.
        fps: Pictures a second.
    """
    if suffix == ".mp4":
        return mp4_bytes(pictures(range(n)), fps)
    palette = _palette(pictures, n)
    frames = [_indexed(picture, palette) for picture in pictures(range(n))]
    times = durations(n, fps)
    settings: dict[str, Any]
    if suffix == ".webp":
        frames = [frame.convert("RGB") for frame in frames]
        settings = {"format": "WEBP", "lossless": True, "quality": 30, "method": 1}
    elif suffix == ".gif":
        settings = {"format": "GIF", "optimize": False}
    else:
        settings = {"format": "PNG"}
    first, *others = frames
    file = BytesIO()
    first.save(file, save_all=True, append_images=others, duration=times, loop=0, **settings)
    return file.getvalue()


def _palette(pictures: Callable[[range], Iterator[Array]], n: int) -> "Image":
    """Return an image with a palette for all frames."""
    from PIL import Image

    step = max(1, n // _SAMPLES)
    strip = np.concatenate([picture[..., :3] for picture in pictures(range(n - 1, -1, -step))])
    packed = strip.astype(np.uint32) @ np.array([1 << 16, 1 << 8, 1], dtype=np.uint32)
    colours, counts = np.unique(packed, return_counts=True)
    order = np.argsort(-counts, kind="stable")
    exact, rest = colours[order[:_EXACT]], colours[order[_EXACT:]]
    entries = _channels(exact)
    if len(rest):
        # What is left are edges, soft ones: every colour counts, however rare.
        sample = Image.fromarray(
            _channels(np.repeat(rest, np.minimum(counts[order[_EXACT:]], 9)))[None]
        )
        chosen = sample.quantize(_COLOURS - _EXACT, method=Image.Quantize.MEDIANCUT).getpalette()
        entries = np.concatenate([entries, np.reshape(chosen or [], (-1, 3))])
    palette = Image.new("P", (1, 1))
    palette.putpalette(entries.astype(np.uint8).ravel().tolist())
    return palette


def _channels(packed: Array) -> Array:
    """Return colours 0xRRGGBB, shape (n,), as red, green and blue, shape (n, 3)."""
    return np.stack([packed >> 16, packed >> 8 & 255, packed & 255], axis=-1).astype(np.uint8)


def _indexed(picture: Array, palette: "Image") -> "Image":
    from PIL import Image

    image = Image.fromarray(np.ascontiguousarray(picture[..., :3]))
    return image.quantize(palette=palette, dither=Image.Dither.NONE)
