"""Pinocchio compiled for this processor, from the headers that its wheel ships."""
