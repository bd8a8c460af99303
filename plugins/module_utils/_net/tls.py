# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""TLS as a client uses it: trust, identity, and advice when the two sides do not accept each other."""

from __future__ import annotations

import ssl
import typing as t
from dataclasses import dataclass, field
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._net.transfer_errors import TlsError
from ansible_collections.fieldops.openshift.plugins.module_utils._net.urls import parse_authority

_SET_UP = "set up TLS"


@dataclass(frozen=True)
class TlsSettings:
    """Trust and identity.

    Without ``ca_file`` and ``ca_pem`` the CAs of the operating system are trusted; with either, only the given ones.
    Those in ``additional_ca_files`` are trusted as well.
    ``client_certificate`` and ``client_key`` are PEM files; the key may be in the file of the certificate.
    ``server_name`` is the name to ask for and to find in the certificate where it differs from the host in the URL,
    as with a node that is reached by its address.
    """

    verify: bool = True
    ca_file: str | None = None
    ca_pem: str | None = field(default=None, repr=False)
    client_certificate: str | None = None
    client_key: str | None = None
    server_name: str | None = None
    additional_ca_files: tuple[str, ...] = ()

    def context(self) -> ssl.SSLContext:
        """Return the context for a client, TLS 1.2 or newer; raise TlsError when a file cannot be used."""
        if self.server_name is not None and parse_authority(self.server_name) != (self.server_name.lower(), None):
            raise TlsError(
                _SET_UP,
                on=f"server name {self.server_name!r}",
                seen="it is not a host name",
                advice="Specify the name only, as it is in the server's certificate, or none.",
            )
        # Not create_default_context: since Python 3.13 it refuses in-house CAs that older versions accept.
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.set_alpn_protocols(["http/1.1"])
        if self.verify:
            self._load_trust(context)
        else:
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE
        self._load_identity(context)
        return context

    def proxy_context(self) -> ssl.SSLContext:
        """Return the context for TLS to a proxy: always verified, by the system's CAs besides the given ones.

        Neither our identity nor the name of the server is for the proxy.
        """
        trust = TlsSettings(ca_file=self.ca_file, ca_pem=self.ca_pem)
        context = trust.context()
        context.load_default_certs(ssl.Purpose.SERVER_AUTH)
        return context

    def _load_trust(self, context: ssl.SSLContext) -> None:
        if self.ca_file is None and self.ca_pem is None:
            context.load_default_certs(ssl.Purpose.SERVER_AUTH)
        for path in (*(() if self.ca_file is None else (self.ca_file,)), *self.additional_ca_files):
            _load_authorities(context, _read_text(path, "CA file"), f"CA file {path}")
        if self.ca_pem is not None:
            _load_authorities(context, self.ca_pem, "CA certificates given as text")

    def _load_identity(self, context: ssl.SSLContext) -> None:
        if self.client_certificate is None:
            if self.client_key is not None:
                raise TlsError(
                    _SET_UP,
                    on=f"client key {self.client_key}",
                    seen="a client key was given without a client certificate",
                    advice="Specify the certificate of the key as well, or neither.",
                )
            return
        key = self.client_key or self.client_certificate
        _read_text(self.client_certificate, "client certificate")
        _read_text(key, "client key")
        try:
            context.load_cert_chain(self.client_certificate, key, password=lambda: _refuse_encrypted(key))
        except (ssl.SSLError, ValueError) as exc:
            raise _identity_refusal(exc, self.client_certificate, key) from exc


def handshake_failure(exc: ssl.SSLError, attempted: str, on: str) -> TlsError:
    """Return what the failed handshake ``exc`` means and what a person can do about it."""
    if isinstance(exc, ssl.SSLCertVerificationError):
        seen = f"the server's certificate was rejected: {exc.verify_message or 'verification failed'}"
        return TlsError(attempted, on=on, seen=seen, advice=_VERIFY_ADVICE.get(exc.verify_code, _UNKNOWN_CA))
    reason = (exc.reason or "").upper()
    shown = reason.replace("_", " ").lower() or "no reason given"
    advice = next((text for words, text in _HANDSHAKE_ADVICE if any(word in reason for word in words)), _UNEXPLAINED)
    return TlsError(attempted, on=on, seen=f"the TLS handshake failed: {shown}", advice=advice)


