# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""Manifests as registries give them, and the lists of what refers to an image.

Source: OCI distribution specification 1.1, "Pulling manifests" and "Listing Referrers".
"""

from __future__ import annotations

import hashlib
import json
import typing as t
from dataclasses import dataclass, field

from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.registry_errors import RegistryError
from ansible_collections.fieldops.openshift.plugins.module_utils._net.transfer_errors import TransferError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.media_types import OCI_INDEX

if t.TYPE_CHECKING:
    from ansible_collections.fieldops.openshift.plugins.module_utils._net.messages import Response
    from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.mirror_rules import Endpoint

LARGEST_MANIFEST = 4 * 1024 * 1024
"""Bytes of a manifest; registries refuse larger ones (OCI distribution specification, "Pushing Manifests")."""

WITHOUT_REFERRERS = (400, 404, 405, 406, 501)
"""Statuses with which registries answer a request for referrers that they know nothing of."""


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
            raise _spoilt(endpoint, f"the manifest has {len(answer.body)} bytes, more than {LARGEST_MANIFEST}")
        told = answer.headers.get("Docker-Content-Digest")
        if wanted is not None and digest != wanted:
            raise _spoilt(endpoint, f"the manifest has the digest {digest} instead of {wanted}")
        if wanted is None and told is not None and told != str(digest):
            raise _spoilt(endpoint, f"the manifest has the digest {digest}, not the one that the registry announced")
        media_type = answer.headers.get("Content-Type", "").partition(";")[0].strip()
        return cls(digest, media_type, answer.body)


def referrers_tag(digest: Digest) -> str:
    """Return the tag that lists what refers to ``digest`` at registries without the API for it."""
    return f"sha256-{digest.hex}"


def lists_referrers(answer: Response) -> bool:
    """Whether ``answer`` comes from the API for referrers; old registries may answer with anything."""
    media_type = answer.headers.get("Content-Type", "").partition(";")[0].strip()
    return answer.status == 200 and media_type == OCI_INDEX


def require_referrers(found: Manifest, endpoint: Endpoint) -> Manifest:
    """Return ``found`` if it lists anything; otherwise raise the TransferError of an absence."""
    try:
        document = json.loads(found.content)
    except (ValueError, RecursionError):
        raise _spoilt(endpoint, "the list of referrers is not JSON") from None
    manifests = document.get("manifests") if isinstance(document, dict) else None
    if not isinstance(manifests, list):
        raise _spoilt(endpoint, "the list of referrers is no image index")
    if not manifests or found.media_type != OCI_INDEX:
        raise TransferError(
            "list the referrers",
            on=endpoint.name,
            seen="nothing refers to the image",
            advice="Nothing needs to be done, unless the image is expected to be signed there.",
            status=404,
        )
    return found


def _spoilt(endpoint: Endpoint, seen: str) -> RegistryError:
    return RegistryError(
        "fetch the manifest",
        on=endpoint.name,
        seen=seen,
        advice="This registry or a proxy on the way holds damaged or other content; take the image from elsewhere.",
    )
