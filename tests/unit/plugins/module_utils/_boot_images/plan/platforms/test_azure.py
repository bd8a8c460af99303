# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Microsoft's cloud: variants and generations; the rows follow platform_helpers.go, reconcileAzureProviderSpec."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._boot_images.plan.image_samples import (
    azure_marketplace,
    judged,
    old_stream_document,
    plan,
    stream_document,
)

Json = dict[str, t.Any]
GALLERY = "/resourceGroups/x-rg/providers/Microsoft.Compute/galleries/gallery_x/images"
FREE, PAID = "MarketplaceNoPlan", "MarketplaceWithPlan"


def image(sku: str = "old", offer: str = "rh-ocp-worker", publisher: str = "redhat", form: str = PAID) -> Json:
    return {**plan(sku, offer, publisher, "413.92.2023101700"), "resourceID": "", "type": form}


def listed(variant: str, generation: int) -> Json:
    found = azure_marketplace()[variant][f"hyperVGen{generation}"]
    return {**found, "resourceID": "", "type": FREE if variant == "no-purchase-plan" else PAID}


UPDATES: dict[str, tuple[Json, str, int]] = {
    "uploaded by the installer, first generation": ({"resourceID": f"{GALLERY}/x"}, "no-purchase-plan", 1),
    "uploaded by the installer, second generation": ({"resourceID": f"{GALLERY}/x-gen2"}, "no-purchase-plan", 2),
    "without a plan, first generation": (image("aro_413", "aro4", "azureopenshift", FREE), "no-purchase-plan", 1),
    "without a plan, second generation": (image("413-v2", "aro4", "azureopenshift", FREE), "no-purchase-plan", 2),
    "OCP": (image(), "ocp", 2),
    "OCP, first generation": (image("rh-ocp-worker-gen1"), "ocp", 1),
    "OPP": (image(offer="rh-opp-worker"), "opp", 2),
    "OKE": (image(offer="rh-oke-worker"), "oke", 2),
    "OCP in EMEA": (image(publisher="redhat-limited"), "ocp-emea", 2),
    "OPP in EMEA": (image(offer="rh-opp-worker", publisher="redhat-limited"), "opp-emea", 2),
    "OKE in EMEA, first generation": (image("x-gen1", "rh-oke-worker", "redhat-limited"), "oke-emea", 1),
    "a wrong type alone": ({**listed("ocp", 2), "type": FREE}, "ocp", 1),
}


@pytest.mark.parametrize(("given", "variant", "generation"), UPDATES.values(), ids=UPDATES)
def test_the_whole_image_is_replaced_by_that_of_variant_and_generation(
    given: Json, variant: str, generation: int
) -> None:
    verdict = judged("Azure", {"image": given})
    assert verdict.standing == "outdated"
    assert [(one.path, one.after) for one in verdict.changes] == [(("image",), (listed(variant, generation),))]


@pytest.mark.parametrize(("variant", "generation"), [("no-purchase-plan", 2), ("ocp", 1), ("oke-emea", 2)])
def test_the_stream_s_image_is_current(variant: str, generation: int) -> None:
    given = listed(variant, generation)
    if variant == "no-purchase-plan":
        assert "v2" in given["sku"]
    assert judged("Azure", {"image": given}).standing == "current"


SECURE = {"settings": {"securityType": "ConfidentialVM"}}
STACK = {"status": {"platformStatus": {"azure": {"cloudName": "AzureStackCloud"}}}}
NO_FIRST = stream_document()
NO_FIRST["architectures"]["x86_64"]["rhel-coreos-extensions"]["marketplace"]["azure"]["ocp"].pop("hyperVGen1")

REFUSED: dict[str, tuple[Json, Json, str, str]] = {
    "Power": ({"image": image()}, {"architecture": "ppc64le"}, "left_alone", "architecture_unsupported"),
    "Z": ({"image": image()}, {"architecture": "s390x"}, "left_alone", "architecture_unsupported"),
    "confidential machines": ({"image": image(), "securityProfile": SECURE}, {}, "left_alone", "security_type"),
    "Azure Stack Hub": ({"image": image()}, {"infrastructure": STACK}, "left_alone", "azure_stack"),
    "an offer that nobody knows": ({"image": image(offer="rh-new-worker")}, {}, "fault", "unknown_variant"),
    "a publisher that nobody knows": ({"image": image(publisher="acme")}, {}, "fault", "unknown_variant"),
    "no image": ({}, {}, "fault", "unknown_variant"),
    "a stream without marketplace": (
        {"image": image()},
        {"stream": old_stream_document()},
        "left_alone",
        "not_in_stream",
    ),
    "a generation that the stream does not have": (
        {"image": image("rh-ocp-worker-gen1")},
        {"stream": NO_FIRST},
        "fault",
        "not_in_stream",
    ),
    "a paid image on Arm": ({"image": image()}, {"architecture": "aarch64"}, "fault", "not_in_stream"),
}


@pytest.mark.parametrize(("given", "known", "standing", "code"), REFUSED.values(), ids=REFUSED)
def test_what_is_not_changed(given: Json, known: Json, standing: str, code: str) -> None:
    verdict = judged("Azure", given, **known)
    assert (verdict.standing, verdict.code, verdict.changes) == (standing, code, ())


def test_free_images_on_arm_are_of_the_second_generation() -> None:
    given = image("413-arm", "aro4", "azureopenshift", FREE)
    verdict = judged("Azure", {"image": given}, architecture="aarch64")
    assert [one["sku"] for one in verdict.changes[0].after] == ["98-arm"]
