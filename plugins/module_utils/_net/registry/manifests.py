# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Manifests as registries give them. Source: OCI distribution specification 1.1, "Pulling manifests"."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field

from ansible_collections.fieldops.openshift.plugins.module_utils._net.messages import Response
from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.registry_errors import RegistryError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.mirror_rules import Endpoint

LARGEST_MANIFEST = 4 * 1024 * 1024
"""Bytes of a manifest; registries refuse larger ones (OCI distribution specification, "Pushing Manifests")."""


@dataclass(frozen=True)
class Manifest:
    """The exact bytes that a registry keeps under ``digest``; ``media_type`` is what it says they are."""

    digest: Digest
    media_type: str
    content: bytes = field(repr=False)

    @classmethod
    def checked(cls, answer: Response, wanted: Digest | None, endpoint: Endpoint) -> Manifest:
        """Return the manifest in ``answer``; raise RegistryError if it is another one than was ``wanted``."""
        digest = Digest(hashlib.sha256(answer.body).hexdigest())
        if len(answer.body) > LARGEST_MANIFEST:
            raise spoilt(endpoint, f"the manifest has {len(answer.body)} bytes, more than {LARGEST_MANIFEST}")
        told = answer.headers.get("Docker-Content-Digest")
        if wanted is not None and digest != wanted:
            raise spoilt(endpoint, f"the manifest has the digest {digest} instead of {wanted}")
        if wanted is None and told is not None and told != str(digest):
            raise spoilt(endpoint, f"the manifest has the digest {digest}, not the one that the registry announced")
        return cls(digest, media_type_of(answer), answer.body)


def media_type_of(answer: Response) -> str:
    """Return what ``answer`` says its body is."""
    return answer.headers.get("Content-Type", "").partition(";")[0].strip()


def spoilt(endpoint: Endpoint, seen: str) -> RegistryError:
    """Return the error for ``endpoint``, whose manifest is not what it should be."""
    return RegistryError(
        "fetch the manifest",
        on=endpoint.name,
        seen=seen,
        advice="The content of this registry, or of a proxy in between, is damaged or different. Use another source "
        "for the image.",
    )
