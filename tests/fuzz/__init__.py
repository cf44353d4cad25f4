"""Damaged, hostile and absurd model files: a poinsot error or a valid system, and nothing else.

``python -m tests.fuzz --seconds 20 [--format urdf]`` searches for such files for a while; what it
finds belongs into ``test_hostile.py``.
"""
