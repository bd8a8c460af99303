# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.mirror_rules import Endpoint
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.registries_conf import RegistriesConf

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


def endpoints(text: str, reference: str) -> list[str]:
    return [endpoint.name for endpoint in RegistriesConf.parse(text).rules.endpoints(ImageReference.parse(reference))]


def test_mirrors_are_asked_in_their_order_and_a_blocked_source_never() -> None:
    rules = RegistriesConf.parse(FROM_AN_IMAGE_DIGEST_MIRROR_SET).rules
    found = rules.endpoints(ImageReference.parse(f"quay.io/openshift-release-dev/ocp-v4.0-art-dev@{DIGEST}"))
    assert found == (
        Endpoint("mirror.site.example:8443/openshift/release"),
        Endpoint("second.site.example/openshift/release", insecure=True),
    )
    assert [endpoint.host for endpoint in found] == ["mirror.site.example:8443", "second.site.example"]


def test_a_mirror_for_digests_is_not_asked_for_tags() -> None:
    assert endpoints(FROM_AN_IMAGE_DIGEST_MIRROR_SET, "quay.io/openshift-release-dev/ocp-v4.0-art-dev:latest") == [
        "second.site.example/openshift/release"
    ]


def test_a_domain_keeps_its_names_unless_it_is_led_elsewhere() -> None:
    kept = '[[registry]]\nprefix = "*.redhat.com"\ninsecure = true\n'
    assert endpoints(kept, "registry.redhat.com/ubi9:1") == ["registry.redhat.com/ubi9"]
    led = '[[registry]]\nprefix = "*.redhat.com"\nlocation = "proxy.example/redhat"\n'
    assert endpoints(led, "registry.redhat.com/ubi9:1") == ["proxy.example/redhat/ubi9"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param(
            'location = "https://quay.io"\n[[registry.mirror]]\nlocation = "https://m.example/x/"\n',
            ["m.example/x/a", "quay.io/a"],
            id="with a scheme",
        ),
        pytest.param(
            'location = "quay.io"\n[[registry.mirror]]\nlocation = "http://m.example"\ninsecure = true\n',
            ["m.example/a", "quay.io/a"],
            id="plain HTTP that is allowed",
        ),
        pytest.param('prefix = "https://quay.io/"\nlocation = "m.example"\n', ["m.example/a"], id="prefix"),
    ],
)
def test_locations_may_be_written_as_urls(text: str, found: list[str]) -> None:
    assert endpoints(f"[[registry]]\n{text}", "quay.io/a:1") == found


@pytest.mark.parametrize(
    ("text", "helpers"),
    [
        ("", ()),
        ('credential-helpers = ["containers-auth.json"]', ()),
        ('credential-helpers = ["containers-auth.json", "pass", "ecr-login"]', ("pass", "ecr-login")),
        ('short-name-mode = "enforcing"\nunqualified-search-registries = ["quay.io"]\n[aliases]\n"a" = "b/c"', ()),
    ],
)
def test_of_the_other_keys_only_credential_helpers_have_a_meaning(text: str, helpers: tuple[str, ...]) -> None:
    assert RegistriesConf.parse(text).credential_helpers == helpers


def test_a_later_file_replaces_rules_of_the_same_prefix_and_the_helpers() -> None:
    first = RegistriesConf.parse(
        'credential-helpers = ["pass"]\n[[registry]]\nlocation = "a.example"\n[[registry]]\nlocation = "b.example"\n'
    )
    second = RegistriesConf.parse('[[registry]]\nprefix = "a.example"\nlocation = "c.example"\n')
    joined = first.joined(second)
    assert [(rule.prefix, rule.location) for rule in joined.rules.rules] == [
        ("b.example", "b.example"),
        ("a.example", "c.example"),
    ]
    assert joined.credential_helpers == ("pass",)
    assert joined.joined(RegistriesConf.parse('credential-helpers = ["gcr"]')).credential_helpers == ("gcr",)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param("[[registry", "not TOML", id="no TOML"),
        pytest.param("[registries.search]\nregistries = ['a']\n", "not of version 2", id="version 1"),
        pytest.param("credential-helpers = 'pass'", "not a list of strings", id="helper as text"),
        pytest.param('[[registry]]\nlocation = "http://a"\n', "starts with http://", id="plain HTTP"),
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
        RegistriesConf.parse(text)
