"""Planar mechanisms as graphs: bodies, pairs, drivers, and the units they are assembled from.

Read ``graph`` first, then ``decomposition``.
"""
