# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Runs one command and makes sure that it ends when the process that asked for it ends.

``python -I -S leash.py --lock FILE [--log FILE] -- COMMAND ...`` holds a shared lock on FILE, runs COMMAND, and kills
it when standard input reaches its end: that is, when whoever holds the other end closes it or dies in any way. If this
process itself is killed, the kernel kills COMMAND (``PR_SET_PDEATHSIG``). ``--broom`` is the opposite end: it waits for
the end of standard input, then for everybody who shares the lock, and only then runs COMMAND, which cleans up.
The process id of COMMAND is the one line on standard output.

Runs as a file, isolated, with nothing but the standard library, so that it starts in a few milliseconds.
"""

from __future__ import annotations

import argparse
import ctypes
import fcntl
import os
import select
import signal
import subprocess
import sys

PR_SET_PDEATHSIG = 1  # prctl(2)
IGNORED = (signal.SIGINT, signal.SIGHUP, signal.SIGTERM)  # meant for the owner, who decides what they mean here


def main() -> int:
    """Run the command line and return the exit status: the command's own, or 128 plus the signal that ended it."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--lock", required=True)
    parser.add_argument("--log")
    parser.add_argument("--broom", action="store_true")
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()
    lock = os.open(options.lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    for number in IGNORED:
        signal.signal(number, signal.SIG_IGN)
    if options.broom:
        return sweep(lock, options.command)
    fcntl.flock(lock, fcntl.LOCK_SH)
    return hold(options.command, options.log)


def sweep(lock: int, command: list[str]) -> int:
    """Wait until nobody holds standard input's other end nor the lock, then clean up."""
    while os.read(0, 1024):
        pass
    fcntl.flock(lock, fcntl.LOCK_EX)
    os.chdir("/")
    return subprocess.run(command, check=False).returncode


def hold(command: list[str], log: str | None) -> int:
    """Run the command until it ends by itself or standard input does."""
    woken, waker = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
    signal.set_wakeup_fd(waker)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    output = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600) if log else None
    child = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, preexec_fn=die_with_parent
    )
    print(child.pid, flush=True)
    while child.poll() is None:
        ready, _writable, _exceptional = select.select([0, woken], [], [])
        if woken in ready:
            os.read(woken, 64)
        if 0 in ready and not os.read(0, 1024):
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()
    return 128 - child.returncode if child.returncode < 0 else child.returncode


def die_with_parent() -> None:
    """In the child: be killed with the leash, in a process group of one's own."""
    os.setpgid(0, 0)
    for number in IGNORED:
        signal.signal(number, signal.SIG_DFL)
    if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "prctl")
    if os.getppid() == 1:
        os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    sys.exit(main())
