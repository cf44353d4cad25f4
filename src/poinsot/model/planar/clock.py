"""Time as a port of a planar linkage: a link that is moved along x by one metre per second.

Whatever changes with time reads the stroke of a slide between it and the frame.  Equations and
force elements of time then are such of coordinates, and the rows of units hold their partial
derivatives by time where they hold those of other links that are moved from outside.
"""

from __future__ import annotations

from typing import Final

from poinsot.model.planar.frame_names import FRAME
from poinsot.model.planar.joint import PlanarJoint
from poinsot.model.planar.relation_pair import RelationCoordinate

CLOCK: Final = ":time"
"""Name of the port, which no link has."""
TIME: Final = RelationCoordinate(PlanarJoint(CLOCK, "P", FRAME, CLOCK))
"""The time [s]."""
