# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import base64
import json
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference
from ansible_collections.fieldops.openshift.tests.lab.registry.release_signatures import (
    SignatureStore,
    release_verification,
    signed_message,
)

DIGEST = Digest("1" * 64)
OTHER = Digest("2" * 64)
REFERENCE = ImageReference("quay.io", "openshift-release-dev/ocp-release", "4.21.3-x86_64", DIGEST)


def test_message_is_an_atomic_container_signature() -> None:
    message = json.loads(signed_message(REFERENCE))
    assert message["critical"] == {
        "type": "atomic container signature",
        "image": {"docker-manifest-digest": str(DIGEST)},
        "identity": {"docker-reference": "quay.io/openshift-release-dev/ocp-release:4.21.3-x86_64"},
    }
    assert set(message) == {"critical", "optional"}


def test_message_may_say_another_digest() -> None:
    assert json.loads(signed_message(REFERENCE, OTHER))["critical"]["image"]["docker-manifest-digest"] == str(OTHER)


def test_signatures_are_numbered_from_one(tmp_path: Path) -> None:
    store = SignatureStore(tmp_path)
    paths = [store.add(DIGEST, bytes([number])) for number in range(11)]
    assert [path.relative_to(tmp_path) for path in paths[:2]] == [
        Path(f"sha256={DIGEST.hex}/signature-1"),
        Path(f"sha256={DIGEST.hex}/signature-2"),
    ]
    assert store.signatures(DIGEST) == [bytes([number]) for number in range(11)]
    assert store.signatures(OTHER) == []


def test_config_map_carries_the_signatures_of_one_release(tmp_path: Path) -> None:
    store = SignatureStore(tmp_path)
    store.add(DIGEST, b"one")
    store.add(DIGEST, b"two")
    store.add(OTHER, b"other")
    config_map = store.config_map(DIGEST)
    assert config_map["metadata"]["labels"] == {"release.openshift.io/verification-signatures": ""}
    assert config_map["metadata"]["namespace"] == "openshift-config-managed"
    assert {key: base64.b64decode(value) for key, value in config_map["binaryData"].items()} == {
        f"sha256-{DIGEST.hex}-1": b"one",
        f"sha256-{DIGEST.hex}-2": b"two",
    }


def test_verification_config_map_is_found_by_its_annotation() -> None:
    config_map = release_verification({"lab": "KEY"}, {"local": "http://127.0.0.1:1"})
    assert config_map["metadata"]["annotations"] == {"release.openshift.io/verification-config-map": ""}
    assert config_map["data"] == {"verifier-public-key-lab": "KEY", "store-local": "http://127.0.0.1:1"}
