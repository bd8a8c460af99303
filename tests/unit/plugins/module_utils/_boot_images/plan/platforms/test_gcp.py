# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Google's cloud: the rows follow platform_helpers.go, reconcileGCPProviderSpec."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._boot_images.plan.image_samples import (
    OLD_RELEASE,
    RELEASE,
    judged,
)

Json = dict[str, t.Any]
STANDARD = "projects/rhcos-cloud/global/images/"
RIGHT, OLD = f"{STANDARD}rhcos-9-8-20260428-0-gcp-x86-64", f"{STANDARD}rhcos-410-84-202210040010-0-gcp-x86-64"
SOLD = "projects/redhat-marketplace-public/global/images/redhat-coreos-ocp-413-x86-64-202305021736"


def disk(image: str, boot: bool = True) -> Json:
    return {"boot": boot, "image": image, "sizeGb": 128}


ROWS: dict[str, tuple[list[t.Any], Json, str, str]] = {
    "the stream's image": ([disk(RIGHT)], {}, "current", "current"),
    "another one of Red Hat's": ([disk(OLD)], {}, "outdated", "outdated"),
    "the marketplace's": ([disk(SOLD)], {}, "left_alone", "custom_image"),
    "a site's own": ([disk("projects/site/global/images/x")], {}, "left_alone", "custom_image"),
    "a site's own that is vouched for": ([disk("x")], {"vouched": {"x": ""}}, "outdated", "outdated"),
    "one of two boot disks is a site's own": ([disk(OLD), disk("x")], {}, "left_alone", "custom_image"),
    "a disk that does not boot is not looked at": ([disk(RIGHT), disk("x", False)], {}, "current", "current"),
    "no disk is marked": ([{"image": OLD}], {}, "left_alone", "no_boot_disk"),
    "no disks": ([], {}, "left_alone", "no_boot_disk"),
    "a boot disk without image": ([{"boot": True}], {}, "left_alone", "custom_image"),
    "an architecture without image": ([disk(OLD)], {"architecture": "aarch64"}, "left_alone", "not_in_stream"),
    "what is no disk": (["?", disk(RIGHT)], {}, "current", "current"),
}


@pytest.mark.parametrize(("disks", "known", "standing", "code"), ROWS.values(), ids=ROWS)
def test_decisions(disks: list[t.Any], known: Json, standing: str, code: str) -> None:
    verdict = judged("GCP", {"disks": disks}, **known)
    assert (verdict.standing, verdict.code) == (standing, code)


def test_only_images_of_boot_disks_change() -> None:
    verdict = judged("GCP", {"disks": [disk("x", False), disk(OLD), disk(RIGHT)]})
    assert [(one.path, one.before, one.after) for one in verdict.changes] == [(("disks", 1, "image"), (OLD,), (RIGHT,))]


def test_releases_are_read_from_names() -> None:
    verdict = judged("GCP", {"disks": [disk(OLD)]})
    assert (verdict.current.release, verdict.target.release) == (OLD_RELEASE, RELEASE)
