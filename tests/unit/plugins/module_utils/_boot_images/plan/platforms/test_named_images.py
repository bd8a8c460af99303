# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Clouds of a site's own, where an image has the name that the site gave it: all five alike but for field and file.

Source: openshift-docs, modules/mco-update-boot-images-*.adoc; openshift/api, machine/v1 and v1alpha1.
"""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.platforms.vsphere import (
    workspace_of,
)
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._boot_images.plan.image_samples import (
    RELEASE,
    judged,
    old_stream_document,
)

Json = dict[str, t.Any]
NEW = "rhcos-new"
LONDON = {"status": {"platformStatus": {"powervs": {"region": "lon"}}}}

PLATFORMS: dict[str, tuple[Json, str, t.Any, str, str]] = {
    "VSphere": ({"template": "old"}, "template", NEW, "x86_64", "vmware.ova"),
    "OpenStack": ({"image": "old"}, "image", NEW, "x86_64", "openstack.qcow2.gz"),
    "IBMCloud": ({"image": "old"}, "image", NEW, "x86_64", "ibmcloud.qcow2.gz"),
    "Nutanix": (
        {"image": {"type": "uuid", "uuid": "old"}},
        "image",
        {"type": "name", "name": NEW},
        "x86_64",
        "nutanix.qcow2",
    ),
    "PowerVS": (
        {"image": {"type": "ID", "id": "old"}},
        "image",
        {"type": "Name", "name": NEW},
        "ppc64le",
        "rhcos.ova.gz",
    ),
}
EVERY = pytest.mark.parametrize("platform", PLATFORMS)


def verdict_on(platform: str, **known: t.Any) -> t.Any:
    provider, _field, _value, architecture, _file = PLATFORMS[platform]
    return judged(platform, provider, **{"architecture": architecture, "infrastructure": LONDON, **known})


@EVERY
def test_without_a_name_it_says_which_file_to_bring_and_how(platform: str) -> None:
    verdict = verdict_on(platform)
    assert (verdict.standing, verdict.code, verdict.current.reference) == ("needs_image", "image_not_there", "old")
    assert verdict.artifact.location.endswith(PLATFORMS[platform][4])
    assert verdict.artifact.location in verdict.steps[0]
    assert len(verdict.steps) >= 3


@EVERY
def test_a_name_of_the_site_is_written(platform: str) -> None:
    verdict = verdict_on(platform, site=[{"image": NEW}])
    assert verdict.standing == "outdated"
    assert [(one.path, one.after) for one in verdict.changes] == [
        ((PLATFORMS[platform][1],), (PLATFORMS[platform][2],))
    ]
    assert verdict.target.release == RELEASE


@EVERY
def test_the_site_s_name_is_current(platform: str) -> None:
    provider, field, value, architecture, _file = PLATFORMS[platform]
    known = {"architecture": architecture, "infrastructure": LONDON, "site": [{"image": NEW}]}
    assert judged(platform, {**provider, field: value}, **known).standing == "current"


@EVERY
def test_a_site_s_image_of_another_release_than_the_stream_s_is_a_fault(platform: str) -> None:
    verdict = verdict_on(platform, site=[{"image": NEW, "release": "9.6.20260112-0"}])
    assert (verdict.standing, verdict.code, verdict.changes) == ("fault", "site_image_of_other_release", ())


@EVERY
def test_an_image_that_the_cloud_says_to_be_of_the_right_release_is_current(platform: str) -> None:
    verdict = verdict_on(platform, cloud=[{"name": "old", "release": RELEASE}])
    assert verdict.standing == "current"


@EVERY
def test_a_stream_without_the_file(platform: str) -> None:
    stream = {"architectures": {"x86_64": {}}} if platform == "VSphere" else old_stream_document()
    verdict = verdict_on(platform, stream=stream)
    assert (verdict.standing, verdict.code) == ("left_alone", "not_in_stream")


CHOICES: dict[str, tuple[list[Json], str]] = {
    "the first that fits": ([{"image": "a"}, {"image": "b"}], "a"),
    "one for another resource does not": ([{"image": "a", "names": ["site-b"]}, {"image": "b"}], "b"),
    "one for this resource does": ([{"image": "a", "names": ["site-a"]}, {"image": "b"}], "a"),
    "one for another architecture does not": ([{"image": "a", "architecture": "arm64"}, {"image": "b"}], "b"),
    "either name of the architecture": ([{"image": "a", "architecture": "amd64"}], "a"),
    "one for another stream does not": ([{"image": "a", "stream": "rhel-10"}, {"image": "b"}], "b"),
}


@pytest.mark.parametrize(("site", "chosen"), CHOICES.values(), ids=CHOICES)
def test_which_of_the_site_s_images_is_for_a_resource(site: list[Json], chosen: str) -> None:
    assert judged("VSphere", {"template": "old"}, site=site).target.reference == chosen


LEFT: dict[str, tuple[str, Json, str]] = {
    "OpenStack's volume of an image": ("OpenStack", {"rootVolume": {"sourceUUID": "u"}}, "boots_from_volume"),
    "Power VS's pattern": ("PowerVS", {"image": {"type": "RegEx", "regex": "rhcos.*"}}, "image_by_pattern"),
}


@pytest.mark.parametrize(("platform", "provider", "code"), LEFT.values(), ids=LEFT)
def test_forms_that_do_not_name_an_image(platform: str, provider: Json, code: str) -> None:
    verdict = judged(platform, provider, site=[{"image": NEW}])
    assert (verdict.standing, verdict.code) == ("left_alone", code)


def test_mainframes_get_their_operating_system_s_name() -> None:
    stream = old_stream_document()
    stream["architectures"]["s390x"] = {
        "artifacts": {"ibmcloud": {"release": "1", "formats": {"qcow2.gz": {"disk": {"location": "l", "sha256": "s"}}}}}
    }
    verdict = judged("IBMCloud", {"image": "old"}, architecture="s390x", stream=stream)
    assert any("red-8-s390x-byol" in step for step in verdict.steps)


PLACE = {"server": "vc.example", "datacenter": "dc", "datastore": "ds", "folder": "/dc/vm", "resourcePool": "/dc/pool"}
SHOWN = {**{name: value for name, value in PLACE.items() if name != "resourcePool"}, "resource_pool": "/dc/pool"}


@pytest.mark.parametrize(
    ("provider", "place"),
    [
        (None, None),
        ({"template": "t"}, None),
        ({"workspace": "dc"}, None),
        ({"workspace": PLACE}, {**SHOWN, "network": ""}),
        ({"workspace": PLACE, "network": {"devices": [{"networkName": "lan"}]}}, {**SHOWN, "network": "lan"}),
    ],
    ids=["half-written", "another platform", "no mapping", "no network", "whole"],
)
def test_where_a_template_is_imported(provider: dict[str, t.Any] | None, place: dict[str, str] | None) -> None:
    assert workspace_of(provider) == place
