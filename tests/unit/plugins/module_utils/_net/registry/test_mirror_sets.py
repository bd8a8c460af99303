# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.mirror_sets import (
    is_manifest,
    mirror_sets,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.mirror_rules import MirrorRules

yaml = pytest.importorskip("yaml", reason="nodes, whose Python runs these tests too, read no mirror sets")

DIGEST = "sha256:" + "a" * 64
AS_OC_SHOWS_IT = """
apiVersion: v1
items:
- apiVersion: config.openshift.io/v1
  kind: ImageDigestMirrorSet
  metadata:
    annotations: {kubectl.kubernetes.io/last-applied-configuration: "{}"}
    creationTimestamp: "2026-11-21T22:00:00Z"
    name: release
    resourceVersion: "4711"
  spec:
    imageDigestMirrors:
    - mirrors:
      - mirror.site.example:8443/openshift/release
      - second.site.example/openshift/release
      mirrorSourcePolicy: NeverContactSource
      source: quay.io/openshift-release-dev/ocp-v4.0-art-dev
  status: {}
kind: List
metadata:
  resourceVersion: ""
"""
AS_FILES = """
---
apiVersion: operator.openshift.io/v1alpha1
kind: ImageContentSourcePolicy
metadata: {name: old}
spec:
  repositoryDigestMirrors:
  - source: registry.redhat.io
    mirrors: [mirror.site.example/redhat]
---
apiVersion: config.openshift.io/v1
kind: ImageTagMirrorSet
metadata: {name: tags}
spec:
  imageTagMirrors:
  - source: registry.redhat.io
    mirrors: [mirror.site.example/tags]
    mirrorSourcePolicy: AllowContactingSource
"""


def parse(text: str) -> MirrorRules:
    return mirror_sets(list(yaml.safe_load_all(text)), on="mirrors.yaml")


def endpoints(rules: MirrorRules, reference: str) -> list[str]:
    return [endpoint.name for endpoint in rules.endpoints(ImageReference.parse(reference))]


def digests(*mirrors: list[str], policy: str = "", source: str = "quay.io") -> dict[str, t.Any]:
    entries = [{"source": source, "mirrors": listed, "mirrorSourcePolicy": policy} for listed in mirrors]
    return {
        "apiVersion": "config.openshift.io/v1",
        "kind": "ImageDigestMirrorSet",
        "spec": {"imageDigestMirrors": entries},
    }


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        pytest.param(AS_OC_SHOWS_IT, True, id="a list"),
        pytest.param(AS_FILES, True, id="several documents"),
        pytest.param('{"apiVersion":"v1","kind":"List"}', True, id="JSON"),
        pytest.param('\ufeff# site\nkind: "List"\n', True, id="byte order mark"),
        pytest.param("- kind: ImageTagMirrorSet\n", True, id="in a sequence"),
        pytest.param('[[registry]]\nlocation = "kind: a"\n', False, id="registries.conf"),
        pytest.param("", False, id="empty"),
    ],
)
def test_manifests_are_known_by_their_content(text: str, is_one: bool) -> None:
    assert is_manifest(text) is is_one


def test_what_oc_shows_is_taken_as_it_is() -> None:
    rules = parse(AS_OC_SHOWS_IT)
    name = "quay.io/openshift-release-dev/ocp-v4.0-art-dev"
    assert endpoints(rules, f"{name}@{DIGEST}") == [
        "mirror.site.example:8443/openshift/release",
        "second.site.example/openshift/release",
    ]
    assert endpoints(rules, f"{name}:latest") == []
    assert endpoints(rules, "quay.io/openshift-release-dev/ocp-release:4.20.1") == [
        "quay.io/openshift-release-dev/ocp-release"
    ]


def test_digests_and_tags_have_mirrors_of_their_own() -> None:
    rules = parse(AS_FILES)
    assert len(rules.rules) == 1
    assert endpoints(rules, f"registry.redhat.io/ubi9@{DIGEST}") == [
        "mirror.site.example/redhat/ubi9",
        "registry.redhat.io/ubi9",
    ]
    assert endpoints(rules, "registry.redhat.io/ubi9:1") == ["mirror.site.example/tags/ubi9", "registry.redhat.io/ubi9"]


