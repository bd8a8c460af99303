# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""SOCKS 5, by which a proxy connects to any host. Source: RFC 1928 and RFC 1929."""

from __future__ import annotations

import ipaddress
import socket
import struct
import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._net.proxies import Proxy
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline

_VERSION, _CONNECT = 5, 1
_OPEN, _PASSWORD, _NONE_ACCEPTABLE = 0, 2, 0xFF
_IPV4, _NAME, _IPV6 = 1, 3, 4
_NOT_SOCKS = "does not speak SOCKS 5"
_REPLIES: t.Final[dict[int, tuple[str, bool]]] = {
    1: ("failed to connect", True),
    2: ("does not allow this connection", False),
    3: ("found the network unreachable", True),
    4: ("found the host unreachable", True),
    5: ("reports that the connection was refused", True),
    6: ("closed the connection", True),
    7: ("does not support connections to servers", False),
    8: ("does not support this type of address", False),
}


class SocksRefusalError(Exception):
    """The proxy does not connect; its text continues the name of the proxy."""

    def __init__(self, seen: str, *, transient: bool = False) -> None:
        super().__init__(seen)
        self.transient = transient


def connect_through(connected: socket.socket, proxy: Proxy, host: str, port: int, deadline: Deadline) -> None:
    """Have the SOCKS ``proxy`` at the other end of ``connected`` connect to ``host``, a name or an address.

    Raises SocksRefusalError, and OSError when the connection fails or ``deadline`` passes.
    """
    channel = _Channel(connected, deadline)
    methods = bytes([_OPEN] if proxy.user is None else [_OPEN, _PASSWORD])
    version, method = channel.ask(bytes([_VERSION, len(methods)]) + methods, 2)
    if version != _VERSION or method not in (*methods, _NONE_ACCEPTABLE):
        raise SocksRefusalError(_NOT_SOCKS)
    if method == _NONE_ACCEPTABLE:
        raise SocksRefusalError("requires another type of login" if proxy.user is not None else "requires a login")
    if method == _PASSWORD:
        _log_in(channel, proxy)
    version, reply, _reserved, kind = channel.ask(
        bytes([_VERSION, _CONNECT, 0]) + _address(host) + struct.pack(">H", port), 4
    )
    if version != _VERSION:
        raise SocksRefusalError(_NOT_SOCKS)
    if reply != 0:
        seen, transient = _REPLIES.get(reply, (f"failed to connect (reply {reply})", False))
        raise SocksRefusalError(seen, transient=transient)
    length = {_IPV4: 4, _IPV6: 16}.get(kind) if kind != _NAME else channel.take(1)[0]
    if length is None:
        raise SocksRefusalError(_NOT_SOCKS)
    channel.take(length + 2)


def _log_in(channel: _Channel, proxy: Proxy) -> None:
    user, password = proxy.user or b"", proxy.password or b""
    _version, status = channel.ask(bytes([1, len(user)]) + user + bytes([len(password)]) + password, 2)
    if status != 0:
        raise SocksRefusalError("does not accept the user name and password")


def _address(host: str) -> bytes:
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        name = host.encode("ascii")
        return bytes([_NAME, len(name)]) + name
    return bytes([_IPV4 if address.version == 4 else _IPV6]) + address.packed


class _Channel:
    """Short messages in both directions, all before ``deadline``; nothing is read that belongs to what follows."""

    def __init__(self, connected: socket.socket, deadline: Deadline) -> None:
        self._connected = connected
        self._deadline = deadline

    def ask(self, message: bytes, count: int) -> bytes:
        self._bound()
        self._connected.sendall(message)
        return self.take(count)

    def take(self, count: int) -> bytes:
        received = b""
        while len(received) < count:
            self._bound()
            block = self._connected.recv(count - len(received))
            if not block:
                raise ConnectionAbortedError
            received += block
        return received

    def _bound(self) -> None:
        if self._deadline.expired:
            raise TimeoutError
        self._connected.settimeout(self._deadline.remaining)
