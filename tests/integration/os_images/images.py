# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Small OS images, pushed to a real registry under the names that hosts know them by."""

from __future__ import annotations

import os
import typing as t
from dataclasses import dataclass
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
from ansible_collections.fieldops.openshift.tests.lab.registry.layers import Member, write_layer
from ansible_collections.fieldops.openshift.tests.lab.registry.server import Registry

REPOSITORY = "quay.io/example/os"
KERNEL = "6.12.0-100"


@dataclass(frozen=True)
class OsImage:
    """A published image: its name with the tag, and the digest of its manifest."""

    name: str
    digest: str

    @property
    def pinned(self) -> str:
        return f"{self.name}@{self.digest}"

    @property
    def by_digest(self) -> str:
        return f"{self.name.rpartition(':')[0]}@{self.digest}"


class OsImages:
    """Makes images and publishes them."""

    def __init__(self, folder: Path, registry: Registry) -> None:
        self._pool = BlobPool(folder)
        self._registry = registry

    def publish(self, tag: str, version: str, *, repository: str = REPOSITORY, **content: t.Any) -> OsImage:
        """Publish an image; ``content`` is what ``write`` takes."""
        return self._store(repository, tag, self.write(version, **content))

    def publish_list(self, tag: str, version: str, **content: t.Any) -> tuple[OsImage, dict[str, str]]:
        """Publish a list of images for amd64 and arm64; returns it with the digest of each architecture's."""
        architectures = [Architecture.parse(name) for name in ("amd64", "arm64")]
        images = [self.write(version, architecture=one, **content) for one in architectures]
        listed = write_list(self._pool, images)
        return self._store(REPOSITORY, tag, listed), {one.architecture.oci: str(one.digest) for one in images}

    def publish_foreign_list(self, tag: str, version: str) -> OsImage:
        """Publish a list without an image for the machine of the tests."""
        return self._store(
            REPOSITORY, tag, write_list(self._pool, [self.write(version, architecture=Architecture.parse("arm64"))])
        )

    def write(
        self,
        version: str,
        *,
        kernel: str = KERNEL,
        bound: tuple[str, ...] = (),
        more: tuple[Member, ...] = (),
        architecture: Architecture | None = None,
        labels: tuple[str, ...] = ("containers.bootc",),
    ) -> Image:
        """Write an image; ``bound`` are images that it binds logically, ``more`` are further files."""
        quadlets = []
        for number, name in enumerate(bound):
            quadlet = f"usr/share/containers/systemd/{number}.image"
            quadlets.append(Member(quadlet, f"[Image]\nImage={name}\n".encode()))
            quadlets.append(Member.symlink(f"usr/lib/bootc/bound-images.d/{number}.image", f"/{quadlet}"))
        modules = f"usr/lib/modules/{kernel}"
        members = [
            Member("usr/lib/os-release", f'ID=lab\nPRETTY_NAME="Lab {version}"\nVERSION_ID="{version}"\n'.encode()),
            Member("usr/etc/issue", b"lab\n"),
            Member(f"{modules}/vmlinuz", kernel.encode()),
            Member(f"{modules}/initramfs.img", kernel.encode()),
            *quadlets,
            *more,
        ]
        settings = {"Labels": {"org.opencontainers.image.version": version, **dict.fromkeys(labels, "1")}}
        layer = write_layer(self._pool, members)
        return write_image(self._pool, OCI, architecture or Architecture.parse(os.uname().machine), [layer], settings)

    def _store(self, repository: str, tag: str, image: Stored) -> OsImage:
        reference = ImageReference.parse(f"{repository}:{tag}@{image.digest}")
        self._registry.publish_images(self._pool, [NamedImage(reference, image)])
        return OsImage(f"{repository}:{tag}", str(image.digest))
