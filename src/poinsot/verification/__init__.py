"""Checks of a system against itself: formulations, back ends, laws of mechanics, its soundness."""
