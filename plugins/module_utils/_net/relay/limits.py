# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The bounds within which a relay serves others."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class RelayLimits:
    """Numbers and seconds that no client, however it behaves, gets past.

    ``connections`` are served at once, ``per_address`` of them to one address; more are closed before a byte of theirs
    is read. ``handshake_seconds`` bound TLS, ``head_seconds`` the head of a request from the moment it may come;
    ``idle_seconds`` is how long a connection that has been answered may wait for its next one. ``head_bytes`` and
    ``head_fields`` bound a head. ``stall_seconds`` is the time in which a client must take ``chunk_bytes``.
    ``requests`` are answered on one connection. ``patience_seconds`` is how long an answer is held back for bytes that
    are in transit to this relay, ``unbegun_seconds`` for those of an entity that has not started to arrive, and
    ``retry_seconds`` how long the client must wait when they did not arrive. ``tick_seconds`` is how often the server
    looks at other things than its clients, ``finish_seconds`` how long it lets answers end when it is stopped.
    """

    connections: int = 128
    per_address: int = 24
    handshake_seconds: float = 5.0
    head_seconds: float = 10.0
    idle_seconds: float = 60.0
    head_bytes: int = 16 * 1024
    head_fields: int = 64
    stall_seconds: float = 30.0
    chunk_bytes: int = 256 * 1024
    requests: int = 10_000
    patience_seconds: float = 20.0
    unbegun_seconds: float = 2.0
    retry_seconds: int = 1
    tick_seconds: float = 0.5
    finish_seconds: float = 0.0
