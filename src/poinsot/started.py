"""When the package was first imported: source files changed since then may not be what runs."""

import time
from typing import Final

STARTED: Final = time.time()
"""Seconds since 1970."""
