"""Configurations, velocities and accelerations that obey loops and constraints.

``loop_closing`` finds positions, ``allowed_rates`` what follows from them, ``assembly_modes`` all
ways to put a mechanism together, ``driven_motion`` the motion of a driven mechanism from one
position to the next, ``closed_states`` random states.
"""
