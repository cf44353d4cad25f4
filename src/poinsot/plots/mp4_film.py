"""Pictures into an MP4 file, by FFmpeg where it is installed."""

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from poinsot.plots.picture_file import PlotError
from poinsot.spatial import Array

__all__ = ["mp4_bytes"]


def mp4_bytes(pictures: Iterator[Array], fps: float) -> bytes:
    """Return pictures as an MP4 film (H.264).

    Args:
        pictures: Shape (height, width, 4) each, 8 bits a channel.
        fps: Pictures a second.

    Raises:
        PlotError: If FFmpeg is not installed, or fails.
    """
    program = shutil.which("ffmpeg")
    if program is None:
        raise PlotError(
            "an animation .mp4 is encoded by FFmpeg, which is not on the path (Debian: apt install "
            "ffmpeg); .gif, .apng and .webp need nothing"
        )
    first = next(pictures)
    height, width = (2 * (size // 2) for size in first.shape[:2])  # which the encoder needs
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder, "film.mp4")
        command = [
            program, "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s",
            f"{width}x{height}", "-r", f"{fps:g}", "-i", "-", "-pix_fmt", "yuv420p", "-movflags",
            "+faststart", str(target),
        ]  # fmt: skip
        with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as encoder:
            assert encoder.stdin is not None
            try:
                for picture in (first, *pictures):
                    cut = np.ascontiguousarray(picture[:height, :width, :3], dtype=np.uint8)
                    encoder.stdin.write(cut.tobytes())
            except BrokenPipeError:
                pass  # it says below why it ended
            _, errors = encoder.communicate()
        if encoder.returncode != 0 or not target.exists():
            raise PlotError(f"FFmpeg failed: {errors.decode('utf-8', 'replace').strip()[:500]}")
        return target.read_bytes()
