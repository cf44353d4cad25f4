"""Derivatives of runs by their start and parameters, step by step as the integrator took them."""
