# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The relay's own process, as a job or as a service: it opens the bundle, listens and serves."""

from __future__ import annotations

import json
import os
import signal
import typing as t
from collections.abc import Mapping, Sequence
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.bundle_folder import PART
from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import write_json
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.run import JobRun
from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.allowed_peers import AllowedPeers
from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.bundle_endpoint import BundleEndpoint
from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.credentials import RelayCredentials
from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.filling_endpoint import FillingEndpoint
from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.readiness import tell_service_manager
from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.server import RelayServer
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.relay.relay_request import RelayRequest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError

LISTENING = "listening.json"
CREDENTIAL = "relay"
"""Name of the systemd credential that holds request, certificate, key and token."""


def serve_as_job(
    *, request: Mapping[str, t.Any], certificate: str, place: str, secrets: Mapping[str, str], progress: JobRun
) -> None:
    """Serve until the job is cancelled or its time is over; the port is in ``place``/listening.json."""
    credentials = RelayCredentials(certificate, secrets["key"], secrets["token"])
    wanted = RelayRequest.from_document(request)
    server, port = _listening(wanted, [wanted.path, *wanted.parts], credentials)
    write_json(Path(place) / LISTENING, {"port": port}, mode=0o600, durable=False)
    progress.report(sentence=f"Listens on {wanted.address} port {port}.", unit="bytes")
    server.serve(lambda: progress.report(done=server.counters.read().bytes))


def serve_as_service() -> None:
    """Serve until systemd says SIGTERM or the time is over; systemd knows the port and the counts from us."""
    given = json.loads((Path(os.environ["CREDENTIALS_DIRECTORY"]) / CREDENTIAL).read_bytes())
    credentials = RelayCredentials(given["certificate"], given["key"], given["token"])
    try:
        server, port = _listening(RelayRequest.from_document(given["request"]), given["paths"], credentials)
    except FieldOpsError as error:
        raise SystemExit(str(error)) from error
    signal.signal(signal.SIGTERM, lambda _number, _frame: server.stop())
    told: list[str] = []

    def tell() -> None:
        text = json.dumps({"port": port, **vars(server.counters.read())})
        if told != [text]:
            told[:] = [text]
            tell_service_manager(f"STATUS={text}")

    tell()
    tell_service_manager("READY=1")
    server.serve(tell)


def _listening(request: RelayRequest, paths: Sequence[str], credentials: RelayCredentials) -> tuple[RelayServer, int]:
    deadline = Deadline(request.lifetime, SystemClock())
    (folder, *parts), digest = (Path(path) for path in paths), request.digest
    endpoint = FillingEndpoint(folder, digest, PART) if request.filling else BundleEndpoint(folder, digest, parts)
    peers = AllowedPeers.parse(request.allowed_addresses)
    server = RelayServer(endpoint, credentials, peers, deadline)
    return server, server.listen(request.address, request.port_range)
