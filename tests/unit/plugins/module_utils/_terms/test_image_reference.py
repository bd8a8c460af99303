# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference

HEX = "9e2e4cf1b0d4a0fbb9a1f6b5f5cf8d5fd8a4f9b0a7e7b2f6b6f1c1d1e2f3a4b5"
RELEASE = "quay.io/openshift-release-dev/ocp-release"


@pytest.mark.parametrize(
    ("text", "registry", "repository", "tag", "pinned"),
    [
        (f"{RELEASE}:4.20.1-x86_64", "quay.io", "openshift-release-dev/ocp-release", "4.20.1-x86_64", False),
        (f"{RELEASE}@sha256:{HEX}", "quay.io", "openshift-release-dev/ocp-release", None, True),
        (
            f"{RELEASE}:4.20.1-x86_64@sha256:{HEX}",
            "quay.io",
            "openshift-release-dev/ocp-release",
            "4.20.1-x86_64",
            True,
        ),
        (f"localhost:5000/a__b/c-d.e@sha256:{HEX}", "localhost:5000", "a__b/c-d.e", None, True),
        ("[fd00::1]:5000/team/tool", "[fd00::1]:5000", "team/tool", None, False),
        ("localhost/tool:latest", "localhost", "tool", "latest", False),
    ],
)
def test_references_are_taken_apart_and_put_together(
    text: str, registry: str, repository: str, tag: str | None, pinned: bool
) -> None:
    parsed = ImageReference.parse(text)
    assert (parsed.registry, parsed.repository, parsed.tag, parsed.is_pinned) == (registry, repository, tag, pinned)
    assert str(parsed) == text


def test_by_digest_drops_the_tag() -> None:
    assert str(ImageReference.parse(f"{RELEASE}:4.20.1@sha256:{HEX}").by_digest()) == f"{RELEASE}@sha256:{HEX}"


def test_by_digest_takes_a_digest_found_elsewhere() -> None:
    assert str(ImageReference.parse(f"{RELEASE}:4.20.1").by_digest(Digest(HEX))) == f"{RELEASE}@sha256:{HEX}"


def test_by_digest_refuses_to_guess() -> None:
    with pytest.raises(InvalidInputError, match="it has no digest"):
        ImageReference.parse(f"{RELEASE}:4.20.1").by_digest()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param("busybox", "does not start with a registry host", id="unqualified"),
        pytest.param("library/busybox", "does not start with a registry host", id="half qualified"),
        pytest.param("quay.io/", "the repository ''", id="no repository"),
        pytest.param("quay.io/Upper/case", "the repository 'Upper/case'", id="upper case"),
        pytest.param("quay.io/a/../b", "the repository 'a/../b'", id="climbing out"),
        pytest.param("quay.io//a", "the repository '/a'", id="empty component"),
        pytest.param('quay.io/a"]\npinned = ["x', "the repository", id="escaping from TOML"),
        pytest.param("quay.io/a:", "the tag ''", id="empty tag"),
        pytest.param("quay.io/a:-x", "the tag '-x'", id="tag like an option"),
        pytest.param("quay.io/a:" + "x" * 129, "the tag", id="overlong tag"),
        pytest.param("quay.io/" + "a" * 250, "the repository", id="overlong name"),
        pytest.param("quay.io:99999999/a", "the registry", id="absurd port"),
        pytest.param("user:secret@quay.io/a", "64 lower-case hexadecimal digits", id="credentials"),
        pytest.param("--help.x/a", "the registry '--help.x'", id="registry like an option"),
        pytest.param("https://quay.io/a", "the registry 'https:'", id="a URL"),
    ],
)
def test_other_forms_are_refused(text: str, said: str) -> None:
    with pytest.raises(InvalidInputError) as caught:
        ImageReference.parse(text)
    assert said in caught.value.seen
