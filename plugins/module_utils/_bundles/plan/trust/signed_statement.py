# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a signature of an image says: which digest, and that it is an image's signature at all.

Source: containers/image ``docs/containers-signature.5.md``; openshift/library-go ``pkg/verify/verify.go``, which
refuses unknown fields just so.
"""

from __future__ import annotations

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.payload_document import PayloadDocument
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest

ATOMIC = "atomic container signature"
COSIGN = "cosign container image signature"


def statement_problem(content: bytes, kind: str, image: Digest) -> str:
    """Return what keeps ``content`` from being a statement of ``kind`` about ``image``; empty if nothing does.

    Raises PayloadError for a document of another shape.
    """
    document = PayloadDocument.parse(content, on="signed statement")
    critical = document["critical"]
    unknown = set(document.as_a(dict)) - {"critical", "optional"}
    unknown |= set(critical.as_a(dict)) - {"type", "image", "identity"}
    if unknown:
        return f"it has unknown fields: {', '.join(sorted(unknown))[:100]}"
    if critical["type"].text() != kind:
        return f"it is of type {critical['type'].text()[:60]!r}, not {kind!r}"
    if not critical["identity"]["docker-reference"].text():
        return "it contains no image"
    told = critical["image"]["docker-manifest-digest"].text()
    return "" if told == str(image) else f"it is for {told[:80]}, not for {image}"
