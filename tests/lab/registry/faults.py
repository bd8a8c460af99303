# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Releases and registries with one thing wrong, for tests of hostile and damaged input.

What is damaged in a storage is damaged in that registry alone. What is changed in a release gives another release,
which is consistent but for what was changed: an attacker computes digests too.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference
from ansible_collections.fieldops.openshift.tests.lab.registry.component_names import PAYLOAD_BASE
from ansible_collections.fieldops.openshift.tests.lab.registry.images import Json, NamedImage, Stored
from ansible_collections.fieldops.openshift.tests.lab.registry.keyring import Keyring, SigningKey
from ansible_collections.fieldops.openshift.tests.lab.registry.layers import Member
from ansible_collections.fieldops.openshift.tests.lab.registry.release import (
    Release,
    image_references_of,
    release_image,
)
from ansible_collections.fieldops.openshift.tests.lab.registry.release_payload import REFERENCES
from ansible_collections.fieldops.openshift.tests.lab.registry.release_signatures import SignatureStore, signed_message
from ansible_collections.fieldops.openshift.tests.lab.registry.storage import RegistryStorage

ESCAPING_NAME = "../../../../tmp/escaped"
NOWHERE = Digest("0" * 64)


def truncate_blob(storage: RegistryStorage, digest: Digest, keep: int | None = None) -> None:
    """Cut a blob after ``keep`` bytes, else in the middle."""
    content = storage.blob(digest).read_bytes()
    storage.overwrite(digest, content[: len(content) // 2 if keep is None else keep])


def flip_byte(storage: RegistryStorage, digest: Digest, at: int | None = None) -> None:
    """Invert one byte of a blob, else the middle one; its size stays."""
    content = bytearray(storage.blob(digest).read_bytes())
    content[len(content) // 2 if at is None else at] ^= 0xFF
    storage.overwrite(digest, bytes(content))


def lose_layers(storage: RegistryStorage, image: Stored) -> None:
    """Lose what an image is made of but its manifests, as a mirror that was not brought up to date."""
    for blob in image.blobs:
        storage.blob(blob.digest).unlink(missing_ok=True)


def move_tag(storage: RegistryStorage, reference: ImageReference, to: NamedImage) -> None:
    """Let the tag of ``reference`` lead to another image of the same repository."""
    assert reference.tag
    storage.tag(reference.repository, reference.tag, to.image.digest)


def with_image_references(release: Release, change: Callable[[Json], None]) -> Release:
    """Return the release with another image-references; ``change`` edits the document in place."""
    document = image_references_of(release)
    change(document)
    return with_payload(release, {REFERENCES: json.dumps(document, indent=2).encode()})


def with_payload(
    release: Release, files: Mapping[str, bytes], above: Sequence[Sequence[Member]] = (), without: Sequence[str] = ()
) -> Release:
    """Return the release with files of its payload replaced, added or left out.

    ``above`` are the members of further layers of the release image: whiteouts, files that replace those below, links.
    """
    kept = {name: content for name, content in release.payload.items() if name not in without}
    payload = {**kept, **files}
    base = release.components[PAYLOAD_BASE]
    return replace(release, payload=payload, image=release_image(release.pool, release.spec, base, payload, above))


def with_wrong_digest(release: Release, component: str, digest: Digest = NOWHERE) -> Release:
    """Return the release with image-references naming another digest for one component."""
    reference = release.reference_of(component).by_digest(digest)
    return with_reference(release, component, str(reference))


def with_reference(release: Release, component: str, pull_specification: str) -> Release:
    """Return the release with image-references holding any text as the image of one component."""

    def change(document: Json) -> None:
        _tag(document, component)["from"]["name"] = pull_specification

    return with_image_references(release, change)


def with_escaping_reference(release: Release, component: str) -> Release:
    """Return the release with a component's repository leading upwards: ``quay.io/../../...@sha256:...``."""
    reference = release.reference_of(component)
    return with_reference(release, component, f"{reference.registry}/{ESCAPING_NAME}@{reference.digest}")


def with_escaping_component(release: Release, component: str) -> Release:
    """Return the release with a component whose name leads upwards: a path, to whoever makes a file name of it."""

    def change(document: Json) -> None:
        _tag(document, component)["name"] = ESCAPING_NAME

    return with_image_references(release, change)


def sign_another_digest(store: SignatureStore, keyring: Keyring, key: SigningKey, release: Release) -> Path:
    """Keep a good signature of a good key with the release, saying another digest than the release's."""
    return store.add(release.image.digest, keyring.sign(key, signed_message(release.reference, NOWHERE)))


def _tag(document: Json, component: str) -> Json:
    tag: Json = next(tag for tag in document["spec"]["tags"] if tag["name"] == component)
    return tag
