"""The link that rests, and how files and users may call it."""

from typing import Final

FRAME: Final = "0"
FRAME_NAMES: Final = (0, "0", "ground", "frame", "world")
