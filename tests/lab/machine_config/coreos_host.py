# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A host that the machine-config daemon takes for RHEL CoreOS: it keeps its OS image and kernel arguments too."""

from __future__ import annotations

from pathlib import Path

from ansible_collections.fieldops.openshift.tests.lab.node.ostree_host import OstreeHost

KERNEL_ARGUMENTS = ("systemd.unified_cgroup_hierarchy=1", 'cgroup_no_v1="all"', "psi=0")
"""What the controller renders into every configuration (pkg/controller/common, and template, kernelArguments)."""
OS_RELEASE = """\
NAME="Red Hat Enterprise Linux CoreOS"
ID="rhel"
ID_LIKE="fedora"
VERSION_ID="9.6"
VARIANT="CoreOS"
VARIANT_ID=coreos
PLATFORM_ID="platform:el9"
PRETTY_NAME="Red Hat Enterprise Linux CoreOS 9.6"
OSTREE_VERSION="1"
"""


class CoreosHost(OstreeHost):
    """Boots its first deployment as Ignition has left it: with the arguments of its configuration."""

    size = 40_000_000_000  # the daemon pins images on 16 GiB and more only; it is not written

    def furnish(self, sysroot: Path, deployment: Path) -> None:
        """Name the system, and give the first deployment its kernel arguments."""
        release = deployment / "etc/os-release"
        release.unlink()  # a link to the image's
        release.write_text(OS_RELEASE)
        (entry,) = (sysroot / "boot/loader/entries").glob("*.conf")
        options = f"options {' '.join(KERNEL_ARGUMENTS)} "
        entry.write_text(entry.read_text().replace("options ", options, 1))
