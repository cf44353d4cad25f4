"""Where the ports of a part are on links of the larger mechanism."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final, TypeAlias

from poinsot.errors import ModelError
from poinsot.model.checks import finite_vector
from poinsot.model.name_suggestion import suggestion
from poinsot.model.planar.frame_names import FRAME_NAMES

PortPlace: TypeAlias = tuple[str | int, tuple[float, float, float]]
"""A link of the larger mechanism, and the pose of the port on it."""

EXAMPLE: Final = '{"in": "rocker", "base": ("ground", (0.5, 0, 0))}'


def port_places(owner: str, ports: object, wanted: Sequence[str]) -> dict[str, PortPlace]:
    """Return the place of each port of a part.

    Args:
        owner: Name of the part.
        ports: What the larger mechanism says: its link by port, or (link, (x, y, angle)).
        wanted: The ports that the part has.

    Raises:
        ModelError: A port is missing or unknown, or its place is none.
    """
    if not isinstance(ports, Mapping):
        raise ModelError(
            f"part {owner!r}: ports must be links by port, e.g. {EXAMPLE}, got {ports!r}"
        )
    names = list(map(str, ports))
    for port in names:
        if port not in wanted:
            hint = suggestion(port, wanted)
            raise ModelError(f"part {owner!r}: there is no port {port!r}; {hint}")
        if names.count(port) > 1:
            raise ModelError(f"part {owner!r}: port {port!r} is given twice; take one away")
    for port in wanted:
        if port not in names:
            raise ModelError(
                f"part {owner!r}: port {port!r} is free; say which link it is: ports="
                f'{{"{port}": "ground"}}'
            )
    return {str(port): _place(owner, str(port), given) for port, given in ports.items()}


def check_hosts(owner: str, places: Mapping[str, PortPlace], known: Collection[str]) -> None:
    """Reject ports on links that there are not."""
    for port, (host, _) in places.items():
        if host not in FRAME_NAMES and str(host) not in known:
            raise ModelError(
                f"part {owner!r}: port {port!r} is to be on link {host!r}, which there is not; "
                f"{suggestion(str(host), known)}"
            )


def _place(owner: str, port: str, given: Any) -> PortPlace:  # noqa: ANN401
    where = f"part {owner!r}: port {port!r}"
    if _is_name(given):
        return given, (0.0, 0.0, 0.0)
    is_pair = isinstance(given, list | tuple) and len(given) == 2 and _is_name(given[0])
    if not is_pair:
        raise ModelError(
            f'{where} must be a link, or a place on one, ("rocker", (x, y, angle)), got {given!r}'
        )
    x, y, angle = finite_vector(
        given[1], 3, f"{where}: (x, y, angle) on link {given[0]!r}"
    ).tolist()
    return given[0], (x, y, angle)


def _is_name(given: object) -> bool:
    return isinstance(given, str | int) and not isinstance(given, bool)
