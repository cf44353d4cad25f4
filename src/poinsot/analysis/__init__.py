"""What can be said of a system from its equations, without a run.

``mobility``, ``finite_mobility``, ``singular_configurations`` and ``contradictions`` of loops and
constraints; ``statics`` and ``equilibrium``; ``base_parameters``; ``operation_counts``.
"""
