# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A place of its own in the lab's network: one address behind one cable, for a part that is no node host."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.lab.errors import LabError
from ansible_collections.fieldops.openshift.tests.lab.network import BRIDGE, LabNetwork
from ansible_collections.fieldops.openshift.tests.lab.workspace import LeashedProcess, Workspace

DEVICE = "eth0"
PATIENCE_SECONDS = 10.0


class NetworkPlace:
    """A network namespace on the lab's bridge, with ``more`` addresses if wanted; lives as long as the workspace."""

    def __init__(
        self, name: str, address: str, *, workspace: Workspace, network: LabNetwork, more: Sequence[str] = ()
    ) -> None:
        self.address = address
        self._cable = f"vb-{name}"
        self._network = network
        holder = workspace.start(f"place-{name}", ["unshare", "--net", "sleep", "infinity"])
        self.namespace = Path(f"/proc/{holder.pid}/ns/net")
        self._wait_for_namespace(holder)
        end = ("peer", "name", DEVICE, "netns", str(holder.pid))
        network.ip("link", "add", self._cable, "type", "veth", *end)
        network.ip("link", "set", self._cable, "master", BRIDGE, "up")
        for arguments in (
            ("link", "set", "lo", "up"),
            *(("address", "add", f"{one}/24", "dev", DEVICE) for one in (address, *more)),
            ("link", "set", DEVICE, "up"),
        ):
            subprocess.run(["nsenter", f"--net={self.namespace}", "ip", *arguments], check=True)

    def plug(self, connected: bool) -> None:
        """Connect or pull the cable: without it packets are lost, and nobody is told that they are."""
        self._network.ip("link", "set", self._cable, "up" if connected else "down")

    def _wait_for_namespace(self, holder: LeashedProcess) -> None:
        own = Path("/proc/self/ns/net").readlink()
        deadline = time.monotonic() + PATIENCE_SECONDS
        while self.namespace.readlink() == own:
            holder.require_running()
            if time.monotonic() > deadline:
                raise LabError("make a network namespace", on=holder.name, seen="none", advice="Is this root?")
            time.sleep(0.002)
