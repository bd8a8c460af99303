# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.contents.yaml_documents import (
    yaml_documents,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.trust.image_policies import (
    SignaturePolicy,
    policies_in,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference

DIGEST = "sha256:" + "a" * 64
POLICY = """
apiVersion: config.openshift.io/v1
kind: ClusterImagePolicy
metadata: {name: edge}
spec: {scopes: [quay.io/edge], policy: {rootOfTrust: {policyType: PublicKey}}}
"""
NAMESPACED = """
apiVersion: config.openshift.io/v1alpha1
kind: ImagePolicy
metadata: {name: team, namespace: apps}
spec: {scopes: ["*.example.com", quay.io/team/app]}
"""
LISTED = """
apiVersion: v1
kind: List
items: [{apiVersion: config.openshift.io/v1, kind: ClusterImagePolicy, metadata: {name: a}, spec: {scopes: [b.io]}}]
"""


def read(text: str) -> tuple[SignaturePolicy, ...]:
    return policies_in(yaml_documents(text.encode(), on="policies.yml"), on="policies.yml")


def test_policies_are_read_as_oc_prints_them() -> None:
    assert read(f"{POLICY}---{NAMESPACED}---{LISTED}") == (
        SignaturePolicy("ClusterImagePolicy edge", ("quay.io/edge",)),
        SignaturePolicy("ImagePolicy team", ("*.example.com", "quay.io/team/app")),
        SignaturePolicy("ClusterImagePolicy a", ("b.io",)),
    )


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        pytest.param("", "it contains no policy", id="empty"),
        pytest.param("[]", "a document in it is not a mapping", id="a list"),
        pytest.param("kind: ClusterImagePolicy", "of kind 'ClusterImagePolicy'", id="no API version"),
        pytest.param("{apiVersion: config.openshift.io/v1, kind: Image}", "of kind 'Image'", id="another kind"),
        pytest.param(POLICY.replace("scopes: [quay.io/edge],", ""), "no spec.scopes", id="no scopes"),
        pytest.param(POLICY.replace("[quay.io/edge]", "[1]"), "no spec.scopes", id="a number as scope"),
        pytest.param(POLICY.replace("{name: edge}", "{}"), "no metadata.name", id="no name"),
    ],
)
def test_another_document_is_refused(text: str, seen: str) -> None:
    with pytest.raises(InvalidInputError) as refused:
        read(text)
    assert seen in refused.value.seen
    assert refused.value.on == "policies.yml"


@pytest.mark.parametrize(
    ("scope", "image", "expected"),
    [
        pytest.param("quay.io", "quay.io/edge/gateway", True, id="registry"),
        pytest.param("quay.io/edge", "quay.io/edge/gateway", True, id="namespace"),
        pytest.param("quay.io/edge/gateway", "quay.io/edge/gateway", True, id="repository"),
        pytest.param(f"quay.io/edge/gateway@{DIGEST}", "quay.io/edge/gateway", True, id="image"),
        pytest.param("quay.io/edge/gate", "quay.io/edge/gateway", False, id="beginning of a name"),
        pytest.param("quay.io/edge/gateway:1", "quay.io/edge/gateway", False, id="tag, where the digest is pulled"),
        pytest.param("quay.io:443", "quay.io/edge/gateway", False, id="another port"),
        pytest.param("r.example.com:5000", "r.example.com:5000/a", True, id="port"),
        pytest.param("*.example.com", "r.example.com/a", True, id="subdomain"),
        pytest.param("*.example.com", "r.lab.example.com:5000/a", True, id="subdomain of a subdomain, with a port"),
        pytest.param("*.com", "r.example.com/a", True, id="top-level domain"),
        pytest.param("*.example.com", "example.com/a", False, id="the domain itself"),
        pytest.param("*.example.com", "r.example.com.evil.io/a", False, id="domain as a beginning"),
    ],
)
def test_scopes_are_those_of_the_policy_file(scope: str, image: str, expected: bool) -> None:
    policy = SignaturePolicy("ClusterImagePolicy x", (scope,))
    assert policy.names(ImageReference.parse(f"{image}@{DIGEST}")) is expected


def test_a_policy_comes_out_of_arguments_as_it_went_in() -> None:
    policy = SignaturePolicy("ClusterImagePolicy x", ("quay.io",))
    document: dict[str, t.Any] = {"name": policy.name, "scopes": list(policy.scopes)}
    assert SignaturePolicy.from_document(document) == policy
