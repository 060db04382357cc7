"""Settings of all tests."""

from hypothesis import settings

# No deadline: the first example may load a library or share the machine with a busy neighbour.
settings.register_profile("ginsim", deadline=None)
settings.load_profile("ginsim")
