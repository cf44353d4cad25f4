"""Names for the links and joints that a chain of joints needs besides those of the mechanism."""

from collections.abc import Iterable

__all__ = ["UrdfNames", "apart"]


class UrdfNames:
    """The names that are taken, of links and of joints."""

    def __init__(self, links: Iterable[str], joints: Iterable[str]) -> None:
        """Begin with those of the mechanism."""
        self._links, self._joints = set(links), set(joints)

    def link(self, name: str) -> str:
        """Take a name for a link, this one or one like it."""
        return _taken(name, self._links)

    def joint(self, name: str) -> str:
        """Take a name for a joint, this one or one like it."""
        return _taken(name, self._joints)


def apart(name: str, taken: Iterable[str]) -> str:
    """Return a name that is not taken, this one or one like it."""
    others = set(taken)
    while name in others:
        name += "'"
    return name


def _taken(name: str, names: set[str]) -> str:
    free = apart(name, names)
    names.add(free)
    return free
