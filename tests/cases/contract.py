"""What an adapter may say besides the values it found."""

from dataclasses import dataclass


class Unsupported(Exception):
    """poinsot cannot do this case, or not yet; the reason is printed behind TODO."""


@dataclass(frozen=True)
class Missing:
    """Stands in an adapter's answer for an entry that poinsot cannot compute yet."""

    reason: str = ""


@dataclass(frozen=True)
class Within:
    """A value whose tolerance the case states in words that only its adapter understands."""

    value: object
    rtol: float = 0.0
    atol: float = 0.0
