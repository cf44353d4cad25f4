"""Formulation × kernel → callable.  The only place where mechanics and machine code meet."""
