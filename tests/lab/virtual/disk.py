# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The disk of a virtual machine: made without loop devices or mounts, and read while its machine is off.

The first image is deployed by bootc into a directory, mke2fs makes the file system of that, and debugfs adds what
differs from machine to machine. There is no boot loader: the machine's firmware is told what the newest entry says.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.lab.cache import cached, key_of
from ansible_collections.fieldops.openshift.tests.lab.debian import run_in_root
from ansible_collections.fieldops.openshift.tests.lab.errors import LabError
from ansible_collections.fieldops.openshift.tests.lab.registry.images import as_bytes, manifest_of
from ansible_collections.fieldops.openshift.tests.lab.registry.programs import program
from ansible_collections.fieldops.openshift.tests.lab.virtual.bootc_program import bootc_program
from ansible_collections.fieldops.openshift.tests.lab.virtual.images import BootableImages
from ansible_collections.fieldops.openshift.tests.lab.virtual.system import REPOSITORY, base_layer, system_root

FIRST_VERSION = "9.1"
SIZE = "6G"
ENTRIES = "/boot/loader/entries"
OWN_FOLDER = "/ostree/deploy/default/var/lib/lab"
SCRIPT = """\
set -e
unset container
export OSTREE_SYSROOT_DEBUG=mutable-deployments HOME=/tmp
mkdir -p /etc/containers
echo '{"default": [{"type": "insecureAcceptAnything"}]}' > /etc/containers/policy.json
cd /mnt
ostree admin init-fs --modern sysroot
mkdir -p sysroot/boot
ostree admin os-init --sysroot=sysroot default
ostree --repo=sysroot/ostree/repo config set sysroot.bootloader none
ostree --repo=sysroot/ostree/repo config set sysroot.readonly true
/usr/local/bin/bootc internals ostree-container image deploy --sysroot sysroot --stateroot default \
  --imgref ostree-unverified-image:dir:/mnt/image --target-imgref "ostree-unverified-registry:$1" \
  --karg console=ttyS0 --karg rw --karg root=/dev/vda
mkdir -p sysroot/ostree/deploy/default/var/lib/lab
"""


@dataclass(frozen=True)
class Entry:
    """What the newest entry of the boot loader says: files on the disk, and the kernel's arguments."""

    kernel: str
    initramfs: str
    options: str


class Disk:
    """A raw file system in a file."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def entry(self) -> Entry:
        """Return what is to be booted."""
        names = sorted(set(re.findall(r"[\w.-]+\.conf", self._debugfs(f"ls -p {ENTRIES}"))))
        found = [_fields(self._debugfs(f"cat {ENTRIES}/{name}")) for name in names]
        if not found:
            raise LabError("find a boot entry", on=str(self.file), seen="none", advice="Was it installed?")
        newest = max(found, key=lambda one: int(one["version"]))
        return Entry(f"/boot{newest['linux']}", f"/boot{newest['initrd']}", newest["options"])

    def take_out(self, name: str, target: Path) -> Path:
        """Copy a file of the disk out of it."""
        self._debugfs(f"dump {name} {target}")
        return target

    def put_in(self, source: Path) -> None:
        """Copy a file into what is /var/lib/lab of the machine, under its name."""
        self._debugfs(f"write {source} {OWN_FOLDER}/{source.name}", "-w")

    def _debugfs(self, request: str, *flags: str) -> str:
        command = [program("debugfs"), *flags, "-R", request, str(self.file)]
        return subprocess.run(command, capture_output=True, text=True, check=True, errors="replace").stdout


def installed_disk(target: Path) -> Disk:
    """Copy the disk of a machine that has the first version installed; made once and cached."""
    pool, base = base_layer()
    key = key_of([str(pool), str(base.digest), bootc_program(), SCRIPT, SIZE, FIRST_VERSION])
    source = cached("virtual-disk", key, _build) / "disk.img"
    subprocess.run(["cp", "--sparse=always", "--reflink=auto", source, target], check=True)
    return Disk(target)


def _build(directory: Path) -> None:
    image, sysroot = directory / "image", directory / "sysroot"
    _write_image(image)
    sysroot.mkdir()
    run_in_root(
        ["bash", "-c", SCRIPT, "install", f"{REPOSITORY}:{FIRST_VERSION}"],
        writable={directory: "/mnt"},
        readable={bootc_program(): "/usr/local/bin/bootc"},
        root=system_root(),
    )
    disk = directory / "disk.img"
    subprocess.run([program("mke2fs"), "-q", "-t", "ext4", "-L", "root", "-d", sysroot, disk, SIZE], check=True)
    shutil.rmtree(sysroot)
    shutil.rmtree(image)


def _write_image(folder: Path) -> None:
    """Write the first image as containers-transports(5) has it in a directory: blobs by their hexadecimal digest."""
    image = BootableImages(folder).write(FIRST_VERSION)
    manifest = manifest_of(image.format, image.config, [(image.format.layer, one.blob) for one in image.layers])
    (folder / "manifest.json").write_bytes(as_bytes(manifest))
    (folder / "version").write_text("Directory Transport Version: 1.1\n")


def _fields(text: str) -> dict[str, str]:
    return dict(line.split(" ", 1) for line in text.splitlines() if " " in line)
