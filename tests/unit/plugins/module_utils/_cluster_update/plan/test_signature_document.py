# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import base64
import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.release_request import (
    ReleaseRequest,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.signature_document import (
    checked_signature,
    holds_signature,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

DIGEST = "a" * 64
REQUEST = ReleaseRequest.of(f"quay.io/release@sha256:{DIGEST}", "4.21.5")
LABEL = "release.openshift.io/verification-signatures"
KEY = f"sha256-{DIGEST}-1"
VALUE = base64.b64encode(b"signed").decode()


def document(**changed: t.Any) -> dict[str, t.Any]:
    metadata = {"name": f"sha256-{DIGEST}", "namespace": "openshift-config-managed", "labels": {LABEL: ""}}
    whole = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "binaryData": {KEY: VALUE}}
    return {**whole, **changed}


def named(**changed: t.Any) -> dict[str, t.Any]:
    return document(metadata={**document()["metadata"], **changed})


def test_what_a_bundle_holds_is_taken_as_it_is() -> None:
    assert checked_signature(document(), REQUEST) == document()


@pytest.mark.parametrize(
    ("given", "seen"),
    [
        pytest.param({}, "not a ConfigMap", id="nothing"),
        pytest.param(document(metadata=[]), "not for namespace", id="metadata that is none"),
        pytest.param(document(apiVersion="v2"), "not a ConfigMap", id="another version"),
        pytest.param(document(data={"a": "b"}), "other than binaryData", id="more data"),
        pytest.param(named(name="admin-gates"), "not the digest", id="another object of that namespace"),
        pytest.param(named(namespace="kube-system"), "not for namespace", id="another namespace"),
        pytest.param(named(annotations={"a": "b"}), "other fields than a name", id="annotations"),
        pytest.param(named(labels={LABEL: "", "trusted": "yes"}), "not", id="more labels"),
        pytest.param(named(labels=None), "not", id="no labels"),
        pytest.param(document(binaryData=["a"]), "no signature", id="a list"),
        pytest.param(document(binaryData={KEY.replace("a", "b"): VALUE}), "not for the release", id="another digest"),
        pytest.param(document(binaryData={f"{KEY}0000": VALUE}), "not for the release", id="no such number"),
        pytest.param(document(binaryData={KEY: "!"}), "not base64", id="no base64"),
        pytest.param(document(binaryData={KEY: 1}), "not base64", id="no text"),
        pytest.param(document(binaryData={KEY: ""}), "not base64", id="empty"),
    ],
)
def test_anything_else_is_refused(given: dict[str, t.Any], seen: str) -> None:
    with pytest.raises(InvalidInputError, match=seen):
        checked_signature(given, REQUEST)


def test_a_signature_in_any_of_the_labelled_config_maps_counts() -> None:
    assert holds_signature([{}, {"binaryData": {KEY: VALUE}}], REQUEST)
    assert not holds_signature([{"binaryData": {KEY.replace("a", "b"): VALUE}}], REQUEST)
