# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Rules under which nobody is asked for images."""

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.registry_fence import (
    MARK,
    fence_content,
    known_prefixes,
    prefixes_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.toml_reader import read_toml
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference

# What the machine-config operator makes of an ImageDigestMirrorSet, shortened.
MIRRORED = """\
unqualified-search-registries = ["registry.access.redhat.com", "docker.io"]
short-name-mode = ""

[[registry]]
  prefix = ""
  location = "quay.io/openshift-release-dev/ocp-v4.0-art-dev"

  [[registry.mirror]]
    location = "mirror.site.example:5000/openshift/release"
    pull-from-mirror = "digest-only"

[[registry]]
  location = "docker.io"
"""


def blocked(content: str) -> list[str]:
    rules = read_toml(content, "fence")["registry"]
    assert all(rule["blocked"] == "true" and rule["location"] == rule["prefix"] for rule in rules)
    return [rule["prefix"] for rule in rules]


def test_registries_and_repositories_of_images() -> None:
    images = [ImageReference.parse(f"quay.io/a/{name}@sha256:{'0' * 64}") for name in ("b", "c", "b")]
    assert prefixes_of(images) == {"quay.io", "quay.io/a/b", "quay.io/a/c"}


def test_what_others_have_rules_for() -> None:
    files = {"registries.conf": MIRRORED, "empty.conf": ""}
    assert known_prefixes(files) == {"quay.io/openshift-release-dev/ocp-v4.0-art-dev", "docker.io"}


def test_a_rule_that_is_more_special_does_not_lead_around_the_fence() -> None:
    known = ["quay.io/openshift-release-dev/ocp-v4.0-art-dev", "docker.io", "quay.io:443/x", "quay.iono/x"]
    assert blocked(fence_content(["quay.io"], known)) == [
        "quay.io",
        "quay.io/openshift-release-dev/ocp-v4.0-art-dev",
        "quay.io:443/x",
    ]


def test_the_file_says_what_it_is() -> None:
    assert fence_content(["quay.io"], []) == (
        f'{MARK}\n[[registry]]\nprefix = "quay.io"\nlocation = "quay.io"\nblocked = true\n'
    )


@pytest.mark.parametrize("content", ["registry = 3", "registry = [1]", "[[registry]\n"])
def test_files_that_nobody_could_read_are_refused(content: str) -> None:
    with pytest.raises(InvalidInputError):
        known_prefixes({"registries.conf": content})
