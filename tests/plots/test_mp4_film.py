"""Films as MP4: by FFmpeg, or a word about it."""

import shutil
import subprocess

import numpy as np
import pytest

from poinsot.plots.mp4_film import mp4_bytes
from poinsot.plots.picture_file import PlotError


def pictures():
    """Yield five pictures of odd height."""
    for k in range(5):
        picture = np.full((61, 80, 4), 255, dtype=np.uint8)
        picture[10:30, 10 * k : 10 * k + 20, :3] = (200, 30, 30)
        yield picture


@pytest.mark.skipif(shutil.which("ffmpeg") is None, reason="FFmpeg is not installed")
def test_a_film_has_all_pictures(tmp_path):
    """Encode five pictures and count them in the file."""
    file = tmp_path / "film.mp4"
    file.write_bytes(mp4_bytes(pictures(), 25.0))
    command = ["ffmpeg", "-i", str(file), "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
    decoded = subprocess.run(command, capture_output=True, check=True).stdout
    assert len(decoded) == 5 * 60 * 80 * 3


def test_without_ffmpeg_it_says_what_to_do(monkeypatch):
    """Look for it on an empty path."""
    monkeypatch.setenv("PATH", "")
    with pytest.raises(PlotError, match=r"FFmpeg.*not on the path.*\.gif"):
        mp4_bytes(pictures(), 25.0)
