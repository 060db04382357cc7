"""`python -m ginsim`, and the `ginsim` command itself: what lies around `cli`, from the first import on."""

from __future__ import annotations

import os
import signal
import sys

INTERRUPTED = 130


def main() -> None:
    """Run the command line; Ctrl-C ends it at any moment, in one line.

    While modules are imported an exception could get lost in one of them, and at the end there is nobody left
    to catch it: then Ctrl-C ends the process itself.
    """
    interrupts = signal.getsignal(signal.SIGINT)
    answered = interrupts is signal.default_int_handler  # not so where the caller has Ctrl-C ignored
    if answered:
        signal.signal(signal.SIGINT, _tell_and_end)
    from .cli import main as command

    if answered:
        signal.signal(signal.SIGINT, interrupts)
    try:
        command(prog_name="ginsim")
    finally:
        if answered:
            signal.signal(signal.SIGINT, _end)
        _leave_threads()


def _tell_and_end(*_: object) -> None:
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
