# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What bootc 1.16.9 with ostree 2026.4 did on a host, command after command: recorded in a virtual machine.

A deployment is written ``NAME = VERSION.SERIAL``, NAME as the host was asked for it, VERSION as its digest says, then
``hard`` where a soft reboot cannot reach it, ``locked`` where no reboot does, and ``<- VERSION`` of a cached update.
Digests are written as the version that has them. A step that is no command is done to the host by the test.
"""

from __future__ import annotations

from dataclasses import dataclass

REBOOT = "reboot"
POWER_CUT = "power cut"
RESTART = "userspace restarts in the same root"
SOFT_REBOOT = "userspace restarts in the next root"
MOVE = "tag stable moves to 9.6"

OLD, NEW, NEWER = "os:9.1 = 9.1.0", "os:9.2@9.2 = 9.2.0", "os:9.2@9.2 = 9.2.1"
OTHER_KARGS = "os:9.3@9.3 = 9.3.0 hard"
LIST = "os@list = 9.5.0"
FETCHING = "error: Switching: Switching \\(ostree\\): Preparing import: Fetching manifest: "
OPENING = f"{FETCHING}failed to invoke method OpenImage: .*"
UNVERIFIED = "ostree-unverified-registry"
AGENT = "quay.io/example/agent:1"
"""What the image ``bound`` binds."""
SOFT = "error: Switching: Switching \\(ostree\\): Handling staged soft reboot: Handling soft reboot: "
# In namespaces the child of the real one comes no further than to a directory of the initramfs.
NO_COMPOSEFS = (
    "(error: soft reboot not supported without composefs|bootc: chdir: No such file or directory)\n"
    f"{SOFT}Soft reboot staged deployment: Preparing soft reboot: Failed to prepare soft-reboot: "
    "Preparing /run/nextroot for a soft-reboot: Child process exited with code 1"
)
SOFT_ROLLBACK = "error: Rollback: Rollback \\(ostree\\): Handling soft reboot: "
PREPARING = "Staged deployment is soft-reboot capable, preparing for soft-reboot..."


@dataclass(frozen=True)
class Row:
    """A step and what the host is then: ``mark`` is the version that /run/reboot-required names, ``""`` without one.

    ``said`` is what the command prints but for the lines on layers, ``error`` a pattern of what it complains of.
    """

    step: str
    staged: str | None = None
    booted: str = OLD
    rollback: str | None = NEW
    queued: bool = False
    mark: str = ""
    status: int = 0
    said: tuple[str, ...] = ()
    error: str = ""


def _switch(name: str, version: str, staged: str, **rest: object) -> Row:
    said = (f"Queued for next boot: {name}", f"  Version: {version}", f"  Digest: {version}")
    return Row(f"bootc switch {name}", staged, **{"mark": version, "said": said, **rest})  # type: ignore[arg-type]


ROWS = (
    Row("bootc status --format json", rollback=None),
    Row(
        "bootc rollback", rollback=None, status=1, error="error: Rollback: Rollback \\(ostree\\): No rollback available"
    ),
    Row("bootc upgrade", rollback=None, said=("No changes in os:9.1 => 9.1", "No update available.")),
    Row(
        "bootc upgrade --from-downloaded",
        rollback=None,
        status=1,
        error="error: Upgrading: No staged deployment found",
    ),
    Row(
        "bootc switch --transport bogus os:9.2",
        rollback=None,
        status=1,
        error="error: Switching: Switching \\(ostree\\): Invalid transport: bogus",
    ),
    Row(
        "bootc switch --transport oci /nowhere", rollback=None, status=1, error=f"{OPENING}no such file or directory.*"
    ),
    Row(
        "bootc switch os:bare",
        rollback=None,
        status=1,
        error=f"{FETCHING}Target image does not have ostree.bootable label",
    ),
    Row(
        "bootc switch os:plain",
        "os:plain = plain.0",
        rollback=None,
        status=1,
        error="error: Switching: Switching \\(ostree\\): Staging: Querying bound images: Querying bound images: "
        "Not a symlink: a.image",
    ),
    Row("ostree admin undeploy 0", rollback=None, said=("Deleted deployment COMMIT.0",)),
    Row(
        "bootc switch os:bound",
        "os:bound = bound.0",
        rollback=None,
        mark="bound",
        said=("Bound images stored: 1", "Queued for next boot: os:bound", "  Version: bound", "  Digest: bound"),
    ),
    _switch("os:9.2@9.2", "9.2", NEW, rollback=None),
    Row(REBOOT, booted=NEW, rollback=OLD),
    Row("bootc rollback", booted=NEW, rollback=OLD, queued=True, mark="9.1", said=("Next boot: rollback deployment",)),
    Row(REBOOT),
    _switch("os:9.3@9.3", "9.3", OTHER_KARGS),
    Row("bootc switch os:9.3@9.3", OTHER_KARGS, mark="9.3", said=("Image specification is unchanged.",)),
    Row(
        "bootc switch --soft-reboot=required os:9.3@9.3",
        OTHER_KARGS,
        mark="9.3",
        said=("Image specification is unchanged.",),
    ),
    _switch("os:9.2@9.2", "9.2", NEWER),
    Row(
        "bootc switch os:9.1",
        "os:9.1 = 9.1.1",
        mark="9.1",
        said=(
            "No changes in os:9.1 => 9.1",
            "Queued for next boot: os:9.1",
            "  Version: 9.1",
            "  Digest: 9.1",
        ),
    ),
    Row("ostree admin undeploy 0", mark="9.1", said=("Deleted deployment COMMIT.1",)),
    _switch("os@list", "9.5", LIST),
    Row("bootc upgrade --check", LIST, mark="9.5", said=("No changes in: docker://os@list",)),
    Row(
        "bootc upgrade",
        LIST,
        mark="9.5",
        said=("No changes in os@list => 9.5", "Staged update present, not changed"),
    ),
    Row(
        "bootc switch os@arm64",
        LIST,
        mark="9.5",
        status=1,
        error=f"{FETCHING}Image has architecture arm64; expected amd64",
    ),
    Row("bootc switch os:nosuch", LIST, mark="9.5", status=1, error=f"{OPENING}manifest unknown.*"),
    Row(
        "bootc switch 127.0.0.1:1/example/os:9.1",
        LIST,
        mark="9.5",
        status=1,
        error=f"{OPENING}connect: connection refused.*",
    ),
    Row(f"bootc switch os@sha256:{'a' * 64}", LIST, mark="9.5", status=1, error=f"{OPENING}manifest unknown.*"),
    Row(
        "bootc switch --enforce-container-sigpolicy os:9.2",
        LIST,
        mark="9.5",
        status=1,
        error=f"{FETCHING}containers-policy.json specifies a default of `insecureAcceptAnything`; refusing usage",
    ),
    Row("bootc rollback", queued=True, mark="9.2", said=("Next boot: rollback deployment",)),
    Row(
        "bootc rollback", mark="9.2", said=("notice: Reverting queued rollback state", "Next boot: current deployment")
    ),
    _switch("os:stable", "9.1", "os:stable = 9.1.1"),
    Row("bootc upgrade --check", "os:stable = 9.1.1", mark="9.1", said=("No changes in: docker://os:stable",)),
    _switch("os:9.4@9.4", "9.4", "os:9.4@9.4 = 9.4.0"),
    Row(POWER_CUT),
    Row(
        "bootc switch --soft-reboot=required os:9.3@9.3",
        OTHER_KARGS,
        mark="9.3",
        status=1,
        said=("Queued for next boot: os:9.3@9.3", "  Version: 9.3", "  Digest: 9.3"),
        error=f"{SOFT}Soft reboot was required but staged deployment is not soft-reboot capable",
    ),
    Row(
        "bootc switch --soft-reboot=auto os:9.2@9.2",
        NEWER,
        mark="9.2",
        status=1,
        said=("Queued for next boot: os:9.2@9.2", "  Version: 9.2", "  Digest: 9.2", PREPARING),
        error=NO_COMPOSEFS,
    ),
    Row(RESTART, rollback=NEWER, queued=True, mark="9.2"),
    _switch("os:stable", "9.1", "os:stable = 9.1.1", rollback=NEWER, queued=True),
    Row(MOVE, "os:stable = 9.1.1", rollback=NEWER, queued=True, mark="9.1"),
    Row(
        "bootc upgrade --check",
        "os:stable = 9.1.1 <- 9.6",
        f"{OLD} <- 9.6",
        NEWER,
        queued=True,
        mark="9.1",
        said=("Update available for: docker://os:stable", "  Version: 9.6", "  Digest: 9.6"),
    ),
    Row(
        "bootc upgrade --download-only",
        "os:stable = 9.6.0 locked",
        f"{OLD} <- 9.6",
        NEWER,
        queued=True,
        mark="9.6",
        said=("Queued for next boot: os:stable", "  Version: 9.6", "  Digest: 9.6"),
    ),
    Row(
        "bootc upgrade --from-downloaded",
        "os:stable = 9.6.0",
        f"{OLD} <- 9.6",
        NEWER,
        queued=True,
        mark="9.6",
        said=("Staged deployment will now be applied on reboot",),
    ),
    _switch("os:9.4@9.4", "9.4", "os:9.4@9.4 = 9.4.0", booted=f"{OLD} <- 9.6", rollback=NEWER, queued=True),
    Row(REBOOT, booted="os:9.4@9.4 = 9.4.0", rollback=f"{OLD} <- 9.6"),
    Row(
        "bootc rollback --soft-reboot=auto",
        booted="os:9.4@9.4 = 9.4.0",
        rollback=f"{OLD} <- 9.6",
        queued=True,
        mark="9.1",
        status=1,
        said=("Next boot: rollback deployment", PREPARING.replace("Staged", "Rollback")),
        error=NO_COMPOSEFS.replace(SOFT, SOFT_ROLLBACK).replace("staged deployment", "rollback deployment"),
    ),
    Row(
        f"bootc internals ostree-container image pull /sysroot/ostree/repo {UNVERIFIED}:os@9.2",
        booted="os:9.4@9.4 = 9.4.0",
        rollback=f"{OLD} <- 9.6",
        queued=True,
        mark="9.1",
        said=(f"Wrote: {UNVERIFIED}:os@9.2 => COMMIT",),
    ),
    _switch(
        "os@9.2",
        "9.2",
        "os@9.2 = 9.2.0",
        booted="os:9.4@9.4 = 9.4.0",
        rollback=f"{OLD} <- 9.6",
        queued=True,
        said=(
            "No changes in os@9.2 => 9.2",
            "Queued for next boot: os@9.2",
            "  Version: 9.2",
            "  Digest: 9.2",
        ),
    ),
)
"""One host from its installation on: each row begins where the last one ended.

The rows on images that are refused, on bound images and after ``locked`` were recorded from the same program in
namespaces (``real_bootc.py``), all others in the virtual machine first.
"""

COMPOSEFS_ROWS = (
    Row("bootc status --format json", rollback=None),
    _switch("os:9.2@9.2", "9.2", NEW, rollback=None),
    Row("ostree admin undeploy 0", rollback=None, mark="9.2", said=("Deleted deployment COMMIT.0",)),
    Row(
        "bootc switch --soft-reboot=auto os:9.2@9.2",
        NEW,
        rollback=None,
        mark="9.2",
        said=("Queued for next boot: os:9.2@9.2", "  Version: 9.2", "  Digest: 9.2", PREPARING),
    ),
    Row(SOFT_REBOOT, booted=NEW, rollback=OLD, mark="9.2"),
)
"""A host whose root is composefs, recorded in the virtual machine."""
