"""The disk cache of machine code, so that no process compiles what an earlier one did.

Each entry is a file named by a digest of everything that it depends on; a file is never changed,
only replaced atomically.  So there is nothing to lock and nothing to invalidate: the least recently
used entries are evicted when the folder is full.  Any problem with the folder or a file is reported
once, as a ``CacheWarning``, and the code is compiled as if there were no cache.

Environment: ``POINSOT_CACHE=0`` turns it off, ``POINSOT_CACHE_DIR`` says where it is and
``POINSOT_CACHE_MB`` how large it may grow (256).
"""

from __future__ import annotations

import json
import os
import sys
import time
import warnings
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

from poinsot.errors import CacheWarning, PoinsotError
from poinsot.kernels.digest import DIGITS

DEFAULT_MB: Final = 256.0
SUFFIX: Final = ".code"

_MAGIC = b"poinsot\x01"
_CHECKSUM = 16  # bytes
_LENGTH = 4  # bytes that hold the length of the header
_TEMPORARY = ".tmp"
_ABANDONED = 3600.0  # age at which a temporary file is stale [s]
_REMEDY = "; set POINSOT_CACHE_DIR to a folder of yours, or POINSOT_CACHE=0 to do without"
_SLACK = 16  # the folder is scanned after this part of the limit has been written


@dataclass(frozen=True)
class CacheEntry:
    """A cached object image and its metadata."""

    header: Mapping[str, Any]
    image: bytes


@dataclass(frozen=True)
class Usage:
    """What the cache holds."""

    folder: Path
    n_files: int
    n_bytes: int
    limit: int


@dataclass
class _Process:
    """Warnings that this process has issued, and bytes written since it last scanned the folder."""

    said: set[str] = field(default_factory=set)
    unseen: int | None = None  # bytes; None: it never looked


_process = _Process()


def folder() -> Path | None:
    """Return the folder of the cache, whether or not it exists yet; None when turned off."""
    if os.environ.get("POINSOT_CACHE", "").strip().lower() in ("0", "off", "no", "false"):
        return None
    given = os.environ.get("POINSOT_CACHE_DIR")
    try:
        return Path(given).expanduser() if given else _user_folder() / "poinsot"
    except RuntimeError as error:  # no home folder
        _say("folder", f"there is no place to keep compiled code ({error})")
        return None


def limit() -> int:
    """Return how large the cache may grow [bytes]."""
    text = os.environ.get("POINSOT_CACHE_MB") or str(DEFAULT_MB)
    with suppress(ValueError):
        if 0.0 < float(text) < float("inf"):
            return int(float(text) * 1e6)
    raise PoinsotError(
        f"POINSOT_CACHE_MB must be a positive number of megabytes, got {text!r}; "
        f"leave it out for {DEFAULT_MB:.0f}"
    )


def read(key: str) -> CacheEntry | None:
    """Return the entry of a key if it is intact, or None."""
    directory = folder()
    if directory is None:
        return None
    path = directory / (key + SUFFIX)
    try:
        with open(path, "rb") as file:
            if not _is_safe(directory) or not _is_ours(path, os.fstat(file.fileno())):
                return None
            data = file.read()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        _say("read", f"cannot read compiled code in {directory} ({error})")
        return None
    entry = _unpacked(key, data)
    if entry is None:
        _say("damaged", f"{path} is damaged: compiling again", remedy="")
        return None
    with suppress(OSError):
        os.utime(path)  # eviction is by time of use
    return entry


def write(key: str, header: Mapping[str, Any], image: bytes) -> None:
    """Store an entry, if that is possible."""
    directory = folder()
    if directory is None:
        return
    most, data = limit(), _packed(key, header, image)
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        if _is_safe(directory):
            _replace(directory / (key + SUFFIX), data)
            _keep_within(directory, most, len(data))
    except OSError as error:
        _say("write", f"cannot keep compiled code in {directory} ({error})")


