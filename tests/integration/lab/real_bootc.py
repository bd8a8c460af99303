# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A host with the real bootc and the real ostree on a real deployment, in namespaces instead of a virtual machine.

libostree takes for booted the deployment whose directory is the root directory: the deployment is mounted as the root,
and only /usr, /etc and /var lie over it. Two programs stand in: systemctl, of which ostree wants the unit that
deploys at the shutdown (here ``finalize``), and podman, which keeps no image that bootc could bind.
"""

from __future__ import annotations

import shutil

from ansible_collections.fieldops.openshift.tests.integration.os_images.image_host import ImageHost
from ansible_collections.fieldops.openshift.tests.lab.debian import suite_root
from ansible_collections.fieldops.openshift.tests.lab.registry.layers import Member
from ansible_collections.fieldops.openshift.tests.lab.registry.server import Registry
from ansible_collections.fieldops.openshift.tests.lab.virtual.bootc_program import bootc_program

SUITE = "forky"
PACKAGES = ("ostree", "skopeo", "systemd")
"""ostree 2025.3 and newer, which the program is linked against; a unit of systemd says that there are soft reboots."""
MOUNTED = ("usr", "etc", "var", "proc", "dev", "run", "sysroot", "tmp")
ROOT_OF_IMAGE = (
    *(Member.symlink(name, f"usr/{name}") for name in ("bin", "lib", "lib64", "sbin")),
    *(Member.directory(name) for name in ("boot", "dev", "proc", "run", "sys", "sysroot", "tmp", "var")),
    Member.symlink("ostree", "sysroot/ostree"),
)
"""What an image needs beside /usr so that its deployment can be a root."""
STAND_INS = {
    "systemctl": "",
    "podman": 'case "$*" in *"image exists"*) exit 1;; *"image list"*) echo "[]";; esac\n',
}


class RealBootcHost(ImageHost):
    """The host."""

    def __init__(self, registry: Registry) -> None:
        super().__init__(registry, programs=(), lower=suite_root(SUITE, PACKAGES))
        shutil.rmtree(self.upper / "usr/local/bin")
        (self.upper / "usr/bin").mkdir(parents=True, exist_ok=True)
        shutil.copy(bootc_program(), self.upper / "usr/bin/bootc")
        for name, script in STAND_INS.items():
            self.write(f"/usr/local/bin/{name}", f"#!/bin/sh\n{script}", 0o755)

    def install(self, image: str) -> None:
        """Make the sysroot as an installer does, and boot the host for the first time."""
        self.boot_without_deployment()
        self.make_sysroot()
        refspec = f"ostree-unverified-registry:{image}"
        words = ["--sysroot", "/sysroot", "--stateroot", "default", "--imgref", refspec, "--karg", "root=LABEL=root"]
        self.run("bootc", "internals", "ostree-container", "image", "deploy", *words)
        self.power_cut()

    def finalize(self) -> None:
        """Do what ostree-finalize-staged.service does at the shutdown."""
        self.run("ostree", "admin", "finalize-staged")

    def _script(self, deployment: str | None) -> str:
        script = super()._script(deployment)
        if deployment is None:
            return script
        *mounts, last = script.splitlines()
        below, root = self.folder / "root", self.folder / "booted"
        root.mkdir(exist_ok=True)
        directory = self.folder / "sysroot/ostree/deploy/default/deploy" / deployment
        mounts.append(f"mount --bind {directory} {root}")
        mounts += [f"mount --rbind {below}/{name} {root}/{name}" for name in MOUNTED]
        mounts.append(f"mount --bind {self.folder}/sysroot/boot {root}/boot")
        return "\n".join([*mounts, last.replace(str(below), str(root))])
