"""`python -m ginsim`, and the `ginsim` command itself: what lies around `cli`, from the first import on."""

from __future__ import annotations

import atexit
import os
import signal
import sys
from types import FrameType

INTERRUPTED = 130


def main() -> None:
    """Run the command line; Ctrl-C ends it at any moment, in one line.

    At the end there is nobody left to tell: then Ctrl-C ends the process itself.
    """
    answered = signal.getsignal(signal.SIGINT) is signal.default_int_handler  # else the caller has it ignored
    if answered:
        signal.signal(signal.SIGINT, _interrupt)
        # The first to be registered is the last to run: as the interpreter ends it would take its handler
        # away, and a Ctrl-C would kill the process in the place of its exit code.
        atexit.register(signal.signal, signal.SIGINT, signal.SIG_IGN)
    try:
        from .cli import main as command

        command(prog_name="ginsim")
    finally:
        if answered:
            signal.signal(signal.SIGINT, _end)
        _leave_threads()


def _interrupt(_: int, frame: FrameType | None) -> None:
    """Ctrl-C: for a command to answer once there is one, and else the end.

    While modules are imported an exception could get lost in one of them, so that this is the end, too, but
    for a run that is played: it has something to say.
    """
    running, importing = set(), False
    while frame is not None:
        running.add(frame.f_globals.get("__name__"))
        importing |= frame.f_code.co_filename == "<frozen importlib._bootstrap>"
        frame = frame.f_back
    if "ginsim.playing" in running or ("ginsim.cli" in running and not importing):
        raise KeyboardInterrupt
    os.write(2, b"ginsim: interrupted\n")
    os._exit(INTERRUPTED)


def _end(*_: object) -> None:
    os._exit(INTERRUPTED)


def _leave_threads() -> None:
    """End the process here where threads that a policy started would keep it from its end."""
    import threading

    others = [thread for thread in threading.enumerate() if not thread.daemon]
    end = sys.exception()
    if others != [threading.main_thread()] and isinstance(end, SystemExit) and not isinstance(end.code, str):
        from .experiment.spawning import leave

        leave(int(end.code or 0))


if __name__ == "__main__":
    main()
