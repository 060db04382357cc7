"""Settings of all tests."""

import os
import signal

from hypothesis import settings

# No deadline: the first example may load a library or share the machine with a busy neighbour.
settings.register_profile("ginsim", deadline=None)
settings.load_profile("ginsim")

# Many tests start processes: they need not compile again what others have.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# A shell that runs the tests in the background has Ctrl-C ignored, also in what they start and want to stop.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
