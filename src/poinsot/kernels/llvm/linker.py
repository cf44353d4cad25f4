"""Linking of object code into this process, by LLVM.

LLVM's JITLink puts all of an object, code and constants, into one range of addresses and reaches
what is elsewhere through tables there.  Its predecessor asks for memory section by section, and
ends the process where two of them come to lie more than 2 GB apart.

A linker keeps about 10 kB of each library it has linked, also of those that are gone.  So a new
one takes over after a few dozen, and the old one goes with the last library that it has linked.
"""

from __future__ import annotations

import itertools
import os
import threading
from collections.abc import Iterable, Mapping
from typing import Any, Final

LIBRARIES: Final = 32
"""How many libraries one linker links; a new linker takes about as long as two libraries."""

_numbers = itertools.count()
_lock = threading.Lock()
_current: list[Any] = []  # the linker in use, once for each library that it may still link


def link(image: bytes, exports: Iterable[str], imports: Mapping[str, int]) -> Any:  # noqa: ANN401
    """Return loaded object code: addresses by name, valid as long as the result lives.

    Args:
        image: The object code, for this machine.
        exports: Names of the functions to call.
        imports: Where the symbols are that it does not define.
    """
    import llvmlite.binding as llvm

    builder = llvm.JITLibraryBuilder().add_object_img(image)
    for name, address in imports.items():
        builder.import_symbol(name, address)
    for name in exports:
        builder.export_symbol(name)
    return builder.link(_linker(), f"poinsot{next(_numbers)}")


def _linker() -> Any:  # noqa: ANN401 (llvmlite has no types)
    import llvmlite.binding as llvm

    with _lock:
        if not _current:
            llvm.initialize_native_target()
            llvm.initialize_native_asmprinter()
            near = os.name != "nt"  # JITLink does not know the object files of Windows well
            _current.extend([llvm.create_lljit_compiler(use_jit_link=near)] * LIBRARIES)
        return _current.pop()
