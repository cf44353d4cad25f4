"""The objects users hold, and how to make a run of one."""
