"""Settings of all tests."""

from hypothesis import settings

settings.register_profile("poinsot", deadline=None)  # the first example may compile
settings.load_profile("poinsot")
