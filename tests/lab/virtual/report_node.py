# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Reports the node of a virtual machine to the API, as its kubelet would; runs there, with Python alone.

/var/lib/lab/node.json holds ``url``, ``token`` and ``node``. Its unit starts it again where the API does not answer.
"""

from __future__ import annotations

import json
import ssl
import time
import urllib.request
from pathlib import Path

FOLDER = Path("/var/lib/lab")
PERIOD_SECONDS = 10
"""As nodeStatusUpdateFrequency of the kubelet."""
REASONS = {
    "MemoryPressure": ("False", "KubeletHasSufficientMemory"),
    "DiskPressure": ("False", "KubeletHasNoDiskPressure"),
    "PIDPressure": ("False", "KubeletHasSufficientPID"),
    "Ready": ("True", "KubeletReady"),
}


def main() -> None:
    """Write the status of the Node again and again."""
    settings = json.loads((FOLDER / "node.json").read_text())
    boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    context = ssl.create_default_context(cafile=str(FOLDER / "ca.crt"))
    while True:
        request = urllib.request.Request(  # noqa: S310 - the lab's own API
            f"{settings['url']}/api/v1/nodes/{settings['node']}/status",
            data=json.dumps(status_of(boot)).encode(),
            method="PATCH",
            headers={
                "Authorization": f"Bearer {settings['token']}",
                "Content-Type": "application/strategic-merge-patch+json",
            },
        )
        with urllib.request.urlopen(request, context=context, timeout=10) as answer:  # noqa: S310
            answer.read()
        time.sleep(PERIOD_SECONDS)


def status_of(boot: str) -> dict[str, object]:
    """Return a patch that says which boot this is, and that the node is ready now."""
    now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    conditions = [
        {"type": kind, "status": status, "reason": reason, "message": reason, "lastHeartbeatTime": now}
        for kind, (status, reason) in REASONS.items()
    ]
    return {"status": {"conditions": conditions, "nodeInfo": {"bootID": boot}}}


if __name__ == "__main__":
    main()
