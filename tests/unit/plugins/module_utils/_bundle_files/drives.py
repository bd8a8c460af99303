# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A small bundle on three drives, and a fourth drive with the parity over them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.bundle_folder import BundleFolder
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.parity import (
    VolumeString,
    volume_strings,
    write_parity,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_volumes import (
    VOLUME_FILE,
    Volume,
    VolumeSet,
)
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._bundle_files.indexes import (
    simple_bundle,
    write_folder,
)

CONTENTS = {
    "release": bytes(range(256)) * 9000,
    "etcd": b"e" * 3_000_000,
    "cli": b"c" * 17,
    "console": b"o" * 700_001,
    "tuned": b"t" * 5,
    "empty": b"",
}
NAMES = ("A", "B", "C")


class Drives:
    """Three drives with a bundle, and a fourth with the parity."""

    def __init__(self, base: Path) -> None:
        self.index, self.stored = simple_bundle(CONTENTS)
        groups = [sorted(self.stored)[number::3] for number in range(3)]
        self.folders = [
            BundleFolder(write_folder(base / name, self.index, {digest: self.stored[digest] for digest in group}))
            for name, group in zip(NAMES, groups)
        ]
        self.parity = BundleFolder(write_folder(base / "P", self.index, {}))
        volumes = (Volume(name, f"label of {name}", tuple(group)) for name, group in zip(NAMES, groups))
        self.volumes = VolumeSet(self.index.digest, tuple(volumes))
        digest = write_parity(self.strings, self.folders, self.parity, lambda _count: None)
        self.volumes = replace(self.volumes, parity=Volume("P", "spare"), parity_digest=digest)
        for folder, name in zip([*self.folders, self.parity], [*NAMES, "P"]):
            (folder.path / VOLUME_FILE).write_bytes(self.volumes.document(name))

    @property
    def strings(self) -> list[VolumeString]:
        """The drives as the parity sees them."""
        return volume_strings(self.volumes, self.index)
