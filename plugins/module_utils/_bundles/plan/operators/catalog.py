# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What is kept in memory of a file-based catalog: its packages, and of those that are wanted channels and bundles.

Source: operator-framework/operator-registry ``alpha/declcfg`` and its documentation, "File-Based Catalogs".
"""

from __future__ import annotations

import typing as t
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.operators.operator_updates import (
    ChannelEntry,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_errors import BundleError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.release_version import ReleaseVersion

CONFIGS_LABEL = "operators.operatorframework.io.index.configs.v1"
"""Label of a catalog image that says where its catalog is."""

_LONGEST = 1000
_MOST_LISTED = 40


@dataclass(frozen=True)
class CatalogRecord:
    """What is kept of one object: a package and its default channel, a channel's entries, or a bundle.

    ``images`` of a bundle are kept as they are written, also where that is nothing at all. ``requires`` are the
    packages that it depends on, with the range of their versions.
    """

    schema: str
    package: str
    name: str
    entries: tuple[ChannelEntry, ...] = ()
    version: str = ""
    images: tuple[str, ...] = ()
    requires: tuple[tuple[str, str], ...] = ()

    @cached_property
    def semantic_version(self) -> ReleaseVersion | None:
        """Return the version in a form that can be compared, None where it is none."""
        return ReleaseVersion.parse(self.version)

    @property
    def cost(self) -> int:
        """Return about how many bytes of memory this takes."""
        texts = [self.schema, self.package, self.name, self.version, *self.images]
        texts += [text for pair in self.requires for text in pair]
        for entry in self.entries:
            texts += [entry.name, *entry.named, entry.skip_range, ""]
        return sum(len(text) + 100 for text in texts)


def catalog_record(document: Mapping[str, t.Any], wanted: Collection[str]) -> CatalogRecord | None:
    """Return what is kept of ``document``: of packages their names, of those that are ``wanted`` the rest as well."""
    schema, name = _text(document.get("schema")), _text(document.get("name"))
    if schema == "olm.package" and name:
        return CatalogRecord(schema, name, _text(document.get("defaultChannel")))
    package = _text(document.get("package"))
    if package not in wanted or not name:
        return None
    if schema == "olm.channel":
        return CatalogRecord(schema, package, name, entries=_entries(document))
    if schema == "olm.bundle":
        version, requires = _version(document), _requires(document)
        return CatalogRecord(schema, package, name, version=version, images=_images(document), requires=requires)
    return None


class Catalog:
    """The records of a catalog. ``on`` names it in errors."""

    def __init__(self, records: Iterable[CatalogRecord], *, on: str) -> None:
        self.on = on
        self.defaults: dict[str, str] = {}
        self._channels: dict[str, dict[str, tuple[ChannelEntry, ...]]] = {}
        self._bundles: dict[str, dict[str, CatalogRecord]] = {}
        for record in records:
            if record.schema == "olm.package":
                self.defaults[record.package] = record.name
            elif record.schema == "olm.channel":
                self._channels.setdefault(record.package, {})[record.name] = record.entries
            else:
                self._bundles.setdefault(record.package, {})[record.name] = record

    @property
    def packages(self) -> frozenset[str]:
        """Return the names of the packages."""
        return frozenset(self.defaults)

    def channels(self, package: str) -> Mapping[str, tuple[ChannelEntry, ...]]:
        """Return the channels of ``package``; raise BundleError where the catalog does not have it."""
        if package not in self.defaults:
            raise self.missing(f"package {package}", self.defaults)
        return self._channels.get(package, {})

    def bundles(self, package: str) -> Mapping[str, CatalogRecord]:
        """Return the bundles of ``package`` by name."""
        return self._bundles.get(package, {})

    def missing(self, what: str, there: Iterable[str]) -> BundleError:
        """Return the error that names what there is instead of ``what`` was requested."""
        names = ", ".join(name[:100] for name in sorted(there)[:_MOST_LISTED]) or "none"
        return BundleError(
            "include an operator",
            on=self.on,
            seen=f"there is no {what}; available: {names}",
            advice="Correct the name, or use a catalog that has it.",
        )


def _entries(document: Mapping[str, t.Any]) -> tuple[ChannelEntry, ...]:
    return tuple(
        ChannelEntry(
            entry["name"],
            _text(entry.get("replaces")),
            tuple(filter(None, map(_text, _list(entry, "skips")))),
            _text(entry.get("skipRange")),
        )
        for entry in _listed(document, "entries")
        if _text(entry.get("name"))
    )


def _values(document: Mapping[str, t.Any], kind: str) -> list[dict[str, t.Any]]:
    properties = [entry.get("value") for entry in _listed(document, "properties") if entry.get("type") == kind]
    return [value for value in properties if isinstance(value, dict)]


def _version(document: Mapping[str, t.Any]) -> str:
    return next((_text(value.get("version")) for value in reversed(_values(document, "olm.package"))), "")


def _requires(document: Mapping[str, t.Any]) -> tuple[tuple[str, str], ...]:
    required = _values(document, "olm.package.required")
    return tuple((_text(value.get("packageName")), _text(value.get("versionRange"))) for value in required)


def _images(document: Mapping[str, t.Any]) -> tuple[str, ...]:
    # A bundle that carries its manifests in the catalog has no image of its own; what it relates to has one.
    # Published catalogs have empty entries among the related images: operator-registry ``alpha/model/model.go``.
    named = [document.get("image") or "", *(one.get("image") for one in _listed(document, "relatedImages"))]
    return tuple(dict.fromkeys(_text(image) for image in named if image != ""))


def _list(document: Mapping[str, t.Any], key: str) -> list[t.Any]:
    found = document.get(key)
    return found if isinstance(found, list) else []


def _listed(document: Mapping[str, t.Any], key: str) -> list[dict[str, t.Any]]:
    return [entry for entry in _list(document, key) if isinstance(entry, dict)]


def _text(value: t.Any) -> str:
    """Return ``value`` if it can be a name, else nothing."""
    return value if isinstance(value, str) and len(value) <= _LONGEST else ""
