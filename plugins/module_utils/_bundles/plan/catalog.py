# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

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
    from collections.abc import Iterable, Mapping

CONFIGS_LABEL = "operators.operatorframework.io.index.configs.v1"
"""Label of a catalog image that says where its catalog lies."""

_NUMBERS = re.compile(r"[0-9]+")


@dataclass(frozen=True)
class PackageWish:
    """An operator to take along; without ``channel`` the package's default one, without ``version`` its head."""

    name: str
    channel: str | None = None
    version: str | None = None


@dataclass(frozen=True)
class ChosenOperator:
    """What a wish came to; ``images`` are the bundle's own image, which comes first, and all related ones."""

    package: str
    channel: str
    bundle: str
    version: str
    images: tuple[ImageReference, ...]


@dataclass(frozen=True)
class _Bundle:
    name: str
    version: str
    images: tuple[str, ...]


class Catalog:
    """The objects of a catalog, as far as packages, channels and bundles go. ``on`` names it in errors."""

    def __init__(self, documents: Iterable[t.Any], *, on: str) -> None:
        self._on = on
        self._defaults: dict[str, str] = {}
        self._channels: dict[str, dict[str, list[t.Any]]] = {}
        self._bundles: dict[str, dict[str, _Bundle]] = {}
        for document in documents:
            if isinstance(document, dict):
                self._add(document)

    @property
    def packages(self) -> frozenset[str]:
        """Return the names of the packages."""
        return frozenset(self._defaults)

    def choose(self, wish: PackageWish) -> ChosenOperator:
        """Return what ``wish`` means here; raise BundleError naming what there is instead."""
        if wish.name not in self._defaults:
            raise self._missing(f"package {wish.name}", self._defaults)
        channels = self._channels.get(wish.name, {})
        channel = wish.channel or self._defaults[wish.name]
        if channel not in channels:
            raise self._missing(f"channel {channel} of {wish.name}", channels)
        name = self._version(wish, channel) if wish.version else self._head(wish.name, channel)
        bundle = self._bundles.get(wish.name, {}).get(name)
        if bundle is None:
            raise self._missing(f"bundle {name} of {wish.name}", self._bundles.get(wish.name, {}))
        return ChosenOperator(wish.name, channel, name, bundle.version, self._references(bundle))

    def _add(self, document: Mapping[str, t.Any]) -> None:
        schema, name = document.get("schema"), str(document.get("name", ""))
        package = str(document.get("package", ""))
        if schema == "olm.package":
            self._defaults[name] = str(document.get("defaultChannel", ""))
        elif schema == "olm.channel":
            entries = document.get("entries")
            self._channels.setdefault(package, {})[name] = entries if isinstance(entries, list) else []
        elif schema == "olm.bundle":
            self._bundles.setdefault(package, {})[name] = _bundle(name, document)

    def _head(self, package: str, channel: str) -> str:
        entries = [entry for entry in self._channels[package][channel] if isinstance(entry, dict)]
        replaced = {str(entry.get("replaces", "")) for entry in entries}
        replaced |= {str(skipped) for entry in entries for skipped in entry.get("skips") or ()}
        heads = [str(entry.get("name", "")) for entry in entries if entry.get("name") not in replaced]
        if not heads:
            raise self._missing(f"head of the channel {channel} of {package}", ())
        return max(heads, key=lambda name: _order(self._version_of(package, name)))

    def _version(self, wish: PackageWish, channel: str) -> str:
        entries = [str(entry.get("name", "")) for entry in self._channels[wish.name][channel]]
        versions = {self._version_of(wish.name, name): name for name in entries}
        if wish.version not in versions:
            raise self._missing(f"version {wish.version} in the channel {channel} of {wish.name}", versions)
        return versions[str(wish.version)]

    def _version_of(self, package: str, name: str) -> str:
        bundle = self._bundles.get(package, {}).get(name)
        return bundle.version if bundle is not None else ""

    def _references(self, bundle: _Bundle) -> tuple[ImageReference, ...]:
        try:
            return tuple(dict.fromkeys(ImageReference.parse(image) for image in bundle.images))
        except InvalidInputError as error:
            raise BundleError(
                "take an operator along",
                on=f"bundle {bundle.name} of {self._on}",
                seen=f"one of its images cannot be used: {error.seen}",
                advice="Report it to whoever publishes the catalog, or choose another version.",
            ) from error

    def _missing(self, what: str, there: Iterable[str]) -> BundleError:
        names = ", ".join(sorted(there)[:40]) or "nothing of the kind"
        return BundleError(
            "take an operator along",
            on=self._on,
            seen=f"there is no {what}; there is: {names}",
            advice="Correct the name, or use a catalog that has it.",
        )


def _bundle(name: str, document: Mapping[str, t.Any]) -> _Bundle:
    version = ""
    for entry in document.get("properties") or ():
        if isinstance(entry, dict) and entry.get("type") == "olm.package" and isinstance(entry.get("value"), dict):
            version = str(entry["value"].get("version", ""))
    related = [one.get("image") for one in document.get("relatedImages") or () if isinstance(one, dict)]
    images = [str(image) for image in (document.get("image"), *related) if image]
    return _Bundle(name, version, tuple(dict.fromkeys(images)))


def _order(version: str) -> tuple[tuple[int, ...], bool, str]:
    """Return a key by which semantic versions sort: numbers first, and a release after its pre-releases."""
    numbers, _dash, rest = version.partition("+")[0].partition("-")
    return tuple(int(number) for number in _NUMBERS.findall(numbers)), not rest, rest
