"""What can be said of systems from their equations."""
