# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Tokens of the registry: JSON Web Tokens signed with RS256, as quay makes and reads them.

Copies ``generate_bearer_token`` and ``decode_bearer_token`` of quay's ``util/security/registry_jwt.py``. The key's name
is not quay's but libtrust's, so that distribution accepts the same tokens (its ``registry/auth/token/token.go``).
"""

from __future__ import annotations

import base64
import functools
import hashlib
import json
import time
import typing as t
from dataclasses import dataclass, field
from datetime import datetime, timezone

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa

if t.TYPE_CHECKING:
    from ansible_collections.fieldops.openshift.tests.lab.registry.images import Json

ISSUER = "quay"
ANONYMOUS = "(anonymous)"
KEY_BITS = 2048
LONGEST_SECONDS = 3660  # REGISTRY_JWT_AUTH_MAX_FRESH_S
KID_BYTES, KID_GROUP = 30, 4  # libtrust, util.go keyIDFromCryptoKey


class InvalidTokenError(Exception):
    """A token is not accepted; the text is what the client is told."""


@dataclass(frozen=True)
class TokenKey:
    """The key of a token service. ``generation`` tells keys apart that a revocation replaced."""

    pem: bytes = field(repr=False)
    generation: int = 0

    @classmethod
    def create(cls) -> TokenKey:
        """Make a key; within one process it is always the same, because making one takes long."""
        return cls(_make_pem())

    @functools.cached_property
    def kid(self) -> str:
        """The key's name: what a token's header says and a revocation changes."""
        der = self._private.public_key().public_bytes(
            serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
        )
        text = base64.b32encode(hashlib.sha256(der).digest()[:KID_BYTES]).decode()
        groups = [text[start : start + KID_GROUP] for start in range(0, len(text), KID_GROUP)]
        return ":".join(groups) + (f":{self.generation}" if self.generation else "")

    def replaced(self) -> TokenKey:
        """Return the key that counts after a revocation: no earlier token is known to it."""
        return TokenKey(self.pem, self.generation + 1)

    def certificate(self) -> bytes:
        """Return a certificate of the key, by which distribution knows it (``rootcertbundle``)."""
        name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, ISSUER)])
        builder = x509.CertificateBuilder(name, name, self._private.public_key(), x509.random_serial_number())
        builder = builder.not_valid_before(datetime(1980, 1, 1, tzinfo=timezone.utc))
        builder = builder.not_valid_after(datetime(2080, 1, 1, tzinfo=timezone.utc))
        return builder.sign(self._private, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)

    def issue(self, audience: str, access: list[Json], seconds: float, subject: str = ANONYMOUS) -> str:
        """Return a token that grants ``access`` to ``audience`` for so long from now on."""
        now = time.time()
        claims = {"iss": ISSUER, "aud": audience, "nbf": int(now), "iat": int(now), "exp": int(now + seconds)}
        claims |= {"sub": subject, "access": access, "context": {}}
        signed = f"{_encoded({'alg': 'RS256', 'typ': 'JWT', 'kid': self.kid})}.{_encoded(claims)}"
        signature = self._private.sign(signed.encode(), padding.PKCS1v15(), hashes.SHA256())
        return f"{signed}.{_base64(signature)}"

    def access(self, token: str, audience: str, leeway: float) -> list[Json]:
        """Return what a token grants, or raise InvalidTokenError."""
        try:
            signed, _dot, signature = token.rpartition(".")
            header, claims = (json.loads(_decoded(part)) for part in signed.split("."))
            kid = header.get("kid")
            if kid != self.kid:
                raise InvalidTokenError("Unknown service key" if kid else "Missing kid header")
            key = self._private.public_key()
            key.verify(_decoded(signature), signed.encode(), padding.PKCS1v15(), hashes.SHA256())
        except InvalidSignature as error:
            raise InvalidTokenError("Signature verification failed") from error
        except (ValueError, AttributeError) as error:
            raise InvalidTokenError("Not enough segments") from error
        _check(claims, audience, leeway)
        found: list[Json] = claims.get("access", [])
        return found

    @functools.cached_property
    def _private(self) -> rsa.RSAPrivateKey:
        key = serialization.load_pem_private_key(self.pem, None)
        assert isinstance(key, rsa.RSAPrivateKey)
        return key


def pull(repository: str) -> Json:
    """Return what grants a pull."""
    return {"type": "repository", "name": repository, "actions": ["pull"]}


def _check(claims: Json, audience: str, leeway: float) -> None:
    """Judge the claims as PyJWT does for quay."""
    now = time.time()
    if claims["exp"] <= now - leeway:
        raise InvalidTokenError("Signature has expired")
    if claims["nbf"] > now + leeway:
        raise InvalidTokenError("The token is not yet valid (nbf)")
    if claims["exp"] - claims["iat"] > LONGEST_SECONDS:
        raise InvalidTokenError("Token was signed for more than 3660 seconds from now")
    if claims["aud"] != audience:
        raise InvalidTokenError("Audience doesn't match")
    if claims["iss"] != ISSUER:
        raise InvalidTokenError("Invalid issuer")


@functools.cache
def _make_pem() -> bytes:
    key = rsa.generate_private_key(public_exponent=65537, key_size=KEY_BITS)
    kind, form = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
    return key.private_bytes(kind, form, serialization.NoEncryption())


def _encoded(document: Json) -> str:
    return _base64(json.dumps(document, separators=(",", ":")).encode())


def _base64(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


def _decoded(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
