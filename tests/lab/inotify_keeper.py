# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Holds the limit of inotify instances raised for as long as any lab needs it, and puts it back after the last one.

``python -I -S inotify_keeper.py --limit FILE --enough NUMBER --lock FILE`` raises the number in the limit's file if it
is below ``enough``, answers on standard output with a line (the former number, ``enough``, or ``error`` and why), and
waits for the end of standard input: that is, until its owner lets go or dies in any way. All keepers of a machine share
the lock, whose file remembers the former number. The one that can have it alone at its end is the last.

Runs as a file, isolated, so that it starts quickly and needs nobody.
"""

from __future__ import annotations

import argparse
import fcntl
import os
import signal
from pathlib import Path

IGNORED = (signal.SIGINT, signal.SIGHUP, signal.SIGTERM)  # meant for the owner, who decides what they mean here


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--limit", required=True, type=Path)
    parser.add_argument("--enough", required=True, type=int)
    parser.add_argument("--lock", required=True, type=Path)
    options = parser.parse_args()
    for number in IGNORED:
        signal.signal(number, signal.SIG_IGN)
    handle = share(options.lock)
    print(hold(handle, options.limit, options.enough), flush=True)
    while os.read(0, 1024):
        pass
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return
    put_back(handle, options.limit, options.enough)
    options.lock.unlink()


def share(lock: Path) -> int:
    """Return the lock's file, locked with others; wait while a last keeper removes it."""
    while True:
        handle = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        fcntl.flock(handle, fcntl.LOCK_SH)
        try:
            if os.fstat(handle).st_ino == lock.stat().st_ino:
                return handle
        except FileNotFoundError:
            pass  # somebody has just removed it: lock a new one
        os.close(handle)


def hold(handle: int, limit: Path, enough: int) -> str:
    """Raise the limit if need be, remembering what it was; return the answer."""
    try:
        present = int(limit.read_text())
        if present >= enough:
            return "enough"
        limit.write_text(str(enough))
    except OSError as error:
        return f"error {error}"
    os.pwrite(handle, b"%-20d" % present, 0)
    return str(present)


def put_back(handle: int, limit: Path, enough: int) -> None:
    """Set the remembered number, unless somebody else has set another one since."""
    remembered = os.pread(handle, 20, 0).strip()
    if remembered and int(limit.read_text()) == enough:
        limit.write_text(remembered.decode())


if __name__ == "__main__":
    main()
