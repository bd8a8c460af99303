# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Platform channels of oc-mirror: the rows of its documentation, and what each of them becomes."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.image_set_releases import (
    requested_releases,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

Channel = dict[str, t.Any]


def channel(name: str, oldest: str = "", newest: str = "", **more: t.Any) -> Channel:
    named = {"minVersion": oldest, "maxVersion": newest}
    return {"name": name, **{key: value for key, value in named.items() if value}, **more}


def shortest(name: str, oldest: str, newest: str) -> Channel:
    return channel(name, oldest, newest, shortestPath=True)


class Row(t.NamedTuple):
    """What channels become; ``left`` are keys without effect, ``more`` what oc-mirror would include besides."""

    channels: list[Channel]
    version: str | None = None
    start: tuple[str, ...] = ()
    graph: str | None = None
    left: tuple[str, ...] = ()
    more: tuple[str, ...] = ()


START = "the release {} is not included, because sites run it"
PATH = "only the releases of the update path from {} to {} are included"
OPEN = "mirror.platform.channels[{}] has no minVersion, and only the release maxVersion is included"
TABLE = {
    "nothing": Row([]),
    "neither version: the head of the channel": Row(
        [channel("stable-4.20")], left=("mirror.platform.channels[0] without maxVersion",)
    ),
    "only minVersion: up to the head": Row(
        [channel("stable-4.20", "4.20.1")], left=("mirror.platform.channels[0] without maxVersion",)
    ),
    "only maxVersion: from the oldest": Row(
        [channel("stable-4.20", newest="4.20.3")], version="4.20.3", more=(OPEN.format(0),)
    ),
    "both are one release": Row([channel("stable-4.20", "4.20.3", "4.20.3")], version="4.20.3"),
    "both: all in between": Row(
        [channel("stable-4.20", "4.20.1", "4.20.10")],
        "4.20.10",
        ("4.20.1",),
        "stable-4.20",
        more=(PATH.format("4.20.1", "4.20.10"), START.format("4.20.1")),
    ),
    "shortestPath": Row(
        [shortest("fast-4.20", "4.19.9", "4.20.10")],
        "4.20.10",
        ("4.19.9",),
        "fast-4.20",
        more=(START.format("4.19.9"),),
    ),
    "shortestPath over an extended support": Row(
        [shortest("eus-4.20", "4.18.3", "4.20.10")],
        "4.20.10",
        ("4.18.3",),
        "eus-4.20",
        more=(START.format("4.18.3"),),
    ),
    "several channels: the path from the oldest to the newest": Row(
        [channel("stable-4.20", "4.20.1", "4.20.3"), channel("stable-4.19", "4.19.9", "4.19.9")],
        "4.20.3",
        ("4.19.9",),
        "stable-4.20",
        more=(PATH.format("4.19.9", "4.20.3"), START.format("4.19.9")),
    ),
    "several channels over three minor versions, which no stable channel has": Row(
        [channel("stable-4.18", "4.18.3", "4.18.3"), channel("stable-4.20", "4.20.1", "4.20.3")],
        "4.20.3",
        ("4.18.3",),
        left=("mirror.platform.channels[].name",),
        more=(PATH.format("4.18.3", "4.20.3"), START.format("4.18.3")),
    ),
    "several channels without minVersion": Row(
        [channel("stable-4.19", newest="4.19.9"), channel("stable-4.20", newest="4.20.3")],
        "4.20.3",
        ("4.19.9",),
        "stable-4.20",
        more=(OPEN.format(0), OPEN.format(1), PATH.format("4.19.9", "4.20.3"), START.format("4.19.9")),
    ),
    "another head is passed over": Row(
        [channel("stable-4.19"), channel("stable-4.20", "4.20.3", "4.20.3")],
        "4.20.3",
        left=("mirror.platform.channels[0] without maxVersion",),
    ),
    "OKD": Row(
        [channel("4-stable", "4.20.1", "4.20.3", type="okd"), channel("stable-4.20", "4.20.3", "4.20.3", type="ocp")],
        "4.20.3",
        left=("mirror.platform.channels[].type",),
    ),
}


@pytest.mark.parametrize("row", TABLE.values(), ids=TABLE)
def test_channels_are_a_release_or_a_path(row: Row) -> None:
    found = requested_releases(row.channels)
    seen = (found.version, found.update_from, found.channel, found.passed_over, found.differences)
    assert seen == (row.version, row.start, row.graph, row.left, row.more)


@pytest.mark.parametrize(
    ("channels", "said"),
    [
        ([channel("stable-4.20", "4.20.3", "4.20.1")], "minVersion 4.20.3 is above maxVersion 4.20.1"),
        ([channel("stable-4.20", newest="latest")], "'latest' is not a version"),
        ([channel("stable-4.20", "4.20", "4.20.1")], "'4.20' is not a version"),
    ],
    ids=["order", "newest", "oldest"],
)
def test_other_versions_are_refused(channels: list[Channel], said: str) -> None:
    with pytest.raises(InvalidInputError, match=said):
        requested_releases(channels)
