# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""OS images of the lab, hosts that are switched to them, and what they are made of afterwards."""

from __future__ import annotations

import json
import os
import subprocess
import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.architecture import Architecture
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference
from ansible_collections.fieldops.openshift.tests.integration.plays import BINARIES, environment_for
from ansible_collections.fieldops.openshift.tests.lab.registry.content import BlobPool
from ansible_collections.fieldops.openshift.tests.lab.registry.images import OCI, NamedImage, write_image
from ansible_collections.fieldops.openshift.tests.lab.registry.layers import Member, write_layer

if t.TYPE_CHECKING:
    from pathlib import Path

    from ansible_collections.fieldops.openshift.tests.lab.lab import Lab
    from ansible_collections.fieldops.openshift.tests.lab.node.ostree_host import OstreeHost

REPOSITORY = "quay.io/example/os"
MARK = "usr/lib/lab-os"
NEVER_READY = Member("usr/etc/systemd/system/kubelet.service.d/never.conf", b"[Service]\nExecStartPre=/bin/false\n")
PLAY_SECONDS = 600


class SwitchSite:
    """The lab's hosts and the plays that switch them."""

    def __init__(self, lab: Lab, folder: Path) -> None:
        self.lab = lab
        self._folder = folder
        self._pool = BlobPool(folder / "images")

    def publish(self, tag: str, *more: Member) -> str:
        """Publish an image that lies over the booted tree, and return its digest."""
        layer = write_layer(self._pool, [Member(MARK, f"{tag}\n".encode()), *more])
        labels = {"org.opencontainers.image.version": tag, "example.fieldops.base": "booted"}
        architecture = Architecture.parse(os.uname().machine)
        image = write_image(self._pool, OCI, architecture, [layer], {"Labels": labels})
        reference = ImageReference.parse(f"{REPOSITORY}:{tag}@{image.digest}")
        self.lab.registry.publish_images(self._pool, [NamedImage(reference, image)])
        return str(image.digest)

    def host(self, name: str) -> OstreeHost:
        """Return a host."""
        return t.cast("OstreeHost", self.lab.hosts[name])

    def status(self, name: str) -> dict[str, t.Any]:
        """Return what bootc says of a host."""
        found: dict[str, t.Any] = json.loads(self.host(name).run("bootc", "status", "--format", "json"))["status"]
        return found

    def digests(self) -> dict[str, str]:
        """Return the digest of the image that each host has booted."""
        return {name: self.status(name)["booted"]["image"]["imageDigest"] for name in sorted(self.lab.hosts)}

    def boots(self) -> dict[str, int]:
        """Return how often each host has gone down."""
        return {name: host.boots for name, host in sorted(self.lab.hosts.items())}

    def schedulable(self) -> dict[str, bool]:
        """Return whether pods may be placed on each node."""
        nodes = {name: self.lab.api.rest.get(f"/api/v1/nodes/{name}") for name in sorted(self.lab.hosts)}
        return {name: not node["spec"].get("unschedulable") for name, node in nodes.items()}

    def play(self, name: str, **variables: t.Any) -> subprocess.CompletedProcess[str]:
        """Run a playbook of the collection in the lab's network, and return how it ended."""
        known = json.dumps({"site_change_stanza": {"strategy": "Permissive"}, **variables})
        command = self.lab.command([BINARIES / "ansible-playbook", f"fieldops.openshift.{name}", "-e", known])
        path = f"{BINARIES}:{os.environ['PATH']}"
        return subprocess.run(
            command,
            env=environment_for(self._folder, {**self.lab.environment, "PATH": path}),
            cwd=self._folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            timeout=PLAY_SECONDS,
        )
