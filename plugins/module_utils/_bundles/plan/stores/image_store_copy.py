# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""How skopeo reads an image of a bundle, and where it puts it: a scratch storage over the stores it may build on.

Source: containers/image, ``directory/directory_transport.go`` and ``storage/storage_transport.go``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import BLOB_FOLDER, BundledImage
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest

VIEW_VERSION = "Directory Transport Version: 1.1\n"
POLICY = {"default": [{"type": "reject"}], "transports": {"dir": {"": [{"type": "insecureAcceptAnything"}]}}}
"""Only local folders: every byte in them was compared with the index before."""

STORAGE_CONF = '[storage]\ndriver = "overlay"\n'
"""Instead of the machine's own, which may name stores that no node has."""


@dataclass(frozen=True)
class ScratchStorage:
    """A containers-storage at ``tree``; ``bases`` are mounted stores whose layers it does not repeat, nearest first."""

    tree: str
    run: str
    bases: tuple[str, ...] = ()

    @property
    def specifier(self) -> str:
        """Return it as skopeo's destinations name it."""
        over = ",".join(f"overlay.imagestore={base}" for base in self.bases)
        return f"[overlay@{self.tree}+{self.run}{':' + over if over else ''}]"


def view_links(image: BundledImage, holders: Mapping[Digest, str]) -> dict[str, str]:
    """Return the files of the image's ``dir:`` folder and what they link to; ``holders`` are folders of bundles.

    A manifest list is followed by the manifests of those instances that travel.
    """
    first, *instances = image.manifests
    names = {"manifest.json": first, **{f"{digest.hex}.manifest.json": digest for digest in instances}}
    names.update({digest.hex: digest for digest in image.content})
    return {name: f"{holders[digest]}/{BLOB_FOLDER}/{digest.hex}" for name, digest in names.items()}


def copy_command(view: str, image: BundledImage, storage: ScratchStorage, policy: str) -> Sequence[str]:
    """Return the command that brings the image under its own name and digest into the scratch storage."""
    flags = ("--policy", policy, "copy", "--quiet", "--preserve-digests")
    return ("skopeo", *flags, f"dir:{view}", f"containers-storage:{storage.specifier}{image.name}")
