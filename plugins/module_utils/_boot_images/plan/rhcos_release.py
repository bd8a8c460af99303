# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Releases of RHEL CoreOS, such as ``9.6.20260112-0``, and in the older form ``418.94.202501221327-0``.

In Azure's marketplace images without a plan have them without a serial number (``9.6.20251015``, ``417.94.20240701``),
and paid ones OpenShift's version with day and hour (``4.18.2025031114``). Source: openshift/installer,
data/data/coreos/marketplace/coreos-rhel-9.json and marketplace-rhcos.json.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_AZURE = re.compile(r"(\d{1,4})\.(\d{1,4})\.(\d{8}|\d{10})()", re.ASCII)
_FORM = re.compile(r"(\d{1,4})\.(\d{1,4})\.(\d{12}|\d{8})-(\d{1,6})", re.ASCII)
_GOOGLE = re.compile(r"rhcos-(\d{1,4})-(\d{1,4})-(\d{12}|\d{8})-(\d{1,6})-gcp-", re.ASCII)

_WITH_RHEL = {11: (8, 6), 12: (8, 6), 13: (9, 2), 14: (9, 2), 15: (9, 2), 16: (9, 4), 17: (9, 4), 18: (9, 4)}
"""RHEL by minor version of OpenShift 4, as names of the older form have it: openshift/installer, rhcos.json."""


@dataclass(frozen=True)
class RhcosRelease:
    """``major`` and ``minor`` are RHEL's, or for the older form OpenShift's and RHEL's digits as they stand there.

    With a ``build`` of ten digits they are OpenShift's. ``serial`` is None where there is no such number.
    """

    major: int
    minor: int
    build: str
    serial: int | None

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}.{self.build}" + ("" if self.serial is None else f"-{self.serial}")

    @property
    def is_older_form(self) -> bool:
        """Whether the numbers are OpenShift's and RHEL's digits."""
        return len(str(self.minor)) > 1 and (len(self.build) == 12 or self.major >= 40)

    @property
    def openshift(self) -> str:
        """The minor version of OpenShift that it was made for, such as ``4.18``; empty where its name does not say."""
        if len(self.build) == 10:
            return f"{self.major}.{self.minor}"
        digits = str(self.major)
        return f"{digits[0]}.{digits[1:]}" if self.is_older_form and len(digits) > 1 else ""

    @property
    def rhel(self) -> tuple[int, int] | None:
        """The version of RHEL, None where it is not known."""
        if len(self.build) == 10:
            return _WITH_RHEL.get(self.minor) if self.major == 4 else None
        if len(self.build) == 12 and not self.is_older_form:
            return None
        digits = str(self.minor)
        return (int(digits[0]), int(digits[1:])) if self.is_older_form else (self.major, self.minor)

    @property
    def age(self) -> tuple[tuple[int, int], str] | None:
        """What sorts releases of all forms from old to new: RHEL, then the day; None where RHEL is not known."""
        return (self.rhel, self.build[:8]) if self.rhel else None


def is_newer(one: str, other: str) -> bool:
    """Whether release ``one`` is newer than ``other``, by RHEL and the day it was built; False where one is unknown."""
    ages = [found.age if found else None for found in (parse_release(one), parse_release(other))]
    return ages[0] is not None and ages[1] is not None and ages[0] > ages[1]


def parse_release(text: str) -> RhcosRelease | None:
    """Return the release that ``text`` names, None for any other text."""
    return _release(_FORM.fullmatch(text.strip()) or _AZURE.fullmatch(text.strip()))


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
    return RhcosRelease(int(major), int(minor), build, int(serial) if serial else None)
