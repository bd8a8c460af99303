# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What chosen operators depend on and what does not travel with them: OLM installs nothing until it is there."""

from __future__ import annotations

from collections.abc import Iterable

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.operators.catalog import (
    CatalogRecord,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.operators.version_ranges import (
    VersionRange,
)


def dependency_warnings(bundles: Iterable[CatalogRecord]) -> list[str]:
    """Return a sentence for each package that ``bundles`` of another one require and that is not among them.

    Only the last bundle that requires it is named. Dependencies on an API instead of a package are not looked at.
    """
    there: dict[str, list[CatalogRecord]] = {}
    for bundle in bundles:
        there.setdefault(bundle.package, []).append(bundle)
    found: dict[tuple[str, str], str] = {}
    for bundle in (one for listed in there.values() for one in listed):
        for package, versions in bundle.requires:
            if package and not _is_met(versions, there.get(package, ())):
                found[bundle.package, package] = (
                    f"{bundle.name[:100]} requires the operator {package[:100]} {versions[:100]}, which is not included"
                )
    return [found[key] for key in sorted(found)]


def _is_met(versions: str, bundles: Iterable[CatalogRecord]) -> bool:
    wanted = VersionRange.parse(versions)
    found = [bundle.semantic_version for bundle in bundles]
    return any(version is not None and (wanted is None or wanted.holds(version)) for version in found)
