# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Under which name a play holds the lock."""

from __future__ import annotations

import getpass
import platform
import typing as t
from collections.abc import Mapping
from dataclasses import dataclass, field

from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.locking.holder_process import (
    describe_process,
)


@dataclass(frozen=True)
class LockHolder:
    """``identity`` is one run of one job or person; ``process``, where it is known, is the one that runs it."""

    identity: str
    process: Mapping[str, t.Any] = field(default_factory=dict)


def lock_holder(name: str | None, pid: int | None) -> LockHolder:
    """Return who holds the lock as ``name``, by default user and host.

    ``pid`` is the process whose end ends the run; it makes the identity unique. Without it the name is all there is,
    and two runs of one name would be one holder.
    """
    label = name or f"{_user()}@{platform.node()}"
    process = describe_process(pid) if pid else {}
    return LockHolder(f"{label}/{process['pid']}-{process['start']}" if process else label, process)


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError):
        # The arbitrary user of a container platform has no entry and no variable.
        return "an unknown user"
