# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A command in a pod over a WebSocket: numbered channels, and an end that reports the exit status.

Source: k8s.io/apimachinery, pkg/util/remotecommand, protocol v4: the first byte of a message is the channel; channel 3
carries a v1.Status when the command has ended.
"""

from __future__ import annotations

import importlib
import select
import typing as t
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.answers import (
    answer_of_outage,
    answer_of_response,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.api_error import ApiError
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.authentication import ClusterAccess
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.calls import Call
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.helper_pods.bounded_websocket import (
    bounded_websocket,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.libraries import require_kubernetes
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.outages import Outage, outage_of
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import (
    DeadlineExceededError,
    InvalidInputError,
    MissingRequirementError,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.json_document import Document
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import POD

STDIN, STDOUT, STDERR, STATUS = range(4)
CHUNK = 32 * 1024
PROTOCOL = "v4.channel.k8s.io"

_TEXT, _BINARY, _CLOSE = 1, 2, 8
"""Kinds of messages. Source: RFC 6455, 5.2."""

_PING_SECONDS = 20.0
"""Balancers cut connections on which nothing moves; a command may be silent for long."""

_CONNECT_SECONDS = 15.0


@dataclass(frozen=True)
class ExecRequest:
    """The words of a command for one container of a pod."""

    namespace: str
    pod: str
    container: str
    words: Sequence[str]

    @property
    def call(self) -> Call:
        """Return the request to the API that this is."""
        return Call("create", POD, self.pod, self.namespace, "exec")

    def query(self) -> list[tuple[str, str]]:
        """Return it in the words of the HTTP API."""
        streams = [(name, "true") for name in ("stdin", "stdout", "stderr")]
        return [("container", self.container), *streams, *(("command", word) for word in self.words)]


class ExecChannel:
    """One running command; a context manager. Raises ApiError when the API does not grant it or the connection ends."""

    def __init__(self, access: ClusterAccess, request: ExecRequest, deadline: Deadline) -> None:
        require_kubernetes()
        self._access = access
        self._request = request
        self._socket: t.Any = None
        self._open(deadline)

    def __enter__(self) -> ExecChannel:
        return self

    def __exit__(self, *_exception: object) -> None:
        self._socket.shutdown()

    def converse(
        self,
        given: Iterable[bytes],
        stdout: Callable[[bytes], object],
        stderr: Callable[[bytes], object],
        deadline: Deadline,
    ) -> int:
        """Send ``given`` to the command, hand on what it prints as it comes, and return its exit status.

        Raises DeadlineExceededError; the command may run on then, as on any connection that is cut.
        """
        sinks = {STDOUT: stdout, STDERR: stderr}
        self._socket.deadline = deadline
        status: int = self._guarded(lambda: self._converse(iter(given), sinks, deadline))
        return status

    def _converse(
        self, given: t.Iterator[bytes], sinks: dict[int, Callable[[bytes], object]], deadline: Deadline
    ) -> int:
        for block in given:
            for first in range(0, len(block), CHUNK):
                self._send(STDIN, block[first : first + CHUNK])
                if self._is_readable(0):
                    status = self._receive(sinks)
                    if status is not None:
                        return status
        silent = 0.0
        while not deadline.expired:
            wait = min(1.0, deadline.remaining)
            if self._is_readable(wait):
                silent, status = 0.0, self._receive(sinks)
                if status is not None:
                    return status
            else:
                silent += wait
            if silent >= _PING_SECONDS:
                silent = 0.0
                self._socket.ping()
        raise DeadlineExceededError(
            "run a command in the helper pod",
            on=f"Pod {self._request.namespace}/{self._request.pod}",
            seen=f"after {deadline.seconds:.0f} s it was still running",
            advice="Run long work as a job on the host, or allow more time.",
        )

    def _receive(self, sinks: dict[int, Callable[[bytes], object]]) -> int | None:
        """Take one message and return the exit status if it brought that."""
        kind, frame = self._socket.recv_data_frame(True)
        if kind == _CLOSE:
            raise ConnectionResetError("the API server closed the connection before the command ended")
        if kind not in (_TEXT, _BINARY) or not frame.data:
            return None
        channel, content = frame.data[0], bytes(frame.data[1:])
        if channel == STATUS and content:
            return self._exit_status(content)
        if channel in sinks and content:
            sinks[channel](content)
        return None

    def _exit_status(self, content: bytes) -> int:
        status = exit_status(content)
        if status is None:
            answer = answer_of_response(500, content, {}, secrets=self._access.secrets)
            raise ApiError(self._request.call, answer, server=self._access.server)
        return status

    def _send(self, channel: int, block: bytes) -> None:
        self._socket.send_binary(bytes([channel]) + block)

    def _is_readable(self, seconds: float) -> bool:
        plain = self._socket.sock
        if getattr(plain, "pending", lambda: 0)():
            return True
        poll = select.poll()
        poll.register(plain, select.POLLIN)
        return bool(poll.poll(seconds * 1000))

    def _open(self, deadline: Deadline) -> None:
        self._socket = self._guarded(lambda: _connect(self._access, self._request, deadline))

    def _guarded(self, work: Callable[[], t.Any]) -> t.Any:
        library = _websocket()
        call, server = self._request.call, self._access.server
        try:
            return work()
        except library.WebSocketBadStatusException as error:
            content = error.resp_body if isinstance(error.resp_body, bytes) else str(error.resp_body or "").encode()
            answer = answer_of_response(error.status_code, content, {}, secrets=self._access.secrets)
            raise ApiError(call, answer, server=server) from None
        except library.WebSocketException as error:
            outage = Outage("ConnectionBroken", f"the connection broke ({type(error).__name__})")
            raise ApiError(call, answer_of_outage(outage), server=server) from None
        except OSError as error:
            raise ApiError(call, answer_of_outage(outage_of(error)), server=server) from None
        except ValueError as error:
            outage = Outage("ConnectionBroken", "the API server sent a message that does not follow this protocol")
            raise ApiError(call, answer_of_outage(outage), server=server) from error


def _websocket() -> t.Any:
    """Return the package by which the kubernetes package itself speaks to containers."""
    try:
        return importlib.import_module("websocket")
    except ImportError as error:
        raise MissingRequirementError(
            "run commands in pods",
            on="this machine",
            seen="the Python package websocket-client cannot be imported",
            advice="Install it together with the package kubernetes, which requires it.",
        ) from error


def exit_status(content: bytes) -> int | None:
    """Return the exit status in the v1.Status at the end of a command; None where it says of none."""
    try:
        status = Document.parse(content, on="status of the command")
        if status.text("", "status") == "Success":
            return 0
        details = status.get("details")
        causes = details.get("causes") if details is not None else None
        told = [] if causes is None else causes.entries()
        codes = [cause.text("", "message") for cause in told if cause.text("", "reason") == "ExitCode"]
    except InvalidInputError:
        return None
    return int(codes[0][:9]) if codes and codes[0].isascii() and codes[0].isdecimal() else None


def _connect(access: ClusterAccess, request: ExecRequest, deadline: Deadline) -> t.Any:
    from kubernetes.stream.ws_client import get_websocket_url, websocket_proxycare

    path = f"/api/v1/namespaces/{request.namespace}/pods/{request.pod}/exec"
    url = get_websocket_url(access.server + path, request.query())
    settings: dict[str, t.Any] = {"header": _headers(access), "subprotocols": [PROTOCOL]}
    if access.configuration.proxy or access.configuration.proxy_headers:
        settings = websocket_proxycare(settings, access.configuration, url, {})
    options = {"sslopt": _tls_options(access), "skip_utf8_validation": True, "enable_multithread": False}
    opened = bounded_websocket(_websocket(), deadline.within(_CONNECT_SECONDS), **options)
    opened.settimeout(max(1.0, min(_CONNECT_SECONDS, deadline.remaining)))
    opened.connect(url, **settings)
    opened.settimeout(max(1.0, min(60.0, deadline.remaining)))
    return opened


def _headers(access: ClusterAccess) -> list[str]:
    bearer = access.configuration.auth_settings().get("BearerToken") or {}
    authorization = [f"Authorization: {bearer['value']}"] if bearer.get("value") else []
    return [*authorization, *(f"{name}: {value}" for name, value in access.headers)]


def _tls_options(access: ClusterAccess) -> dict[str, t.Any]:
    name = getattr(access.configuration, "tls_server_name", None)
    return {"context": access.tls_context, **({"server_hostname": name} if name else {})}
