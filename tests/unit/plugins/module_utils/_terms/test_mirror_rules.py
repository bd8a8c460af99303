# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.mirror_rules import (
    Endpoint,
    Mirror,
    MirrorRule,
    MirrorRules,
    location_in,
)


def endpoints(rules: MirrorRules, reference: str) -> list[str]:
    return [endpoint.name for endpoint in rules.endpoints(ImageReference.parse(reference))]


def test_without_a_rule_the_registry_itself_is_asked() -> None:
    assert MirrorRules().endpoints(ImageReference.parse("quay.io/a/b:1")) == (Endpoint("quay.io/a/b"),)


@pytest.mark.parametrize(
    ("prefix", "reference", "matches"),
    [
        ("quay.io", "quay.io/a/b:1", True),
        ("quay.io/a", "quay.io/a/b:1", True),
        ("quay.io/a/b", "quay.io/a/b:1", True),
        ("quay.io/a", "quay.io/ab/c:1", False),
        ("quay.io", "quay.io.evil.example/a:1", False),
        ("quay.io", "quay.io:5000/a:1", True),
        ("*.redhat.com", "registry.access.redhat.com/ubi9:1", True),
        ("*.redhat.com", "redhat.com/ubi9:1", False),
        ("*.redhat.com", "evilredhat.com/ubi9:1", False),
    ],
)
def test_prefixes_match_at_boundaries_only(prefix: str, reference: str, matches: bool) -> None:
    rule = MirrorRule(prefix, "elsewhere.example", blocked=True)
    assert (rule.matched(ImageReference.parse(reference).name) is not None) is matches


def test_the_longest_prefix_alone_counts() -> None:
    rules = MirrorRules((MirrorRule("quay.io", "wide.example"), MirrorRule("quay.io/a", "narrow.example")))
    assert endpoints(rules, "quay.io/a/b:1") == ["narrow.example/b"]
    assert endpoints(rules, "quay.io/c/b:1") == ["wide.example/c/b"]


def test_rules_given_later_replace_those_of_the_same_prefix() -> None:
    first = MirrorRules((MirrorRule("quay.io", "quay.io", mirrors=(Mirror("old.example"),)),))
    second = MirrorRules((MirrorRule("quay.io", "quay.io", mirrors=(Mirror("new.example"),)),))
    assert endpoints(first.joined(second), "quay.io/a:1") == ["new.example/a", "quay.io/a"]


def test_a_place_that_is_listed_twice_is_asked_once() -> None:
    rule = MirrorRule("quay.io", "quay.io", mirrors=(Mirror("quay.io"), Mirror("quay.io")))
    assert endpoints(MirrorRules((rule,)), "quay.io/a:1") == ["quay.io/a"]


@pytest.mark.parametrize(
    ("text", "insecure", "location"),
    [
        ("mirror.example:5000/a/", False, "mirror.example:5000/a"),
        ("https://mirror.example/a", False, "mirror.example/a"),
        ("HTTPS://mirror.example/", False, "mirror.example"),
        ("http://mirror.example:5000", True, "mirror.example:5000"),
    ],
)
def test_a_location_may_be_written_as_a_url(text: str, insecure: bool, location: str) -> None:
    assert location_in(text, insecure=insecure, on="mirrors") == location


@pytest.mark.parametrize(
    ("text", "insecure", "said"),
    [
        ("http://mirror.example", False, "starts with http://"),
        ("docker://mirror.example", True, "starts with docker://"),
        ("oci:///var/lib/images", True, "starts with oci://"),
        ("https://", False, "not a host"),
        ("/var/lib/images", False, "not a host"),
        ("mirror.example, second.example", False, "not a host"),
    ],
)
def test_other_locations_are_refused(text: str, insecure: bool, said: str) -> None:
    with pytest.raises(InvalidInputError, match=said) as caught:
        location_in(text, insecure=insecure, on="mirrors")
    assert caught.value.on == "mirrors"
