# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Signatures that cosign attached to images, verified with the public keys of a site.

Source: sigstore/cosign ``specs/SIGNATURE_SPEC.md``. The payload is what is signed; its signature is an annotation of
the layer that holds it.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import typing as t
from collections.abc import Callable, Iterable

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.bundle_errors import PayloadError
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.manifests import (
    ImageManifest,
    parse_manifest,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.trust.signed_statement import (
    COSIGN,
    statement_problem,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import (
    InvalidInputError,
    MissingRequirementError,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.media_types import COSIGN_PAYLOAD, OCI_MANIFEST

ANNOTATION = "dev.cosignproject.cosign/signature"
LEAST_RSA_BITS = 2048
_CURVES = ("secp256r1", "secp384r1", "secp521r1")


class CosignKeys:
    """Public keys in PEM; each is known by the sha256 of its DER form."""

    def __init__(self, pem: Iterable[bytes]) -> None:
        self._keys = [_loaded(one) for one in pem]

    def signers(self, image: Digest, manifest: bytes, read_payload: Callable[[Digest], bytes | None]) -> list[str]:
        """Return the keys that signed ``image``, according to the signature ``manifest`` and the payloads it names."""
        try:
            parsed = parse_manifest(manifest, OCI_MANIFEST, on=f"cosign signature of {image}")
        except PayloadError:
            return []
        layers = parsed.layers if isinstance(parsed, ImageManifest) else ()
        found: list[str] = []
        for layer in layers:
            payload = read_payload(layer.digest) if layer.media_type == COSIGN_PAYLOAD else None
            if payload is not None and _is_about(payload, layer.digest, image):
                found += self._signers_of(payload, layer.annotations.get(ANNOTATION, ""))
        return list(dict.fromkeys(found))

    def _signers_of(self, payload: bytes, encoded: str) -> list[str]:
        try:
            signature = base64.b64decode(encoded, validate=True)
        except (binascii.Error, ValueError):
            return []
        return [name for name, key in self._keys if _verifies(key, signature, payload)]


def _is_about(payload: bytes, digest: Digest, image: Digest) -> bool:
    if Digest(hashlib.sha256(payload).hexdigest()) != digest:
        return False
    try:
        return not statement_problem(payload, COSIGN, image)
    except PayloadError:
        return False


def _verifies(key: t.Any, signature: bytes, payload: bytes) -> bool:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa

    try:
        if isinstance(key, rsa.RSAPublicKey):
            key.verify(signature, payload, padding.PKCS1v15(), hashes.SHA256())
        elif isinstance(key, ec.EllipticCurvePublicKey):
            key.verify(signature, payload, ec.ECDSA(hashes.SHA256()))
        else:
            key.verify(signature, payload)
    except InvalidSignature:
        return False
    return True


def _loaded(pem: bytes) -> tuple[str, t.Any]:
    try:
        from cryptography.exceptions import UnsupportedAlgorithm
        from cryptography.hazmat.primitives import serialization
    except ImportError as error:
        raise MissingRequirementError(
            "verify signatures of cosign",
            on="this Python",
            seen=str(error),
            advice="Install the Python package cryptography for the interpreter that runs the modules.",
        ) from error
    try:
        key = serialization.load_pem_public_key(pem)
    except (ValueError, UnsupportedAlgorithm) as error:
        raise _refusal(str(error)) from error
    problem = _weakness(key)
    if problem:
        raise _refusal(problem)
    der = key.public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
    return f"sha256:{hashlib.sha256(der).hexdigest()}", key


def _weakness(key: t.Any) -> str:
    """Return why a public key is not trusted; empty for one that is strong enough."""
    from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa

    if isinstance(key, rsa.RSAPublicKey):
        return (
            "" if key.key_size >= LEAST_RSA_BITS else f"it is RSA with {key.key_size} bits, fewer than {LEAST_RSA_BITS}"
        )
    if isinstance(key, ec.EllipticCurvePublicKey):
        return "" if key.curve.name in _CURVES else f"it is on the curve {key.curve.name}, not on P-256, P-384 or P-521"
    return "" if isinstance(key, ed25519.Ed25519PublicKey) else "it is neither RSA nor ECDSA nor Ed25519"


def _refusal(seen: str) -> InvalidInputError:
    return InvalidInputError(
        "read a trusted key",
        on="PEM public key",
        seen=seen[:200],
        advice="Specify the public key in the format of cosign or 'openssl pkey -pubout'.",
    )
