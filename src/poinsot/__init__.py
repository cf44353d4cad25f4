"""poinsot: multi-rigid-body dynamics from one description."""
