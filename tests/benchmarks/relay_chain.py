# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""How long a chain of nodes takes from one slow source, beside a single node.

Run: ``python -m ansible_collections.fieldops.openshift.tests.benchmarks.relay_chain [NODES] [MEBIBYTES] [MB_PER_S]``.
The source gives no more than that rate in all. Every node is a process that receives blob by blob, as node_bundle does,
and a relay that passes on what is proved.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import multiprocessing
import secrets
import sys
import tempfile
import threading
import time
import typing as t
from collections.abc import Iterator
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._net.download import fetch
from ansible_collections.fieldops.openshift.plugins.module_utils._net.download_request import Download
from ansible_collections.fieldops.openshift.plugins.module_utils._net.http_client import HttpClient
from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.allowed_peers import AllowedPeers
from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.bodies import Body
from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.bundle_endpoint import (
    BundleEndpoint,
    Endpoint,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.credentials import RelayCredentials
from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.filling_endpoint import FillingEndpoint
from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.server import RelayServer
from ansible_collections.fieldops.openshift.plugins.module_utils._net.retry import RetryPolicy
from ansible_collections.fieldops.openshift.plugins.module_utils._net.tls import TlsSettings
from ansible_collections.fieldops.openshift.plugins.module_utils._net.urls import Url
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.relay.relay_identity import new_identity
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.backoff import Backoff
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import BundleIndex
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._net.relay.sample_bundle import (
    index_of,
    write_bundle,
)

MIB = 1 << 20
BLOBS = 8
FIRST_PORT = 9730
TOKEN = "0123456789abcdef" * 4
CLOCK = SystemClock()


class SlowEndpoint(BundleEndpoint):
    """A bundle behind a link of ``rate`` bytes a second, which all its clients share."""

    rate = 1.0
    _free_at = 0.0
    _turn = threading.Lock()

    @contextlib.contextmanager
    def open(self, path: str) -> Iterator[Body]:
        """Open a body that takes its time."""
        with super().open(path) as body:
            yield _SlowBody(self, body)

    def wait_for(self, count: int) -> None:
        """Wait until the link has carried ``count`` more bytes."""
        with self._turn:
            self._free_at = max(self._free_at, time.monotonic()) + count / self.rate
            until = self._free_at
        time.sleep(max(0.0, until - time.monotonic()))


class _SlowBody:
    def __init__(self, endpoint: SlowEndpoint, body: Body) -> None:
        self._endpoint = endpoint
        self._body = body

    def read_into(self, view: memoryview, offset: int) -> int:
        """Read as fast as the link allows."""
        count = self._body.read_into(view, offset)
        self._endpoint.wait_for(count)
        return count


class _FileSink:
    def __init__(self, stream: t.BinaryIO) -> None:
        self._stream = stream
        self.position = 0

    def write(self, chunk: memoryview) -> None:
        self._stream.write(chunk)
        self.position += len(chunk)


def main() -> None:
    """Print the time of one node, that of all, and their ratio."""
    nodes, size, rate = (int(text) for text in [*sys.argv[1:], "5", "240", "30"][:3])
    with tempfile.TemporaryDirectory() as directory:
        folder = Path(directory)
        layers = [secrets.token_bytes(MIB) * (size // BLOBS) for _number in range(BLOBS)]
        layers = [number.to_bytes(4, "big") + layer for number, layer in enumerate(layers)]
        write_bundle(folder / "source", *layers)
        index = index_of(*layers)
        del layers
        identity = new_identity(Host(CLOCK), folder / "openssl", "127.0.0.1", 3600, Deadline(60, CLOCK))
        credentials = RelayCredentials(identity.certificate, identity.key, TOKEN)
        SlowEndpoint.rate = rate * 1e6
        endpoint = SlowEndpoint(folder / "source", index.digest)
        one = _measure(folder / "one", endpoint, index, credentials, 1)
        many = _measure(folder / "many", endpoint, index, credentials, nodes)
    told = {"nodes": nodes, "one_node_s": round(one, 1), "all_nodes_s": round(many, 1), "ratio": round(many / one, 2)}
    print(json.dumps({**told, "serial_ratio": nodes}))


def _measure(
    folder: Path, endpoint: SlowEndpoint, index: BundleIndex, credentials: RelayCredentials, nodes: int
) -> float:
    source = _relay(endpoint, credentials, FIRST_PORT)
    fork = multiprocessing.get_context("fork")
    done = [fork.Event() for _number in range(nodes)]
    began = time.monotonic()
    processes = [
        fork.Process(target=_node, args=(folder / str(number), index, credentials, number, done[number]), daemon=True)
        for number in range(nodes)
    ]
    for process in processes:
        process.start()
    for event in done:
        event.wait(600)
    seconds = time.monotonic() - began
    for process in processes:
        process.kill()
        process.join()
    source.stop()
    return seconds


def _node(folder: Path, index: BundleIndex, credentials: RelayCredentials, number: int, done: t.Any) -> None:
    blobs = folder / "blobs/sha256"
    blobs.mkdir(parents=True)
    (folder / "index.json").write_bytes(index.as_bytes())
    _relay(FillingEndpoint(folder, index.digest, ".part"), credentials, FIRST_PORT + number + 1)
    tls = TlsSettings(ca_pem=credentials.certificate)
    retry = RetryPolicy(600, Backoff(0.05, 0.2))
    with HttpClient(CLOCK, tls=tls, retry=retry) as client:
        for blob in index.blobs.values():
            url = Url.parse(f"https://127.0.0.1:{FIRST_PORT + number}/{blob.path}")
            headers = {"Authorization": f"Bearer {TOKEN}"}
            wanted = Download(url, stop=blob.size, digest=blob.digest, headers=headers)
            part = blobs / f"{blob.digest.hex}.part"
            with part.open("wb", buffering=0) as stream:
                fetch(client, wanted, _FileSink(stream), deadline=Deadline(600, CLOCK), hasher=hashlib.sha256())
            part.rename(part.with_suffix(""))
    done.set()
    time.sleep(600)


def _relay(endpoint: Endpoint, credentials: RelayCredentials, port: int) -> RelayServer:
    server = RelayServer(endpoint, credentials, AllowedPeers.parse(["127.0.0.1"]), Deadline(3600, CLOCK))
    server.listen("127.0.0.1", [port])
    threading.Thread(target=server.serve, daemon=True).start()
    return server


if __name__ == "__main__":
    main()
