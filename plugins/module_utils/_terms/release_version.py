# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Versions of releases in their order."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, total_ordering

_NUMBERS = r"(\d{1,18})\.(\d{1,18})\.(\d{1,18})"
_FORM = re.compile(rf"{_NUMBERS}(?:-([0-9A-Za-z.-]{{1,100}}))?(?:\+[0-9A-Za-z.-]{{1,100}})?", re.ASCII)


@total_ordering
@dataclass(frozen=True)
class ReleaseVersion:
    """A version such as ``4.21.3`` or ``4.22.0-rc.1``; build metadata does not count.

    Source of the order: Semantic Versioning 2.0.0, section 11, as the cluster version operator applies it.
    """

    major: int
    minor: int
    patch: int
    prerelease: str = ""

    @property
    def minor_name(self) -> str:
        """Return ``4.21``."""
        return f"{self.major}.{self.minor}"

    def __lt__(self, other: ReleaseVersion) -> bool:
        return self._rank < other._rank

    @cached_property
    def _rank(self) -> tuple[object, ...]:
        parts = [(0, int(part), "") if part.isdigit() else (1, 0, part) for part in self.prerelease.split(".") if part]
        return (self.major, self.minor, self.patch, not self.prerelease, parts)

    @classmethod
    def parse(cls, text: str) -> ReleaseVersion | None:
        """Return the version written as ``text``, None for any other text."""
        found = _FORM.fullmatch(text)
        if not found:
            return None
        major, minor, patch, prerelease = found.groups()
        return cls(int(major), int(minor), int(patch), prerelease or "")