_UNKNOWN_CA = "Set the CA file to the CA certificate that issued the server's certificate, with its intermediates."
_WRONG_NAME = "Use the host name of the certificate in the URL, or reissue the certificate for this host name."
_UNEXPLAINED = "Check that the URL and its port belong to an HTTPS server, and check the log of that server."

# X509_V_ERR_* of OpenSSL's x509_vfy.h.
_VERIFY_ADVICE: t.Final[dict[int, str]] = {
    9: "Check the clock of this machine. If it is correct, the certificate is not valid yet.",
    10: "Check the clock of this machine. If it is correct, renew the certificate.",
    23: "Issue a new certificate for the server. This one was revoked.",
    62: _WRONG_NAME,
    64: _WRONG_NAME,
    66: "Reissue the certificate with a longer key. The crypto policy of this system rejects the current one.",
    67: "Reissue the CA certificate with a longer key. The crypto policy of this system rejects the current one.",
    68: "Reissue the certificate with a SHA-2 signature. The crypto policy of this system rejects SHA-1.",
}

_REFUSED_US: t.Final = (
    "ALERT_HANDSHAKE_FAILURE",
    "CERTIFICATE_REQUIRED",
    "ALERT_BAD_CERTIFICATE",
    "ALERT_CERTIFICATE",
    "ALERT_NO_CERTIFICATE",
    "ALERT_UNSUPPORTED_CERTIFICATE",
    "ALERT_UNKNOWN_CA",
    "ACCESS_DENIED",
)
_HANDSHAKE_ADVICE: t.Final[tuple[tuple[tuple[str, ...], str], ...]] = (
    (
        ("WRONG_VERSION_NUMBER", "HTTP_REQUEST", "RECORD_LAYER_FAILURE"),
        "Check the port. If the server uses plain HTTP there, the URL must start with http://.",
    ),
    (
        ("PROTOCOL_VERSION", "UNSUPPORTED_PROTOCOL", "NO_PROTOCOLS", "NO_SHARED_CIPHER"),
        "Enable TLS 1.2 or later on the server. Older versions are rejected.",
    ),
    (
        _REFUSED_US,
        "Specify a client certificate and key that the server accepts. It rejected this client.",
    ),
    (
        ("UNRECOGNIZED_NAME",),
        "Check the host name. The server has no certificate for it.",
    ),
)


def _read_text(path: str, what: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace")
    except OSError as exc:
        raise TlsError(
            _SET_UP,
            on=f"{what} {path}",
            seen=f"it cannot be read: {exc.strerror or type(exc).__name__}",
            advice="Check the path, and that the current user can read the file.",
        ) from exc


def _load_authorities(context: ssl.SSLContext, pem: str, what: str) -> None:
    try:
        context.load_verify_locations(cadata=_certificates_only(pem))
    except (ssl.SSLError, ValueError) as exc:
        raise TlsError(
            _SET_UP,
            on=what,
            seen="it contains no usable PEM certificate",
            advice="Specify one or more blocks that start with -----BEGIN CERTIFICATE-----.",
        ) from exc


def _certificates_only(pem: str) -> str:
    """Return the certificate blocks of ``pem``; comments around them, often not ASCII, would be refused by ssl."""
    begin, end = "-----BEGIN CERTIFICATE-----", "-----END CERTIFICATE-----"
    blocks = [block.split(end, 1)[0] for block in pem.split(begin)[1:] if end in block]
    return "\n".join(f"{begin}{block}{end}" for block in blocks)


def _refuse_encrypted(key: str) -> t.NoReturn:
    raise TlsError(
        _SET_UP,
        on=f"client key {key}",
        seen="the key is encrypted with a passphrase",
        advice="Use a key without a passphrase, in a file that only this user can read. A prompt is not possible.",
    )


def _identity_refusal(exc: Exception, certificate: str, key: str) -> TlsError:
    mismatch = "KEY_VALUES_MISMATCH" in (getattr(exc, "reason", None) or "")
    return TlsError(
        _SET_UP,
        on=f"client certificate {certificate} and key {key}",
        seen="the key does not belong to the certificate" if mismatch else "they are not a PEM certificate and key",
        advice="Specify the PEM certificate and its key, as the CA delivered them.",
    )
