# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""How long a lock has stood unrenewed before our own eyes.

Clocks of two machines differ, so a newcomer does not compare the lock's times with its own: it counts from when it
first saw the present renewal (k8s.io/client-go, tools/leaderelection). What it saw is kept in a file, so that the next
step, or the next run, goes on counting.
"""

from __future__ import annotations

import hashlib
import os
import typing as t
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._host.directories import ensure_private_directory
from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_errors import FileAccessError
from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import read_json, remove_file, write_json
from ansible_collections.fieldops.openshift.plugins.module_utils._host.processes import boot_id

if t.TYPE_CHECKING:
    from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.lock_state import LockState
    from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import Clock


class LockWatch:
    """What was seen of the lock of one ``server``; kept in ``directory``, or without one as long as this lives."""

    def __init__(self, server: str, clock: Clock, directory: Path | None) -> None:
        self._clock = clock
        name = hashlib.sha256(server.encode()).hexdigest()[:16]
        self._file = directory / f"{name}.json" if directory else None
        self._seen: dict[str, t.Any] = {}

    def unrenewed_for(self, lock: LockState) -> float:
        """Return for how many seconds the lock has been seen as it is now; zero for what is seen the first time."""
        now = self._clock.monotonic()
        key = {"holder": lock.holder, "renewed": lock.renewed, "boot": boot_id()}
        seen = self._load()
        since = seen.get("since")
        same = all(seen.get(name) == value for name, value in key.items())
        if same and isinstance(since, (int, float)) and since <= now:
            return now - since
        self._seen = {**key, "since": now}
        if self._file:
            write_json(self._file, self._seen, mode=0o600, durable=False)
        return 0.0

    def forget(self) -> None:
        """Forget what was seen: the lock is ours, or free."""
        self._seen = {}
        if self._file:
            remove_file(self._file)

    def _load(self) -> dict[str, t.Any]:
        found = self._seen or (read_json(self._file) if self._file else None)
        return found if isinstance(found, dict) else {}


def watch_directory() -> Path | None:
    """Return where this user keeps what was seen of locks; None where there is no such place."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    directory = Path(base) / "fieldops-openshift" / "locks"
    try:
        ensure_private_directory(directory)
    except FileAccessError:
        return None
    return directory
