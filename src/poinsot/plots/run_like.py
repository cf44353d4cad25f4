"""The interface of a run that pictures need."""

from typing import Protocol

from poinsot.model import Body, Mechanism
from poinsot.spatial import Array

__all__ = ["RunLike", "SystemLike"]


class SystemLike(Protocol):
    """A mechanism that can say where its bodies are."""

    @property
    def name(self) -> str:
        """Name of the system."""

    @property
    def bodies(self) -> tuple[Body, ...]:
        """The bodies as listed."""

    @property
    def body_names(self) -> tuple[str, ...]:
        """Names of the bodies as listed."""

    @property
    def joint_names(self) -> tuple[str, ...]:
        """Names of the joints, by body."""

    @property
    def gravity(self) -> tuple[float, float, float]:
        """Acceleration of free fall in the world [m/s²]."""

    @property
    def mechanism(self) -> Mechanism:
        """The description."""

    def q_slice(self, joint: str) -> slice:
        """Return where a joint's coordinates are in q."""

    def v_slice(self, joint: str) -> slice:
        """Return where a joint's velocities are in v."""

    def pose(self, body: str, q: Array) -> Array:
        """Return the pose of a body, body to world, shape (..., 4, 4)."""


class RunLike(Protocol):
    """A motion of a system: n stored states, and states at any time between them."""

    @property
    def system(self) -> SystemLike:
        """What moved."""

    @property
    def t(self) -> Array:
        """Stored times [s], shape (n,)."""

    def at(self, t: float) -> tuple[Array, Array]:
        """Return q and v at the time ``t``."""
