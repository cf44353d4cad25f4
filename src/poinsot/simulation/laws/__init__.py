"""Laws, signals and events: what drives a run, traced and compiled."""