@pytest.mark.parametrize(
    ("documents", "mirrors", "blocked"),
    [
        pytest.param([digests(["a", "b"]), digests(["b", "c"])], ["a", "b", "c"], False, id="in one order"),
        pytest.param([digests(["b", "c"]), digests(["a", "b"])], ["a", "b", "c"], False, id="the other way round"),
        pytest.param([digests(["c"], ["a"])], ["a", "c"], False, id="without an order: by name"),
        pytest.param([digests(["b", "a"]), digests(["a", "b"])], ["a", "b"], False, id="a circle"),
        pytest.param([digests(["a", "quay.io", "b"])], ["a", "quay.io", "b"], False, id="the source among them"),
        pytest.param([digests(["a", "quay.io"])], ["a"], False, id="the source last"),
        pytest.param([digests(["a"]), digests(["b"], policy="NeverContactSource")], ["a", "b"], True, id="blocked"),
        pytest.param([digests(["https://a/"])], ["a"], False, id="with a scheme"),
    ],
)
def test_sets_about_one_source_make_one_rule(documents: list[object], mirrors: list[str], blocked: bool) -> None:
    (rule,) = mirror_sets(documents, on="mirrors.yaml").rules
    assert ([mirror.location for mirror in rule.mirrors], rule.blocked) == (mirrors, blocked)
    assert rule.prefix == "quay.io"


@pytest.mark.parametrize(
    "documents",
    [
        pytest.param([], id="nothing"),
        pytest.param([None], id="an empty document"),
        pytest.param([digests([])], id="no mirror"),
        pytest.param([digests(["quay.io"], policy="NeverContactSource")], id="only the source"),
        pytest.param([{**digests(), "spec": {}}], id="no entry"),
    ],
)
def test_sets_without_a_mirror_make_no_rule(documents: list[object]) -> None:
    assert mirror_sets(documents, on="mirrors.yaml").rules == ()


def test_a_domain_as_source_matches_its_names() -> None:
    rules = mirror_sets([digests(["a.example/redhat"], source="*.redhat.io")], on="mirrors.yaml")
    assert endpoints(rules, f"registry.redhat.io/ubi9@{DIGEST}") == [
        "a.example/redhat/ubi9",
        "registry.redhat.io/ubi9",
    ]


def entry(**changes: t.Any) -> dict[str, t.Any]:
    document = digests(["a.example"])
    document["spec"]["imageDigestMirrors"][0].update(changes)
    return document


@pytest.mark.parametrize(
    ("documents", "on", "said"),
    [
        pytest.param(["text"], "document 1", "not an object", id="text"),
        pytest.param([digests(), {"kind": "ConfigMap"}], "document 2, kind", "ConfigMap", id="another kind"),
        pytest.param([{"kind": ["x"]}], "document 1, kind", "list", id="kind is a list"),
        pytest.param([{**digests(), "apiVersion": "v1"}], "document 1, apiVersion", "openshift.io/v1", id="version"),
        pytest.param([{"kind": "List"}], "document 1, items", "not a list", id="list without items"),
        pytest.param([{"kind": "List", "items": [3]}], "document 1, items[0]", "not an object", id="item"),
        pytest.param([{"kind": "List", "items": [{"kind": "Pod"}]}], "items[0], kind", "Pod", id="foreign item"),
        pytest.param(
            [{**digests(), "spec": {"imageDigestMirrors": "a"}}],
            "spec.imageDigestMirrors", "not a list", id="entries",
        ),
        pytest.param([entry(source="")], "spec.imageDigestMirrors[0].source", "not the name", id="source"),
        pytest.param([entry(mirrors="a")], "spec.imageDigestMirrors[0].mirrors", "not a list", id="mirrors"),
        pytest.param([entry(mirrors=["a", 3])], "spec.imageDigestMirrors[0].mirrors[1]", "not the name", id="a mirror"),
        pytest.param([entry(mirrors=["http://a"])], "spec.imageDigestMirrors[0].mirrors[0]", "http://", id="HTTP"),
        pytest.param([entry(mirrorSourcePolicy="Never")], "[0].mirrorSourcePolicy", "Never", id="policy"),
    ],
)  # fmt: skip
def test_other_documents_are_refused_by_document_and_field(documents: list[object], on: str, said: str) -> None:
    with pytest.raises(InvalidInputError) as caught:
        mirror_sets(documents, on="mirrors.yaml")
    assert caught.value.on.startswith("mirrors.yaml: document ")
    assert on in caught.value.on
    assert said in caught.value.seen
