# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The sysroot of a host that boots OSTree deployments: made by the real ostree, with one deployment; cached.

The deployment is small: the host's programs lie in the layers below it, which every image shares. Its /etc is whole, so
that ostree merges it as it does on a real host.
"""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.lab.actors import bootc_install
from ansible_collections.fieldops.openshift.tests.lab.cache import cached, key_of
from ansible_collections.fieldops.openshift.tests.lab.debian import node_root, run_in_root
from ansible_collections.fieldops.openshift.tests.lab.node.layer import node_layer

BASE_IMAGE = "quay.io/example/os:1"
BASE_DIGEST = "sha256:" + "ba" * 32
KERNEL = "6.12.0-100"
UNIT = "fieldops-actor-finalize.service"
ALIAS = "ostree-finalize-staged.service"
"""The name under which the machine-config daemon orders its reboot after the deployment of what is staged."""
LEFT_OUT = ("dpkg", "apt", "cache", "backups", "run", "lock")
ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}
PACKAGED = {
    "bootc-fetch-apply-updates.timer": "[Timer]\nOnBootSec=1000h\n[Install]\nWantedBy=timers.target\n",
    "bootc-fetch-apply-updates.service": "[Service]\nType=oneshot\nExecStart=/bin/true\n",
}
"""What bootc's package brings, so that there is something to mask; it updates nothing."""

SCRIPT = """\
set -e
export OSTREE_SYSROOT_DEBUG=mutable-deployments OSTREE_SYSROOT=/mnt/sysroot
ostree admin init-fs /mnt/sysroot
ostree --repo=/mnt/sysroot/ostree/repo config set sysroot.bootloader none
ostree admin os-init default
commit=$(ostree --repo=/mnt/sysroot/ostree/repo commit --branch=base --tree=dir=/mnt/tree \
  "--add-metadata-string=fieldops.image=$1" "--add-metadata-string=ostree.manifest-digest=$2")
ostree admin deploy --os=default --karg-none --karg=rw --origin-file=/mnt/origin "$commit"
"""


def ostree_sysroot() -> Path:
    """Return the directory of the sysroot."""
    actors = bootc_install.Path(bootc_install.__file__).parent
    programs = [*sorted(actors.glob("bootc*.py")), actors / "rpm_ostree.py"]
    layers = (str(node_root()), str(node_layer()))
    key = key_of(
        [
            SCRIPT,
            *layers,
            BASE_DIGEST,
            KERNEL,
            repr((LEFT_OUT, PACKAGED, ALIAS)),
            bootc_install.FINALIZE_UNIT,
            *programs,
        ]
    )

    def build(directory: Path) -> None:
        tree = directory / "tree"
        _write_tree(tree)
        (directory / "sysroot").mkdir()
        refspec = f"ostree-unverified-registry:{BASE_IMAGE}"
        (directory / "origin").write_text(f"[origin]\ncontainer-image-reference={refspec}\n")
        record = {"digest": BASE_DIGEST, "version": "1", "timestamp": "2026-11-01T00:00:00Z"}
        record["architecture"] = ARCHITECTURES.get(os.uname().machine, os.uname().machine)
        words = ["bash", "-c", SCRIPT, "make", json.dumps(record), BASE_DIGEST]
        run_in_root(words, writable={directory: "/mnt"}, readable={})
        var = directory / "sysroot/ostree/deploy/default/var"
        for source in (node_root() / "var", node_layer() / "var"):
            ignored = shutil.ignore_patterns(*LEFT_OUT)
            shutil.copytree(source, var, symlinks=True, dirs_exist_ok=True, ignore=ignored)
        shutil.chown(var / "home/core", 1000, 1000)

    return cached("ostree-sysroot", key, build) / "sysroot"


def _write_tree(tree: Path) -> None:
    """Write what is committed: a whole /etc, the programs of the backends, a kernel that nobody starts."""
    for source in (node_root() / "etc", node_layer() / "etc"):
        shutil.copytree(source, tree / "usr/etc", symlinks=True, dirs_exist_ok=True)
    bootc_install.install(tree)
    units = tree / "usr/etc/systemd/system"
    (units / UNIT).write_text(bootc_install.FINALIZE_UNIT)
    (units / "multi-user.target.wants" / UNIT).symlink_to(f"../{UNIT}")
    (units / ALIAS).symlink_to(UNIT)
    (tree / "usr/lib/systemd/system").mkdir(parents=True, exist_ok=True)
    for name, text in PACKAGED.items():
        (tree / "usr/lib/systemd/system" / name).write_text(text)
    modules = tree / "usr/lib/modules" / KERNEL
    plugins = tree / "usr/libexec/kubernetes/kubelet-plugins/volume/exec"  # the kubelet makes it where it can
    for made in (modules, plugins, *(tree / name for name in ("sysroot", "boot", "var"))):
        made.mkdir(parents=True)
    (tree / "ostree").symlink_to("sysroot/ostree")
    for name in ("vmlinuz", "initramfs.img"):
        (modules / name).write_text(KERNEL)
    shutil.copy(node_root() / "usr/lib/os-release", tree / "usr/lib/os-release")
