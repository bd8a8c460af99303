# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The repository of ostree mounted once more, writable: a host's /sysroot is mounted read-only.

bootc makes it writable in a mount namespace of its own, but not for its command that pulls alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ansible_collections.fieldops.openshift.plugins.module_utils._host.directories import ensure_private_directory
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._host.mounts import ensure_unmounted
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.commands import (
    REPOSITORY,
    WRITABLE_REPOSITORY,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline

_SECONDS = 60.0


@contextmanager
def writable_repository(host: Host) -> Iterator[None]:
    """Mount the repository at WRITABLE_REPOSITORY for the time of the context, in place of what a killed run left.

    Raises MountError, and what ``Host.run`` raises.
    """
    deadline = Deadline(_SECONDS, host.clock)
    ensure_unmounted(host, WRITABLE_REPOSITORY, deadline=deadline)
    ensure_private_directory(host.path(WRITABLE_REPOSITORY))
    host.run(["mount", "--bind", "--", REPOSITORY, WRITABLE_REPOSITORY], deadline=deadline)
    try:
        # A mount takes over that its source is read-only; only another command makes it writable.
        host.run(["mount", "--options", "remount,bind,rw", "--", WRITABLE_REPOSITORY], deadline=deadline)
        yield
    finally:
        ensure_unmounted(host, WRITABLE_REPOSITORY, deadline=Deadline(_SECONDS, host.clock))
