# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The processes of a node's image source: they answer pulls by digest from the staged bundles.

One serves the node itself on its loopback address, the other one, on control-plane nodes, other machines by TLS.

systemd holds their sockets, so that no connection is lost while they restart. They end when bundles came or went, and
when no request arrived for a while; the next connection starts them with what is there then.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.blob_proofs import BlobProofs
from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.activation import inherited_listener
from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.allowed_peers import AllowedPeers
from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.credentials import RelayCredentials
from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.limits import RelayLimits
from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.readiness import tell_service_manager
from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.server import RelayServer
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.source.bundle_library import (
    open_library,
    signature_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.source.plan.source_units import CREDENTIAL
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import Clock

LOOPBACK = ("127.0.0.0/8", "::1")
_THREAD_STACK = 512 * 1024
_IDLE_SECONDS = 300.0
_FOREVER = 100 * 366 * 86400.0
_LIMITS = RelayLimits(connections=200, per_address=200, tick_seconds=1.0, finish_seconds=30.0)
_SITE_LIMITS = RelayLimits(connections=200, per_address=64, tick_seconds=1.0, finish_seconds=30.0)


def serve_images(base: Path) -> None:
    """Serve the bundles in the folder ``base`` on the socket that systemd passes, until they change."""
    _serve(base, None, AllowedPeers.parse(LOOPBACK), _LIMITS)


def serve_other_machines(base: Path) -> None:
    """Serve them by TLS to the machines, and with the credentials, in the document that systemd has loaded."""
    given = json.loads((Path(os.environ["CREDENTIALS_DIRECTORY"]) / CREDENTIAL).read_bytes())
    credentials = RelayCredentials(given["certificate"], given["key"], given["password"])
    _serve(base, credentials, AllowedPeers.parse((*LOOPBACK, *given["networks"])), _SITE_LIMITS)


def _serve(base: Path, credentials: RelayCredentials | None, peers: AllowedPeers, limits: RelayLimits) -> None:
    listener = inherited_listener()
    threading.stack_size(_THREAD_STACK)
    clock = SystemClock()
    signature = signature_of(base)
    library, proofs = open_library(base, clock)
    server = RelayServer(library, credentials, peers, Deadline(_FOREVER, clock), limits)
    server.take(listener)
    signal.signal(signal.SIGTERM, lambda _number, _frame: server.stop())
    watch = _Watch(server, proofs, clock)

    def tick() -> None:
        watch.tell()
        if signature_of(base) != signature or watch.is_idle():
            server.stop()

    proofs.found_damaged = watch.tell
    watch.tell()
    tell_service_manager("READY=1")
    server.serve(tick)


class _Watch:
    """Reports to systemd what was served, to the journal what is damaged, and whether requests are in progress."""

    def __init__(self, server: RelayServer, proofs: BlobProofs, clock: Clock) -> None:
        self._server = server
        self._proofs = proofs
        self._clock = clock
        self._told = ""
        self._damaged: set[str] = set()
        self._asked_at = clock.monotonic()
        self._telling = threading.Lock()

    def tell(self) -> None:
        """Report what has changed since; called by any thread."""
        with self._telling:
            self._tell()

    def _tell(self) -> None:
        damaged = self._proofs.damaged
        for name in sorted(set(damaged) - self._damaged):
            sys.stderr.write(f"sha256:{name} is damaged; its images are not served until it is staged again\n")
            sys.stderr.flush()
        self._damaged = set(damaged)
        text = json.dumps({**vars(self._server.counters.read()), "damaged": [f"sha256:{name}" for name in damaged]})
        if text != self._told:
            self._told, self._asked_at = text, self._clock.monotonic()
            tell_service_manager(f"STATUS={text}")

    def is_idle(self) -> bool:
        """Whether nothing happens, and nothing is known that the next process would have to find out again."""
        quiet = self._clock.monotonic() - self._asked_at > _IDLE_SECONDS
        return quiet and not self._damaged and not self._server.counters.read().connections
