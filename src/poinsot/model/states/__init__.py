"""Further states of a system: by their rates, or sampled."""

from poinsot.model.states.sampled_state import SampledState
from poinsot.model.states.state import State

__all__ = ["SampledState", "State"]
