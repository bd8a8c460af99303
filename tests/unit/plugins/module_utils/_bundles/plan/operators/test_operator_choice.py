# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.installed_operator import (
    InstalledOperator,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.operators.catalog import Catalog
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.operators.operator_choice import (
    ChannelRequest,
    ChosenPackage,
    PackageRequest,
    choose_package,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_errors import BundleError
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._bundles.plan.catalog_samples import (
    Json,
    bundle,
    channel,
    entry,
    package,
    read,
)


def stable(*entries: Json) -> Catalog:
    """Return a catalog with one channel and a bundle for each entry."""
    bundles = [bundle(one["name"].removeprefix("odf.v")) for one in entries]
    return read([package(), channel(*entries), *bundles])


def chosen(
    catalog: Catalog, *channels: ChannelRequest, installed: t.Iterable[str] = (), default: str | None = None
) -> ChosenPackage:
    running = [InstalledOperator("odf", version) for version in installed]
    return choose_package(catalog, PackageRequest("odf", channels or (ChannelRequest(),), default), running)


def versions(found: ChosenPackage) -> list[str]:
    return [one.version for one in found.bundles]


CHAIN = [entry("1.0.0"), entry("1.1.0", "1.0.0"), entry("1.2.0", "1.1.0"), entry("1.10.0", "1.2.0")]


@pytest.mark.parametrize(
    ("entries", "head"),
    [
        pytest.param([entry("1.0.0"), entry("1.1.0", "1.0.0")], "1.1.0", id="chain"),
        pytest.param([entry("1.1.0", "1.0.0"), entry("1.0.0")], "1.1.0", id="any order"),
        pytest.param([entry("1.0.0"), entry("1.1.0"), entry("1.2.0", skips=["odf.v1.1.0"])], "1.2.0", id="skips"),
        pytest.param([entry("1.9.0"), entry("1.10.0")], "1.10.0", id="numbers, not letters"),
        pytest.param([entry("2.0.0-rc.1"), entry("2.0.0")], "2.0.0", id="a release after its candidate"),
    ],
)
def test_the_head_of_a_channel_is_what_nothing_replaces(entries: list[Json], head: str) -> None:
    assert versions(chosen(stable(*entries))) == [head]


@pytest.mark.parametrize(
    ("wanted", "installed", "expected"),
    [
        pytest.param(ChannelRequest(), [], ["1.10.0"], id="the head"),
        pytest.param(ChannelRequest(version="1.1.0"), [], ["1.1.0"], id="a version"),
        pytest.param(ChannelRequest(max_version="1.9.0"), [], ["1.2.0"], id="the newest up to one"),
        pytest.param(ChannelRequest(min_version="1.1.0"), [], ["1.1.0", "1.2.0", "1.10.0"], id="from a version on"),
        pytest.param(ChannelRequest(min_version="1.0.5", max_version="1.2.0"), [], ["1.1.0", "1.2.0"], id="a range"),
        pytest.param(ChannelRequest(), ["1.1.0"], ["1.2.0", "1.10.0"], id="from what is installed"),
        pytest.param(ChannelRequest(version="1.2.0"), ["1.0.0"], ["1.1.0", "1.2.0"], id="up to a version"),
        pytest.param(ChannelRequest(), ["1.2.0", "1.1.0"], ["1.2.0", "1.10.0"], id="from two that are installed"),
        pytest.param(ChannelRequest(version="1.1.0"), ["1.2.0"], ["1.1.0"], id="newer than the target"),
        pytest.param(ChannelRequest(), ["1.10.0"], ["1.10.0"], id="at the target"),
    ],
)
def test_target_range_and_installed_versions_say_what_travels(
    wanted: ChannelRequest, installed: list[str], expected: list[str]
) -> None:
    assert versions(chosen(stable(*CHAIN), wanted, installed=installed)) == expected


def test_each_installed_version_is_told_with_its_way() -> None:
    found = chosen(stable(*CHAIN), installed=["1.0.0", "1.2.0"])
    assert found.as_data() == [
        {
            "package": "odf",
            "channel": "stable",
            "version": "1.10.0",
            "versions": ["1.1.0", "1.2.0", "1.10.0"],
            "updates": [
                {"installed": "1.0.0", "versions": ["1.1.0", "1.2.0", "1.10.0"]},
                {"installed": "1.2.0", "versions": ["1.10.0"]},
            ],
        }
    ]


def test_an_installed_bundle_may_have_another_name_than_usual() -> None:
    catalog = read([package(), channel({"name": "odf.v2.0.0", "replaces": "storage.1"}), bundle("2.0.0")])
    running = [InstalledOperator("odf", "1.0.0", "storage.1")]
    found = choose_package(catalog, PackageRequest("odf"), running)
    assert found.channels["stable"].paths == {"1.0.0": ("2.0.0",)}


def test_what_is_known_by_name_alone_is_found_in_the_catalog() -> None:
    running = [InstalledOperator("odf", "", "odf.v1.1.0")]
    found = choose_package(stable(*CHAIN), PackageRequest("odf"), running)
    assert found.channels["stable"].paths == {"odf.v1.1.0": ("1.2.0", "1.10.0")}


def test_where_nothing_leads_to_the_target_it_is_told_what_would() -> None:
    with pytest.raises(BundleError) as caught:
        chosen(stable(*CHAIN[1:]), installed=["0.9.0"])
    assert caught.value.on == "odf in index"
    assert "installed version 0.9.0 to the target: in stable, updates to 1.10.0 start at 1.2.0, 1.1.0" in (
        caught.value.seen
    )


def test_a_way_in_one_of_several_channels_is_enough() -> None:
    documents = [package(), channel(entry("1.1.0", "1.0.0")), channel(entry("2.0.0"), name="next")]
    catalog = read([*documents, bundle("1.1.0"), bundle("2.0.0")])
    found = chosen(catalog, ChannelRequest("stable"), ChannelRequest("next"), installed=["1.0.0"])
    assert versions(found) == ["1.1.0", "2.0.0"]
    assert [row["updates"] for row in found.as_data()] == [[], [{"installed": "1.0.0", "versions": ["1.1.0"]}]]


@pytest.mark.parametrize(
    ("wanted", "asked", "default"),
    [
        pytest.param(["stable", "next"], None, "stable", id="that of the catalog"),
        pytest.param(["next", "old"], None, "next", id="the channel with the newest version"),
        pytest.param(["next", "old"], "old", "old", id="the requested one"),
    ],
)
def test_the_default_channel_is_one_that_travels(wanted: list[str], asked: str | None, default: str) -> None:
    channels = {"stable": "1.1.0", "next": "2.0.0", "old": "0.9.0"}
    catalog = read(
        [
            package(),
            *(channel(entry(version), name=name) for name, version in channels.items()),
            *(bundle(version) for version in channels.values()),
        ]
    )
    assert chosen(catalog, *map(ChannelRequest, wanted), default=asked).default_channel == default


@pytest.mark.parametrize(
    ("request_", "said"),
    [
        (PackageRequest("ofd"), "no package ofd; available: odf"),
        (PackageRequest("odf", (ChannelRequest("fast"),)), "no channel fast of odf; available: stable"),
        (
            PackageRequest("odf", (ChannelRequest(version="9.9.9"),)),
            "no version 9.9.9 in the channel stable of odf; available: 1.0.0",
        ),
        (
            PackageRequest("odf", (ChannelRequest(max_version="0.1.0"),)),
            "no version up to 0.1.0 in the channel stable of odf; available: 1.0.0",
        ),
        (PackageRequest("odf", default_channel="fast"), "no included channel fast of odf; available: stable"),
    ],
)
def test_what_is_not_there_is_told_with_what_is(request_: PackageRequest, said: str) -> None:
    with pytest.raises(BundleError) as caught:
        choose_package(stable(entry("1.0.0")), request_, [])
    assert said in caught.value.seen


@pytest.mark.parametrize(
    "entries",
    [[], [entry("1.0.0", "1.1.0"), entry("1.1.0", "1.0.0")], ["odf.v1.0.0"]],
    ids=["empty", "a circle", "text"],
)
def test_a_channel_without_a_head_is_told(entries: list[t.Any]) -> None:
    with pytest.raises(BundleError, match="no head of the channel stable"):
        chosen(read([package(), channel(*entries), bundle("1.0.0")]))


@pytest.mark.parametrize(
    "catalog",
    [
        pytest.param(lambda: read([package(f"p{n}" + "x" * 900) for n in range(1000)]), id="packages"),
        pytest.param(lambda: read([package(default="c" * 1000)]), id="default channel"),
        pytest.param(lambda: read([package(), channel(entry("1" * 900))]), id="bundle"),
    ],
)
def test_no_catalog_makes_a_message_long(catalog: t.Callable[[], Catalog]) -> None:
    with pytest.raises(BundleError) as caught:
        chosen(catalog())
    assert len(str(caught.value)) < 10_000
