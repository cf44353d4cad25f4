"""Loaded machine code: from IR text or the disk cache to functions with an address."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

from poinsot.kernels import cache
from poinsot.kernels.llvm.linker import link
from poinsot.kernels.llvm.shared_functions import shared_ir, shared_names
from poinsot.kernels.llvm.target import Target, compile_object, ir_key

LIBC = (
    *("sin", "cos", "tan", "asin", "acos", "atan2", "exp", "log", "pow", "floor"),
    *("malloc", "free", "memset", "memcpy"),
)
"""Functions of the C library that modules may call."""


class Library:
    """Loaded object code; its functions live as long as it does."""

    def __init__(self, image: bytes, exports: tuple[str, ...], imports: Mapping[str, int]) -> None:
        self._code = link(image, exports, _libc_addresses() | dict(imports))

    def address(self, name: str) -> int:
        """Return where an exported function starts."""
        return int(self._code[name])


def load_library(
    ir: str, exports: tuple[str, ...], imports: Mapping[str, int], target: Target
) -> Library:
    """Load a module of IR text: from the disk cache if it was compiled before.

    Args:
        ir: The module.
        exports: Functions to call.
        imports: Where the symbols are that it declares, besides those of the C library and the
            functions of ``shared_functions.py``.
        target: The processor.
    """
    image = _image(ir, exports, target)
    return Library(image, exports, {**imports, **_shared_addresses(image, target)})


def load_compiled(key: str, exports: tuple[str, ...], target: Target) -> Library | None:
    """Load the module that the disk cache keeps under a key; None if there is none."""
    entry = cache.read(key)
    if entry is None:
        return None
    return Library(entry.image, exports, _shared_addresses(entry.image, target))


def _image(ir: str, exports: tuple[str, ...], target: Target) -> bytes:
    key = ir_key(ir, target)
    entry = cache.read(key)
    if entry is not None:
        return entry.image
    image = compile_object(ir, target)
    cache.write(key, {"exports": exports}, image)
    return image


def _shared_addresses(image: bytes, target: Target) -> dict[str, int]:
    """Return where the shared functions are that object code names."""
    named = [name for name in shared_names(target.width) if name.encode() in image]
    library = _shared_library(replace(target, effort="fast"))
    return {name: library.address(name) for name in named}


@lru_cache(maxsize=8)
def _shared_library(target: Target) -> Library:
    names = shared_names(target.width)
    return Library(_image(shared_ir(target.width), names, target), names, {})


@lru_cache(maxsize=1)
def _libc_addresses() -> dict[str, int]:
    """Return where the C library's functions are; the symbols of this process hold them."""
    process = ctypes.cdll.msvcrt if os.name == "nt" else ctypes.CDLL(None)
    return {name: ctypes.cast(getattr(process, name), ctypes.c_void_p).value or 0 for name in LIBC}
