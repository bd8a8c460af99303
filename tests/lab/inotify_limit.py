# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The one setting of the machine that the lab may have to change: how many inotify instances a user may have.

A node host needs about 15 (systemd, CRI-O, the kubelet), the kernel's default is 128 for all of them together, and a
kubelet that gets none ends with "too many open files". The limit is only ever raised, costs nothing, and is back at the
next start of the machine: putting it back earlier could break another lab or program that relies on it by then.
"""

from __future__ import annotations

from pathlib import Path

from ansible_collections.fieldops.openshift.tests.lab.cache import say
from ansible_collections.fieldops.openshift.tests.lab.errors import LabError

LIMIT = Path("/proc/sys/fs/inotify/max_user_instances")
ENOUGH = 1024


def raise_inotify_limit() -> None:
    """Raise the limit to what several labs at once need, and say so."""
    present = int(LIMIT.read_text())
    if present >= ENOUGH:
        return
    try:
        LIMIT.write_text(str(ENOUGH))
    except OSError as error:
        raise LabError(
            f"raise the limit of {present} inotify instances",
            on=str(LIMIT),
            seen=str(error),
            advice=f"Run sysctl fs.inotify.max_user_instances={ENOUGH} on the machine itself.",
        ) from error
    say(f"raised fs.inotify.max_user_instances from {present} to {ENOUGH}, until the machine's next start")
