# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""The relay itself: listens on one address, lets the allowed peers in, and ends at its deadline or when told to."""

from __future__ import annotations

import contextlib
import errno
import selectors
import socket
import threading
import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.client_session import ClientSession
from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.errors import RelayError
from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.limits import RelayLimits
from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.tally import Tally
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline

if t.TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.allowed_peers import AllowedPeers
    from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.credentials import RelayCredentials
    from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.shelf import Shelf

_BACKLOG = 64
_TICK = 0.5
_LEAVING_SECONDS = 2.0


class RelayServer:
    """Serves ``shelf`` to ``peers`` who have the token; one thread for each connection, and not more than allowed."""

    def __init__(
        self,
        shelf: Shelf,
        credentials: RelayCredentials,
        peers: AllowedPeers,
        deadline: Deadline,
        limits: RelayLimits | None = None,
    ) -> None:
        self._shelf = shelf
        self._credentials = credentials
        self._context = credentials.server_context()
        self._peers = peers
        self._deadline = deadline
        self._limits = limits or RelayLimits()
        self._woken, self._waker = socket.socketpair()
        self._stopping = False
        self._sessions: set[ClientSession] = set()
        self._listener: socket.socket | None = None
        self.tally = Tally()

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
            listener.setblocking(False)
            self._listener = listener
            return int(listener.getsockname()[1])
        raise RelayError(
            "listen",
            on=f"{address}",
            seen=seen,
            advice="Give an address of this machine and a range with a free port (ss -ltn shows those in use).",
        )

    def serve(self, tick: Callable[[], object] | None = None) -> None:
        """Serve until ``stop`` or the deadline; ``tick`` is called about twice a second, in this thread."""
        if self._listener is None:
            raise RelayError("serve", on="the relay", seen="it does not listen yet", advice="Let it listen first.")
        with self._woken, self._waker, self._listener as listener, selectors.DefaultSelector() as selector:
            selector.register(listener, selectors.EVENT_READ)
            selector.register(self._woken, selectors.EVENT_READ)
            while not (self._stopping or self._deadline.expired):
                if any(key.fileobj is listener for key, _events in selector.select(self._tick_seconds())):
                    self._accept(listener)
                if tick is not None:
                    tick()
        self._end_sessions()

    def _tick_seconds(self) -> float:
        return min(_TICK, self._deadline.remaining)

    def stop(self) -> None:
        """Let ``serve`` return at once; may be called from a signal handler and more than once."""
        self._stopping = True
        # It may have ended by itself meanwhile.
        with contextlib.suppress(OSError):
            self._waker.send(b"\0")

    def _accept(self, listener: socket.socket) -> None:
        try:
            connection, peer = listener.accept()
        except OSError:
            # The client gave up while it waited, or we have no descriptor left for it: the next one may fare better.
            return
        address = str(peer[0])
        limits = self._limits
        if not self._peers.allow(address) or not self.tally.admit(
            address, connections=limits.connections, per_address=limits.per_address
        ):
            self.tally.turned_away()
            connection.close()
            return
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        clock = self._deadline.clock
        session = ClientSession(connection, self._shelf, self._credentials, limits, self.tally, clock)
        self._sessions.add(session)
        threading.Thread(target=self._attend, args=(session, address), daemon=True).start()

    def _attend(self, session: ClientSession, address: str) -> None:
        try:
            session.run(self._context)
        finally:
            self._sessions.discard(session)
            self.tally.leave(address)

    def _end_sessions(self) -> None:
        for session in tuple(self._sessions):
            session.hang_up()
        leaving = Deadline(_LEAVING_SECONDS, self._deadline.clock)
        while self._sessions and not leaving.expired:
            leaving.pause(0.01)
