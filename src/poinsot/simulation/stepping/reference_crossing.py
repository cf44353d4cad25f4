"""Steps across kinematic singularities in plain Python: the definition of the compiled ones.

``singularity_crossing.py`` has the reasons.
"""

from __future__ import annotations

from dataclasses import dataclass

from poinsot.simulation.stepping.singularity_crossing import (
    FAR,
    LEAST_CLEAR,
    LEAST_PART,
    NEAR,
    ROOM,
)


@dataclass
class ReferenceCrossing:
    """The conditioning of the rows of the constraints along a run.

    Attributes:
        gap: Midpoint of the widest gap between stages, part of a step; None: no step is careful.
        now: Conditioning at the start of the step.
        before: One step before; 0: not known.
        new: Where a state was projected last.
        most: The best so far.
        h_last: The last accepted step [s].
        h_usual: The step that was shortened, or 0 [s].
        is_careful: Whether stages are projected in this step.
    """

    gap: float | None
    now: float = 0.0
    before: float = 0.0
    new: float = 0.0
    most: float = 0.0
    h_last: float = 0.0
    h_usual: float = 0.0
    is_careful: bool = False

    def restart(self) -> None:
        """Forget the steps before."""
        self.now, self.before, self.is_careful = 0.0, 0.0, False

    def plan(self, h: float) -> float:
        """Return the step to try: with the singularity in the gap, or the usual one."""
        self.h_usual, self.is_careful = 0.0, False
        fall = self.before - self.now
        if self.gap is None or not self.before > 0.0 or not self.is_near(self.now) or fall == 0.0:
            return h
        distance = self.now / (fall / self.h_last)
        self.is_careful = abs(distance) < h * FAR
        if not self.is_careful or not distance > 0.0:
            return h
        over = distance / self.gap
        chosen = min(over if over <= h else distance - h * (ROOM * self.gap), h)
        if not h * LEAST_PART <= chosen < h:
            return h
        self.h_usual = h
        return chosen

    def is_near(self, conditioning: float) -> bool:
        """Say whether a singularity is near."""
        return conditioning < self.most * NEAR

    @property
    def is_well_conditioned(self) -> bool:
        """Whether a step may end where a state was projected last."""
        return self.new >= self.most * LEAST_CLEAR

    def record(self, h: float) -> None:
        """Take over the conditioning at the end of an accepted step."""
        self.before, self.now, self.h_last = self.now, self.new, h
        self.most = max(self.most, self.new)
