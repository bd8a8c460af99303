# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import contextlib
import http.client
import os
import select
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration.registry.skopeo import Skopeo
from ansible_collections.fieldops.openshift.tests.lab.errors import LabError
from ansible_collections.fieldops.openshift.tests.lab.network import GATEWAY, LabNetwork
from ansible_collections.fieldops.openshift.tests.lab.registry.credentials import Credentials
from ansible_collections.fieldops.openshift.tests.lab.registry.network_namespace import within
from ansible_collections.fieldops.openshift.tests.lab.registry.release import Release
from ansible_collections.fieldops.openshift.tests.lab.registry.server import Registry
from ansible_collections.fieldops.openshift.tests.lab.workspace import Workspace

ROOT_ONLY = pytest.mark.skipif(os.geteuid() != 0, reason="only root makes network namespaces")
OWNER = """
import os, signal
from ansible_collections.fieldops.openshift.tests.lab.registry.server import Registry
registry = Registry(quay=None)
print(registry.pid, registry.directory, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


def address_of(registry: Registry, release: Release) -> str:
    return f"docker://{registry.host}/{release.reference.repository}:{release.reference.tag}"


def status_of(registry: Registry, path: str = "/v2/") -> int:
    connection = http.client.HTTPConnection(registry.address, registry.port, timeout=5)
    try:
        connection.request("GET", path)
        return connection.getresponse().status
    finally:
        connection.close()


def test_it_answers_when_it_is_there_and_nothing_is_left_when_it_has_gone() -> None:
    with Registry(quay=None) as registry:
        assert status_of(registry) == 200
    assert not registry.directory.exists()
    with pytest.raises(ConnectionRefusedError):
        status_of(registry)


def test_two_registries_know_nothing_of_each_other(registry: Registry, release: Release, skopeo: Skopeo) -> None:
    with Registry(quay=None) as other:
        assert other.port != registry.port
        assert "manifest unknown" in skopeo.failure("inspect", "--tls-verify=false", address_of(other, release))


def test_a_given_port_is_taken_or_refused(registry: Registry) -> None:
    registry.stop()
    with Registry(quay=None, port=registry.port) as other:
        assert other.host == registry.host
        with pytest.raises(LabError, match="address already in use"):
            registry.start()


def test_an_outage_ends_with_the_same_address_and_the_same_data(
    registry: Registry, release: Release, skopeo: Skopeo
) -> None:
    registry.stop()
    assert "connection refused" in skopeo.failure("inspect", "--tls-verify=false", address_of(registry, release))
    registry.start()
    skopeo.ok("inspect", "--tls-verify=false", address_of(registry, release))


def test_a_frozen_registry_accepts_and_says_nothing(registry: Registry) -> None:
    registry.freeze()
    with socket.create_connection((registry.address, registry.port), timeout=0.2) as connection:
        connection.sendall(b"GET /v2/ HTTP/1.0\r\n\r\n")
        with pytest.raises(TimeoutError):
            connection.recv(1)
        registry.thaw()
        connection.settimeout(5)
        assert connection.recv(9) == b"HTTP/1.0 "


def test_nothing_is_left_when_the_owner_is_killed() -> None:
    with subprocess.Popen([sys.executable, "-c", OWNER], stdout=subprocess.PIPE, text=True) as owner:
        assert owner.stdout
        pid, directory = owner.stdout.readline().split()
    with contextlib.suppress(ProcessLookupError):
        watched = os.pidfd_open(int(pid))
        assert select.select([watched], [], [], 15)[0], "the registry still runs"
        os.close(watched)
    deadline = time.monotonic() + 15
    while Path(directory).exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not Path(directory).exists()


def test_certificate_is_demanded_and_serves_every_name(release: Release, skopeo: Skopeo) -> None:
    with Registry(quay=None, tls=True, host_names=["registry.lab.example"]) as registry:
        registry.publish(release)
        assert "signed by unknown authority" in skopeo.failure("inspect", address_of(registry, release))
        skopeo.ok("inspect", "--cert-dir", registry.certificates, address_of(registry, release))
        by_name = address_of(registry, release).replace("127.0.0.1", "localhost")
        skopeo.ok("inspect", "--cert-dir", registry.certificates, by_name)
        certificate = subprocess.run(
            ["openssl", "x509", "-noout", "-ext", "subjectAltName", "-in", registry.directory / "registry.crt"],
            capture_output=True,
            text=True,
            check=True,
        )
        assert "DNS:registry.lab.example" in certificate.stdout


def test_password_is_demanded_of_every_request(release: Release, skopeo: Skopeo, tmp_path: Path) -> None:
    credentials = Credentials("puller")
    assert credentials.password not in repr(credentials)
    secret = tmp_path / "auth.json"
    with Registry(quay=None, credentials=credentials) as registry:
        registry.publish(release)
        target = address_of(registry, release)
        assert "authentication required" in skopeo.failure("inspect", "--tls-verify=false", target)
        secret.write_text(Credentials("puller", "wrong").pull_secret([registry.host]))
        given = ("inspect", "--tls-verify=false", "--authfile", secret, target)
        assert "authentication required" in skopeo.failure(*given)
        mark = registry.access.mark()
        secret.write_text(credentials.pull_secret([registry.host]))
        skopeo.ok(*given)
        assert {request.status for request in registry.access.requests(mark, kind="manifests")} == {200}


def test_requests_are_counted_from_a_mark_on(registry: Registry, release: Release, skopeo: Skopeo) -> None:
    skopeo.ok("inspect", "--tls-verify=false", address_of(registry, release))
    mark = registry.access.mark()
    assert registry.access.requests(mark) == []
    image = release.components["etcd"]
    source = f"docker://{registry.host}/{release.reference_of('etcd').repository}@{image.digest}"
    skopeo.ok("copy", "--src-tls-verify=false", source, f"dir:{skopeo.directory}/etcd")
    blobs = registry.access.requests(mark, kind="blobs", method="GET")
    assert {(request.name, request.size) for request in blobs} == {(str(b.digest), b.size) for b in image.blobs}
    assert registry.access.count(mark, kind="manifests", name=str(image.digest)) == 1
    assert all(request.agent.startswith("skopeo/") for request in blobs)


def test_large_answers_are_in_the_log_as_soon_as_they_are_complete(registry: Registry, release: Release) -> None:
    layer = release.components["rhel-coreos"].instances[0].layers[0]
    path = f"/v2/{release.reference_of('rhel-coreos').repository}/blobs/{layer.digest}"
    for _again in range(50):
        mark = registry.access.mark()
        connection = http.client.HTTPConnection(registry.address, registry.port, timeout=5)
        connection.request("GET", path)
        assert len(connection.getresponse().read()) == layer.blob.size
        connection.close()
        assert registry.access.count(mark, kind="blobs") == 1


@ROOT_ONLY
def test_it_can_live_in_the_labs_own_network() -> None:
    workspace = Workspace("net")
    try:
        namespace = LabNetwork(workspace).namespace
        with Registry(quay=None, address=GATEWAY, port=5000, namespace=namespace) as registry:
            assert registry.host == "198.51.100.1:5000"
            mark = registry.access.mark()
            assert within(namespace, lambda: status_of(registry)) == 200
            assert registry.access.count(mark) == 1
            registry.stop()
            registry.start()
            assert within(namespace, lambda: status_of(registry)) == 200
    finally:
        workspace.close()
