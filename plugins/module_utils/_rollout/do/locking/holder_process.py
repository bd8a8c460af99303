# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Whether the process that took the lock still runs, where that can be known for certain."""

from __future__ import annotations

import os
import typing as t
from collections.abc import Mapping
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._host.processes import ProcessIdentity, boot_id

_NAMESPACE = Path("/proc/self/ns/pid")
_HIGHEST_PID = 2**22  # proc(5), /proc/sys/kernel/pid_max


def describe_process(pid: int) -> dict[str, t.Any]:
    """Return what identifies the running process ``pid`` of this machine, nothing where there is no /proc."""
    identity = ProcessIdentity.of(pid)
    namespace = _pid_namespace()
    if identity.start_ticks is None or identity.boot_id is None or namespace is None:
        return {}
    return {"boot": identity.boot_id, "namespace": namespace, "pid": pid, "start": identity.start_ticks}


def is_gone(process: Mapping[str, t.Any]) -> bool:
    """Return whether the described process has certainly ended.

    Certain is only what was started in this boot of this machine and in our own process namespace; of all others we
    know nothing and say False.
    """
    pid = process.get("pid")
    if not isinstance(pid, int) or not 0 < pid <= _HIGHEST_PID or process.get("boot") != boot_id():
        return False
    if process.get("namespace") != _pid_namespace():
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        pass  # it is another user's, so it is there
    start = ProcessIdentity.of(pid).start_ticks
    return start is not None and start != process.get("start")


def _pid_namespace() -> int | None:
    try:
        return _NAMESPACE.stat().st_ino
    except OSError:
        return None
