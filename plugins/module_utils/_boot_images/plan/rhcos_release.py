# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""Releases of RHEL CoreOS, such as ``9.6.20260112-0``, and in the older form ``418.94.202501221327-0``."""

from __future__ import annotations

import re
from dataclasses import dataclass

_FORM = re.compile(r"(\d{1,4})\.(\d{1,4})\.(\d{12}|\d{8})-(\d{1,6})", re.ASCII)
_GOOGLE = re.compile(r"rhcos-(\d{1,4})-(\d{1,4})-(\d{12}|\d{8})-(\d{1,6})-gcp-", re.ASCII)


@dataclass(frozen=True, order=True)
class RhcosRelease:
    """``major`` and ``minor`` are RHEL's, or for the older form OpenShift's and RHEL's digits as they stand there."""

    major: int
    minor: int
    build: str
    serial: int

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}.{self.build}-{self.serial}"

    @property
    def openshift(self) -> str:
        """The minor version of OpenShift that it was made for, such as ``4.18``; empty where its name does not say."""
        digits = str(self.major)
        return f"{digits[0]}.{digits[1:]}" if len(self.build) == 12 and len(digits) > 1 else ""


def is_newer(one: str, other: str) -> bool:
    """Whether release ``one`` is newer than ``other``, by RHEL and the day it was built; False where one is unknown."""
    ages = [_age(found) for found in (parse_release(one), parse_release(other)) if found is not None]
    return len(ages) == 2 and ages[0] > ages[1]


def _age(release: RhcosRelease) -> tuple[int, int, str]:
    """Return what sorts releases of both forms; the older one names RHEL by its digits, ``94`` or ``810``."""
    digits = str(release.minor)
    is_older_form = len(release.build) == 12 and len(digits) > 1
    rhel = (int(digits[0]), int(digits[1:])) if is_older_form else (release.major, release.minor)
    return (*rhel, release.build[:8])


def parse_release(text: str) -> RhcosRelease | None:
    """Return the release that ``text`` names, None for any other text."""
    return _release(_FORM.fullmatch(text.strip()))


def release_within(text: str) -> RhcosRelease | None:
    """Return the first release that is named within a description, None where there is none."""
    return _release(_FORM.search(text))


def release_of_google_image(name: str) -> RhcosRelease | None:
    """Return the release of an image in the project ``rhcos-cloud``, whose names spell it with dashes."""
    return _release(_GOOGLE.search(name))


def openshift_version_of(text: str) -> str:
    """Return OpenShift's minor version behind a release, empty where that is not known."""
    release = parse_release(text)
    return release.openshift if release else ""


def _release(match: re.Match[str] | None) -> RhcosRelease | None:
    if match is None:
        return None
    major, minor, build, serial = match.groups()
    return RhcosRelease(int(major), int(minor), build, int(serial))
