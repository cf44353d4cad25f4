"""The command ``poinsot``."""

from poinsot.cli.app import main

__all__ = ["main"]
