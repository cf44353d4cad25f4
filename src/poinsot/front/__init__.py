"""The public objects: systems, their quantities, runs and studies."""
