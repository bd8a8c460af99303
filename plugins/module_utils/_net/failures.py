# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a failed connection, a broken answer or an unwanted status means, in words of this collection."""

from __future__ import annotations

import errno
import http.client
import math
import socket
import ssl
import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._net.bounded_socket import TooSlowError
from ansible_collections.fieldops.openshift.plugins.module_utils._net.retry import is_transient
from ansible_collections.fieldops.openshift.plugins.module_utils._net.tls import handshake_failure
from ansible_collections.fieldops.openshift.plugins.module_utils._net.transfer_errors import TransferError
from ansible_collections.fieldops.openshift.plugins.module_utils._net.urls import Url
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import (
    DeadlineExceededError,
    FieldOpsError,
)

_DISCONNECTED: t.Final = (ConnectionResetError, BrokenPipeError, ConnectionAbortedError, http.client.IncompleteRead)
_UNREACHABLE: t.Final = frozenset(
    {errno.ENETUNREACH, errno.EHOSTUNREACH, errno.ENETDOWN, errno.EHOSTDOWN, errno.EADDRNOTAVAIL}
)
_AGAIN: t.Final = "Try again later. If the error persists, check the network and the server."


def disconnected(exc: BaseException) -> bool:
    """Whether ``exc`` says that the connection broke, and nothing about the two sides."""
    if isinstance(exc, ssl.SSLError):
        reason = exc.reason or ""
        ended = isinstance(exc, (ssl.SSLEOFError, ssl.SSLZeroReturnError))
        return ended or "UNEXPECTED_EOF" in reason or "BAD_RECORD_MAC" in reason
    return isinstance(exc, _DISCONNECTED)


def quotable(exc: BaseException) -> BaseException | None:
    """Return ``exc`` as the cause to chain, or None if its text may quote what the server sent."""
    quotes = isinstance(exc, http.client.HTTPException) and not isinstance(exc, ConnectionError)
    return None if quotes else exc


def transport_failure(
    exc: OSError | http.client.HTTPException, *, attempted: str, on: str, via: str, deadline: Deadline, stall: str
) -> FieldOpsError:
    """Return the error for ``exc``. ``via`` names the proxy, if any; ``stall`` says what a timeout means here."""
    if isinstance(exc, (TimeoutError, socket.timeout)) and deadline.expired:
        return DeadlineExceededError(
            attempted,
            on=on,
            seen=f"after {deadline.seconds:.0f} s the transfer{via} was still in progress",
            advice="Allow more time, or check why the connection is slow.",
        )
    if isinstance(exc, ssl.SSLError) and not disconnected(exc):
        return handshake_failure(exc, attempted, on)
    seen, advice, transient = _explanation(exc, stall)
    slow = isinstance(exc, TooSlowError)
    return TransferError(attempted, on=on, seen=f"{seen}{via}", advice=advice, transient=transient, slow=slow)


def status_failure(
    method: str,
    url: Url,
    status: int,
    retry_after: float | None = None,
    *,
    who: str = "the server",
    challenges: tuple[str, ...] = (),
) -> TransferError:
    """Return the error for an answer of ``who`` whose ``status`` is not the wanted one."""
    asked = "" if retry_after is None else f" and requested a wait of {spelled(retry_after)}"
    return TransferError(
        f"complete the {method} request",
        on=url.redacted,
        seen=f"{who} answered with status {status}{asked}",
        advice=_STATUS_ADVICE.get(status, _SERVER_AT_FAULT if status >= 500 else _REQUEST_AT_FAULT),
        transient=is_transient(status),
        status=status,
        retry_after=retry_after,
        challenges=challenges,
    )


_REQUEST_AT_FAULT: t.Final = "Check the URL and the request. The server will reject it again."
_SERVER_AT_FAULT: t.Final = "Try again later. If the error persists, check the log of the server."
_STATUS_ADVICE: t.Final[dict[int, str]] = {
    401: "Check the credentials: the server requires them, or does not accept the given ones.",
    403: "Check the permissions of the credentials. The server accepts them but does not allow this request.",
    404: "Check the URL. The server has nothing there, or hides it from these credentials.",
    407: "Specify a user name and password that the proxy accepts.",
    408: _SERVER_AT_FAULT,
    413: "Send smaller requests, or raise the limit of the server.",
    429: "Wait, and use fewer connections at a time. The server limits the rate of requests.",
}


def spelled(seconds: float) -> str:
    """Return ``seconds`` as text: in seconds up to two minutes, in whole minutes beyond."""
    return f"{seconds:.0f} s" if seconds < 120 else f"{math.ceil(seconds / 60)} min"


def _explanation(exc: OSError | http.client.HTTPException, stall: str) -> tuple[str, str, bool]:
    """Return what was seen, the advice, and whether it may pass by itself."""
    if isinstance(exc, (TimeoutError, socket.timeout)):
        return str(exc) if isinstance(exc, TooSlowError) else stall, _AGAIN, True
    if disconnected(exc):
        return "the connection was closed during the transfer", _AGAIN, True
    if isinstance(exc, ConnectionRefusedError):
        return "the connection was refused", "Check that the server runs and listens on this port.", True
    if isinstance(exc, socket.gaierror):
        temporary = exc.errno == socket.EAI_AGAIN
        return "the host name could not be resolved", "Check the name and the DNS servers of this machine.", temporary
    if isinstance(exc, http.client.HTTPException):
        return (
            f"the answer is not HTTP ({type(exc).__name__})",
            "Check that the port belongs to an HTTP server, and whether it requires https.",
            False,
        )
    seen = f"the connection failed: {exc.strerror or type(exc).__name__}"
    return seen, "Check the network, the routes and the firewall.", exc.errno in _UNREACHABLE
