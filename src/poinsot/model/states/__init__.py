"""Further states of a system: by their rates, or sampled."""

from typing import TYPE_CHECKING

from poinsot.lazy import lazy_names

if TYPE_CHECKING:
    from poinsot.model.states.sampled_state import SampledState
    from poinsot.model.states.state import State
else:
    __getattr__, __dir__ = lazy_names(__name__, {"sampled_state": "SampledState", "state": "State"})

__all__ = ["SampledState", "State"]
