"""Compute no more than a case asks for."""


def asked(expected, entries):
    """Return the values that are asked for; with traps, which may belong to any, all of them.

    Args:
        expected: What the case expects, by name.
        entries: Functions without arguments by name.
    """
    everything = any(name.startswith("trap_") for name in expected)
    return {name: make() for name, make in entries.items() if everything or name in expected}
