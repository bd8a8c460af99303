# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Status documents as each version of bootc and rpm-ostree prints them, and hosts made of them.

The keys come and go as in bootc's ``crates/lib/src/spec.rs``: otherDeployments since 1.3, softRebootCapable since 1.7,
usrOverlay since 1.9, downloadOnly since 1.12, readOnly since 1.15, missingVerityAllowed since 1.15.2.
"""

from __future__ import annotations

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.bootc_status import bootc_status
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.goal import Goal
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.host_status import HostStatus
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.rpm_ostree_status import (
    rpm_ostree_status,
)

Json = dict[str, t.Any]

NAME = "quay.io/example/os"
OLD, NEW, OTHER = (f"sha256:{digit * 64}" for digit in "123")
VERSIONS = ((1, 0, 0), (1, 3, 0), (1, 7, 0), (1, 9, 0), (1, 12, 0), (1, 15, 0), (1, 15, 2), (1, 16, 9))

OPTIONS: Json = {
    "state": "staged",
    "image": None,
    "digest": None,
    "leave_digest": None,
    "backend": "auto",
    "follow_tag": False,
    "source": "auto",
    "mirror": None,
    "mirror_insecure": False,
    "enforce_signatures": False,
    "soft_reboot": "never",
    "kernel_arguments": [],
    "kernel_arguments_absent": [],
}


def goal(**options: t.Any) -> Goal:
    return Goal.of({**OPTIONS, **options})


def entry(
    digest: str | None = OLD, name: str = f"{NAME}:9", *, version: tuple[int, ...] = (1, 16, 9), **more: t.Any
) -> Json:
    """Return a BootEntry as ``version`` prints it; without a digest it is a plain OSTree commit."""
    image = {
        "image": {"image": name, "transport": more.pop("transport", "registry"), **more.pop("policy", {})},
        "imageDigest": digest,
        "version": "9.6",
        "timestamp": "2026-11-01T12:00:00Z",
        "architecture": "amd64",
    }
    found: Json = {
        "image": image if digest else None,
        "cachedUpdate": None,
        "incompatible": False,
        "pinned": False,
        "store": "ostreeContainer" if digest else None,
        "ostree": {"stateroot": "default", "checksum": (digest or OTHER)[7:], "deploySerial": 0},
    }
    if version >= (1, 7, 0):
        found["softRebootCapable"] = False
    if version >= (1, 12, 0):
        found["downloadOnly"] = False
    return {**found, **more}


def bootc_document(
    booted: Json | None,
    staged: Json | None = None,
    rollback: Json | None = None,
    *,
    queued: bool = False,
    others: tuple[Json, ...] = (),
    version: tuple[int, ...] = (1, 16, 9),
) -> Json:
    """Return the document of ``bootc status``."""
    source = staged or booted
    spec = source["image"] and source["image"]["image"] if source else None
    kind = "bootcHost" if booted and booted["image"] else None
    status: Json = {"staged": staged, "booted": booted, "rollback": rollback, "rollbackQueued": queued, "type": kind}
    if others and version >= (1, 3, 0):
        status["otherDeployments"] = list(others)
    if version >= (1, 9, 0):
        status["usrOverlay"] = None
    if version >= (1, 15, 0):
        status["readOnly"] = False
    return {
        "apiVersion": "org.containers.bootc/v1",
        "kind": "BootcHost",
        "metadata": {"name": "host"},
        "spec": {"image": spec, "bootOrder": "rollback" if queued else "default"},
        "status": status,
    }


def deployment(digest: str | None = OLD, name: str = f"{NAME}:9", **more: t.Any) -> Json:
    """Return one deployment of ``rpm-ostree status --json``."""
    found: Json = {
        "osname": "default",
        "checksum": (digest or OTHER)[7:],
        "serial": 0,
        "booted": False,
        "staged": False,
        "pinned": False,
        "version": "9.6",
        "timestamp": 1793534400,
        "requested-packages": [],
        "requested-local-packages": [],
        "requested-base-removals": [],
        "requested-base-local-replacements": [],
        "regenerate-initramfs": False,
    }
    if digest:
        found["container-image-reference"] = f"ostree-unverified-registry:{name}"
        found["container-image-reference-digest"] = digest
    return {**found, **more}


def bootc_host(*parts: Json | None, queued: bool = False) -> HostStatus:
    """Return a host with booted, staged and rollback deployment, by bootc."""
    return bootc_status(bootc_document(*parts, queued=queued))


def rpm_ostree_host(*deployments: Json, driver: str | None = None) -> HostStatus:
    """Return a host by rpm-ostree, its deployments in boot order."""
    return rpm_ostree_status({"deployments": list(deployments), "transaction": None, "update-driver": driver})
