# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which bundles of a channel lead to which: what replaces, skips or covers by its range what a site runs.

Sources: operator-framework/operator-lifecycle-manager ``pkg/controller/registry/resolver/cache/predicates.go``
(``replaces``, ``skips``, ``skipRange``); operator-registry ``alpha/model/model.go``, ``validateReplacesChain``.
"""

from __future__ import annotations

import typing as t
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.operators.version_ranges import (
    VersionRange,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.release_version import ReleaseVersion


@dataclass(frozen=True)
class ChannelEntry:
    """A bundle in a channel, and what it updates: one bundle, further ones, and versions in a range."""

    name: str
    replaces: str = ""
    skips: tuple[str, ...] = ()
    skip_range: str = ""

    @property
    def named(self) -> tuple[str, ...]:
        """Return the bundles that it names as what it takes the place of."""
        return (self.replaces, *self.skips) if self.replaces else self.skips


class ChannelUpdates:
    """The updates within one channel. ``versions`` are those of its bundles; without one, ranges say nothing."""

    def __init__(self, entries: Sequence[ChannelEntry], versions: Mapping[str, ReleaseVersion | None]) -> None:
        self._entries = {entry.name: entry for entry in entries}
        self._versions = versions
        self._ranges = {entry.name: VersionRange.parse(entry.skip_range) for entry in entries if entry.skip_range}
        self._named = {entry.name: frozenset(entry.named) for entry in entries}
        self._skipped = {name for entry in entries for name in entry.skips}

    @property
    def heads(self) -> list[str]:
        """Return the bundles that none takes the place of; a valid channel has one."""
        replaced = {name for entry in self._entries.values() for name in entry.named}
        return [name for name in self._entries if name not in replaced]

    def updates(self, name: str, version: ReleaseVersion | None, to: str) -> bool:
        """Whether the bundle ``to`` takes the place of the bundle ``name`` with ``version``."""
        covered = self._ranges.get(to)
        return name != to and (
            name in self._named[to] or (covered is not None and version is not None and covered.holds(version))
        )

    def paths(self, target: str) -> UpdatePaths:
        """Return the shortest paths to ``target``, over bundles that others skip only where there is no other path."""
        preferred = self._next_hops(target, avoided=self._skipped)
        return UpdatePaths(self, target, {**self._next_hops(target, avoided=()), **preferred})

    def filtered(self, kept: Collection[str], target: str) -> tuple[ChannelEntry, ...]:
        """Return the entries that are ``kept``, as they are, but for ``skips`` that make them a valid channel again.

        Where a bundle between two others is left out, a range may be all that leads from one to the other. A catalog is
        only valid if that is also written as ``skips``, which permits the same update.
        """
        entries = {name: entry for name, entry in self._entries.items() if name in kept}
        for name in sorted(set(entries) - _connected(entries, target)):
            to = next((to for to in self.newest_first(entries) if self.updates_kept(name, to)), None)
            if to is not None:
                entries[to] = replace(entries[to], skips=(*entries[to].skips, name))
        return tuple(replace(entry, skips=tuple(dict.fromkeys(entry.skips))) for entry in entries.values())

    def updates_kept(self, name: str, to: str) -> bool:
        """Whether the bundle ``to`` takes the place of the bundle ``name``, which is in the channel."""
        return self.updates(name, self._versions.get(name), to)

    def newest_first(self, names: Collection[str]) -> list[str]:
        """Return ``names`` by their versions, those without one last."""
        known = [name for name in names if self._versions.get(name) is not None]
        known.sort(key=lambda name: (t.cast("ReleaseVersion", self._versions[name]), name), reverse=True)
        return [*known, *sorted(set(names) - set(known))]

    def _next_hops(self, target: str, avoided: Collection[str]) -> dict[str, str]:
        hops: dict[str, str] = {}
        level, left = [target], set(self._entries) - {target}
        while level:
            reached = []
            for to in level:
                found = [name for name in left if self.updates_kept(name, to)]
                hops.update(dict.fromkeys(found, to))
                left.difference_update(found)
                reached += found
            level = self.newest_first([name for name in reached if name not in avoided])
        return hops


@dataclass(frozen=True)
class UpdatePaths:
    """How each bundle of a channel is updated to ``target``: ``hops`` names the next bundle."""

    channel: ChannelUpdates
    target: str
    hops: Mapping[str, str]

    def from_bundle(self, name: str) -> tuple[str, ...] | None:
        """Return the bundles behind ``name`` up to the target, None where no path leads there."""
        found: list[str] = []
        while name != self.target:
            if name not in self.hops:
                return None
            name = self.hops[name]
            found.append(name)
        return tuple(found)

    def from_installed(self, name: str, version: ReleaseVersion | None) -> tuple[str, ...] | None:
        """Return the shortest path from what a site runs, which need not be in the catalog any more."""
        if name == self.target:
            return ()
        first = [to for to in (self.target, *self.hops) if self.channel.updates(name, version, to)]
        paths = [(to, *(self.from_bundle(to) or ())) for to in self.channel.newest_first(first)]
        return min(paths, key=len, default=None)

    @property
    def sources(self) -> list[str]:
        """Return the bundles from which a path leads to the target, the newest first."""
        return self.channel.newest_first(list(self.hops))


def _connected(entries: Mapping[str, ChannelEntry], head: str) -> set[str]:
    """Return the entries that readers of catalogs accept: skipped ones, and those in the chain of the head."""
    skipped = {name for entry in entries.values() for name in entry.skips}
    chain: set[str] = set()
    name = head
    while name in entries and name not in chain:
        chain.add(name)
        name = entries[name].replaces if entries[name].replaces not in skipped else ""
    return chain | skipped