def usage() -> Usage | None:
    """Return what the cache holds; None when turned off."""
    directory = folder()
    if directory is None:
        return None
    sizes = [status.st_size for path, status in _files(directory) if path.suffix == SUFFIX]
    return Usage(directory, len(sizes), sum(sizes), limit())


def clear() -> int:
    """Remove every file of the cache and nothing else; return how many entries were removed."""
    directory = folder()
    paths = [] if directory is None else [path for path, _ in _files(directory)]
    for path in paths:
        path.unlink(missing_ok=True)
    return sum(path.suffix == SUFFIX for path in paths)


def _user_folder() -> Path:
    """Return the folder of the platform for caches."""
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    given = os.environ.get("XDG_CACHE_HOME", "")
    return Path(given) if os.path.isabs(given) else Path.home() / ".cache"


def _say(kind: str, problem: str, remedy: str = _REMEDY) -> None:
    """Warn once in a process about each kind of problem."""
    if kind not in _process.said:
        _process.said.add(kind)
        warnings.warn(problem + remedy, CacheWarning, stacklevel=3)


def _is_safe(directory: Path) -> bool:
    """Say whether no other user can write to the folder."""
    status = os.stat(directory)
    if sys.platform != "win32" and status.st_mode & 0o002:
        _say("open", f"anyone may write to {directory}: compiled code there is not used")
        return False
    return _is_ours(directory, status)


def _is_ours(path: Path, status: os.stat_result) -> bool:
    """Say whether we own a file or folder: machine code by someone else must not run."""
    if sys.platform == "win32" or status.st_uid == os.geteuid():
        return True
    _say("foreign", f"{path} belongs to another user: compiled code there is not used")
    return False


def _checksum(key: str, content: bytes) -> bytes:
    return blake2b(content, digest_size=_CHECKSUM, key=key.encode()).digest()


def _packed(key: str, header: Mapping[str, Any], image: bytes) -> bytes:
    text = json.dumps(header, sort_keys=True).encode()
    content = len(text).to_bytes(_LENGTH, "little") + text + image
    return _MAGIC + _checksum(key, content) + content


def _unpacked(key: str, data: bytes) -> CacheEntry | None:
    start = len(_MAGIC) + _CHECKSUM
    content = data[start:]
    if data[:start] != _MAGIC + _checksum(key, content):
        return None
    stop = _LENGTH + int.from_bytes(content[:_LENGTH], "little")
    return CacheEntry(json.loads(content[_LENGTH:stop]), content[stop:])


def _replace(path: Path, data: bytes) -> None:
    """Replace a file atomically, also against concurrent writers."""
    temporary = path.with_suffix(f".{os.urandom(8).hex()}{_TEMPORARY}")
    try:
        with open(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(data)
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _files(directory: Path) -> Iterator[tuple[Path, os.stat_result]]:
    """Yield the files of the cache; others in the folder are ignored."""
    try:
        names = os.listdir(directory)
    except OSError:
        return
    for name in names:
        key, _, rest = name.partition(".")
        is_key = len(key) == DIGITS and not key.strip("0123456789abcdef")
        if is_key and ("." + rest).endswith((SUFFIX, _TEMPORARY)):
            with suppress(FileNotFoundError):  # another process has removed it
                yield directory / name, os.stat(directory / name)


def _keep_within(directory: Path, most: int, written: int) -> None:
    """Evict the least recently used entries, if the folder may have grown too large."""
    _process.unseen = None if _process.unseen is None else _process.unseen + written
    slack = most // _SLACK
    if _process.unseen is not None and _process.unseen < slack:
        return
    _process.unseen = 0
    kept = []
    for path, status in _files(directory):
        if path.suffix == SUFFIX:
            kept.append((status.st_mtime_ns, status.st_size, path))
        elif time.time() - status.st_mtime > _ABANDONED:
            path.unlink(missing_ok=True)
    total = sum(size for _, size, _ in kept)
    goal = total if total <= most - slack else most - 2 * slack
    for _, size, path in sorted(kept):
        if total > goal:
            path.unlink(missing_ok=True)
            total -= size
