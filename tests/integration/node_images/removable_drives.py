# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Two nodes with drives, and the playbook that stages the bundle from what it finds on them.

Drives are loop devices with ext4. That the kernel calls them removable is played: a file is mounted over the attribute
of the device in /sys of the host.
"""

from __future__ import annotations

import itertools
import shutil
import subprocess
import typing as t
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.integration.node_images.bundles import WrittenBundle
from ansible_collections.fieldops.openshift.tests.integration.node_images.nodes import (
    Controller,
    Ended,
    listed,
    upper,
)
from ansible_collections.fieldops.openshift.tests.lab.lab import Lab

NODES = ["worker-0", "worker-1"]
MEDIA = "/srv/media"
MEDIA_OF_PLAYS = "/run/fieldops-openshift/media"


class Site:
    """Two nodes with media, and the playbook that nobody tells where the bundle lies."""

    def __init__(self, lab: Lab, controller: Controller, bundle: WrittenBundle, folder: Path) -> None:
        self.lab = lab
        self.bundle = bundle
        self.controller = controller
        self._folder = folder
        self._drives: list[tuple[str, str]] = []
        self._numbers = itertools.count()

    def plug_in(self, name: str, bundle: WrittenBundle) -> None:
        shutil.copytree(bundle.folder, upper(self.lab.hosts[name]) / MEDIA.lstrip("/") / "drive")

    def insert(self, name: str, bundle: WrittenBundle) -> str:
        """Plug a drive with the bundle into a node, which does not mount it; return the kernel's name of it."""
        return self.insert_folder(name, bundle.folder.parent)

    def insert_part(self, name: str, number: int) -> str:
        """Plug a drive with every second blob of the bundle into a node."""
        folder = self._folder / f"part-{number}"
        shutil.copytree(self.bundle.folder, folder / "bundle")
        for path in sorted((folder / "bundle/blobs/sha256").iterdir())[number::2]:
            path.unlink()
        return self.insert_folder(name, folder)

    def insert_folder(self, name: str, content: Path) -> str:
        """Plug a drive with this content into a node."""
        host, image = self.lab.hosts[name], self._folder / f"{name}-{next(self._numbers)}.img"
        options = ["-t", "ext4", "-O", "^has_journal"]
        subprocess.run(["mke2fs", "-q", *options, "-d", content, image, "96M"], check=True, timeout=60)
        words = ["losetup", "--find", "--show", "--read-only", str(image)]
        device = subprocess.run(words, check=True, capture_output=True, text=True, timeout=30).stdout.strip()
        drive = device.removeprefix("/dev/")
        host.run("mknod", device, "b", "7", drive.removeprefix("loop"))
        self._drives.append((name, drive))
        flag = f"/sys/block/{drive}/removable"
        host.run("sh", "-c", f"echo 1 > /run/removable && mount --bind /run/removable {flag}")
        return drive

    def remove_drives(self) -> None:
        """Take all drives away again."""
        for name, drive in self._drives:
            gone = f"umount --lazy {MEDIA_OF_PLAYS}/{drive}; umount /sys/block/{drive}/removable; rm -f /dev/{drive}"
            self.lab.hosts[name].run("sh", "-c", f"{gone}; true")
            subprocess.run(["losetup", "--detach", f"/dev/{drive}"], check=True, timeout=30)
        self._drives.clear()

    def mounted(self, name: str) -> str:
        """Return what the node has mounted of drives."""
        return self.lab.hosts[name].run("sh", "-c", f"grep {MEDIA_OF_PLAYS} /proc/self/mountinfo || true")

    def stage(self, **variables: t.Any) -> Ended:
        return self.controller.finish(self.start(**variables))

    def start(self, **variables: t.Any) -> subprocess.Popen[str]:
        return self.controller.start(
            "fieldops.openshift.stage_bundle",
            site_nodes=NODES,
            site_bundle_digest=str(self.bundle.index.digest),
            site_media_paths=[MEDIA],
            site_addresses_by_node={name: [self.lab.hosts[name].address] for name in NODES},
            site_keep_free_percent=1,
            **variables,
        )

    def is_loaded(self, name: str) -> bool:
        return dict.fromkeys(self.bundle.names, True).items() <= listed(self.lab.hosts[name]).items()
