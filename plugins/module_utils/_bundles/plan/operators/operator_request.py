# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What is requested of operators, as options and job arguments give it."""

from __future__ import annotations

import hashlib
import json
import typing as t
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.installed_operator import (
    InstalledOperator,
    names_a_bundle,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.operators.operator_choice import (
    ChannelRequest,
    PackageRequest,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.release_version import ReleaseVersion

_RENDERING = 1
"""Changes where the same request would give another catalog, so that one of before is not taken for it."""


@dataclass(frozen=True)
class CatalogRequest:
    """A catalog, and the packages of it that travel; ``complete`` means with the catalog image as it was published."""

    catalog: str
    packages: tuple[PackageRequest, ...]
    complete: bool = False

    @classmethod
    def from_document(cls, document: Mapping[str, t.Any]) -> CatalogRequest:
        """Return the request in a job's arguments."""
        packages = tuple(
            PackageRequest(
                one["name"], tuple(ChannelRequest(**channel) for channel in one["channels"]), one["default_channel"]
            )
            for one in document["packages"]
        )
        return cls(document["catalog"], packages, document["complete"])

    def as_document(self) -> dict[str, t.Any]:
        """Return the request as plain data."""
        return asdict(self)

    @property
    def reference(self) -> ImageReference:
        """Return the catalog image."""
        return ImageReference.parse(self.catalog)

    def digest(self, installed: Iterable[InstalledOperator]) -> str:
        """Return what differs between this request and any that gives another catalog."""
        names = {package.name for package in self.packages}
        updated = [(one.package, one.version, one.bundle) for one in installed if one.package in names]
        document = {**self.as_document(), "installed": updated, "rendering": _RENDERING}
        return "sha256:" + hashlib.sha256(json.dumps(document, sort_keys=True).encode()).hexdigest()


def catalog_requests(options: Iterable[Mapping[str, t.Any]]) -> tuple[CatalogRequest, ...]:
    """Return what the option ``operators`` requests, entries of the same catalog together.

    Raises InvalidInputError for what is no version, or says the same twice.
    """
    found: dict[str, CatalogRequest] = {}
    for option in options:
        packages = tuple(_package(one) for one in option["packages"])
        request = CatalogRequest(option["catalog"], packages, option["complete"])
        key = str(request.reference)
        known = found.get(key)
        if known is not None:
            request = CatalogRequest(key, known.packages + request.packages, known.complete or request.complete)
        _require_once([package.name for package in request.packages], key)
        found[key] = request
    return tuple(found.values())


def installed_operators(listed: Iterable[t.Any], *, on: str) -> tuple[InstalledOperator, ...]:
    """Return what a site runs; raise InvalidInputError for an entry without a package and a version.

    The version may also be the name of a ClusterServiceVersion, as Subscriptions have it.
    """
    return tuple(sorted({_installed(one if isinstance(one, dict) else {}, on) for one in listed}))


def _installed(document: Mapping[str, t.Any], on: str) -> InstalledOperator:
    package, version, bundle = (document.get(key) or "" for key in ("package", "version", "bundle"))
    if not package or not isinstance(package, str):
        raise _invalid(on, f"{str(document)[:100]} has no package")
    if not bundle and isinstance(version, str) and names_a_bundle(version):
        version, bundle = "", version
    channel = str(document.get("channel") or "")
    if not version and bundle and isinstance(bundle, str):
        return InstalledOperator.named(package, bundle, channel=channel)
    _require_version(version, f"{on}: {package}")
    return InstalledOperator(package, version, str(bundle), channel=channel)


def _package(option: Mapping[str, t.Any]) -> PackageRequest:
    name = option["name"]
    several = option["channels"] or []
    if several and (option["channel"] or option["version"]):
        raise _invalid(f"operators: {name}", "it has channels, and channel or version")
    shared = {key: option[key] for key in ("min_version", "max_version")}
    plain = {"name": option["channel"], "version": option["version"]}
    channels = [
        ChannelRequest(**{**shared, **{key: value for key, value in one.items() if value}}) for one in several
    ] or [ChannelRequest(**plain, **shared)]
    for channel in channels:
        _check(channel, f"operators: {name}")
    _require_once([str(channel.name) for channel in channels], f"operators: {name}")
    return PackageRequest(name, tuple(channels), option["default_channel"])


def _check(channel: ChannelRequest, on: str) -> None:
    for version in (channel.version, channel.min_version, channel.max_version):
        if version:
            _require_version(version, on)
    if channel.version and channel.max_version:
        raise _invalid(on, "it has version and max_version")
    oldest, newest = (ReleaseVersion.parse(text or "") for text in (channel.min_version, channel.max_version))
    if oldest and newest and newest < oldest:
        raise _invalid(on, f"min_version {channel.min_version} is above max_version {channel.max_version}")


def _require_version(version: object, on: str) -> None:
    if not isinstance(version, str) or ReleaseVersion.parse(version) is None:
        raise _invalid(on, f"{str(version)[:60]!r} is not a version such as 4.18.2")


def _require_once(names: Sequence[str], on: str) -> None:
    twice = next((name for at, name in enumerate(names) if name in names[:at]), None)
    if twice is not None:
        raise _invalid(on, f"{twice[:100]} is requested twice")


def _invalid(on: str, seen: str) -> InvalidInputError:
    return InvalidInputError(
        "read the request for operators", on=on, seen=seen, advice="See the option operators of release_bundle."
    )
