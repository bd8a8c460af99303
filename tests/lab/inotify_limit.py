# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The one setting of the machine that the lab may have to change: how many inotify instances a user may have.

A node host needs about 15 (systemd, CRI-O, the kubelet), the kernel's default is 128 for all of them together, and a
kubelet that gets none ends with "too many open files". A namespace can lower the limit, not raise it. So it is
raised while labs with hosts run, and put back when the last of them ends, however it ends.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.lab.cache import say
from ansible_collections.fieldops.openshift.tests.lab.errors import LabError

LIMIT = Path("/proc/sys/fs/inotify/max_user_instances")
LOCK = Path(tempfile.gettempdir()) / "fieldops-lab.inotify"
KEEPER = Path(__file__).with_name("inotify_keeper.py")
ENOUGH = 1024


class RaisedInotifyLimit:
    """What several labs at once need, until ``close``; a context manager. It says so when it changes something."""

    def __init__(self, *, limit: Path = LIMIT, lock: Path = LOCK) -> None:
        command = [sys.executable, "-I", "-S", str(KEEPER), "--limit", str(limit), "--lock", str(lock)]
        self._keeper = subprocess.Popen(
            [*command, f"--enough={ENOUGH}"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # not the owner's: whoever reads that would wait for the last lab to end
            text=True,
            start_new_session=True,
        )
        assert self._keeper.stdout
        answer = self._keeper.stdout.readline().strip()
        if answer.isdigit():
            say(f"raised fs.inotify.max_user_instances from {answer} to {ENOUGH}, until the last lab ends")
        elif answer != "enough":
            self.close()
            raise LabError(
                "raise the limit of inotify instances",
                on=str(limit),
                seen=answer or "no answer",
                advice=f"Run sysctl fs.inotify.max_user_instances={ENOUGH} on the machine itself.",
            )

    def close(self) -> None:
        """Let go; the limit is as it was before, unless another lab still runs."""
        assert self._keeper.stdin
        assert self._keeper.stdout
        self._keeper.stdin.close()
        self._keeper.wait()
        self._keeper.stdout.close()

    def __enter__(self) -> RaisedInotifyLimit:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
