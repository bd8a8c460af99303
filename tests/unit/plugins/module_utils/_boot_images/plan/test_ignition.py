# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Stub Ignition: read, and turned from specification 2 into 3."""

from __future__ import annotations

import base64
import json
import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.errors import UserDataError
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.ignition_conversion import converted
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.ignition_stub import (
    encoded_stub,
    read_stub,
    user_data_secret,
)
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._boot_images.plan.ignition_stubs import (
    CONVERTED,
    REFUSED,
    SOURCE,
    Converted,
    Refused,
    installed,
)

Json = dict[str, t.Any]


def secret(raw: bytes) -> Json:
    return {"metadata": {"resourceVersion": "7"}, "data": {"userData": base64.b64encode(raw).decode()}}


@pytest.mark.parametrize("row", CONVERTED.values(), ids=CONVERTED)
def test_the_form_of_the_installer_is_converted(row: Converted) -> None:
    assert converted(row.stub, "worker-user-data") == {"ignition": {"version": "3.2.0", **row.wanted}}


@pytest.mark.parametrize("row", REFUSED.values(), ids=REFUSED)
def test_what_is_not_known_to_mean_the_same_is_refused_by_its_place(row: Refused) -> None:
    with pytest.raises(UserDataError) as caught:
        converted(row.stub, "worker-user-data")
    assert row.place in caught.value.seen
    assert "worker-user-data" in caught.value.on


def test_what_is_converted_is_not_changed_itself() -> None:
    given = json.loads(json.dumps(installed(SOURCE)))
    converted(given, "worker-user-data")
    assert given == installed(SOURCE)


@pytest.mark.parametrize(("version", "needed"), [("2.2.0", True), ("3.0.0", False), ("3.5.0-experimental", False)])
def test_a_stub_says_whether_current_images_know_it(version: str, needed: bool) -> None:
    stub = read_stub("worker-user-data", secret(encoded_stub({"ignition": {"version": version}})))
    assert (stub.version, stub.needs_conversion, stub.resource_version) == (version, needed, "7")


BROKEN: dict[str, Json | None] = {
    "no Secret": None,
    "no content": {"metadata": {}},
    "no userData": {"data": {"disableTemplating": "dHJ1ZQ=="}},
    "another type": {"data": {"userData": 5}},
    "no base64": {"data": {"userData": "%%%"}},
    "empty": secret(b""),
    "no JSON": secret(b"#cloud-config\npassword: canary-secret\n"),
    "not a document": secret(b"[]"),
    "no version": secret(b'{"ignition": {"note": "canary-secret"}}'),
    "a version that is none": secret(b'{"ignition": {"version": "canary-secret"}}'),
    "nested beyond measure": secret(b"[" * 100000),
}


@pytest.mark.parametrize("found", BROKEN.values(), ids=BROKEN)
def test_what_is_no_stub_is_named_without_its_content(found: Json | None) -> None:
    with pytest.raises(UserDataError) as caught:
        read_stub("worker-user-data", found)
    assert "worker-user-data" in str(caught.value)
    assert "canary-secret" not in str(caught.value)
    assert caught.value.__cause__ is None or "canary-secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("provider", "name"),
    [({"userDataSecret": {"name": "x"}}, "x"), ({}, ""), (None, ""), ({"userDataSecret": "x"}, "")],
)
def test_the_secret_that_a_specification_names(provider: Json | None, name: str) -> None:
    assert user_data_secret(provider) == name
