# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Waits until CRI-O says that its network is ready.

CRI-O says so half a second after its start at the earliest (internal/config/cnimgr). A kubelet that asks before asks
again only after five seconds, which real hardware is too slow to notice.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time

PATIENCE_SECONDS = 60.0
ANSWER = "20s"  # for one answer: crictl's own limit of two seconds is short where many share few processors


def main() -> int:
    """Return 0 when the network is ready, 1 when it never is."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < deadline:
        answer = subprocess.run(["crictl", "--timeout", ANSWER, "info"], capture_output=True, text=True, check=False)
        if answer.returncode == 0 and is_network_ready(answer.stdout):
            return 0
        time.sleep(0.05)
    return 1


def is_network_ready(info: str) -> bool:
    """Read the answer of ``crictl info``."""
    conditions = json.loads(info)["status"]["conditions"]
    return any(one["type"] == "NetworkReady" and one["status"] for one in conditions)


if __name__ == "__main__":
    sys.exit(main())
