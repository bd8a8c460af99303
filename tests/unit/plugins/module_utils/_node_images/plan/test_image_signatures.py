# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import base64
import json
import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.image_signatures import (
    HEAD,
    signature_files,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import BundledSignature
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.media_types import COSIGN_PAYLOAD
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._bundle_files.indexes import (
    blob_of,
    digest_of,
    image_of,
)

if t.TYPE_CHECKING:
    from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import BundledImage

LIST, INSTANCE, CONFIG = (blob_of(text) for text in (b"list", b"instance", b"config"))
PAYLOAD, ANNOTATIONS = b'{"critical":{}}', {"dev.cosignproject.cosign/signature": "c2ln"}


def manifest(*payloads: bytes, media_type: str = COSIGN_PAYLOAD) -> bytes:
    layers = [{"mediaType": media_type, "digest": str(digest_of(one)), "annotations": ANNOTATIONS} for one in payloads]
    return json.dumps({"layers": layers}).encode()


def files(image: BundledImage, signed: t.Any, artefact: bytes, *payloads: bytes, kind: str = "cosign") -> t.Any:
    stored = {digest_of(one): one for one in (artefact, *payloads)}
    return signature_files(image, [BundledSignature(kind, signed, (digest_of(artefact),))], stored.get)


def test_a_signature_stands_beside_its_image() -> None:
    found = files(image_of(INSTANCE, CONFIG), INSTANCE.digest, manifest(PAYLOAD), PAYLOAD)
    assert list(found) == ["signature-1"]
    content = found["signature-1"]
    assert content.startswith(HEAD)
    assert json.loads(content[len(HEAD) :]) == {
        "mimeType": COSIGN_PAYLOAD,
        "payload": base64.b64encode(PAYLOAD).decode(),
        "annotations": ANNOTATIONS,
    }


def test_several_are_numbered() -> None:
    found = files(image_of(INSTANCE, CONFIG), INSTANCE.digest, manifest(b"one", b"two"), b"one", b"two")
    assert list(found) == ["signature-1", "signature-2"]


@pytest.mark.parametrize(
    ("signed", "name"),
    [
        pytest.param(LIST.digest, "signature-1", id="of the list"),
        pytest.param(INSTANCE.digest, f"{INSTANCE.digest.hex}.signature-1", id="of one of its images"),
    ],
)
def test_a_list_and_its_images_have_theirs(signed: t.Any, name: str) -> None:
    image = image_of(LIST, CONFIG, inner=[INSTANCE])
    assert list(files(image, signed, manifest(PAYLOAD), PAYLOAD)) == [name]


def test_signatures_of_a_list_and_of_its_image_stand_side_by_side() -> None:
    first, second = manifest(b"one"), manifest(b"two")
    stored = {digest_of(one): one for one in (first, second, b"one", b"two")}
    signatures = [
        BundledSignature("cosign", LIST.digest, (digest_of(first),)),
        BundledSignature("cosign", INSTANCE.digest, (digest_of(second),)),
    ]
    found = signature_files(image_of(LIST, CONFIG, inner=[INSTANCE]), signatures, stored.get)
    payloads = {name: json.loads(content[len(HEAD) :])["payload"] for name, content in found.items()}
    assert payloads == {
        "signature-1": base64.b64encode(b"one").decode(),
        f"{INSTANCE.digest.hex}.signature-1": base64.b64encode(b"two").decode(),
    }


@pytest.mark.parametrize("kind", ["gpg", "sigstore", "attestation"])
def test_a_kind_that_container_runtimes_do_not_read_gives_no_file(kind: str) -> None:
    assert files(image_of(INSTANCE, CONFIG), INSTANCE.digest, manifest(PAYLOAD), PAYLOAD, kind=kind) == {}


@pytest.mark.parametrize(
    "artefact",
    [
        b"",
        b"\xff",
        b"[]",
        b"{}",
        b'{"layers": 1}',
        b'{"layers": [{}]}',
        b'{"layers": [], "layers": []}',
        manifest(PAYLOAD, media_type="application/vnd.dev.sigstore.bundle.v0.3+json"),
        manifest(PAYLOAD).replace(b"sha256:", b"md5:"),
        manifest(PAYLOAD).replace(json.dumps(ANNOTATIONS).encode(), b"null"),
        manifest(b"a payload that is not here"),
    ],
    ids=repr,
)
def test_what_holds_no_signature_gives_no_file(artefact: bytes) -> None:
    assert files(image_of(INSTANCE, CONFIG), INSTANCE.digest, artefact, PAYLOAD) == {}


def test_signatures_of_other_images_are_left_alone() -> None:
    image = image_of(INSTANCE, CONFIG)
    assert files(image, LIST.digest, manifest(PAYLOAD), PAYLOAD) == {}
