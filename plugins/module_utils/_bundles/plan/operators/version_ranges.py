# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Ranges of versions as operators state them: which versions a bundle updates (``skipRange``) or depends on.

Source: blang/semver v4 ``range.go``, with which OLM reads them; its wildcards and its precedence are kept.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.release_version import ReleaseVersion

_COMPARISONS: dict[str, Callable[[ReleaseVersion, ReleaseVersion], bool]] = {
    "": operator.eq,
    "=": operator.eq,
    "==": operator.eq,
    "!": operator.ne,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_TERM = re.compile(r"([^0-9]*)([0-9][0-9A-Za-z.+-]*)", re.ASCII)
_WILDCARD = re.compile(r"([0-9]+)(?:\.([0-9]+))?(?:\.x){1,2}", re.ASCII)
# A space behind one of these belongs to the comparison.
_SPACED = re.compile(r"([<>=]) +")
_LONGEST = 1000


@dataclass(frozen=True)
class VersionRange:
    """Alternatives, each a list of comparisons that all have to hold."""

    alternatives: tuple[tuple[tuple[str, ReleaseVersion], ...], ...]

    def holds(self, version: ReleaseVersion) -> bool:
        """Whether ``version`` is in the range. Pre-releases are compared as all other versions."""
        return any(all(_COMPARISONS[sign](version, bound) for sign, bound in terms) for terms in self.alternatives)

    @classmethod
    def parse(cls, text: str) -> VersionRange | None:
        """Return the range written as ``text``, None for text that is none: OLM then updates nothing by it."""
        if len(text) > _LONGEST:
            return None
        alternatives = []
        joined = _SPACED.sub(r"\1", text)
        for part in f" {joined} ".split(" || "):
            terms = [_bounds(term) for term in part.split()]
            if not terms or None in terms:
                return None
            alternatives.append(tuple(bound for bounds in terms for bound in bounds or ()))
        return cls(tuple(alternatives))


def _bounds(term: str) -> tuple[tuple[str, ReleaseVersion], ...] | None:
    found = _TERM.fullmatch(term)
    if found is None:
        return None
    wildcard = _WILDCARD.fullmatch(found[2])
    if wildcard is not None:
        return _wildcard_bounds(found[1], int(wildcard[1]), wildcard[2])
    version = ReleaseVersion.parse(found[2])
    return ((found[1], version),) if version is not None and found[1] in _COMPARISONS else None


def _wildcard_bounds(sign: str, major: int, minor: str | None) -> tuple[tuple[str, ReleaseVersion], ...]:
    first = ReleaseVersion(major, int(minor or 0), 0)
    behind = ReleaseVersion(major + 1, 0, 0) if minor is None else ReleaseVersion(major, int(minor) + 1, 0)
    within = ((">=", first), ("<", behind))
    return {
        "": within,
        "=": within,
        "==": within,
        ">": ((">=", behind),),
        ">=": ((">=", first),),
        "<": (("<", first),),
        "<=": (("<", behind),),
        "!": (("<", first), (">=", behind)),
        "!=": (("<", first), (">=", behind)),
    }.get(sign, (("=", first),))  # OLM reads wildcards behind an unknown sign so.
