# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the exceptions of sockets, TLS and http.client mean."""

from __future__ import annotations

import errno
import http.client
import socket
import ssl
import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._net.failures import transport_failure
from ansible_collections.fieldops.openshift.plugins.module_utils._net.transfer_errors import TlsError, TransferError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import (
    DeadlineExceededError,
    FieldOpsError,
)


def tls_error(reason: str, kind: type[ssl.SSLError] = ssl.SSLError) -> ssl.SSLError:
    error = kind(1, reason)
    error.reason = reason
    return error


def explain(exc: OSError | http.client.HTTPException, deadline: Deadline, via: str = "") -> FieldOpsError:
    return transport_failure(
        exc, attempted="complete the GET request", on="http://a/x", via=via, deadline=deadline, stall="nothing came"
    )


@pytest.mark.parametrize(
    ("exc", "seen", "transient"),
    [
        pytest.param(ConnectionResetError(), "closed during the transfer", True, id="reset"),
        pytest.param(BrokenPipeError(), "closed during the transfer", True, id="broken-pipe"),
        pytest.param(http.client.RemoteDisconnected(""), "closed during the transfer", True, id="no-answer"),
        pytest.param(http.client.IncompleteRead(b""), "closed during the transfer", True, id="short-body"),
        pytest.param(tls_error("EOF", ssl.SSLEOFError), "closed during the transfer", True, id="tls-eof"),
        pytest.param(tls_error("UNEXPECTED_EOF_WHILE_READING"), "closed during the transfer", True, id="tls-eof-3.9"),
        pytest.param(
            tls_error("DECRYPTION_FAILED_OR_BAD_RECORD_MAC"), "closed during the transfer", True, id="tls-damage"
        ),
        pytest.param(ConnectionRefusedError(), "refused", True, id="refused"),
        pytest.param(TimeoutError(), "nothing came", True, id="stall"),
        pytest.param(socket.timeout(), "nothing came", True, id="stall-3.9"),
        pytest.param(OSError(errno.EHOSTUNREACH, "No route to host"), "No route to host", True, id="no-route"),
        pytest.param(OSError(errno.EMFILE, "Too many open files"), "Too many open files", False, id="descriptors"),
        pytest.param(socket.gaierror(socket.EAI_AGAIN, ""), "could not be resolved", True, id="dns-silent"),
        pytest.param(socket.gaierror(socket.EAI_NONAME, ""), "could not be resolved", False, id="no-such-name"),
        pytest.param(http.client.BadStatusLine("geheim"), "not HTTP", False, id="other-protocol"),
        pytest.param(http.client.LineTooLong("header line"), "not HTTP", False, id="endless-header"),
    ],
)
def test_a_broken_transfer_is_explained(
    exc: OSError | http.client.HTTPException, seen: str, transient: bool, deadline: Deadline
) -> None:
    error = explain(exc, deadline, via=" (through the proxy http://p:1)")
    assert isinstance(error, TransferError)
    assert seen in error.seen
    assert error.seen.endswith("(through the proxy http://p:1)")
    assert error.transient is transient
    assert "geheim" not in str(error)


@pytest.mark.parametrize("exc", [TimeoutError(), socket.timeout()])
def test_a_timeout_after_the_deadline_is_the_deadlines(exc: OSError, deadline: Deadline, clock: t.Any) -> None:
    clock.advance(601)
    error = explain(exc, deadline)
    assert isinstance(error, DeadlineExceededError)
    assert "after 600 s" in error.seen


@pytest.mark.parametrize(
    ("reason", "advice"),
    [
        ("WRONG_VERSION_NUMBER", "http://"),
        ("TLSV1_ALERT_PROTOCOL_VERSION", "TLS 1.2"),
        ("UNSUPPORTED_PROTOCOL", "TLS 1.2"),
        ("TLSV13_ALERT_CERTIFICATE_REQUIRED", "client certificate"),
        ("TLSV1_ALERT_UNKNOWN_CA", "client certificate"),
        ("SSLV3_ALERT_CERTIFICATE_EXPIRED", "client certificate"),
        ("SSLV3_ALERT_HANDSHAKE_FAILURE", "client certificate"),
        ("TLSV1_UNRECOGNIZED_NAME", "host name"),
        ("SOMETHING_NEW", "HTTPS server"),
    ],
)
def test_a_failed_handshake_says_what_to_do(reason: str, advice: str, deadline: Deadline) -> None:
    error = explain(tls_error(reason), deadline)
    assert isinstance(error, TlsError)
    assert (error.kind, error.transient) == ("tls", False)
    assert advice in error.advice
