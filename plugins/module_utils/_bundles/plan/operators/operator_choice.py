# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""From the operators that are wanted, and those that a site runs, to the bundles of a catalog that travel."""

from __future__ import annotations

import typing as t
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.installed_operator import (
    InstalledOperator,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.operators.catalog import (
    Catalog,
    CatalogRecord,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.operators.operator_updates import (
    ChannelEntry,
    ChannelUpdates,
    UpdatePaths,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_errors import BundleError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.release_version import ReleaseVersion

_MOST_LISTED = 20


@dataclass(frozen=True)
class ChannelRequest:
    """A channel, by default the default one, and its versions.

    The target is ``version``, else the newest one up to ``max_version``, else the head. With ``min_version`` all
    versions between it and the target travel.
    """

    name: str | None = None
    version: str | None = None
    min_version: str | None = None
    max_version: str | None = None


@dataclass(frozen=True)
class PackageRequest:
    """An operator to take along, from some of its channels; ``default_channel`` replaces that of the catalog."""

    name: str
    channels: tuple[ChannelRequest, ...] = (ChannelRequest(),)
    default_channel: str | None = None


@dataclass(frozen=True)
class ChosenChannel:
    """What of a channel travels; ``paths`` are the versions over which each installed one is updated."""

    target: CatalogRecord
    entries: tuple[ChannelEntry, ...]
    paths: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class ChosenPackage:
    """What of a package travels: channels by name, and their bundles, the oldest first."""

    name: str
    default_channel: str
    channels: Mapping[str, ChosenChannel]
    bundles: tuple[CatalogRecord, ...]

    def as_data(self) -> list[dict[str, t.Any]]:
        """Return it as results show it, a row for each channel."""
        return [self._row(name, self.channels[name]) for name in sorted(self.channels)]

    def _row(self, name: str, channel: ChosenChannel) -> dict[str, t.Any]:
        names = {entry.name for entry in channel.entries}
        return {
            "package": self.name,
            "channel": name,
            "version": channel.target.version,
            "versions": [bundle.version for bundle in self.bundles if bundle.name in names],
            "updates": [{"installed": one, "versions": list(path)} for one, path in sorted(channel.paths.items())],
        }


def choose_package(catalog: Catalog, request: PackageRequest, installed: Iterable[InstalledOperator]) -> ChosenPackage:
    """Return what ``request`` means, with everything over which a site with ``installed`` gets there.

    Raises BundleError: for what is not in the catalog, or where nothing leads from what is installed to the target.
    """
    choice = _PackageChoice(catalog, request, [one for one in installed if one.package == request.name])
    channels = {}
    for wanted in request.channels:
        name = wanted.name or catalog.defaults.get(request.name, "")
        channels[name] = choice.channel(name, wanted)
    choice.require_paths(channels)
    names = {entry.name for channel in channels.values() for entry in channel.entries}
    bundles = sorted((choice.bundle(name) for name in names), key=_age)
    return ChosenPackage(request.name, choice.default(channels), channels, tuple(bundles))


class _PackageChoice:
    def __init__(self, catalog: Catalog, request: PackageRequest, installed: Sequence[InstalledOperator]) -> None:
        self._catalog = catalog
        self._request = request
        self._installed = installed
        self._channels = catalog.channels(request.name)
        self._bundles = catalog.bundles(request.name)

    def channel(self, name: str, wanted: ChannelRequest) -> ChosenChannel:
        if name not in self._channels:
            raise self._catalog.missing(f"channel {name[:100]} of {self._request.name}", self._channels)
        entries = self._channels[name]
        versions = {
            entry.name: self._bundles[entry.name].semantic_version if entry.name in self._bundles else None
            for entry in entries
        }
        updates = ChannelUpdates(entries, versions)
        target = self.bundle(self._target(name, wanted, updates, versions))
        paths = updates.paths(target.name)
        kept = {target.name, *self._between(wanted, paths, versions)}
        found = {one.label: self._path(one, paths) for one in self._installed}
        kept.update(bundle for path in found.values() for bundle in path or ())
        shown = {
            version: tuple(self.bundle(bundle).version for bundle in path)
            for version, path in found.items()
            if path is not None
        }
        return ChosenChannel(target, updates.filtered(kept, target.name), shown)

    def bundle(self, name: str) -> CatalogRecord:
        if name not in self._bundles:
            raise self._catalog.missing(f"bundle {name[:100]} of {self._request.name}", self._bundles)
        return self._bundles[name]

    def default(self, channels: Mapping[str, ChosenChannel]) -> str:
        """Return the channel that is the default of what travels, which need not be that of the whole catalog."""
        wanted = self._request.default_channel
        if wanted is not None and wanted not in channels:
            raise self._catalog.missing(f"included channel {wanted[:100]} of {self._request.name}", channels)
        default = wanted or self._catalog.defaults[self._request.name]
        return default if default in channels else max(channels, key=lambda name: (_age(channels[name].target), name))

    def require_paths(self, channels: Mapping[str, ChosenChannel]) -> None:
        """Raise BundleError for an installed version from which no channel leads to its target."""
        for one in self._installed:
            if not any(one.label in channel.paths for channel in channels.values()):
                raise self._no_path(one, channels)

    def _target(
        self,
        name: str,
        wanted: ChannelRequest,
        updates: ChannelUpdates,
        versions: Mapping[str, ReleaseVersion | None],
    ) -> str:
        if wanted.version is None and wanted.max_version is None:
            if not updates.heads:
                raise self._catalog.missing(f"head of the channel {name[:100]} of {self._request.name}", ())
            return updates.newest_first(updates.heads)[0]
        exact, most = (ReleaseVersion.parse(text or "") for text in (wanted.version, wanted.max_version))
        fitting = [
            bundle
            for bundle, version in versions.items()
            if version is not None and (version == exact if exact else most is not None and version <= most)
        ]
        if not fitting:
            asked = f"version {wanted.version}" if wanted.version else f"version up to {wanted.max_version}"
            there = [self._bundles[bundle].version for bundle in versions if bundle in self._bundles]
            raise self._catalog.missing(f"{asked} in the channel {name[:100]} of {self._request.name}", there)
        return updates.newest_first(fitting)[0]

    def _between(
        self, wanted: ChannelRequest, paths: UpdatePaths, versions: Mapping[str, ReleaseVersion | None]
    ) -> set[str]:
        """Return the bundles from the oldest requested version on that can be updated to the target."""
        oldest = ReleaseVersion.parse(wanted.min_version or "")
        if oldest is None:
            return set()
        newest = versions[paths.target]
        found: set[str] = set()
        for name in paths.sources:
            version = versions[name]
            if version is not None and newest is not None and oldest <= version < newest:
                found |= {name, *(paths.from_bundle(name) or ())}
        return found

    def _path(self, installed: InstalledOperator, paths: UpdatePaths) -> tuple[str, ...] | None:
        name = installed.bundle or self._name_of(installed)
        known = self._bundles.get(name)
        version = installed.semantic_version or (known.semantic_version if known is not None else None)
        target = self._bundles[paths.target].semantic_version
        if target is not None and version is not None and version >= target:
            return ()
        return paths.from_installed(name, version)

    def _name_of(self, installed: InstalledOperator) -> str:
        """Return the bundle with the installed version, by the usual name where the catalog no longer has it."""
        version = installed.semantic_version
        named = (bundle.name for bundle in self._bundles.values() if bundle.semantic_version == version)
        return next(named, f"{installed.package}.v{installed.version}")

    def _no_path(self, installed: InstalledOperator, channels: Mapping[str, ChosenChannel]) -> BundleError:
        told = []
        for name, channel in channels.items():
            paths = ChannelUpdates(
                self._channels[name], {bundle.name: bundle.semantic_version for bundle in self._bundles.values()}
            ).paths(channel.target.name)
            sources = [self._bundles[one].version for one in paths.sources if one in self._bundles][:_MOST_LISTED]
            told.append(f"in {name[:100]}, updates to {channel.target.version} start at {', '.join(sources) or 'none'}")
        return BundleError(
            "include the updates of an operator",
            on=f"{installed.package} in {self._catalog.on}",
            seen=f"nothing leads from the installed version {installed.label} to the target: {'; '.join(told)}",
            advice="Include a channel, a catalog or a version in between that updates the installed version, or remove "
            "it from the installed operators.",
        )


def _age(bundle: CatalogRecord) -> tuple[bool, ReleaseVersion, str]:
    version = bundle.semantic_version
    return version is not None, version or ReleaseVersion(0, 0, 0), bundle.name
