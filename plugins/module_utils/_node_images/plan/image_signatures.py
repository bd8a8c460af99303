# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""The signatures of cosign as files beside an image, from where they get into the container storage with it. Pure.

CRI-O looks there when a container is created in a namespace that has a signature policy of its own; OpenShift has such
policies for its release images from 4.21 on. A registry would give the same as the tag ``sha256-<hex>.sig``.
Source: containers/image ``internal/signature/sigstore.go`` for the form, ``directory/directory_transport.go`` for the
names; sigstore/cosign ``specs/SIGNATURE_SPEC.md``; cri-o ``internal/storage/image.go`` (IsRunningImageAllowed).
"""

from __future__ import annotations

import base64
import json
import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.json_document import Document
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.media_types import COSIGN_PAYLOAD

if t.TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import (
        BundledImage,
        BundledSignature,
    )
    from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest

HEAD = b"\0sigstore-json\n"


def signature_files(
    image: BundledImage, signatures: Iterable[BundledSignature], read: Callable[[Digest], bytes | None]
) -> dict[str, bytes]:
    """Return the files for ``image``, and for the instances of a list, by their names.

    ``read`` returns the verified bytes of a blob, None where it is not here. What holds no signature of cosign gives no
    file: a policy that wants one then refuses the container, and nothing else is hindered.
    """
    files: dict[str, bytes] = {}
    for number, digest in enumerate(image.manifests):
        prefix = f"{digest.hex}." if number else ""
        own = [one.blobs[0] for one in signatures if (one.kind, one.image) == ("cosign", digest) and one.blobs]
        contents = [content for manifest in own for content in _contents(read(manifest), read)]
        files.update({f"{prefix}signature-{count}": content for count, content in enumerate(contents, 1)})
    return files


def _contents(manifest: bytes | None, read: Callable[[Digest], bytes | None]) -> list[bytes]:
    found = []
    for layer in _layers(manifest):
        payload = read(layer["digest"])
        if payload is not None:
            document = {
                "mimeType": COSIGN_PAYLOAD,
                "payload": base64.b64encode(payload).decode(),
                "annotations": layer["annotations"],
            }
            found.append(HEAD + json.dumps(document, sort_keys=True).encode())
    return found


def _layers(manifest: bytes | None) -> list[dict[str, t.Any]]:
    try:
        document = Document.parse(manifest or b"{}", on="signature")
        layers = document["layers"].entries() if "layers" in document else []
        payloads = [one for one in layers if one["mediaType"].text() == COSIGN_PAYLOAD]
        return [
            {"digest": one["digest"].digest(), "annotations": one.texts("annotations")}
            for one in payloads
            if one.get("annotations") is not None
        ]
    except InvalidInputError:
        return []
