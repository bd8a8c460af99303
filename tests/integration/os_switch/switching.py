# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""OS images of the lab, hosts that are switched to them, and what they are made of afterwards."""

from __future__ import annotations

import json
import os
import re
import subprocess
import typing as t
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.architecture import Architecture
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference
from ansible_collections.fieldops.openshift.tests.integration.play_processes import BINARIES
from ansible_collections.fieldops.openshift.tests.integration.plays import CALLBACKS, environment_for
from ansible_collections.fieldops.openshift.tests.lab.lab import Lab
from ansible_collections.fieldops.openshift.tests.lab.node.ostree_host import OstreeHost
from ansible_collections.fieldops.openshift.tests.lab.registry.content import BlobPool
from ansible_collections.fieldops.openshift.tests.lab.registry.images import (
    OCI,
    Image,
    NamedImage,
    Stored,
    write_image,
    write_list,
)
from ansible_collections.fieldops.openshift.tests.lab.registry.layers import Member, write_layer
from ansible_collections.fieldops.openshift.tests.lab.virtual.lab import VirtualLab

REPOSITORY = "quay.io/example/os"
MARK = "usr/lib/lab-os"
KILLING = Path(__file__).with_name("callback")
TIMER = "bootc-fetch-apply-updates.timer"
PLAY_SECONDS = 900


def never_ready_on(name: str) -> Member:
    """Return what an image has whose kubelet does not start on one host."""
    unit = f"[Service]\nExecStartPre=/usr/bin/grep -qvx {name} /etc/hostname\n"
    return Member("usr/etc/systemd/system/kubelet.service.d/never.conf", unit.encode())


@dataclass(frozen=True)
class SwitchRun:
    """How a play ended, ``status`` below zero if it was killed, and all that a person saw of it."""

    status: int
    output: str

    @property
    def result(self) -> dict[str, t.Any]:
        """The fact that the role leaves, as the play shows it."""
        _before, found, after = self.output.partition('"switch_os_image_result":')
        assert found, self.output
        result: dict[str, t.Any] = json.JSONDecoder().raw_decode(after.lstrip())[0]
        return result

    @property
    def changed(self) -> int:
        """How many tasks have changed something."""
        found = re.search(r"^localhost +: ok=\d+ +changed=(\d+)", self.output, re.MULTILINE)
        assert found, self.output
        return int(found[1])


class SwitchedHost(t.Protocol):
    """A host as ``Switching`` needs it."""

    @property
    def boots(self) -> int: ...

    def run(self, *command: str, check: bool = True) -> str: ...


class Switching:
    """Hosts of a lab as a technician switches them by the playbooks, and what they are made of."""

    def __init__(self, lab: Lab | VirtualLab, hosts: Mapping[str, SwitchedHost], folder: Path) -> None:
        self._reached = lab
        self._hosts = hosts
        self._folder = folder
        self._plays = 0

    def status(self, name: str) -> dict[str, t.Any]:
        """Return what bootc says of a host."""
        said = self._hosts[name].run("bootc", "status", "--format", "json")
        found: dict[str, t.Any] = json.loads(said)["status"]
        return found

    def staged(self) -> set[str]:
        """Return the digests that would be booted by a reboot that somebody makes now."""
        found = [self.status(name)["staged"] for name in self._hosts]
        return {one["image"]["imageDigest"] for one in found if one}

    def holder(self) -> str:
        """Return who holds the lock of the cluster."""
        path = "/apis/coordination.k8s.io/v1/namespaces/fieldops-openshift/leases/rollout"
        return str(self._reached.api.rest.get(path)["spec"].get("holderIdentity") or "")

    def digests(self) -> dict[str, str]:
        """Return the digest of the image that each host has booted."""
        return {name: self.status(name)["booted"]["image"]["imageDigest"] for name in sorted(self._hosts)}

    def boots(self) -> dict[str, int]:
        """Return how often each host has gone down."""
        return {name: host.boots for name, host in sorted(self._hosts.items())}

    def schedulable(self) -> dict[str, bool]:
        """Return whether pods may be placed on each node."""
        nodes = {name: self._reached.api.rest.get(f"/api/v1/nodes/{name}") for name in sorted(self._hosts)}
        return {name: not node["spec"].get("unschedulable") for name, node in nodes.items()}

    def play(self, name: str, *words: str, killed: str = "", **variables: t.Any) -> SwitchRun:
        """Run a playbook of the collection or a file in the lab's network; ``killed`` is a moment of ``kill_play``."""
        known = json.dumps({"site_change_stanza": {"strategy": "Permissive"}, **variables})
        playbook = name if "/" in name else f"fieldops.openshift.{name}"
        command = self._reached.command([BINARIES / "ansible-playbook", *words, playbook, "-e", known])
        callbacks = f"{CALLBACKS}:{KILLING}"
        extra = {"PATH": f"{BINARIES}:{os.environ['PATH']}", "ANSIBLE_CALLBACK_PLUGINS": callbacks}
        done = subprocess.run(
            command,
            env=environment_for(self._folder, {**self._reached.environment, **extra, "FIELDOPS_KILL": killed}),
            cwd=self._folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            timeout=PLAY_SECONDS,
            start_new_session=True,
        )
        self._plays += 1
        (self._folder / f"play-{self._plays}.txt").write_text(done.stdout)
        return SwitchRun(done.returncode, done.stdout)


class SwitchSite(Switching):
    """Hosts that share this machine's kernel and boot what lies over its tree."""

    def __init__(self, lab: Lab, folder: Path) -> None:
        super().__init__(lab, lab.hosts, folder)
        self.lab = lab
        self._pool = BlobPool(folder / "images")

    def publish(self, tag: str, *more: Member) -> str:
        """Publish an image that lies over the booted tree, and return its digest."""
        image = self._write(tag, os.uname().machine, more)
        return self._publish(tag, image)

    def publish_list(self, tag: str) -> tuple[str, str]:
        """Publish such an image for two architectures; returns the list's digest and that of this machine's image."""
        own, other = (self._write(tag, name, ()) for name in ("amd64", "arm64"))
        return self._publish(tag, write_list(self._pool, [other, own])), str(own.digest)

    def _write(self, tag: str, architecture: str, more: Sequence[Member]) -> Image:
        layer = write_layer(self._pool, [Member(MARK, f"{tag}\n".encode()), *more])
        labels = {
            "org.opencontainers.image.version": tag,
            "example.fieldops.base": "booted",
            "containers.bootc": "1",
        }
        return write_image(self._pool, OCI, Architecture.parse(architecture), [layer], {"Labels": labels})

    def _publish(self, tag: str, image: Stored) -> str:
        reference = ImageReference.parse(f"{REPOSITORY}:{tag}@{image.digest}")
        self.lab.registry.publish_images(self._pool, [NamedImage(reference, image)])
        return str(image.digest)

    def host(self, name: str) -> OstreeHost:
        """Return a host."""
        return t.cast("OstreeHost", self.lab.hosts[name])
