"""Pages for browsers: a scene of bodies, and what shows it."""
