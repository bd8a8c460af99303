# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What each part of a bundle costs, what fits, and what to leave out."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.content_report import (
    content_report,
    content_rows,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.medium_fit import remedies
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.plan_lines import plan_lines
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import (
    BundledSignature,
    BundleIndex,
    blobs_by_digest,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.sizes import GIB, MIB
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._terms.bundle_samples import (
    blob,
    digest,
    image,
    index_with_store,
    sample_index,
)

NOTHING: dict[t.Any, int] = {}


def index_of(*images: t.Any, layers: t.Mapping[str, int], signed: bool = False) -> BundleIndex:
    """Return an index of images whose manifests and configs have one byte."""
    small = [blob(f"{one.component}/{part}", 1, "a/b") for one in images for part in ("manifest", "config")]
    signature = [blob("signature", 3, "a/b")] if signed else []
    return sample_index(
        images=tuple(images),
        blobs=blobs_by_digest(*small, *(blob(name, size) for name, size in layers.items()), *signature),
        signatures=(BundledSignature("cosign", digest("x"), (digest("signature"),)),) if signed else (),
    )


def component(name: str, *layers: str, reason: str = "component") -> t.Any:
    return image(name, reason, *layers, component=name)


@pytest.mark.parametrize(
    ("images", "rows"),
    [
        pytest.param(
            [component("etcd", "base", "one"), component("oauth", "base")],
            [("component", "", 2, 114, 114)],
            id="what two components share is their part's own",
        ),
        pytest.param(
            [component("etcd", "base", "one"), component("aws-driver", "base", "two")],
            [("component", "", 1, 112, 12), ("component", "aws", 1, 122, 22)],
            id="a platform's components stand alone",
        ),
        pytest.param(
            [component("etcd", "one"), component("storage", "one", reason="operator")],
            [("component", "", 1, 12, 2), ("operator", "storage", 1, 12, 2)],
            id="nothing but manifests is its own",
        ),
        pytest.param(
            [component("x", "one", reason="operator"), component("rhel-coreos", "two", reason="os_image")],
            [("os_image", "", 1, 22, 22), ("operator", "x", 1, 12, 12)],
            id="the order is that of a release",
        ),
    ],
)
def test_a_row_for_each_reason_and_platform(images: list[t.Any], rows: list[t.Any]) -> None:
    index = index_of(*images, layers={"base": 100, "one": 10, "two": 20})
    found = content_rows(index, NOTHING)
    assert [(row.reason, row.name, row.count, row.size, row.own) for row in found] == rows


def test_signatures_and_stores_are_parts() -> None:
    index = index_of(component("etcd", "one"), layers={"one": 10}, signed=True)
    assert [(row.reason, row.size) for row in content_rows(index, NOTHING)] == [("component", 12), ("signature", 3)]
    assert [row.name for row in content_rows(index_with_store(), NOTHING)][-1] == "squashfs"


def test_what_a_base_has_costs_nothing() -> None:
    index = index_of(component("etcd", "one", "in the base"), layers={"one": 10})
    assert [(row.size, row.own) for row in content_rows(index, NOTHING)] == [(12, 12)]


def test_sums_count_each_blob_once_and_say_what_sharing_saves() -> None:
    index = index_of(component("etcd", "base", "one"), component("aws-driver", "base"), layers={"base": 100, "one": 10})
    report = content_report(index, {digest("base"): 60})
    assert (report["size"], report["shared"], report["missing"]) == (114, 100, 60)
    assert [row["missing"] for row in report["rows"]] == [60, 60]
    assert report["node"] == {"staged": 114, "unpacked": 275, "estimated": True}


def test_known_unpacked_sizes_are_no_estimate() -> None:
    index = sample_index()
    node = content_report(sample_index(images=index.images[:1]), NOTHING)["node"]
    assert (node["unpacked"], node["estimated"]) == (10240 + 4096, False)


def row(reason: str, name: str, own: int) -> dict[str, t.Any]:
    return {"reason": reason, "name": name, "count": 1, "size": own + 1, "own": own, "missing": own}


AWS, GCP, OPERATOR = row("component", "aws", 30), row("component", "gcp", 20), row("operator", "storage", 70)
ALL = "all components of single platforms"


@pytest.mark.parametrize(
    ("rows", "lacking", "found"),
    [
        pytest.param([AWS, GCP, OPERATOR], 0, [], id="it fits"),
        pytest.param(
            [AWS, GCP, OPERATOR],
            45,
            [(ALL, 50, True), ("operator storage", 70, True), ("components of aws", 30, False)],
            id="the least that is enough comes first, then the most of the rest",
        ),
        pytest.param([AWS], 45, [("components of aws", 30, False)], id="one platform is not a sum"),
        pytest.param([row("component", "", 500), row("release", "", 9)], 5, [], id="nothing can be left out"),
        pytest.param([row("extra", "", 9)], 5, [("extra", 9, True)], id="extra images"),
    ],
)
def test_what_makes_it_fit(rows: list[t.Any], lacking: int, found: list[t.Any]) -> None:
    seen = [(one["leave_out"], one["saves"], one["enough"]) for one in remedies(rows, lacking)]
    assert seen[: len(found)] == found
    assert found or not seen


TWO = [{"path": "/media/a", "free": 5 * GIB}, {"path": "/media/b", "free": 3 * GIB}]


def forecast(**space: t.Any) -> dict[str, t.Any]:
    rows = [row("component", "", 10 * GIB), row("component", "aws", GIB)]
    content = {
        "rows": rows,
        "size": 11 * GIB,
        "missing": 9 * GIB,
        "shared": 2 * GIB,
        "node": {"staged": 11 * GIB, "unpacked": 25 * GIB, "estimated": True},
    }
    free = [{"path": "/media/usb", "free": 64 * GIB}]
    there = {"media": free, "fits": True, "lacking": 0, "obsolete": 0, **space}
    return {
        "version": "4.21.3",
        "release": "quay.io/a/b@sha256:c",
        "images": ["a"] * 190,
        "content": content,
        "space": there,
        "remedies": remedies(rows, there["lacking"]),
        "plan": {"base": None},
    }


@pytest.mark.parametrize(
    ("space", "lines"),
    [
        pytest.param({}, ["On the media: 11.0 GiB in /media/usb (64.0 GiB free): it fits."], id="it fits"),
        pytest.param(
            {"media": TWO, "fits": False, "lacking": GIB + 32 * MIB, "obsolete": 3 * GIB},
            [
                "On the media: 11.0 GiB in /media/a (5.0 GiB free), /media/b (3.0 GiB free): it does not fit, "
                "1.0 GiB are lacking.",
                "- Free 1.0 GiB there, use larger drives, or add a drive.",
                "- Remove the bundle that is there before the build: frees 3.0 GiB.",
                "- Leave out components of aws (platforms): saves at least 1.0 GiB, which is not enough alone.",
                "- Build a delta to a bundle that all nodes of the site hold (base).",
            ],
            id="it does not",
        ),
        pytest.param(
            {"media": TWO, "fits": False},
            [
                "On the media: 11.0 GiB in /media/a (5.0 GiB free), /media/b (3.0 GiB free): it does not fit. A "
                "blob is not divided, and drives that are read-only or take too few files are not used.",
                "- Build a delta to a bundle that all nodes of the site hold (base).",
            ],
            id="it does not although the sum does",
        ),
    ],
)
def test_the_plan_in_lines(space: dict[str, t.Any], lines: list[str]) -> None:
    assert plan_lines(forecast(**space), 50) == [
        "Plan for 4.21.3: 190 images, release image quay.io/a/b@sha256:c",
        "Part                 Number      Size  Only here  To download",
        "components                1  10.0 GiB   10.0 GiB     10.0 GiB",
        "components of aws         1   1.0 GiB    1.0 GiB      1.0 GiB",
        "all, each blob once          11.0 GiB                 9.0 GiB",
        "Shared by several images and stored once: 2.0 GiB.",
        "To download: 9.0 GiB, 25m 46s at 50 Mbit/s.",
        "On each node: 11.0 GiB staged, about 25.0 GiB unpacked.",
        *lines,
    ]
