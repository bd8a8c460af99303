# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Plays as processes that ``play_server.py`` forks; tests whose plays run in a lab's network start the program."""

from __future__ import annotations

import atexit
import fcntl
import functools
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

Settings = frozenset[tuple[str, str]]

BINARIES = Path(sys.executable).parent
PROGRAM = BINARIES / "ansible-playbook"
SERVER = Path(__file__).with_name("play_server.py")
OWN_OF_EACH_PLAY = "ANSIBLE_HOME"
"""What plays of one server may have each for itself: ansible-core reads its other settings while it is imported."""
PIPE = 2**20
"""Bytes of output that a play may have written before a test reads them."""


class Play:
    """A running ansible-playbook, in a session of its own, with what ``subprocess.Popen`` says and does.

    ``stdout`` is all that it writes, errors included.
    """

    def __init__(self, command: Sequence[str | Path], environment: Mapping[str, str], folder: Path | None) -> None:
        self.args = [str(PROGRAM), *(str(word) for word in command)]
        self.returncode: int | None = None
        cwd = str(folder or Path.cwd())
        self._teller, told = socket.socketpair()
        reading, writing = os.pipe()
        fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, PIPE)
        try:
            request = json.dumps({"argv": self.args, "cwd": cwd, "env": dict(environment)})
            door = _server(frozenset(i for i in environment.items() if _is_of_the_server(i[0])))
            socket.send_fds(door, [request.encode()], [told.fileno(), writing])
        finally:
            told.close()
            os.close(writing)
        self.stdout = os.fdopen(reading, encoding="utf-8", errors="replace")
        self._answers = self._teller.makefile("r")
        self.pid = int(self._answers.readline())

    def poll(self) -> int | None:
        """Return the status of the play, None while it runs."""
        if self.returncode is None and select.select([self._teller], [], [], 0)[0]:
            self.returncode = int(self._answers.readline())
        return self.returncode

    def communicate(self, timeout: float | None = None) -> tuple[str, None]:
        """Wait for the end of the output and of the play; raise subprocess.TimeoutExpired after ``timeout`` seconds."""
        read: list[str] = []
        reader = threading.Thread(target=lambda: read.append(self.stdout.read()), daemon=True)
        reader.start()
        reader.join(timeout)
        if reader.is_alive() or not select.select([self._teller], [], [], timeout)[0]:
            raise subprocess.TimeoutExpired(self.args, timeout or 0)
        self.poll()
        for opened in (self.stdout, self._answers, self._teller):
            opened.close()
        return read[0], None

    def kill(self) -> None:
        """Kill the play's process, not what it has started."""
        if self.poll() is None:
            os.kill(self.pid, signal.SIGKILL)


def start_ansible_playbook(
    command: Sequence[str | Path], environment: Mapping[str, str], folder: Path | None = None
) -> Play:
    """Start ansible-playbook with these words and this whole environment, in ``folder``."""
    return Play(command, environment, folder)


def run_ansible_playbook(
    command: Sequence[str | Path], environment: Mapping[str, str], folder: Path | None = None, seconds: float = 300
) -> subprocess.CompletedProcess[str]:
    """Run ansible-playbook to its end."""
    play = start_ansible_playbook(command, environment, folder)
    output, _unused = play.communicate(seconds)
    return subprocess.CompletedProcess(play.args, play.returncode or 0, output)


def _is_of_the_server(name: str) -> bool:
    return name.startswith(("ANSIBLE_", "PYTHON", "LC_", "LANG")) and name != OWN_OF_EACH_PLAY


@functools.cache
def _server(settings: Settings) -> socket.socket:
    """Return the way to a server whose Ansible has these settings; it ends with this process."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    kept = {name: value for name, value in os.environ.items() if not name.startswith("ANSIBLE_")}
    command = [sys.executable, "-P", str(SERVER), str(theirs.fileno())]
    environment = {**kept, **dict(settings)}
    process = subprocess.Popen(
        command, env=environment, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL
    )
    theirs.close()
    atexit.register(process.wait)
    atexit.register(ours.close)
    return ours
