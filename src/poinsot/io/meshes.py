"""Where the meshes that a model names are: inside the folder of the model, or nowhere.

A model may come from anyone, so a mesh is only found in the model's own folder: the nearest folder
around the file that holds a ``package.xml`` (ROS packages), or else the folder of the file.  What
leaves it, by ``..``, by an absolute path or by a symbolic link, is not found.  Nothing is opened.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from urllib.parse import unquote, urlsplit

from poinsot.model.model_warnings import warn

__all__ = ["MeshFolder"]

_PACKAGE = "package.xml"


class MeshFolder:
    """The folder of a model, in which its meshes are looked for."""

    def __init__(self, folder: str | None) -> None:
        """Store the folder.

        Args:
            folder: The folder of the model's file; None: the model is in no file.
        """
        self._folder = None if folder is None else os.path.realpath(folder)
        self._problems: dict[str, str] = {}

    def find(self, path: str) -> str | None:
        """Return the file of a mesh, or None where it cannot be located.

        Args:
            path: What the model says: a path relative to its file, ``file://...`` or
                ``package://...``.
        """
        if self._folder is None:
            return None
        try:
            file, problem = _located(path, self._folder)
        except (ValueError, OSError) as error:  # a zero byte, a ring of links
            file, problem = None, str(error)
        if file is None:
            self._problems[path] = problem
        return file

    def warn(self) -> None:
        """Warn, once, of the meshes that were not found."""
        if self._problems:
            path, problem = next(iter(self._problems.items()))
            more = len(self._problems) - 1
            rest = f" (and {more} more)" if more else ""
            warn(f"mesh {path[:200]!r}{rest} is kept as text and not looked for, since {problem}")


def _located(path: str, folder: str) -> tuple[str | None, str]:
    scheme, separator, rest = path.partition("://")
    if not separator:
        root = _model_folder(folder)
        return _inside(os.path.join(folder, path), root)
    if scheme == "file":
        url = urlsplit(path)
        if url.netloc not in ("", "localhost"):
            return None, f"it is on the machine {url.netloc!r}"
        return _inside(unquote(url.path), _model_folder(folder))
    if scheme != "package":
        return None, f"{scheme[:20]}:// is not understood"
    package, _, rest = rest.lstrip("/").partition("/")
    for environment in _around(folder):
        if os.path.basename(environment) == package and _is_own(environment, folder):
            return _inside(os.path.join(environment, rest), environment)
    return None, f"the file is in no package {package!r}"


def _inside(path: str, root: str) -> tuple[str | None, str]:
    real = os.path.realpath(path)
    if os.path.commonpath([real, root]) == root and real != root:
        return real, ""
    return None, f"it is not inside {root!r}, the folder of the model"


def _model_folder(folder: str) -> str:
    packages = (environment for environment in _around(folder) if _is_package(environment))
    return next(packages, folder)


def _is_own(environment: str, folder: str) -> bool:
    """Return whether a folder around the file's belongs to the model: else it may be anyone's."""
    return environment == folder or _is_package(environment)


def _is_package(folder: str) -> bool:
    return os.path.isfile(os.path.join(folder, _PACKAGE))


def _around(folder: str) -> Iterator[str]:
    """Yield a folder and those around it, from the inside; not the root of all."""
    while os.path.dirname(folder) != folder:
        yield folder
        folder = os.path.dirname(folder)
