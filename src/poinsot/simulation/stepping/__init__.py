"""The compiled stepper: integrators, step control, projection, dense output, event detection."""
