# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Amazon's cloud: whose image it is decides; the rows follow pkg/controller/bootimage/aws_helpers.go."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._boot_images.plan.image_samples import (
    AMI,
    LICENSED_AMI,
    OLD_AMI,
    REGION,
    RELEASE,
    judged,
    stream_document,
)

Json = dict[str, t.Any]
RED_HAT, MARKETPLACE = "531415883065", "679593333241"
PUBLISHED = "ami-000a86fa0a0b76144"
BUILT, FOR_ARM = "ami-0dfe4916cdaaf43cd", "ami-0d4a956f16e671c23"
PRODUCT = "963b36c3-de6c-48ed-b802-eb2c1a4a2bb5"
OTHER_PRODUCT = "a9dd3a0d-97d4-4ac2-9a5c-1b4d3a5c9d11"


def provider(ami: object = OLD_AMI, region: object = REGION) -> Json:
    return {"ami": {"id": ami}, "placement": {"region": region}}


def image(reference: str, owner: str, description: str = "", name: str = "", created: str = "2026-05-01") -> Json:
    return {
        "image_id": reference,
        "owner_id": owner,
        "description": description,
        "name": name,
        "creation_date": created,
    }


def sold(reference: str, release: str, product: str = PRODUCT, created: str = "2026-05-01") -> Json:
    return image(reference, MARKETPLACE, f"OpenShift 4 {release} x86_64", f"rhcos-x86_64-{release}-{product}", created)


SOLD_NOW = sold(OLD_AMI, "9.4.20250101-0")

ROWS: dict[str, tuple[Json, Json, str, str]] = {
    "the stream's image": (provider(AMI), {}, "current", "current"),
    "another one of Red Hat's": (provider(), {"cloud": [image(OLD_AMI, RED_HAT)]}, "outdated", "outdated"),
    "one that history or the site vouches for": (provider(), {"vouched": {OLD_AMI: ""}}, "outdated", "outdated"),
    "nothing is known of it": (provider(), {}, "left_alone", "unknown_image"),
    "one that Red Hat has published, by the list that is shipped": (provider(PUBLISHED), {}, "outdated", "outdated"),
    "one that was published before there were streams": (provider(BUILT), {}, "outdated", "outdated"),
    "one for another architecture than that of the cluster": (
        provider(FOR_ARM),
        {},
        "left_alone",
        "other_architecture",
    ),
    "another account's": (provider(), {"cloud": [image(OLD_AMI, "123456789012")]}, "left_alone", "custom_image"),
    "found by ARN or filters": (
        {"ami": {"filters": []}, "placement": {"region": REGION}},
        {},
        "left_alone",
        "no_image_id",
    ),
    "no ami at all": ({"placement": {"region": REGION}}, {}, "left_alone", "no_image_id"),
    "a region without image": (
        provider(region="mars-1"),
        {"vouched": {OLD_AMI: ""}},
        "left_alone",
        "not_in_stream",
    ),
    "no region": ({"ami": {"id": OLD_AMI}}, {"vouched": {OLD_AMI: ""}}, "left_alone", "not_in_stream"),
    "the stream's image with a licence of Windows": (provider(LICENSED_AMI), {}, "current", "current"),
    "an architecture without images": (
        provider(),
        {"vouched": {OLD_AMI: ""}, "architecture": "s390x"},
        "left_alone",
        "not_in_stream",
    ),
    "the marketplace's, and a newer one is known": (
        provider(),
        {"cloud": [SOLD_NOW, sold("ami-new", "9.6.20260112-0")]},
        "outdated",
        "in_marketplace",
    ),
    "the marketplace's, and it is the newest": (provider(), {"cloud": [SOLD_NOW]}, "current", "in_marketplace"),
    "the marketplace's without a product id": (
        provider(),
        {"cloud": [image(OLD_AMI, MARKETPLACE, name="something-else")]},
        "left_alone",
        "custom_image",
    ),
    "the marketplace's, all newer than the stream": (
        provider(),
        {"cloud": [sold(OLD_AMI, "418.94.202501221327-0")]},
        "left_alone",
        "not_in_marketplace",
    ),
}


@pytest.mark.parametrize(("given", "known", "standing", "code"), ROWS.values(), ids=ROWS)
def test_decisions(given: Json, known: Json, standing: str, code: str) -> None:
    verdict = judged("AWS", given, **known)
    assert (verdict.standing, verdict.code) == (standing, code)


def test_only_the_image_changes_and_what_found_it_otherwise_goes_with_it() -> None:
    verdict = judged("AWS", {**provider(), "ami": {"id": OLD_AMI, "arn": ""}}, vouched={OLD_AMI: ""})
    assert [(one.path, one.after) for one in verdict.changes] == [(("ami",), ({"id": AMI},))]
    assert (verdict.target.reference, verdict.target.release) == (AMI, RELEASE)


def test_a_licence_of_windows_is_kept() -> None:
    known = image(OLD_AMI, RED_HAT, name="rhcos-9.6.20260112-0-x86_64-winli")
    assert judged("AWS", provider(), cloud=[known]).target.reference == LICENSED_AMI


MARKET: dict[str, tuple[list[Json], str]] = {
    "the highest version that is not above the stream's": (
        [sold("ami-a", "9.6.20260112-0"), sold("ami-b", "9.8.20260101-0"), sold("ami-c", "10.0.20260101-0")],
        "ami-b",
    ),
    "of equal versions the one made last": (
        [
            sold("ami-a", "9.8.20260101-0", created="2026-01-02"),
            sold("ami-b", "9.8.20260401-0", created="2026-04-02"),
        ],
        "ami-b",
    ),
    "versions are compared as numbers": (
        [sold("ami-a", "9.6.20260112-0"), sold("ami-b", "9.10.20260101-0")],
        "ami-a",
    ),
    "older names count as newer and are dropped": (
        [sold("ami-a", "9.6.20260112-0"), sold("ami-b", "418.94.202501221327-0")],
        "ami-a",
    ),
    "another product is none of it": (
        [sold("ami-a", "9.6.20260112-0"), sold("ami-b", "9.8.20260101-0", OTHER_PRODUCT)],
        "ami-a",
    ),
    "nor is an image that only looks like it": (
        [sold("ami-a", "9.6.20260112-0"), {**sold("ami-b", "9.8.20260101-0"), "owner_id": "123456789012"}],
        "ami-a",
    ),
}


@pytest.mark.parametrize(("offered", "chosen"), MARKET.values(), ids=MARKET)
def test_the_marketplace(offered: list[Json], chosen: str) -> None:
    verdict = judged("AWS", provider(), cloud=[SOLD_NOW, *offered])
    assert verdict.target.reference == chosen


def test_a_stream_without_a_release_to_compare_with() -> None:
    document = stream_document()
    document["architectures"]["x86_64"]["artifacts"].pop("aws")
    verdict = judged("AWS", provider(), cloud=[SOLD_NOW], stream=document)
    assert verdict.code == "not_in_marketplace"
