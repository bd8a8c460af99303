# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Debian: the packages that the lab needs on the machine, and the root file system of a node host.

A node host is a Debian 13 (trixie) minimal system made by mmdebstrap, because no distribution of OpenShift's own can be
had without a registry. The tree is cached and never changed: every node mounts it read-only below its own layers.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.lab.cache import cached, key_of, progress
from ansible_collections.fieldops.openshift.tests.lab.errors import LabError

MACHINE_PACKAGES = ("iproute2", "mmdebstrap", "openssh-client", "openssl", "systemd-container", "util-linux")
SUITE = "trixie"
NODE_PACKAGES = (
    *("systemd", "systemd-sysv", "dbus", "procps", "iproute2", "nftables", "curl", "sudo", "kmod"),
    *("openssh-server", "python3", "gpgv", "ostree"),
    *("skopeo", "podman", "crun", "conmon", "containernetworking-plugins", "busybox-static"),
)
UNWANTED = ("/usr/share/doc/*", "/usr/share/man/*", "/usr/share/locale/*", "/usr/share/info/*")


def require_root() -> None:
    """Raise LabError unless this is root: hosts need namespaces, mounts and cgroups."""
    if os.geteuid():
        raise LabError(
            "start node hosts", on="this machine", seen="not root", advice="Run as root, or use profile api."
        )


def require_packages(names: Sequence[str] = MACHINE_PACKAGES) -> None:
    """Install those Debian packages that are missing on the machine."""
    missing = [name for name in names if not _is_installed(name)]
    if not missing:
        return
    if not shutil.which("apt-get"):
        raise LabError(
            "install what the lab needs",
            on="this machine",
            seen="no apt-get",
            advice=f"Install what your distribution calls {', '.join(missing)}.",
        )
    with progress(f"installing {' '.join(missing)}"):
        _run(["apt-get", "update"])
        _run(["apt-get", "install", "--yes", "--no-install-recommends", *missing])


def node_root() -> Path:
    """Return the root file system of node hosts, built once and cached."""

    def build(directory: Path) -> None:
        require_packages()
        command = ["mmdebstrap", "--quiet", "--variant=minbase", f"--include={','.join(NODE_PACKAGES)}"]
        command += ["--aptopt=APT::Install-Recommends false", *(f"--dpkgopt=path-exclude={path}" for path in UNWANTED)]
        _run([*command, SUITE, str(directory / "root")])

    return cached("node-root", key_of([SUITE, *NODE_PACKAGES, *UNWANTED]), build) / "root"


def suite_root(suite: str, packages: Sequence[str]) -> Path:
    """Return a minimal system of a Debian suite with ``packages``, built once and cached."""

    def build(directory: Path) -> None:
        require_packages()
        command = ["mmdebstrap", "--quiet", "--variant=minbase", f"--include={','.join(packages)}"]
        # Release files of suites that still move expire after a week, which a mirror may be behind by.
        options = ["--aptopt=Acquire::Check-Valid-Until false", "--aptopt=APT::Install-Recommends false"]
        _run(
            [
                *command,
                *options,
                *(f"--dpkgopt=path-exclude={path}" for path in UNWANTED),
                suite,
                str(directory / "root"),
            ]
        )

    return cached(f"{suite}-root", key_of([suite, *packages, *UNWANTED]), build) / "root"


def run_in_root(
    command: Sequence[str], *, writable: dict[Path, str], readable: dict[Path, str], root: Path | None = None
) -> str:
    """Run a command of a root, by default the node's, given directories at paths in there; return what it prints.

    Nothing else can be changed by it.
    """
    binds = [f"--bind={path}:{place}" for path, place in writable.items()]
    binds += [f"--bind-ro={path}:{place}" for path, place in readable.items()]
    container = ["systemd-nspawn", "--quiet", "--register=no", "--keep-unit", "--pipe", "--private-network"]
    places = ["--volatile=overlay", f"--directory={root or node_root()}"]
    return _run([*container, *places, "--capability=all", *binds, *command])


def _is_installed(package: str) -> bool:
    command = ["dpkg-query", "--show", "--showformat=${db:Status-Status}", package]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout == "installed"
    except FileNotFoundError:
        return False


def _run(command: Sequence[str]) -> str:
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        seen = f"exit status {done.returncode}: {(done.stderr or done.stdout)[-3000:]}"
        raise LabError(f"run {command[0]}", on="this machine", seen=seen, advice="See the output above.")
    return done.stdout
