"""Impacts: impulses that change velocities in an instant."""
