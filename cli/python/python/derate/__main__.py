"""The command `derate`: the binary's main, out of the shared object of the package."""

from __future__ import annotations

import os
import signal
import sys
import sysconfig

from derate._derate import run_program


def find_program() -> str | None:
    """The file that starts this command, for commands of derate that need a second process of it."""
    started = sys.argv[0]
    if os.access(started, os.X_OK) and not started.endswith(".py"):
        return os.path.abspath(started)
    beside = os.path.join(sysconfig.get_path("scripts"), "derate")
    return beside if os.access(beside, os.X_OK) else None


def main() -> int:
    """Runs the command of this process's words and gives its exit status."""
    # Ctrl-C ends the command as it ends the binary; Python would only note it.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return run_program(["derate", *sys.argv[1:]], find_program())


if __name__ == "__main__":
    sys.exit(main())
