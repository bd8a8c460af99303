# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A node host that boots OSTree deployments, switches between them with bootc's actor, and goes back."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.lab.api_access import ApiAccess
from ansible_collections.fieldops.openshift.tests.lab.errors import LabError
from ansible_collections.fieldops.openshift.tests.lab.node.host import DiskTemplate, HostIdentity, NodeHost
from ansible_collections.fieldops.openshift.tests.lab.node.ostree_sysroot import ostree_sysroot

FIRMWARE = Path(__file__).with_name("ostree_firmware.py")


class OstreeHost(NodeHost):
    """Its /etc and /var lie in a sysroot of its own, a file system that appears as /sysroot."""

    firmware = FIRMWARE
    size = 800_000_000
    """Bytes of the sysroot, of which the machine's disk holds those that are written."""

    def install(self, disk: DiskTemplate, server: ApiAccess, public_key: str, others: Iterable[HostIdentity]) -> None:
        """Write the host's disk, then bring what is this host's own into the sysroot."""
        super().install(disk, server, public_key, others)
        made, upper = self.directory / "sysroot.new", self.directory / "upper"
        subprocess.run(["cp", "--archive", str(ostree_sysroot()), str(made)], check=True)
        stateroot = made / "ostree/deploy/default"
        (deployment,) = (path for path in (stateroot / "deploy").iterdir() if path.is_dir())
        for name, target in (("etc", deployment / "etc"), ("var", stateroot / "var")):
            # The copies in ``upper`` are no part of what boots; the lab reads the host's public key there.
            subprocess.run(["cp", "--archive", "--force", f"{upper / name}/.", str(target)], check=True)
        self.furnish(made, deployment)
        self._make_disk(made)
        settings = json.loads((self.directory / "firmware.json").read_text())
        settings["disks"]["sysroot"] = "/sysroot"
        (self.directory / "firmware.json").write_text(json.dumps(settings))

    def furnish(self, sysroot: Path, deployment: Path) -> None:
        """Change the sysroot and its first deployment before they become a disk; for kinds of hosts that differ."""

    def _make_disk(self, content: Path) -> None:
        image = self.directory / "sysroot.img"
        with image.open("wb") as file:
            file.truncate(self.size)
        command = ["mkfs.ext4", "-q", "-m", "0", "-d", str(content), str(image)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise LabError("make a disk", on=image.name, seen=done.stderr, advice="Make it larger.")
        shutil.rmtree(content)

    @property
    def booted(self) -> str:
        """The deployment that the host is in, as ``CHECKSUM.SERIAL``."""
        return (self.directory / "booted").read_text()
