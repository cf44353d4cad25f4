"""Ready mechanisms, one per file.

>>> from poinsot.library import humanoid
>>> humanoid().nv
36
"""

from poinsot.library.chain import chain
from poinsot.library.double_pendulum import double_pendulum
from poinsot.library.humanoid import humanoid

__all__ = ["chain", "double_pendulum", "humanoid"]
