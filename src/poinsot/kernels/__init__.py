"""Compiled evaluation of expression graphs."""
