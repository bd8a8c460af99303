# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.catalog import Catalog, PackageWish
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_errors import BundleError

Json = dict[str, t.Any]


def bundle(version: str, *images: str) -> Json:
    return {
        "schema": "olm.bundle",
        "package": "odf",
        "name": f"odf.v{version}",
        "image": f"quay.io/odf/bundle:v{version}",
        "properties": [{"type": "olm.gvk"}, {"type": "olm.package", "value": {"version": version}}],
        "relatedImages": [{"image": image} for image in images],
    }


def catalog(entries: list[Json], *bundles: Json, default: str = "stable") -> Catalog:
    documents: list[t.Any] = [
        {"schema": "olm.package", "name": "odf", "defaultChannel": default},
        {"schema": "olm.channel", "package": "odf", "name": "stable", "entries": entries},
        *bundles,
        {"schema": "olm.deprecations", "package": "odf"},
        "noise",
        None,
    ]
    return Catalog(documents, on="index")


def entry(version: str, **more: t.Any) -> Json:
    return {"name": f"odf.v{version}", **more}


@pytest.mark.parametrize(
    ("entries", "head"),
    [
        pytest.param([entry("1.0.0"), entry("1.1.0", replaces="odf.v1.0.0")], "1.1.0", id="chain"),
        pytest.param([entry("1.1.0", replaces="odf.v1.0.0"), entry("1.0.0")], "1.1.0", id="any order"),
        pytest.param([entry("1.0.0"), entry("1.1.0"), entry("1.2.0", skips=["odf.v1.1.0"])], "1.2.0", id="skips"),
        pytest.param([entry("1.9.0"), entry("1.10.0")], "1.10.0", id="numbers, not letters"),
        pytest.param([entry("2.0.0-rc.1"), entry("2.0.0")], "2.0.0", id="a release after its candidate"),
    ],
)
def test_the_head_of_a_channel_is_what_nothing_replaces(entries: list[Json], head: str) -> None:
    bundles = [bundle(one["name"].removeprefix("odf.v")) for one in entries]
    assert catalog(entries, *bundles).choose(PackageWish("odf")).version == head


def test_images_are_the_bundle_and_what_it_relates_to_each_once() -> None:
    chosen = catalog(
        [entry("1.0.0")], bundle("1.0.0", "quay.io/odf/bundle:v1.0.0", "quay.io/odf/operand:1", "")
    ).choose(PackageWish("odf", "stable", "1.0.0"))
    assert [str(image) for image in chosen.images] == ["quay.io/odf/bundle:v1.0.0", "quay.io/odf/operand:1"]
    assert (chosen.package, chosen.channel, chosen.bundle) == ("odf", "stable", "odf.v1.0.0")


@pytest.mark.parametrize(
    ("wish", "said"),
    [
        (PackageWish("ofd"), "no package ofd; there is: odf"),
        (PackageWish("odf", "fast"), "no channel fast of odf; there is: stable"),
        (PackageWish("odf", None, "9.9.9"), "no version 9.9.9 in the channel stable of odf; there is: 1.0.0"),
    ],
)
def test_what_is_not_there_is_told_with_what_is(wish: PackageWish, said: str) -> None:
    with pytest.raises(BundleError) as caught:
        catalog([entry("1.0.0")], bundle("1.0.0")).choose(wish)
    assert said in caught.value.seen


@pytest.mark.parametrize(
    "entries",
    [[], [entry("1.0.0", replaces="odf.v1.1.0"), entry("1.1.0", replaces="odf.v1.0.0")], ["odf.v1.0.0"]],
    ids=["empty", "a circle", "text"],
)
def test_a_channel_without_a_head_is_told(entries: list[t.Any]) -> None:
    with pytest.raises(BundleError, match="no head of the channel stable"):
        catalog(entries, bundle("1.0.0")).choose(PackageWish("odf"))


def test_an_unusable_image_names_the_bundle() -> None:
    with pytest.raises(BundleError, match=r"bundle odf\.v1\.0\.0 of index"):
        catalog([entry("1.0.0")], bundle("1.0.0", "../../etc")).choose(PackageWish("odf"))
