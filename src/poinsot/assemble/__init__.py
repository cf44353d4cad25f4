"""Configurations, velocities and accelerations that obey loops and constraints.

``closing`` finds positions, ``rates`` what follows from them, ``modes`` all ways to put a mechanism
together, ``follow`` the motion of a driven mechanism from one position to the next.
"""
