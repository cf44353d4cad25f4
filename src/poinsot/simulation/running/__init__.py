"""A run in flight: its memory, its events, how it ends and what it returns."""
