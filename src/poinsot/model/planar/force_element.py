"""A force element of a system, in the plane: forces on links and along joints by a program."""

from __future__ import annotations

from dataclasses import dataclass

from poinsot.expr import Program
from poinsot.model.planar.given_number import GivenNumber
from poinsot.model.planar.relation_pair import RelationCoordinate


@dataclass(frozen=True)
class PlanarElement:
    """Forces that depend on how links and joints move.

    Attributes:
        name: Its name.
        links: Links on which it acts.
        coordinates: Coordinates of joints that it reads or acts along.
        program: z -> for each link (Fx, Fy, couple about its origin), for each coordinate the
            force along it, then the energy stored [J]; z is for each link (x, y, φ) and its rate,
            then for each coordinate (y, dy/dt), then the numbers that are given.
        given: Samples over time and states that the program reads.
    """

    name: str
    links: tuple[str, ...]
    coordinates: tuple[RelationCoordinate, ...]
    program: Program
    given: tuple[GivenNumber, ...] = ()
