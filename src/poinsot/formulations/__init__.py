"""From a mechanism to its equations, each method in its own file, over floats and expressions."""
