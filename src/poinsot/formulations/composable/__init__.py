"""Planar mechanisms by the composable method [Wang2007]: unit after unit, over any scalar.

Positions, velocities and accelerations go through the units in the order of assembly, forces in
the opposite order.  Read ``joint_rows`` first, then ``unit_equations`` and ``sweep``.
Arrays may have batch axes in front, or hold expressions.
"""
