# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What versions of bootc and rpm-ostree can and cannot do, as far as commands are chosen by it.

Each trait names the release that brought it and where that stands upstream. What a status document shows by itself
(softRebootCapable since bootc 1.7, downloadOnly since 1.12) is read there.
"""

from __future__ import annotations

import enum
import re
import typing as t
from dataclasses import dataclass

Version = tuple[int, ...]

_BOOTC = re.compile(r"^bootc (\d+(?:\.\d+)+)", re.MULTILINE)
_RPM_OSTREE = re.compile(r"^\s*Version: '?(\d{4}(?:\.\d+)+)'?", re.MULTILINE)


class Trait(enum.Enum):
    """What not every version can do."""

    TAG_BESIDE_DIGEST = "NAME:TAG@DIGEST is requested by the digest"
    DIGEST_AS_REVISION = "a digest may follow the name of an image"
    SOFT_REBOOT = "--soft-reboot prepares a reboot that keeps the kernel"
    DOWNLOAD_ONLY = "what is staged can be locked, and --from-downloaded unlocks it"
    DELETE_DEPLOYMENT = "delete-deployment discards on composefs"
    PULL = "an image can be pulled into the repository of ostree, and nothing is staged"
    UPGRADE_TAG = "upgrade --tag follows another tag of the same repository"
    LOADER_ENTRIES = "loader-entries sets kernel arguments of this host, kept by the name of their source"


@dataclass(frozen=True)
class Since:
    """The first release with a trait, and where it stands upstream."""

    version: Version
    source: str


BOOTC: t.Mapping[Trait, Since] = {
    Trait.TAG_BESIDE_DIGEST: Since((1, 2, 0), "pull request 1302, deploy.rs: ImageReference::canonicalize"),
    Trait.SOFT_REBOOT: Since((1, 7, 0), "pull request 1392, cli.rs: SwitchOpts.soft_reboot"),
    Trait.DOWNLOAD_ONLY: Since((1, 12, 0), "pull requests 1831 and 1846, cli.rs: UpgradeOpts.from_downloaded"),
    Trait.DELETE_DEPLOYMENT: Since((1, 12, 0), "pull request 1685, bootc_composefs/delete.rs"),
    # Merged in November 2024; RHEL 9.6 and 10.0 have 1.1.6.
    Trait.PULL: Since((1, 1, 6), "pull request 886, cli.rs: InternalsOpts.OstreeContainer"),
    # Not used: a switch by the whole name does the same in every version.
    Trait.UPGRADE_TAG: Since((1, 15, 0), "pull request 2094, cli.rs: UpgradeOpts.tag"),
    Trait.LOADER_ENTRIES: Since((1, 15, 2), "pull request 2114, loader_entries.rs; requires ostree 2026.1"),
}
RPM_OSTREE: t.Mapping[Trait, Since] = {
    Trait.DIGEST_AS_REVISION: Since((2025, 7), "pull request 5325, commit 2d021f5d, rpmostreed-transaction-types.cxx"),
}


@dataclass(frozen=True)
class Programs:
    """The versions of a host's programs; None where one is absent or says nothing that is known here."""

    bootc: Version | None = None
    rpm_ostree: Version | None = None

    def can(self, trait: Trait) -> bool:
        """Whether the program that a trait is about has it; a version that is not known has none."""
        version, since = (self.bootc, BOOTC[trait]) if trait in BOOTC else (self.rpm_ostree, RPM_OSTREE[trait])
        return version is not None and version >= since.version


def bootc_version(said: str) -> Version | None:
    """Return the version in what ``bootc --version`` prints."""
    return _version(_BOOTC, said)


def rpm_ostree_version(said: str) -> Version | None:
    """Return the version in the YAML that ``rpm-ostree --version`` prints."""
    return _version(_RPM_OSTREE, said)


def written(version: Version | None) -> str | None:
    """Return a version as it is written."""
    return ".".join(str(part) for part in version) if version is not None else None


def _version(form: re.Pattern[str], said: str) -> Version | None:
    found = form.search(said)
    return tuple(int(part) for part in found.group(1).split(".")) if found else None
