# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Boot images that pass the operator's limit, although machines from them are known not to join.

Each row names its source, and covers no more than was seen there. The operator's limit alone (4.13.0, RHEL 9.2) decides
on updates; this is a warning.
"""

from __future__ import annotations

import typing as t
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.rhcos_release import (
    RhcosRelease,
    parse_release,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.skew.versions import (
    less_than,
    parse_generic,
    rhel_version_of,
)

Minor = tuple[int, int]


@dataclass(frozen=True)
class KnownFailure:
    """Images ``made_for`` a range of OpenShift's minors, or of a RHEL ``built_before`` a day, in clusters ``since``."""

    since: Minor
    symptom: str
    source: str
    made_for: tuple[Minor, Minor] | None = None
    rhel: str = ""
    built_before: str = ""

    def as_data(self) -> dict[str, str]:
        """Return it as results show it."""
        return {"symptom": self.symptom, "source": self.source}

    def covers(self, made_for: Minor | None, release: RhcosRelease | None) -> bool:
        """Whether an image is of this range; what is not known of it is none."""
        if self.made_for is not None:
            return made_for is not None and self.made_for[0] <= made_for <= self.made_for[1]
        return (
            release is not None and rhel_version_of(str(release)) == self.rhel and release.build[:8] < self.built_before
        )


KNOWN_FAILURES = (
    KnownFailure(
        since=(5, 0),
        made_for=((4, 13), (4, 14)),
        symptom="its rpm-ostree, older than 2023.5, cannot rebase to the image of the release",
        source="OCPBUGS-86768, github.com/openshift/machine-config-operator/pull/6435",
    ),
    KnownFailure(
        since=(4, 22),
        rhel="9.6",
        built_before="20250827",
        symptom="the first pull of its machine-config daemon hangs, so the machine stays Provisioned",
        source="github.com/openshift/release/pull/77647",
    ),
)


def known_failures(to: str, *, ocp_version: str = "", rhcos_version: str = "") -> tuple[KnownFailure, ...]:
    """Return what is known to keep a machine from joining a cluster of version ``to``.

    Its boot image is the one that came with ``ocp_version``, or of ``rhcos_version``; empty is not known.
    """
    target, release = parse_generic(to), parse_release(rhcos_version)
    if target is None:
        return ()
    numbers = parse_generic(ocp_version or (release.openshift if release is not None else ""))
    made_for = t.cast("Minor", numbers[:2]) if numbers is not None else None
    return tuple(
        one for one in KNOWN_FAILURES if not less_than(target[:2], one.since) and one.covers(made_for, release)
    )


def warning_of(found: tuple[KnownFailure, ...]) -> str:
    """Return in one sentence what is known, empty for nothing."""
    if not found:
        return ""
    known = "; ".join(f"{one.symptom} ({one.source})" for one in found)
    return (
        f"it passes the operator's check, but is known to fail: {known}. Run update_boot_images with site_canary=proof"
    )


def warnings_of(to: str, resources: Iterable[Mapping[str, t.Any]]) -> list[str]:
    """Return a sentence for each of ``resources`` whose machines are known not to join a cluster of version ``to``.

    They have ``kind``, ``name`` and ``current``, as results show them.
    """
    judged = [(one, warning_of(known_failures(to, rhcos_version=one["current"]["release"]))) for one in resources]
    return [f"{one['kind']} {one['name']} boots {one['current']['release']}: {said}" for one, said in judged if said]
