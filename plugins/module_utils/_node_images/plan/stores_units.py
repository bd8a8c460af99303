# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The units that verify a store's file and mount it at every boot, ordered before those that read from it.

Sources: systemd.unit(5), systemd.mount(5), mount(8), sha256sum(1).
"""

from __future__ import annotations

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.stores_slots import (
    SKELETON,
    SKELETON_FOLDERS,
    SLOT_PATHS,
    STORES,
    StoreRecord,
)

UNITS = "/etc/systemd/system"
READERS = "nodeip-configuration.service kubelet-dependencies.target crio.service crio-wipe.service kubelet.service"
"""What runs images at boot; podman does for the node's address before CRI-O. Source: templates of the MCO."""
SELINUX_CONTEXT = "system_u:object_r:container_ro_file_t:s0"
LONGEST_VERIFICATION = 1800
"""Seconds; 20 GB take a minute and a half on a disk that gives 200 MB/s."""


def verify_unit(number: int) -> str:
    """Return the name of the unit that verifies the file of a slot."""
    return f"fieldops-store-verify-slot{number}.service"


def mount_unit(number: int) -> str:
    """Return the name of the unit that mounts it, which follows from the place: systemd-escape(1)."""
    return f"{STORES.strip('/').replace('/', '-')}-slot{number}.mount"


def checksum_file(number: int) -> str:
    """Return the path of the file that says what the slot's store must be."""
    return f"{STORES}/slot{number}.sha256"


def unit_files(number: int, record: StoreRecord, base: int | None, *, selinux: bool) -> dict[str, str]:
    """Return the files that a slot needs, by path; ``base`` is the slot of a delta's base."""
    return {
        checksum_file(number): f"{record.store.digest.hex}  {record.file}\n",
        f"{UNITS}/{verify_unit(number)}": _verify_text(number, record),
        f"{UNITS}/{mount_unit(number)}": _mount_text(number, record, base, selinux=selinux),
    }


def tmpfiles_text() -> str:
    """Return a tmpfiles.d(5) file that makes the empty slots."""
    lines = [f"d {STORES} 0755 root root -"]
    for path in SLOT_PATHS:
        lines.append(f"d {path} 0755 root root -")
        lines += [f"d {path}/{folder} 0755 root root -" for folder in SKELETON_FOLDERS]
        lines += [f"f {path}/{name} 0644 root root - {text.strip()}".rstrip() for name, text in SKELETON.items()]
    return "\n".join(lines) + "\n"


def _verify_text(number: int, record: StoreRecord) -> str:
    return f"""\
[Unit]
Description=Verify the image store of {record.version} in slot {number}
DefaultDependencies=no
RequiresMountsFor={STORES}
Conflicts=shutdown.target
Before=shutdown.target

[Service]
Type=oneshot
ExecStart=/usr/bin/sha256sum --check --strict --quiet {checksum_file(number)}
TimeoutStartSec={LONGEST_VERIFICATION}
"""


def _mount_text(number: int, record: StoreRecord, base: int | None, *, selinux: bool) -> str:
    below = f"Requires={mount_unit(base)}\nAfter={mount_unit(base)}\n" if base is not None else ""
    context = f",context={SELINUX_CONTEXT}" if selinux else ""
    return f"""\
[Unit]
Description=Image store of {record.version} in slot {number}
DefaultDependencies=no
Requires={verify_unit(number)}
After={verify_unit(number)} systemd-tmpfiles-setup-dev.service systemd-modules-load.service
{below}Conflicts=umount.target
Before=umount.target {READERS}

[Mount]
What={record.file}
Where={STORES}/slot{number}
Type={record.store.filesystem}
Options=ro,nodev,nosuid{context}

[Install]
WantedBy=multi-user.target crio.service
"""
