# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""How fast a relay gives, and what that costs its machine, beside servers that others would take.

Run: ``python -m ansible_collections.fieldops.openshift.tests.benchmarks.relay_throughput [MEBIBYTES]``. Each server
gives the same blobs to curl, with one connection and with four; its processor time is read from /proc.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import typing as t
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.allowed_peers import AllowedPeers
from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.bundle_endpoint import BundleEndpoint
from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.credentials import RelayCredentials
from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.server import RelayServer
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.relay.relay_identity import new_identity
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._net.relay.sample_bundle import (
    digest_of,
    write_bundle,
)

MIB = 1 << 20
BLOBS = 4
TOKEN = "0123456789abcdef" * 4
CLOCK = SystemClock()


def main() -> None:
    """Print one line of JSON for each server and number of connections."""
    size = int(sys.argv[1]) if len(sys.argv) > 1 else 256
    with tempfile.TemporaryDirectory() as directory:
        folder = Path(directory)
        layers = [secrets.token_bytes(MIB) * size for _number in range(BLOBS)]
        write_bundle(folder / "bundle", *layers)
        names = [digest_of(layer).hex for layer in layers]
        del layers
        for name, start in {"relay": _relay, "http.server": _http_server, "registry": _registry}.items():
            process, urls, words = start(folder, names)
            try:
                for connections in (1, BLOBS):
                    measured = _measure(process, urls, words, connections)
                    print(json.dumps({"server": name, "connections": connections, **measured}), flush=True)
            finally:
                process.kill()
                process.wait()


def _measure(process: subprocess.Popen[bytes], urls: list[str], words: list[str], connections: int) -> dict[str, float]:
    began, used = time.monotonic(), _cpu_seconds(process.pid)
    counts: list[int] = []

    def get(each: list[str]) -> None:
        # With "-w" curl tells what it got of each; whatever else it got would be an error that stops us here.
        command = ["curl", "-sSkf", *words, "-w", "%{size_download}\n"]
        command += [word for url in each for word in ("-o", os.devnull, url)]
        told = subprocess.run(command, check=True, capture_output=True, text=True)
        counts.extend(int(line) for line in told.stdout.split())

    shares = [urls[number::connections] for number in range(connections)]
    clients = [threading.Thread(target=get, args=(share,)) for share in shares]
    for client in clients:
        client.start()
    for client in clients:
        client.join()
    seconds, gigabytes = time.monotonic() - began, sum(counts) / 1e9
    spent = _cpu_seconds(process.pid) - used
    return {"mb_per_s": round(gigabytes * 1000 / seconds), "cpu_s_per_gb": round(spent / gigabytes, 2)}


def _cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _relay(folder: Path, names: list[str]) -> tuple[subprocess.Popen[bytes], list[str], list[str]]:
    port = _free_port()
    command = [sys.executable, "-m", f"{__package__}.relay_throughput", "serve", str(folder / "bundle"), str(port)]
    urls = [f"https://127.0.0.1:{port}/blobs/sha256/{name}" for name in names]
    return _started(command, port), urls, ["-H", f"Authorization: Bearer {TOKEN}"]


def serve(bundle: str, port: str) -> None:
    """Be the relay."""
    deadline = Deadline(600, CLOCK)
    with tempfile.TemporaryDirectory() as place:
        identity = new_identity(Host(CLOCK), Path(place), "127.0.0.1", 600, deadline)
    credentials = RelayCredentials(identity.certificate, identity.key, TOKEN)
    endpoint = BundleEndpoint(Path(bundle), digest_of((Path(bundle) / "index.json").read_bytes()))
    server = RelayServer(endpoint, credentials, AllowedPeers.parse(["127.0.0.1"]), deadline)
    server.listen("127.0.0.1", [int(port)])
    server.serve()


def _http_server(folder: Path, names: list[str]) -> tuple[subprocess.Popen[bytes], list[str], list[str]]:
    port = _free_port()
    command = [sys.executable, "-m", "http.server", str(port), "--bind", "127.0.0.1", "-d", str(folder / "bundle")]
    return _started(command, port), [f"http://127.0.0.1:{port}/blobs/sha256/{name}" for name in names], []


def _registry(folder: Path, names: list[str]) -> tuple[subprocess.Popen[bytes], list[str], list[str]]:
    root = folder / "registry/docker/registry/v2"
    for name in names:
        (blob := root / "blobs/sha256" / name[:2] / name).mkdir(parents=True)
        (blob / "data").hardlink_to(folder / "bundle/blobs/sha256" / name)
        (link := root / "repositories/bench/_layers/sha256" / name).mkdir(parents=True)
        (link / "link").write_text(f"sha256:{name}")
    with tempfile.TemporaryDirectory() as place:
        identity = new_identity(Host(CLOCK), Path(place), "127.0.0.1", 600, Deadline(60, CLOCK))
    (folder / "pem").write_text(identity.certificate + identity.key)
    port = _free_port()
    tls = {"certificate": str(folder / "pem"), "key": str(folder / "pem")}
    settings: dict[str, t.Any] = {"version": 0.1, "log": {"level": "error"}}
    settings |= {"storage": {"filesystem": {"rootdirectory": str(folder / "registry")}}}
    settings |= {"http": {"addr": f"127.0.0.1:{port}", "tls": tls}}
    (folder / "registry.yml").write_text(json.dumps(settings))
    program = shutil.which("docker-registry") or "registry"
    urls = [f"https://127.0.0.1:{port}/v2/bench/blobs/sha256:{name}" for name in names]
    return _started([program, "serve", str(folder / "registry.yml")], port), urls, []


def _started(command: list[str], port: int) -> subprocess.Popen[bytes]:
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = Deadline(20, CLOCK)
    while not deadline.expired and process.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return process
        deadline.pause(0.05)
    raise SystemExit(f"{command[0]} does not listen")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


if __name__ == "__main__":
    if sys.argv[1:2] == ["serve"]:
        serve(*sys.argv[2:])
    else:
        main()
