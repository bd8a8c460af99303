# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The server of blobs: takes connections, lets the allowed peers in, and ends at its deadline or on request."""

from __future__ import annotations

import contextlib
import errno
import selectors
import socket
import threading
from collections.abc import Callable, Iterable

from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.allowed_peers import AllowedPeers
from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.bundle_endpoint import Endpoint
from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.client_session import ClientSession
from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.counters import Counters
from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.credentials import RelayCredentials
from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.errors import RelayError
from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.limits import RelayLimits
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline

_BACKLOG = 64
_LEAVING_SECONDS = 2.0
_ROOM_SECONDS = 0.2


class RelayServer:
    """Serves ``endpoint`` to ``peers``; one thread for each connection, and not more than allowed.

    With ``credentials`` it speaks TLS and asks for their token; without, it belongs on the loopback address.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        credentials: RelayCredentials | None,
        peers: AllowedPeers,
        deadline: Deadline,
        limits: RelayLimits | None = None,
    ) -> None:
        self._endpoint = endpoint
        self._credentials = credentials
        self._context = credentials.server_context() if credentials is not None else None
        self._peers = peers
        self._deadline = deadline
        self._limits = limits or RelayLimits()
        self._woken, self._waker = socket.socketpair()
        self._stopping = False
        self._sessions: dict[ClientSession, str] = {}
        self._listener: socket.socket | None = None
        self.counters = Counters()

    def listen(self, address: str, ports: Iterable[int]) -> int:
        """Take the first free of ``ports`` on the numeric ``address`` and return it; raises RelayError."""
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        seen = "no port was given"
        for port in ports:
            listener = socket.socket(family, socket.SOCK_STREAM)
            try:
                # Lingering connections of an earlier relay must not keep the port; another listener still does.
                listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                listener.bind((address, port))
                listener.listen(_BACKLOG)
            except OSError as error:
                listener.close()
                seen = f"port {port}: {error.strerror}"
                if error.errno not in (errno.EADDRINUSE, errno.EACCES):
                    break
                continue
            return self.take(listener)
        raise RelayError(
            "listen",
            on=f"{address}",
            seen=seen,
            advice="Specify an address of this machine and a range with a free port (ss -ltn shows the ports in use).",
        )

    def take(self, listener: socket.socket) -> int:
        """Serve what comes to ``listener``, a listening socket, and return its port."""
        listener.setblocking(False)
        self._listener = listener
        return int(listener.getsockname()[1])

    def serve(self, tick: Callable[[], object] | None = None) -> None:
        """Serve until ``stop`` or the deadline; ``tick`` is called every few moments, in this thread."""
        if self._listener is None:
            raise RelayError("serve", on="the relay", seen="it does not listen yet", advice="Call listen first.")
        with self._woken, self._waker, self._listener as listener, selectors.DefaultSelector() as selector:
            selector.register(listener, selectors.EVENT_READ)
            selector.register(self._woken, selectors.EVENT_READ)
            ticked = self._deadline.elapsed
            while not (self._stopping or self._deadline.expired):
                if any(key.fileobj is listener for key, _events in selector.select(self._tick_seconds())):
                    self._accept(listener)
                if tick is not None and self._deadline.elapsed - ticked >= self._limits.tick_seconds:
                    tick()
                    ticked = self._deadline.elapsed
        self._end_sessions()

    def _tick_seconds(self) -> float:
        return min(self._limits.tick_seconds, self._deadline.remaining)

    def stop(self) -> None:
        """Let ``serve`` return at once; may be called from a signal handler and more than once."""
        self._stopping = True
        # It may have ended by itself since then.
        with contextlib.suppress(OSError):
            self._waker.send(b"\0")

    def _accept(self, listener: socket.socket) -> None:
        try:
            connection, peer = listener.accept()
        except OSError:
            # The client closed the connection, or no descriptor is left for it. The next one can succeed.
            return
        address = str(peer[0])
        if not (self._peers.allow(address) and self._admit(address)):
            self.counters.turned_away()
            connection.close()
            return
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        clock = self._deadline.clock
        session = ClientSession(connection, self._endpoint, self._credentials, self._limits, self.counters, clock)
        self._sessions[session] = address
        threading.Thread(target=self._attend, args=(session, address), daemon=True).start()

    def _admit(self, address: str) -> bool:
        """Count a connection in; where there are too many, one that asks for nothing makes room for it."""
        limits = self._limits
        room = Deadline(_ROOM_SECONDS, self._deadline.clock)
        asked_to_leave = False
        while not self.counters.admit(address, connections=limits.connections, per_address=limits.per_address):
            if room.expired or not (asked_to_leave or self._send_away(address)):
                return False
            asked_to_leave = True
            room.pause(0.001)
        return True

    def _send_away(self, address: str) -> bool:
        """End the connection that has waited longest, one of ``address`` if it has any; False where none waits."""
        waiting = [
            (session.waiting_since, session, peer)
            for session, peer in tuple(self._sessions.items())
            if session.waiting_since is not None
        ]
        if not waiting:
            return False
        chosen = [one for one in waiting if one[2] == address] or waiting
        min(chosen, key=lambda one: one[0])[1].hang_up()
        return True

    def _attend(self, session: ClientSession, address: str) -> None:
        try:
            session.run(self._context)
        finally:
            self._sessions.pop(session, None)
            self.counters.leave(address)

    def _end_sessions(self) -> None:
        clock = self._deadline.clock
        finishing, leaving = Deadline(self._limits.finish_seconds, clock), None
        while self._sessions and not (leaving is not None and leaving.expired):
            if leaving is None and finishing.expired:
                leaving = Deadline(_LEAVING_SECONDS, clock)
            for session in tuple(self._sessions):
                if leaving is not None or session.waiting_since is not None:
                    session.hang_up()
            finishing.pause(0.01)
