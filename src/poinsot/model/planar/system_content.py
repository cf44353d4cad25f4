"""What a planar linkage has of a System, which short descriptions cannot write down.

Programs of equations and force elements stay objects: descriptions carry them under a key of their
own, and they go with the links when these become a part, get other drivers or are taken apart.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Final

from poinsot.errors import ModelError
from poinsot.model.planar.clock import CLOCK
from poinsot.model.planar.curve_pair import CurvePair
from poinsot.model.planar.force_element import PlanarElement
from poinsot.model.planar.frame_names import FRAME, FRAME_NAMES
from poinsot.model.planar.higher_pair import HigherPair, PlanarPair
from poinsot.model.planar.joint import CoupledRotors, PlanarJoint
from poinsot.model.planar.port_places import PortPlace
from poinsot.model.planar.relation_pair import RelationCoordinate, RelationPair
from poinsot.model.planar.row_pair import RowPair
from poinsot.model.planar.state_rates import StateRates

OF_SYSTEM: Final = "of_system"
"""Key of descriptions; files cannot hold what is there."""
KNOWN: Final = (FRAME, CLOCK)

Rename = Callable[[str], str]


@dataclass(frozen=True)
class SystemContent:
    """Equations, force elements and states of a System; see ``PlanarLinkage``.

    Attributes:
        pairs: Equations of positions.
        elements: Force elements.
        velocity_rows: Equations of velocities.
        coupled_rotors: What armature of two joints has in common.
        state_rates: Rates of the states that force elements read.
        drawn_at: Time of the drawing [s].
        is_timed: Whether something changes with time.
    """

    pairs: tuple[PlanarPair, ...] = ()
    elements: tuple[PlanarElement, ...] = ()
    velocity_rows: tuple[RowPair, ...] = ()
    coupled_rotors: tuple[CoupledRotors, ...] = ()
    state_rates: StateRates | None = None
    drawn_at: float = 0.0
    is_timed: bool = False

    def __bool__(self) -> bool:
        return self != SystemContent(drawn_at=self.drawn_at)

    @property
    def others(self) -> dict[str, Any]:
        """What linkages have under the same names."""
        return {
            field.name: getattr(self, field.name) for field in fields(self)
            if field.name not in ("pairs", "is_timed")
        }  # fmt: skip

    def moved(self, owner: str, ports: Mapping[str, PortPlace]) -> SystemContent:
        """Return it as that of a part, between links of the whole.

        Args:
            owner: Name of the part, which comes in front of the names.
            ports: Links of the whole that its ports are, and places there.

        Raises:
            ModelError: Something hangs on a port that is not at the frame of its link.
        """

        def own(name: str) -> str:
            return f"{owner}.{name}"

        def link(name: str) -> str:
            if name in KNOWN:
                return name
            host, place = ports.get(name, (own(name), (0.0, 0.0, 0.0)))
            if any(place):
                raise ModelError(
                    f"part {owner!r}: what hangs on port {name!r} comes from a System and needs the"
                    f" port at the frame of its link, got the place {tuple(place)} on {host!r};"
                    " shift the frame of that link"
                )
            return FRAME if host in FRAME_NAMES else str(host)

        def linked(element: PlanarElement) -> PlanarElement:
            return replace(
                element, name=own(element.name), links=tuple(map(link, element.links)),
                coordinates=tuple(_coordinate(y, own, link) for y in element.coordinates),
            )  # fmt: skip

        rates = self.state_rates
        if rates is not None:
            rates = replace(rates, element=linked(rates.element))
        return replace(
            self, pairs=tuple(_pair(pair, own, link) for pair in self.pairs),
            elements=tuple(map(linked, self.elements)),
            velocity_rows=tuple(_row(row, own, link) for row in self.velocity_rows),
            coupled_rotors=tuple(
                replace(x, first=own(x.first), second=own(x.second)) for x in self.coupled_rotors
            ),
            state_rates=rates,
        )  # fmt: skip

    def joined(self, owner: str, other: SystemContent) -> SystemContent:
        """Return it together with that of a part.

        Raises:
            ModelError: Both have states, or samples over time of one name that are not the same.
        """
        if self.state_rates is not None and other.state_rates is not None:
            raise ModelError(
                f"part {owner!r} has states {other.state_rates.names} of a System, and another part"
                f" has {self.state_rates.names}; states may come from one System only"
            )
        sources = {x.name: x.source for x in _given(self)}
        for number in _given(other):
            if sources.setdefault(number.name, number.source) is not number.source:
                raise ModelError(
                    f"part {owner!r}: {number.name!r} of its System is called like one of another"
                    " part; rename it in one of the Systems"
                )
        return SystemContent(
            self.pairs + other.pairs, self.elements + other.elements,
            self.velocity_rows + other.velocity_rows, self.coupled_rotors + other.coupled_rotors,
            self.state_rates or other.state_rates, self.drawn_at or other.drawn_at,
            self.is_timed or other.is_timed,
        )  # fmt: skip

    def of_unit(
        self, own: Collection[str], known: Collection[str], names: Collection[str]
    ) -> SystemContent:
        """Return what belongs to one unit.

        Args:
            own: Its links.
            known: Links before it.
            names: Its joints and pairs.

        Raises:
            ModelError: States or equations of velocities go beyond one unit.
        """
        beyond = [row.name for row in self.velocity_rows]
        beyond += [] if self.state_rates is None else self.state_rates.names
        if beyond:
            raise ModelError(
                f"unit: {beyond} of the System say something of the whole, not of one unit; use the"
                " whole as a part"
            )
        within = {*own, *known, CLOCK}

        def is_own(element: PlanarElement) -> bool:
            joints = [y.joint for y in element.coordinates if y.joint.name != CLOCK]
            ends = {*element.links, *(body for joint in joints for body in (joint.a, joint.b))}
            return bool(ends & set(own)) and ends <= within

        pairs = tuple(pair for pair in self.pairs if pair.name in names)
        elements = tuple(filter(is_own, self.elements))
        rotors = tuple(x for x in self.coupled_rotors if {x.first, x.second} <= set(names))
        timed = any(CLOCK in pair.bodies for pair in pairs)
        timed |= any(y.joint.name == CLOCK for element in elements for y in element.coordinates)
        return SystemContent(
            pairs, elements, (), rotors, None, self.drawn_at, self.is_timed and timed
        )

    @property
    def touched(self) -> list[str]:
        """Links that something hangs on, without the clock."""
        names = [body for pair in self.pairs for body in pair.bodies]
        for element in self.elements:
            names += element.links
            names += [b for y in element.coordinates for b in (y.joint.a, y.joint.b)]
        names += [body for row in self.velocity_rows for body in row.links]
        return [name for name in dict.fromkeys(names) if name != CLOCK]


def system_content(block: Mapping[str, Any]) -> SystemContent:
    """Return what a description carries of a System.

    Raises:
        ModelError: Something else stands there, as in a file.
    """
    content = block.get(OF_SYSTEM) or SystemContent()
    if not isinstance(content, SystemContent):
        raise ModelError(
            f"{OF_SYSTEM!r} is what from_system puts there and no file can hold, got {content!r};"
            " take it away"
        )
    return content


def _given(content: SystemContent) -> list[Any]:
    rates = content.state_rates
    elements = [*content.elements, *([] if rates is None else [rates.element])]
    return [number for element in elements for number in element.given]


def _joint(joint: PlanarJoint, own: Rename, link: Rename) -> PlanarJoint:
    if joint.name == CLOCK:
        return joint
    return replace(joint, name=own(joint.name), a=link(joint.a), b=link(joint.b))


def _coordinate(y: RelationCoordinate, own: Rename, link: Rename) -> RelationCoordinate:
    return replace(y, joint=_joint(y.joint, own, link))


def _row(row: RowPair, own: Rename, link: Rename) -> RowPair:
    return replace(row, name=own(row.name), links=tuple(map(link, row.links)))


def _pair(pair: PlanarPair, own: Rename, link: Rename) -> PlanarPair:
    assert not isinstance(pair, CurvePair), "Systems have relations in their place"
    if isinstance(pair, RowPair):
        return _row(pair, own, link)
    if isinstance(pair, RelationPair):
        points = tuple(replace(p, a=link(p.a), b=link(p.b)) for p in pair.points)
        moved = tuple(_coordinate(y, own, link) for y in pair.coordinates)
        return replace(pair, name=own(pair.name), points=points, coordinates=moved)
    assert isinstance(pair, HigherPair)
    paths = [
        tuple((own(name), link(body)) for name, body in path) for path in (pair.path_a, pair.path_b)
    ]
    return replace(
        pair, name=own(pair.name), a=link(pair.a), b=link(pair.b), carrier=link(pair.carrier),
        joint_a=_joint(pair.joint_a, own, link), joint_b=_joint(pair.joint_b, own, link),
        path_a=paths[0], path_b=paths[1],
    )  # fmt: skip
