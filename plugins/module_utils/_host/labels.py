# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a drive is called: the label of its file system, or the name of the folder where it is mounted."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._host.mountinfo import Mount, mount_of

_ESCAPED = re.compile(r"\\x([0-9a-f]{2})")


def drive_label(path: Path, mounts: Sequence[Mount], by_label: Path = Path("/dev/disk/by-label")) -> str:
    """Return the label of the file system that ``path`` is on, empty for that of the machine itself.

    ``by_label`` has links to devices, named by labels with other characters as \\x20; source: udev(7).
    """
    mount = mount_of(str(path.resolve()), mounts)
    if mount is None or mount.mount_point == "/":
        return ""
    device = os.path.realpath(mount.source)
    links = sorted(by_label.iterdir()) if by_label.is_dir() else []
    named = (link.name for link in links if os.path.realpath(link) == device)
    label = next(named, Path(mount.mount_point).name)
    return _ESCAPED.sub(lambda match: chr(int(match[1], 16)), label)
