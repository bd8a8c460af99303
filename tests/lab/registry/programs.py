# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Programs that the lab takes from Debian packages, installed when they are absent and may be."""

from __future__ import annotations

import os
import shutil

from ansible_collections.fieldops.openshift.tests.lab.cache import cache_root, locked
from ansible_collections.fieldops.openshift.tests.lab.debian import require_packages
from ansible_collections.fieldops.openshift.tests.lab.errors import LabError

SEARCH_PATH = os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/sbin", "/sbin", "/bin"])
PACKAGES = {
    "docker-registry": "docker-registry",
    "skopeo": "skopeo",
    "gpg": "gnupg",
    "gpgconf": "gnupg",
    "gpgv": "gpgv",
    "openssl": "openssl",
    "nsenter": "util-linux",
    "busybox": "busybox-static",
    "mke2fs": "e2fsprogs",
    "debugfs": "e2fsprogs",
    "qemu-system-x86_64": "qemu-system-x86",
}


def program(name: str) -> str:
    """Return the path of a program, installing its Debian package first if it is absent and we are root."""
    found = shutil.which(name, path=SEARCH_PATH)
    if found is None:
        _install(name, PACKAGES[name])
        found = shutil.which(name, path=SEARCH_PATH)
    if found is None:
        raise _missing(name, PACKAGES[name], "its package is installed and does not hold it")
    return found


def _install(name: str, package: str) -> None:
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        raise _missing(name, package, "it is not installed, and only root on a Debian system could install it")
    lock = cache_root() / ".apt.lock"
    lock.parent.mkdir(parents=True, exist_ok=True)
    with locked(lock):
        require_packages([package])


def _missing(name: str, package: str, seen: str) -> LabError:
    return LabError(f"find {name}", on="this machine", seen=seen, advice=f"Install the Debian package {package}.")
