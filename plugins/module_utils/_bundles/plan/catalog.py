# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Operators in a file-based catalog: which bundle a package, a channel and a version mean, and the images it needs.

Source: operator-framework/operator-registry ``alpha/declcfg`` and its documentation, "File-Based Catalogs".
"""

from __future__ import annotations

import re
import typing as t
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_errors import BundleError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference

if t.TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

CONFIGS_LABEL = "operators.operatorframework.io.index.configs.v1"
"""Label of a catalog image that says where its catalog is."""

_NUMBERS = re.compile(r"[0-9]+")
_LONGEST = 1000
_MOST_LISTED = 40


@dataclass(frozen=True)
class PackageRequest:
    """An operator to take along; without ``channel`` the package's default one, without ``version`` its head."""

    name: str
    channel: str | None = None
    version: str | None = None


@dataclass(frozen=True)
class ChosenOperator:
    """What a request came to; ``images`` are the bundle's own image, which comes first, and all related ones."""

    package: str
    channel: str
    bundle: str
    version: str
    images: tuple[ImageReference, ...]


@dataclass(frozen=True)
class ChannelEntry:
    """A bundle in a channel and what it takes the place of."""

    name: str
    replaced: tuple[str, ...]


@dataclass(frozen=True)
class CatalogRecord:
    """What is kept of one object: a package and its default channel, a channel's entries, or a bundle.

    ``images`` of a bundle are kept as they are written, also where that is nothing at all.
    """

    schema: str
    package: str
    name: str
    entries: tuple[ChannelEntry, ...] = ()
    version: str = ""
    images: tuple[str, ...] = ()

    @property
    def cost(self) -> int:
        """Return about how many bytes of memory this takes."""
        texts = [self.schema, self.package, self.name, self.version, *self.images]
        for entry in self.entries:
            texts += [entry.name, *entry.replaced, ""]
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
        return CatalogRecord(schema, package, name, version=_version(document), images=_images(document))
    return None


class Catalog:
    """The records of a catalog. ``on`` names it in errors."""

    def __init__(self, records: Iterable[CatalogRecord], *, on: str) -> None:
        self._on = on
        self._defaults: dict[str, str] = {}
        self._channels: dict[str, dict[str, tuple[ChannelEntry, ...]]] = {}
        self._bundles: dict[str, dict[str, CatalogRecord]] = {}
        for record in records:
            if record.schema == "olm.package":
                self._defaults[record.package] = record.name
            elif record.schema == "olm.channel":
                self._channels.setdefault(record.package, {})[record.name] = record.entries
            else:
                self._bundles.setdefault(record.package, {})[record.name] = record

    @property
    def packages(self) -> frozenset[str]:
        """Return the names of the packages."""
        return frozenset(self._defaults)

    def choose(self, requests: Iterable[PackageRequest]) -> list[ChosenOperator]:
        """Return what each request means here.

        Raises BundleError: naming what there is instead of what was requested, or all images that cannot be used.
        """
        found = [self._found(request) for request in requests]
        unusable = [
            f"package {bundle.package}, bundle {bundle.name[:100]}: {image[:100]!r}"
            for _channel, bundle in found
            for image in bundle.images
            if _reference(image) is None
        ]
        if unusable:
            raise self._unusable(unusable)
        return [
            ChosenOperator(bundle.package, channel, bundle.name, bundle.version, _references(bundle))
            for channel, bundle in found
        ]

    def _found(self, request: PackageRequest) -> tuple[str, CatalogRecord]:
        if request.name not in self._defaults:
            raise self._missing(f"package {request.name}", self._defaults)
        channels = self._channels.get(request.name, {})
        channel = request.channel or self._defaults[request.name]
        if channel not in channels:
            raise self._missing(f"channel {channel[:100]} of {request.name}", channels)
        name = self._version(request, channel) if request.version else self._head(request.name, channel)
        bundle = self._bundles.get(request.name, {}).get(name)
        if bundle is None:
            raise self._missing(f"bundle {name[:100]} of {request.name}", self._bundles.get(request.name, {}))
        return channel, bundle

    def _head(self, package: str, channel: str) -> str:
        entries = self._channels[package][channel]
        replaced = {name for entry in entries for name in entry.replaced}
        heads = [entry.name for entry in entries if entry.name not in replaced]
        if not heads:
            raise self._missing(f"head of the channel {channel[:100]} of {package}", ())
        return max(heads, key=lambda name: _order(self._version_of(package, name)))

    def _version(self, request: PackageRequest, channel: str) -> str:
        entries = [entry.name for entry in self._channels[request.name][channel]]
        versions = {self._version_of(request.name, name): name for name in entries}
        if request.version not in versions:
            raise self._missing(f"version {request.version} in the channel {channel[:100]} of {request.name}", versions)
        return versions[str(request.version)]

    def _version_of(self, package: str, name: str) -> str:
        bundle = self._bundles.get(package, {}).get(name)
        return bundle.version if bundle is not None else ""

    def _missing(self, what: str, there: Iterable[str]) -> BundleError:
        names = ", ".join(name[:100] for name in sorted(there)[:_MOST_LISTED]) or "none"
        return BundleError(
            "include an operator",
            on=self._on,
            seen=f"there is no {what}; available: {names}",
            advice="Correct the name, or use a catalog that has it.",
        )

    def _unusable(self, unusable: list[str]) -> BundleError:
        listed = "; ".join(unusable[:_MOST_LISTED])
        left_out = len(unusable) - _MOST_LISTED
        return BundleError(
            "include operators",
            on=self._on,
            seen="images have no registry and repository, so they cannot be found: "
            + (f"{listed}; and {left_out} more" if left_out > 0 else listed),
            advice="Choose versions whose images have complete names, or omit these packages from operators, and "
            "report it"
            " to the publisher of the catalog.",
        )


def _reference(image: str) -> ImageReference | None:
    try:
        return ImageReference.parse(image)
    except InvalidInputError:
        return None


def _references(bundle: CatalogRecord) -> tuple[ImageReference, ...]:
    return tuple(dict.fromkeys(ImageReference.parse(image) for image in bundle.images))


def _entries(document: Mapping[str, t.Any]) -> tuple[ChannelEntry, ...]:
    entries = [entry for entry in _listed(document, "entries") if _text(entry.get("name"))]
    return tuple(
        ChannelEntry(
            entry["name"],
            tuple(filter(None, map(_text, (entry.get("replaces"), *_list(entry, "skips"))))),
        )
        for entry in entries
    )


def _version(document: Mapping[str, t.Any]) -> str:
    version = ""
    for entry in _listed(document, "properties"):
        if entry.get("type") == "olm.package" and isinstance(entry.get("value"), dict):
            version = _text(entry["value"].get("version"))
    return version


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


def _order(version: str) -> tuple[tuple[int, ...], bool, str]:
    """Return a key by which semantic versions sort: numbers first, and a release after its pre-releases."""
    numbers, _dash, rest = version.partition("+")[0].partition("-")
    return tuple(int(number) for number in _NUMBERS.findall(numbers)), not rest, rest
