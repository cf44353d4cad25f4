"""Runs in files: trajectories and checkpoints."""
