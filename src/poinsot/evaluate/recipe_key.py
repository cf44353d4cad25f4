"""Keys of the disk cache for the code of programs that need not be traced again."""

from __future__ import annotations

import numpy as np

from poinsot.kernels import cache
from poinsot.kernels.digest import digest, source_digest

__all__ = ["recipe_key"]


def recipe_key(sources: tuple[str, ...], *dependencies: object) -> str | None:
    """Return the digest of all that a program depends on; None where it cannot be known.

    Args:
        sources: Folders and modules of the package whose code makes it.
        dependencies: What it is made of.
    """
    source = None if cache.folder() is None else source_digest(sources)
    if source is None:
        return None
    try:
        return digest(source, np.__version__, *dependencies)
    except TypeError:  # a joint that is not ours, for instance
        return None
