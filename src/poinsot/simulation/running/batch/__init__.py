"""Many runs of one system at once: in SIMD lanes where the steps are equal, and on all threads."""
