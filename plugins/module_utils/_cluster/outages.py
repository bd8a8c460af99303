# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Why no answer came: failures of the network and of TLS, classified by their remedy."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.bounded_answers import SlowAnswerError

REFUSED = "ConnectionRefused"
BROKEN = "ConnectionBroken"
TIMEOUT = "Timeout"
SLOW = "SlowAnswer"
UNREACHABLE = "Unreachable"
NAME_UNKNOWN = "NameNotResolved"
CERTIFICATE = "CertificateRejected"
TLS = "TlsHandshakeFailed"
PROXY = "ProxyFailed"
UNREADABLE_FILE = "UnreadableCredentials"

_UNREACHABLE_NUMBERS = frozenset(
    {errno.EHOSTUNREACH, errno.ENETUNREACH, errno.EHOSTDOWN, errno.ENETDOWN, errno.EADDRNOTAVAIL}
)
# Reasons of OpenSSL that no later attempt changes: the wrong file, or a server that wants another client certificate.
_LASTING_TLS_REASONS = ("CERTIFICATE", "UNKNOWN_CA", "KEY_VALUES_MISMATCH", "PEM", "ASN1", "NO_START_LINE")


@dataclass(frozen=True)
class Outage:
    """No answer: ``reason`` is one of the words of this file, ``transient`` whether waiting may help."""

    reason: str
    message: str
    transient: bool = True


def outage_of(error: BaseException) -> Outage:
    """Return what ``error`` of the client library, of urllib3 or of the system means.

    The messages are ours or those of the operating system and of OpenSSL: what urllib3 prints may hold URLs.
    """
    chain = list(_chain(error))
    for recognise in (_as_tls, _as_refused_by_proxy, _as_proxy, _as_name, _as_system):
        for link in chain:
            outage = recognise(link)
            if outage:
                return outage
    names = {type(link).__name__ for link in chain}
    if names & {"ConnectTimeoutError", "ReadTimeoutError", "TimeoutError"}:
        return Outage(TIMEOUT, "no answer arrived in time")
    return Outage(BROKEN, f"the connection broke ({type(chain[-1]).__name__})")


def _chain(error: BaseException) -> Iterator[BaseException]:
    """Yield ``error`` and everything it wraps, the outermost first, for every form of wrapping."""
    pending: list[object] = [error]
    seen: set[int] = set()
    while pending:
        link = pending.pop(0)
        if isinstance(link, BaseException) and id(link) not in seen:
            seen.add(id(link))
            yield link
            pending += [getattr(link, "reason", None), *link.args, link.__cause__, link.__context__]


def _is_system_error(error: BaseException, name: str) -> bool:
    """Return whether ``error`` is an OSError whose class is, or is derived from, one called ``name``.

    By name, because modules that open connections are imported by the door ``_net`` alone; the classes of urllib3 that
    share these names are no OSErrors.
    """
    return isinstance(error, OSError) and any(cls.__name__ == name for cls in type(error).__mro__)


def _as_tls(error: BaseException) -> Outage | None:
    if type(error).__name__ == "CertificateError":
        # urllib3 before 2 compares the names itself.
        return Outage(CERTIFICATE, "the server's certificate is not accepted: hostname mismatch", transient=False)
    if not _is_system_error(error, "SSLError"):
        return None
    if _is_system_error(error, "SSLCertVerificationError"):
        message = getattr(error, "verify_message", "")
        return Outage(CERTIFICATE, f"the server's certificate is not accepted: {message}", transient=False)
    reason = str(getattr(error, "reason", None) or getattr(error, "strerror", None) or "")
    if any(word in reason for word in _LASTING_TLS_REASONS):
        return Outage(CERTIFICATE, f"TLS failed over a certificate or key: {reason}", transient=False)
    return Outage(TLS, f"the TLS handshake failed: {reason or type(error).__name__}")


def _as_refused_by_proxy(error: BaseException) -> Outage | None:
    # http.client has no class of its own for this (HTTPConnection._tunnel).
    if isinstance(error, OSError) and str(error).startswith("Tunnel connection failed: 407"):
        return Outage(PROXY, "the proxy does not accept the credentials for it", transient=False)
    return None


def _as_proxy(error: BaseException) -> Outage | None:
    if type(error).__name__ == "ProxyError":
        return Outage(PROXY, "the proxy does not connect to the server")
    return None


def _as_name(error: BaseException) -> Outage | None:
    if _is_system_error(error, "gaierror"):
        return Outage(NAME_UNKNOWN, f"the host name cannot be resolved: {getattr(error, 'strerror', '')}")
    return None


def _as_system(error: BaseException) -> Outage | None:
    if isinstance(error, ConnectionRefusedError):
        return Outage(REFUSED, "the connection was refused")
    if isinstance(error, (ConnectionError, EOFError)):
        return Outage(BROKEN, "the connection was closed before the answer")
    if isinstance(error, SlowAnswerError):
        return Outage(SLOW, f"the answer was {error}")
    if isinstance(error, TimeoutError) or getattr(error, "errno", None) == errno.ETIMEDOUT:
        return Outage(TIMEOUT, "no answer arrived in time")
    if isinstance(error, OSError) and error.errno in _UNREACHABLE_NUMBERS:
        return Outage(UNREACHABLE, f"the server cannot be reached: {error.strerror}")
    if isinstance(error, OSError) and error.errno in (errno.ENOENT, errno.EACCES, errno.EISDIR):
        return Outage(UNREADABLE_FILE, f"a certificate or key file cannot be read: {error.strerror}", transient=False)
    return None
