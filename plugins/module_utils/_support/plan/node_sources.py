# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What is collected on a node: the output of commands, files, and the journal of a time span. No credentials."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class CommandSource:
    """The standard output of ``argv``, as the part ``name``."""

    name: str
    argv: tuple[str, ...]


@dataclass(frozen=True)
class FileSource:
    """The ends of the files that match ``pattern``; with ``is_log`` their lines of the time span alone."""

    pattern: str
    is_log: bool = False


def _command(name: str, line: str) -> CommandSource:
    return CommandSource(f"commands/{name}", tuple(line.split()))


COMMANDS = (
    _command("uname.txt", "uname -a"),
    _command("crio-version.txt", "crio --version"),
    _command("kubelet-version.txt", "kubelet --version"),
    _command("podman-version.txt", "podman --version"),
    _command("skopeo-version.txt", "skopeo --version"),
    _command("python-version.txt", "python3 --version"),
    _command("rpm-ostree-status.json", "rpm-ostree status --json"),
    _command("bootc-status.json", "bootc status --format=json"),
    _command("units.txt", "systemctl list-units --all --plain --no-pager --no-legend fieldops-*"),
    _command("unit-files.txt", "systemctl list-unit-files --plain --no-pager --no-legend fieldops-*"),
    _command("failed-units.txt", "systemctl list-units --failed --plain --no-pager --no-legend"),
    _command("disks.txt", "df --block-size=1 --print-type"),
    _command("inodes.txt", "df --inodes"),
    _command("block-devices.json", "lsblk --json --bytes --output-all"),
    _command("mounts.json", "findmnt --json"),
    _command("memory.txt", "free --bytes"),
    _command("clock.txt", "chronyc -n tracking"),
    _command("addresses.json", "ip -json address"),
    _command("boots.txt", "journalctl --list-boots --no-pager"),
    _command("own-files.txt", "find /var/lib/fieldops /run/fieldops-openshift -xdev -printf %M_%u_%s_%TFT%TT_%p\\n"),
    _command("crictl-info.json", "crictl info"),
    _command("crictl-images.json", "crictl images -o json"),
    _command("crictl-pods.json", "crictl pods -o json"),
    _command("crictl-containers.json", "crictl ps -a -o json"),
    _command("crictl-image-file-system.json", "crictl imagefsinfo"),
    _command("podman-images.json", "podman images --all --format=json"),
    _command("podman-containers.json", "podman ps --all --format=json"),
)

FILES = (
    FileSource("/usr/lib/os-release"),
    FileSource("/proc/cmdline"),
    FileSource("/etc/hosts"),
    FileSource("/etc/crio/crio.conf.d/*"),
    FileSource("/etc/containers/policy.json"),
    FileSource("/etc/containers/registries.conf"),
    FileSource("/etc/containers/registries.conf.d/*"),
    FileSource("/etc/containers/registries.d/*"),
    FileSource("/etc/containers/storage.conf"),
    FileSource("/etc/kubernetes/kubelet.conf"),
    FileSource("/etc/systemd/system/fieldops-*"),
    FileSource("/var/lib/fieldops/image-source/settings.json"),
    FileSource("/var/lib/fieldops/jobs/*/request.json"),
    FileSource("/var/lib/fieldops/jobs/*/status.json"),
    FileSource("/var/lib/fieldops/jobs/*/output.log*"),
)

LOGS = (
    FileSource("/var/log/pods/openshift-machine-config-operator_*/*/*.log*", is_log=True),
    FileSource("/var/log/pods/openshift-cluster-version_*/*/*.log*", is_log=True),
)
"""What the machine-config daemon, its controller and the cluster-version operator logged, which needs no API here."""

_JOURNALS: tuple[tuple[str, Sequence[str]], ...] = (
    ("fieldops", ["--unit=fieldops-image-source.service", "--unit=fieldops-*"]),
    ("machine-config", ["--unit=machine-config-daemon-*", "--unit=nodeip-configuration.service"]),
    (
        "os-image",
        ["--unit=rpm-ostreed.service", "--unit=rpm-ostree*", "--unit=bootc*", "--unit=ostree-finalize-staged*"],
    ),
    ("crio", ["--unit=crio.service", "--unit=crio*"]),
    ("errors", ["--priority=err"]),
    ("kernel", ["_TRANSPORT=kernel", "--priority=notice"]),
    ("kubelet", ["--unit=kubelet.service", "--unit=kubelet*"]),
)
"""Each names a unit besides patterns: journalctl fails where patterns alone match nothing."""


def journal_sources(since: int) -> tuple[CommandSource, ...]:
    """Return the journals since an instant in seconds of the epoch, those that are read first in front."""
    common = ("journalctl", "--no-pager", "--quiet", "--utc", "--output=short-iso-precise", f"--since=@{since}")
    return tuple(CommandSource(f"journal/{name}.log", (*common, *chosen)) for name, chosen in _JOURNALS)


def lines_since(text: str, since: str) -> str:
    """Return the lines of a log of CRI-O that are not older than ``since``, an instant as its lines begin with one.

    A line that begins with no time belongs to the one before it.
    """
    kept: list[str] = []
    is_kept = False
    for line in text.splitlines(keepends=True):
        if line[:4].isdigit() and line[4:5] == "-" and line[10:11] == "T":
            is_kept = line[: len(since)] >= since
        if is_kept:
            kept.append(line)
    return "".join(kept)
