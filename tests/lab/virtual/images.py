# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Bootable images of virtual machines: the operating system, the real bootc, and what makes a version of it."""

from __future__ import annotations

import posixpath
from functools import cached_property
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.architecture import Architecture
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference
from ansible_collections.fieldops.openshift.tests.lab.registry.content import BlobPool
from ansible_collections.fieldops.openshift.tests.lab.registry.images import (
    OCI,
    Image,
    NamedImage,
    Stored,
    write_image,
    write_list,
)
from ansible_collections.fieldops.openshift.tests.lab.registry.layers import Layer, Member, write_layer
from ansible_collections.fieldops.openshift.tests.lab.registry.server import Registry
from ansible_collections.fieldops.openshift.tests.lab.virtual.bootc_program import bootc_program
from ansible_collections.fieldops.openshift.tests.lab.virtual.system import REPOSITORY, base_layer

MACHINE = Architecture.parse("amd64")
OTHER = Architecture.parse("arm64")
VERSION_FILE = "usr/share/lab-version"


class BootableImages:
    """Writes images into a folder."""

    def __init__(self, folder: Path) -> None:
        self.pool = BlobPool(folder)

    @cached_property
    def _shared(self) -> tuple[Layer, Layer]:
        pool, base = base_layer()
        self.pool.adopt(pool / base.blob.digest.hex)
        program = Member("usr/bin/bootc", bootc_program().read_bytes(), mode=0o755)
        storage = Member.symlink("usr/lib/bootc/storage", "../../../sysroot/ostree/bootc/storage")
        return base, write_layer(self.pool, with_folders([program, storage]))

    def write(self, version: str, *more: Member, architecture: Architecture = MACHINE) -> Image:
        """Write the image of a version, which has ``more`` files than others."""
        release = f'NAME="Lab Linux"\nID=lab\nVERSION_ID="{version}"\nPRETTY_NAME="Lab Linux {version}"\n'
        own = [Member(VERSION_FILE, f"{version}\n".encode()), Member("usr/lib/os-release", release.encode()), *more]
        layers = [*self._shared, write_layer(self.pool, with_folders(own))]
        labels = {"containers.bootc": "1", "ostree.bootable": "1", "org.opencontainers.image.version": version}
        return write_image(self.pool, OCI, architecture, layers, {"Labels": labels, "Cmd": ["/sbin/init"]})

    def publish(self, registry: Registry, version: str, *more: Member, tag: str = "") -> str:
        """Let a registry have the image of a version, under that tag or another one; return its digest."""
        return self._publish(registry, tag or version, self.write(version, *more))

    def publish_list(self, registry: Registry, version: str) -> tuple[str, str]:
        """Publish a list for two architectures; return its digest and that of this machine's image."""
        own, other = (self.write(version, architecture=one) for one in (MACHINE, OTHER))
        return self._publish(registry, version, write_list(self.pool, [other, own])), str(own.digest)

    def _publish(self, registry: Registry, tag: str, image: Stored) -> str:
        reference = ImageReference.parse(f"{REPOSITORY}:{tag}@{image.digest}")
        registry.publish_images(self.pool, [NamedImage(reference, image)])
        return str(image.digest)


def with_folders(members: list[Member]) -> list[Member]:
    """Return the members of a layer with the folders that they lie in, without which ostree takes none."""
    folders: dict[str, None] = {}
    for one in members:
        parts = posixpath.dirname(one.name).split("/")
        folders.update(dict.fromkeys("/".join(parts[: number + 1]) for number in range(len(parts))))
    return [*map(Member.directory, sorted(folders)), *members]
