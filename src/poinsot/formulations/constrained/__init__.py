"""Mechanisms with loops and constraints: multipliers beside the equations of the tree.

Read ``view`` for how constraints see the mechanism, ``rows`` for their equations, ``dynamics`` for
the solution and ``quantities`` for what is made of it.
"""
