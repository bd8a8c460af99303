# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.operators.operator_updates import (
    ChannelEntry,
    ChannelUpdates,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.release_version import ReleaseVersion


def entry(version: str, replaces: str = "", skips: t.Iterable[str] = (), skip_range: str = "") -> ChannelEntry:
    return ChannelEntry(
        f"odf.v{version}", f"odf.v{replaces}" if replaces else "", tuple(f"odf.v{one}" for one in skips), skip_range
    )


def updates(*entries: ChannelEntry) -> ChannelUpdates:
    return ChannelUpdates(entries, {one.name: ReleaseVersion.parse(one.name.removeprefix("odf.v")) for one in entries})


CHAIN = (entry("1.0.0"), entry("1.1.0", "1.0.0"), entry("1.2.0", "1.1.0"), entry("1.3.0", "1.2.0"))
SKIPS = (entry("1.0.0"), entry("1.1.0", "1.0.0"), entry("1.2.0", "1.0.0", ["1.1.0"]), entry("1.3.0", "1.2.0"))
RANGE = (
    entry("1.0.0"),
    entry("1.1.0", "1.0.0", skip_range=">=1.0.0 <1.1.0"),
    entry("1.2.0", "1.1.0", skip_range=">=1.0.0 <1.2.0"),
    entry("1.3.0", "1.2.0", skip_range=">=1.1.0 <1.3.0"),
)


@pytest.mark.parametrize(
    ("channel", "installed", "path"),
    [
        pytest.param(CHAIN, "1.0.0", ["1.1.0", "1.2.0", "1.3.0"], id="replaces, one by one"),
        pytest.param(CHAIN, "1.3.0", [], id="already there"),
        pytest.param(CHAIN, "0.9.0", None, id="before the beginning"),
        pytest.param(SKIPS, "1.0.0", ["1.2.0", "1.3.0"], id="skips what it can"),
        pytest.param(SKIPS, "1.1.0", ["1.2.0", "1.3.0"], id="from a skipped one"),
        pytest.param(RANGE, "1.0.0", ["1.2.0", "1.3.0"], id="range, over the newest in between"),
        pytest.param(RANGE, "1.0.5", ["1.2.0", "1.3.0"], id="range, from a version that the catalog no longer has"),
        pytest.param(RANGE, "1.1.0", ["1.3.0"], id="range, at once"),
        pytest.param([entry("2.0.0", "1.9.0")], "1.9.0", ["2.0.0"], id="replaces what the catalog no longer has"),
        pytest.param(
            [entry("1.1.0", "1.0.0"), entry("1.2.0", "1.1.0"), entry("1.3.0", "1.1.0", ["1.2.0"])],
            "1.0.0",
            ["1.1.0", "1.3.0"],
            id="not over a skipped one",
        ),
        pytest.param(
            [entry("1.1.0", "1.0.0"), entry("1.3.0", "1.2.0", ["1.1.0"])],
            "1.0.0",
            ["1.1.0", "1.3.0"],
            id="over a skipped one where nothing else leads there",
        ),
        pytest.param([entry("1.0.0"), entry("1.1.0", skip_range="nonsense")], "1.0.0", None, id="a range that is none"),
    ],
)
def test_the_shortest_way_is_found(channel: list[ChannelEntry], installed: str, path: list[str] | None) -> None:
    found = updates(*channel)
    version = ReleaseVersion.parse(installed)
    assert version is not None
    names = found.paths(found.newest_first(found.heads)[0]).from_installed(f"odf.v{installed}", version)
    assert (None if names is None else [name.removeprefix("odf.v") for name in names]) == path


def test_a_circle_ends() -> None:
    found = updates(entry("1.0.0", "1.2.0"), entry("1.1.0", "1.0.0"), entry("1.2.0", "1.1.0"))
    assert found.heads == []
    assert found.paths("odf.v1.1.0").sources == ["odf.v1.2.0", "odf.v1.0.0"]


@pytest.mark.parametrize(
    ("channel", "kept", "skips"),
    [
        pytest.param(CHAIN, ["1.2.0", "1.3.0"], {}, id="the end of a chain needs nothing"),
        pytest.param(RANGE, ["1.1.0", "1.3.0"], {"1.3.0": ["1.1.0"]}, id="joined by a range alone"),
        pytest.param(SKIPS, ["1.1.0", "1.2.0", "1.3.0"], {"1.2.0": ["1.1.0"]}, id="skips stay"),
        pytest.param(
            [entry("1.0.0"), entry("1.1.0", "1.0.0"), entry("1.3.0", "1.2.0", ["1.1.0"])],
            ["1.0.0", "1.1.0", "1.3.0"],
            {"1.3.0": ["1.1.0"], "1.1.0": ["1.0.0"]},
            id="what only a skipped one replaces",
        ),
    ],
)
def test_what_is_kept_is_a_valid_channel(
    channel: list[ChannelEntry], kept: list[str], skips: dict[str, list[str]]
) -> None:
    entries = updates(*channel).filtered({f"odf.v{one}" for one in kept}, "odf.v1.3.0")
    found = {one.name.removeprefix("odf.v"): [skip.removeprefix("odf.v") for skip in one.skips] for one in entries}
    assert {version: names for version, names in found.items() if names} == skips
    again = updates(*entries)
    assert again.heads == ["odf.v1.3.0"]
    assert {one.name: one.replaces for one in entries} == {
        one.name: one.replaces for one in channel if one.name.removeprefix("odf.v") in kept
    }
