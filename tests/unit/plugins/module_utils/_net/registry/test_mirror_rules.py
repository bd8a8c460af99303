# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.mirror_rules import (
    Endpoint,
    Mirror,
    MirrorRule,
    MirrorRules,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference

DIGEST = "sha256:" + "a" * 64
FROM_AN_IMAGE_DIGEST_MIRROR_SET = """
unqualified-search-registries = ["registry.access.redhat.com", "docker.io"]

[[registry]]
  prefix = ""
  location = "quay.io/openshift-release-dev/ocp-v4.0-art-dev"
  blocked = true

  [[registry.mirror]]
    location = "mirror.site.example:8443/openshift/release"
    pull-from-mirror = "digest-only"

  [[registry.mirror]]
    location = "second.site.example/openshift/release"
    insecure = true
"""


def endpoints(rules: MirrorRules, reference: str) -> list[str]:
    return [endpoint.name for endpoint in rules.endpoints(ImageReference.parse(reference))]


def test_without_a_rule_the_registry_itself_is_asked() -> None:
    assert MirrorRules().endpoints(ImageReference.parse("quay.io/a/b:1")) == (Endpoint("quay.io/a/b"),)


def test_mirrors_are_asked_in_their_order_and_a_blocked_source_never() -> None:
    rules = MirrorRules.parse(FROM_AN_IMAGE_DIGEST_MIRROR_SET)
    found = rules.endpoints(ImageReference.parse(f"quay.io/openshift-release-dev/ocp-v4.0-art-dev@{DIGEST}"))
    assert found == (
        Endpoint("mirror.site.example:8443/openshift/release"),
        Endpoint("second.site.example/openshift/release", insecure=True),
    )
    assert [endpoint.host for endpoint in found] == ["mirror.site.example:8443", "second.site.example"]


def test_a_mirror_for_digests_is_not_asked_for_tags() -> None:
    rules = MirrorRules.parse(FROM_AN_IMAGE_DIGEST_MIRROR_SET)
    assert endpoints(rules, "quay.io/openshift-release-dev/ocp-v4.0-art-dev:latest") == [
        "second.site.example/openshift/release"
    ]


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


def test_a_domain_keeps_its_names_unless_it_is_led_elsewhere() -> None:
    kept = MirrorRules.parse('[[registry]]\nprefix = "*.redhat.com"\ninsecure = true\n')
    assert endpoints(kept, "registry.redhat.com/ubi9:1") == ["registry.redhat.com/ubi9"]
    led = MirrorRules.parse('[[registry]]\nprefix = "*.redhat.com"\nlocation = "proxy.example/redhat"\n')
    assert endpoints(led, "registry.redhat.com/ubi9:1") == ["proxy.example/redhat/ubi9"]


def test_rules_given_later_replace_those_of_the_same_prefix() -> None:
    first = MirrorRules((MirrorRule("quay.io", "quay.io", mirrors=(Mirror("old.example"),)),))
    second = MirrorRules((MirrorRule("quay.io", "quay.io", mirrors=(Mirror("new.example"),)),))
    assert endpoints(first.joined(second), "quay.io/a:1") == ["new.example/a", "quay.io/a"]


def test_a_place_that_is_listed_twice_is_asked_once() -> None:
    rule = MirrorRule("quay.io", "quay.io", mirrors=(Mirror("quay.io"), Mirror("quay.io")))
    assert endpoints(MirrorRules((rule,)), "quay.io/a:1") == ["quay.io/a"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param("[[registry", "not TOML", id="no TOML"),
        pytest.param("[registries.search]\nregistries = ['a']\n", "not of version 2", id="version 1"),
        pytest.param("registry = 1\n", "not of version 2", id="not a list"),
        pytest.param("registry = [1]\n", "not a table", id="not a table"),
        pytest.param("[[registry]]\nblocked = true\n", "neither a location nor a prefix", id="about nothing"),
        pytest.param('[[registry]]\nlocation = "a"\nblocked = "yes"\n', "neither true nor false", id="text as flag"),
        pytest.param('[[registry]]\nlocation = ["a"]\n', "location is not a string", id="list as location"),
        pytest.param('[[registry]]\nlocation = "a"\nmirror = ["b"]\n', "mirrors are not tables", id="mirror as text"),
        pytest.param('[[registry]]\nlocation = "a"\n[[registry.mirror]]\n', "has no location", id="empty mirror"),
        pytest.param(
            '[[registry]]\nlocation = "a"\n[[registry.mirror]]\nlocation = "b"\npull-from-mirror = "never"\n',
            "pull-from-mirror",
            id="unknown kind of mirror",
        ),
    ],
)
def test_other_documents_are_refused(text: str, said: str) -> None:
    with pytest.raises(InvalidInputError, match=said):
        MirrorRules.parse(text)
