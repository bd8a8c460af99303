# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Failures of the network are told apart, however deep the libraries wrap them."""

from __future__ import annotations

import errno
import http.client
import socket
import ssl

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.bounded_answers import SlowAnswerError
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.outages import Outage, outage_of


class MaxRetryError(Exception):
    """As urllib3 wraps: the failure is in ``reason``, the text holds the URL."""

    def __init__(self, reason: BaseException) -> None:
        self.reason = reason
        super().__init__(f"Max retries exceeded with url: /api?token=canary (Caused by {reason!r})")


class ProtocolError(Exception):
    """As urllib3 wraps: the failure is the second argument."""


class CertificateError(ValueError):
    """As urllib3 before 2 names it."""


class ProxyError(Exception):
    """As urllib3 names it."""


def certificate_error() -> ssl.SSLCertVerificationError:
    error = ssl.SSLCertVerificationError(1, "certificate verify failed")
    error.verify_message = "self-signed certificate in certificate chain"
    return error


def tls_error(reason: str) -> ssl.SSLError:
    error = ssl.SSLError(1, reason)
    error.reason = reason
    return error


def in_context(outer: BaseException, inner: BaseException) -> BaseException:
    outer.__context__ = inner
    return outer


@pytest.mark.parametrize(
    ("error", "reason", "transient"),
    [
        pytest.param(ConnectionRefusedError(), "ConnectionRefused", True, id="refused"),
        pytest.param(MaxRetryError(ConnectionRefusedError()), "ConnectionRefused", True, id="in reason"),
        pytest.param(in_context(RuntimeError(), ConnectionRefusedError()), "ConnectionRefused", True, id="in context"),
        pytest.param(ConnectionResetError(), "ConnectionBroken", True, id="reset"),
        pytest.param(
            ProtocolError("aborted", http.client.RemoteDisconnected("no response")),
            "ConnectionBroken",
            True,
            id="closed, in arguments",
        ),
        pytest.param(BrokenPipeError(), "ConnectionBroken", True, id="broken pipe"),
        pytest.param(TimeoutError("timed out"), "Timeout", True, id="timeout"),
        pytest.param(SlowAnswerError("incomplete after 30 s"), "SlowAnswer", True, id="an answer without an end"),
        pytest.param(OSError(errno.ETIMEDOUT, "Connection timed out"), "Timeout", True, id="timeout of the kernel"),
        pytest.param(OSError(errno.EHOSTUNREACH, "No route to host"), "Unreachable", True, id="no route"),
        pytest.param(socket.gaierror(-2, "Name or service not known"), "NameNotResolved", True, id="name"),
        pytest.param(MaxRetryError(certificate_error()), "CertificateRejected", False, id="certificate"),
        pytest.param(MaxRetryError(CertificateError()), "CertificateRejected", False, id="certificate, older urllib3"),
        pytest.param(
            tls_error("TLSV1_ALERT_UNKNOWN_CA"), "CertificateRejected", False, id="client certificate refused"
        ),
        pytest.param(tls_error("KEY_VALUES_MISMATCH"), "CertificateRejected", False, id="key of another certificate"),
        pytest.param(tls_error("UNEXPECTED_EOF_WHILE_READING"), "TlsHandshakeFailed", True, id="handshake cut"),
        pytest.param(
            in_context(ProxyError("no tunnel"), OSError("Tunnel connection failed: 502 Bad Gateway")),
            "ProxyFailed",
            True,
            id="proxy",
        ),
        pytest.param(
            in_context(ProxyError("no tunnel"), OSError("Tunnel connection failed: 407 Proxy Authentication Required")),
            "ProxyFailed",
            False,
            id="proxy refuses the credentials",
        ),
        pytest.param(FileNotFoundError(errno.ENOENT, "No such file"), "UnreadableCredentials", False, id="no key file"),
        pytest.param(RuntimeError("strange"), "ConnectionBroken", True, id="unknown"),
    ],
)
def test_kinds_of_outage(error: BaseException, reason: str, transient: bool) -> None:
    outage = outage_of(error)
    assert (outage.reason, outage.transient) == (reason, transient)


def test_texts_of_the_libraries_are_not_repeated() -> None:
    assert outage_of(MaxRetryError(ConnectionRefusedError())) == Outage(
        "ConnectionRefused", "the connection was refused"
    )


def test_circles_of_exceptions_end() -> None:
    first, second = RuntimeError(), TimeoutError()
    first.__context__, second.__context__ = second, first
    assert outage_of(first).reason == "Timeout"
