# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Who refers to a manifest: an index of the manifests of its repository that have it as their ``subject``.

Copies ``list_manifest_referrers`` of quay's ``endpoints/v2/referrers.py`` and ``OCIIndexBuilder`` of
``image/oci/index.py``: a manifest that the repository lacks is 404, where the OCI distribution specification ("Listing
Referrers") wants an empty index. The whole index comes at once.
"""

from __future__ import annotations

import functools
import json

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.tests.lab.registry.images import Json
from ansible_collections.fieldops.openshift.tests.lab.registry.quay.answers import Answer, failure
from ansible_collections.fieldops.openshift.tests.lab.registry.storage import RegistryStorage

INDEX = "application/vnd.oci.image.index.v1+json"


def referrers_of(storage: RegistryStorage, repository: str, subject: Digest, artifact_type: str | None) -> Answer:
    """Return the index of what refers to ``subject``, of one artifact type if it is given."""
    by_subject = _by_subject(storage, repository, storage.version(repository))
    if str(subject) not in by_subject:
        return failure("MANIFEST_UNKNOWN")
    found = by_subject[str(subject)]
    headers = {"Content-Type": INDEX}
    if artifact_type is not None:
        headers["OCI-Filters-Applied"] = "artifactType"
        found = [one for one in found if one.get("artifactType") == artifact_type]
    index = {"schemaVersion": 2, "mediaType": INDEX, "manifests": found}
    return Answer(200, headers, json.dumps(index).encode())


@functools.lru_cache(maxsize=100)
def _by_subject(storage: RegistryStorage, repository: str, _version: object) -> dict[str, list[Json]]:
    """Return what refers to each manifest that a repository holds, as quay's database has it by an index."""
    known = storage.manifests(repository)
    found: dict[str, list[Json]] = {str(digest): [] for digest in known}
    for digest in known:
        content = storage.blob(digest).read_bytes()
        subject = _parsed(content).get("subject", {}).get("digest")
        if subject in found:
            found[subject].append(_descriptor(content, str(digest)))
    return found


def _descriptor(content: bytes, digest: str) -> Json:
    manifest = _parsed(content)
    descriptor = {"mediaType": manifest["mediaType"], "digest": digest, "size": len(content)}
    # OCI image manifest, "artifactType": without one it is the media type of the config.
    kind = manifest.get("artifactType") or manifest.get("config", {}).get("mediaType")
    more = {"artifactType": kind, "annotations": manifest.get("annotations")}
    return {**descriptor, **{name: value for name, value in more.items() if value}}


def _parsed(content: bytes) -> Json:
    try:
        manifest: Json = json.loads(content)
    except ValueError:  # a test may have spoilt it
        return {}
    return manifest
