# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a path of the distribution protocol asks for, or one of a boot image. Pure.

A server that goes by digests alone needs no repositories: whatever name stands in the path, the digest says what is
meant. Source: distribution-spec 1.1, "Endpoints"; the names of signatures: sigstore/cosign ``specs/SIGNATURE_SPEC.md``.
"""

from __future__ import annotations

import re
import typing as t
from dataclasses import dataclass

ROOT: t.Final = "root"
BLOB: t.Final = "blobs"
MANIFEST: t.Final = "manifests"
REFERRERS: t.Final = "referrers"
BOOT_IMAGE: t.Final = "boot-images"

_NAME = r"[a-z0-9]+(?:(?:[._/]|__|-+)[a-z0-9]+)*"
_PATH = re.compile(rf"/v2/{_NAME}/({BLOB}|{MANIFEST}|{REFERRERS})/([A-Za-z0-9_][A-Za-z0-9._:-]{{0,134}})")
_BOOT_PATH = re.compile(rf"/{BOOT_IMAGE}(?:/([A-Za-z0-9][A-Za-z0-9._-]{{0,199}})?)?", re.ASCII)
_DIGEST = re.compile(r"sha256:([0-9a-f]{64})")


@dataclass(frozen=True)
class ImagePath:
    """``kind`` is one of the above; ``digest`` is hexadecimal, ``tag`` is set where a manifest is requested by tag.

    ``file`` is the name of a boot image, empty where the list of them is requested.
    """

    kind: str
    digest: str = ""
    tag: str = ""
    file: str = ""


def parse_image_path(path: str) -> ImagePath | None:
    """Return what the path of a request asks for, None where it is none of the protocol's. A query is left out."""
    path = path.partition("?")[0]
    if path in ("/v2", "/v2/"):
        return ImagePath(ROOT)
    boot = _BOOT_PATH.fullmatch(path)
    if boot is not None:
        return ImagePath(BOOT_IMAGE, file=boot.group(1) or "")
    match = _PATH.fullmatch(path)
    if match is None:
        return None
    kind, reference = match.groups()
    digest = _DIGEST.fullmatch(reference)
    if digest is not None:
        return ImagePath(kind, digest=digest.group(1))
    return ImagePath(kind, tag=reference) if kind == MANIFEST and ":" not in reference else None
