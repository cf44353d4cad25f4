"""Time: a system's motion from a start, by compiled integrators with error control."""
