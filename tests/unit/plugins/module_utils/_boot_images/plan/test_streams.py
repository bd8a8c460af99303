# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Streams of current and of old installers, and what is wrong with broken ones."""

from __future__ import annotations

import json
import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.errors import MalformedError, StreamError
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.streams import (
    read_streams,
    streams_of_document,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.architecture import Architecture
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._boot_images.plan.image_samples import (
    AMI,
    OLD_AMI,
    RELEASE,
    config_map,
    old_stream_document,
    stream_document,
)

Json = dict[str, t.Any]
INTEL = Architecture.parse("x86_64")
TEN = stream_document("rhel-10", "10.2.20260701-0")


def test_an_old_installer_lists_one_stream() -> None:
    streams = read_streams(config_map(old_stream_document(), releaseVersion="4.10.36"))
    assert (streams.default.name, streams.version, streams.operator_version) == ("rhcos-4.10", "4.10.36", "")
    assert [one.name for one in streams.every()] == ["rhcos-4.10"]
    assert next(iter(streams.default.amis()))[0] == OLD_AMI


def test_a_current_installer_lists_several() -> None:
    content: Json = {
        "streams": json.dumps({"rhel-9": stream_document(), "rhel-10": TEN}),
        "MCOReleaseImageVersion": "4.22.5",
    }
    streams = read_streams(config_map(**content))
    assert [one.name for one in streams.every()] == ["rhel-9", "rhel-10"]
    assert streams.operator_version == "4.22.5"


LABELS: dict[str, tuple[str, str | None]] = {
    "no label": ("", "rhel-9"),
    "the default one's name": ("rhel-9", "rhel-9"),
    "another stream": ("rhel-10", "rhel-10"),
    "a stream that is not listed": ("rhel-11", None),
}


@pytest.mark.parametrize(("label", "name"), LABELS.values(), ids=LABELS)
def test_the_stream_of_a_label(label: str, name: str | None) -> None:
    found = read_streams(config_map(streams=json.dumps({"rhel-10": TEN, "": stream_document()}))).of_label(label)
    assert (found.name if found else None) == name


def test_an_old_list_serves_the_label_of_the_default_stream() -> None:
    found = read_streams(config_map(old_stream_document())).of_label("rhel-9")
    assert found is not None
    assert found.name == "rhcos-4.10"


BROKEN: dict[str, tuple[Json | None, str]] = {
    "no ConfigMap": (None, "it does not exist"),
    "no data": ({}, "no key stream"),
    "an empty key": ({"data": {"stream": ""}}, "no key stream"),
    "another type": ({"data": {"stream": 5}}, "no key stream"),
    "binary data only": ({"binaryData": {"stream": "eA=="}}, "no key stream"),
    "cut off": ({"data": {"stream": '{"stream": "rhel-9", "archi'}}, "is not JSON"),
    "nested beyond measure": ({"data": {"stream": "[" * 100000}}, "is not JSON"),
    "a list": ({"data": {"stream": "[]"}}, "list instead of a mapping"),
    "no architectures": ({"data": {"stream": "{}"}}, "no architectures"),
    "architectures of another type": ({"data": {"stream": '{"architectures": []}'}}, "list instead of a mapping"),
}


@pytest.mark.parametrize(("found", "words"), BROKEN.values(), ids=BROKEN)
def test_what_is_wrong_is_named(found: Json | None, words: str) -> None:
    with pytest.raises(StreamError, match="coreos-bootimages") as caught:
        read_streams(found)
    assert words in str(caught.value)
    assert caught.value.advice


@pytest.mark.parametrize("broken", ["{", "[]", '{"rhel-10": {}}', '{"rhel-10": 3}'])
def test_broken_named_streams_leave_the_default_one_usable(broken: str) -> None:
    streams = read_streams(config_map(streams=broken))
    assert streams.default.name == "rhel-9"
    assert streams.flaw
    assert streams.of_label("rhel-10") is None


def test_what_is_of_another_type_inside_is_named_with_its_place() -> None:
    document = stream_document()
    document["architectures"]["x86_64"]["images"]["aws"]["regions"] = ["eu-central-1"]
    with pytest.raises(MalformedError, match="list instead of a mapping"):
        dict(streams_of_document(document).default.amis())


def test_a_document_in_place_of_the_cluster_s() -> None:
    streams = streams_of_document(stream_document())
    assert dict(streams.default.amis()) == {AMI: RELEASE}
    assert streams.default.artifact(INTEL, "vmware", "ova").release == RELEASE
    assert streams.default.artifact(INTEL, "vmware", "vmdk").location == ""
