# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Tells the API of the boot that a virtual machine is in, as its kubelet would; runs there, with Python alone.

/var/lib/lab/node.json holds ``url``, ``token`` and ``node``. Tried again by its unit until the API has answered.
"""

from __future__ import annotations

import json
import ssl
import urllib.request
from pathlib import Path

FOLDER = Path("/var/lib/lab")
REASONS = {
    "MemoryPressure": ("False", "KubeletHasSufficientMemory"),
    "DiskPressure": ("False", "KubeletHasNoDiskPressure"),
    "PIDPressure": ("False", "KubeletHasSufficientPID"),
    "Ready": ("True", "KubeletReady"),
}


def main() -> None:
    """Write the status of the Node."""
    settings = json.loads((FOLDER / "node.json").read_text())
    boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    conditions = [
        {"type": kind, "status": status, "reason": reason, "message": reason}
        for kind, (status, reason) in REASONS.items()
    ]
    patch = {"status": {"conditions": conditions, "nodeInfo": {"bootID": boot}}}
    request = urllib.request.Request(  # noqa: S310 - the lab's own API
        f"{settings['url']}/api/v1/nodes/{settings['node']}/status",
        data=json.dumps(patch).encode(),
        method="PATCH",
        headers={
            "Authorization": f"Bearer {settings['token']}",
            "Content-Type": "application/strategic-merge-patch+json",
        },
    )
    context = ssl.create_default_context(cafile=str(FOLDER / "ca.crt"))
    with urllib.request.urlopen(request, context=context, timeout=10) as answer:  # noqa: S310
        answer.read()


if __name__ == "__main__":
    main()
