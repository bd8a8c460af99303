# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The platform channels of an ImageSetConfiguration: one release, or the update path from one to another.

Source: openshift/oc-mirror ``docs/features/filtering.md``, "Version ranges"; ``internal/pkg/release/cincinnati.go``.
"""

from __future__ import annotations

import typing as t
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.release_version import ReleaseVersion

Channel = Mapping[str, t.Any]

KEY = "mirror.platform.channels"
_MOST_MINORS = 1
"""A channel has the releases of its minor version and of the one before; that of an extended support has two more."""


@dataclass(frozen=True)
class RequestedReleases:
    """The release ``version``; with ``update_from`` also those that lead there, by the update graph of ``channel``.

    ``passed_over`` names keys without effect, ``differences`` says what else oc-mirror would include.
    """

    version: str | None = None
    update_from: tuple[str, ...] = ()
    channel: str | None = None
    passed_over: tuple[str, ...] = ()
    differences: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Range:
    key: str
    channel: str
    oldest: str
    newest: str
    is_shortest: bool

    @property
    def spans(self) -> tuple[ReleaseVersion, ReleaseVersion]:
        return _version(self.oldest or self.newest, self.key), _version(self.newest, self.key)


def requested_releases(channels: Sequence[Channel]) -> RequestedReleases:
    """Return what ``channels`` ask for; raise InvalidInputError for versions that are none, or in the wrong order.

    Several channels together mean the path from the oldest version to the newest one, as with oc-mirror.
    """
    ranges, left = [], []
    for at, one in enumerate(channels):
        name, oldest, newest = (str(one.get(key) or "") for key in ("name", "minVersion", "maxVersion"))
        found = _Range(f"{KEY}[{at}]", name, oldest, newest, bool(one.get("shortestPath")))
        if one.get("type", "ocp") != "ocp":
            left.append(f"{KEY}[].type")
        elif not found.newest:
            left.append(f"{found.key} without maxVersion")
        else:
            ranges.append(found)
    return _together(ranges, tuple(dict.fromkeys(left)))


def _together(ranges: Sequence[_Range], left: tuple[str, ...]) -> RequestedReleases:
    if not ranges:
        return RequestedReleases(passed_over=left)
    first, last = min(ranges, key=lambda one: one.spans[0]), max(ranges, key=lambda one: one.spans[1])
    oldest, newest = first.spans[0], last.spans[1]
    start = first.oldest or first.newest
    if oldest > newest:
        raise _refusal(first.key, f"minVersion {start} is above maxVersion {last.newest}")
    open_ended = tuple(
        f"{one.key} has no minVersion, and only the release maxVersion is included" for one in ranges if not one.oldest
    )
    if oldest == newest:
        return RequestedReleases(last.newest, passed_over=left, differences=open_ended)
    fits = newest.minor - oldest.minor <= _MOST_MINORS or last.channel.startswith("eus-")
    path = f"only the releases of the update path from {start} to {last.newest} are included"
    is_more = len(ranges) > 1 or not last.is_shortest
    return RequestedReleases(
        last.newest,
        (start,),
        last.channel if fits and last.channel else None,
        left if fits else (*left, f"{KEY}[].name"),
        (*open_ended, *([path] if is_more else []), f"the release {start} is not included, because sites run it"),
    )


def _version(text: str, key: str) -> ReleaseVersion:
    version = ReleaseVersion.parse(text)
    if version is None:
        raise _refusal(key, f"{text[:60]!r} is not a version such as 4.20.3")
    return version


def _refusal(key: str, seen: str) -> InvalidInputError:
    return InvalidInputError(
        "read the image set configuration", on=key, seen=seen, advice="Use the format of the oc-mirror documentation."
    )
