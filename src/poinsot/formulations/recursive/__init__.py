"""Recursive dynamics of trees: outward and inward sweeps over the links."""
