# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A control-plane node serves pulls to other machines: those that it knows, that know it, and nobody else."""

from __future__ import annotations

import base64
import json
import subprocess
import typing as t
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.joining.credentials_file import (
    write_credentials,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.joining.site_authority import (
    KeyPair,
    new_authority,
    new_certificate,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.tests.integration.node_images.bundles import WrittenBundle
from ansible_collections.fieldops.openshift.tests.integration.node_images.nodes import (
    Controller,
    forget_everything,
    listed,
    upper,
    wait_for,
)
from ansible_collections.fieldops.openshift.tests.integration.node_images.one_node import Node, failed, succeeded
from ansible_collections.fieldops.openshift.tests.lab.lab import Lab
from ansible_collections.fieldops.openshift.tests.lab.network import PREFIX
from ansible_collections.fieldops.openshift.tests.lab.node.host import NodeHost

PORT = 9701
SERVICE = "fieldops-image-source-site.service"
CREDENTIALS = "/var/lib/fieldops/image-source/other-machines.json"
CERTS = "/etc/containers/certs.d"
PASSWORD = "0123456789abcdef" * 4
DAY = timedelta(days=1)
REFUSED = 56, 7, 52, 35
"""Exit statuses of curl where a server closes a connection unheard, or a firewall resets it."""


class Source(Node):
    """The control-plane node that serves, and what it serves with."""

    authority: KeyPair
    file: Path

    @property
    def registry(self) -> str:
        return f"{self.host.address}:{PORT}"

    def serve(self, *words: str, **others: t.Any) -> dict[str, t.Any]:
        given = {"credentials_file": str(self.file), **others}
        task = self.controller.task(self.host.name, "image_source", *words, other_machines=given)
        return succeeded(task).result

    def issue(self, password: str = PASSWORD) -> str:
        """Write new credentials, signed by the same authority, and return their certificate."""
        host = Host(SystemClock())
        names = [self.host.address, "api-int.lab.example"]
        pair = new_certificate(host, self.authority, names, DAY, Deadline(60, host.clock))
        networks = [self.lab.hosts[name].address for name in ("worker-0", "worker-1")]
        write_credentials(
            self.file,
            {
                "port": PORT,
                "networks": networks,
                "address": self.host.address,
                "ca": self.authority.certificate,
                "certificate": pair.certificate,
                "key": pair.key,
                "password": password,
            },
        )
        return pair.certificate

    def image(self, component: str) -> str:
        return next(str(image.name) for image in self.bundle.index.images if image.component == component)

    def mirrored(self, component: str) -> str:
        """Return the name that an image has here."""
        return f"{self.registry}/{self.image(component).partition('/')[2]}"


@pytest.fixture(scope="module")
def source(lab: Lab, bundle: WrittenBundle, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Source]:
    host, folder = lab.hosts["master-0"], tmp_path_factory.mktemp("source")
    made = Source(lab, host, bundle, Controller(lab, folder))
    here = Host(SystemClock())
    made.authority = new_authority(here, (f"{PREFIX}.0/24", "api-int.lab.example"), DAY, Deadline(60, here.clock))
    made.file = folder / "credentials"
    made.issue()
    try:
        succeeded(made.stage())
        succeeded(made.controller.task(host.name, "image_source"))
        made.serve()
        yield made
    finally:
        forget_everything(host, bundle.names)


@pytest.fixture
def client(lab: Lab, source: Source) -> Iterator[NodeHost]:
    """A machine that trusts the site's authority and has its pull secret."""
    host = lab.hosts["worker-0"]
    login = {"auth": base64.b64encode(f"fieldops:{PASSWORD}".encode()).decode()}
    host.run("mkdir", "--parents", f"{CERTS}/{source.registry}")
    host.write(f"{CERTS}/{source.registry}/ca.crt", source.authority.certificate)
    host.write("/root/auth.json", json.dumps({"auths": {source.registry: login}}))
    yield host
    host.run("rm", "-rf", CERTS, "/root/auth.json")
    gone = [name for name in listed(host) if name.startswith(source.registry)]
    if gone:
        host.run("crictl", "rmi", *gone)


def pull(client: NodeHost, name: str, *, check: bool = True) -> str:
    words = f"podman pull --quiet --retry 0 --authfile /root/auth.json {name} 2>&1"
    return client.run("sh", "-c", words, check=check)


def test_it_is_set_up_once_and_goes_on_without_the_option(source: Source) -> None:
    assert source.serve()["changed"] is False
    kept = succeeded(source.controller.task(source.host.name, "image_source")).result
    assert (kept["changed"], kept["serves_other_machines"]) == (False, True)
    assert kept["repositories"] == sorted({name.partition("@")[0] for name in source.bundle.names})
    told = succeeded(source.controller.task(source.host.name, "node_info", gather=["image_source"])).result
    seen = told["image_source"]["other_machines"]
    assert (seen["address"], seen["port"], seen["listening"]) == (source.host.address, PORT, True)


def test_secrets_lie_in_a_file_that_only_root_reads(source: Source) -> None:
    assert source.host.run("stat", "--format=%a %U", CREDENTIALS).split() == ["600", "root"]
    said = source.controller.task(
        source.host.name, "image_source", "-vvv", "--diff", other_machines={"credentials_file": str(source.file)}
    )
    given = json.loads(source.file.read_text())
    lines = [line for line in given["key"].splitlines() if len(line) > 40]
    assert not any(secret in succeeded(said).output for secret in (*lines, PASSWORD))
    words = source.host.run("sh", "-c", "cat /proc/[0-9]*/cmdline | tr '\\0' ' '")
    assert PASSWORD not in words


def test_the_server_has_no_rights(source: Source) -> None:
    pull_once = f"curl -s --max-time 5 https://127.0.0.1:{PORT}/v2/ || true"
    source.host.run("sh", "-c", pull_once)
    process = source.host.run("systemctl", "show", SERVICE, "--property=MainPID", "--value").strip()
    status = dict(
        line.split(":", 1) for line in source.host.run("cat", f"/proc/{process}/status").splitlines() if ":" in line
    )
    assert status["Uid"].split()[0] != "0"
    assert [status[name].strip() for name in ("CapEff", "CapBnd", "CapPrm")] == ["0" * 16] * 3


@pytest.mark.parametrize("component", ["etcd", "cli"])
def test_a_machine_of_the_site_pulls(source: Source, client: NodeHost, component: str) -> None:
    pull(client, source.mirrored(component))
    assert source.mirrored(component) in listed(client)


def test_a_machine_with_a_wrong_password_gets_nothing(source: Source, client: NodeHost) -> None:
    login = {"auth": base64.b64encode(f"fieldops:{PASSWORD[:-1]}0".encode()).decode()}
    client.write("/root/auth.json", json.dumps({"auths": {source.registry: login}}))
    assert "unauthorized" in pull(client, source.mirrored("etcd"), check=False)
    asked = client.run("curl", "-sk", "-o", "/dev/null", "-w", "%{http_code}", f"https://{source.registry}/v2/")
    assert asked == "401", "nor one without any"


def test_a_machine_that_does_not_trust_the_authority_refuses(source: Source, client: NodeHost) -> None:
    client.run("rm", "-rf", CERTS)
    assert "x509" in pull(client, source.mirrored("etcd"), check=False)


def test_nothing_is_said_without_tls(source: Source, client: NodeHost) -> None:
    ended = client.run("sh", "-c", f"curl -s --max-time 5 http://{source.registry}/v2/; echo $?")
    assert int(ended.splitlines()[-1]) in REFUSED


def test_a_machine_of_no_allowed_network_is_not_heard(lab: Lab, source: Source) -> None:
    """The controller is at the lab's gateway, which is in none."""
    words = ["curl", "-sk", "--max-time", "5", "-u", f"fieldops:{PASSWORD}", f"https://{source.registry}/v2/"]
    asked = subprocess.run(lab.command(words), capture_output=True, text=True, check=False)
    assert asked.stdout == ""
    assert asked.returncode in (*REFUSED, 28)


def test_pulls_survive_that_the_server_is_killed(source: Source, client: NodeHost) -> None:
    pull(client, source.mirrored("etcd"))
    source.host.run("systemctl", "kill", "--signal=KILL", SERVICE)
    client.run("crictl", "rmi", source.mirrored("etcd"))
    pull(client, source.mirrored("etcd"))


def test_a_new_certificate_is_served_at_once_and_trusted(source: Source, client: NodeHost) -> None:
    certificate = source.issue()
    changed = source.serve()
    assert {one["path"] for one in changed["actions"] if one["action"] == "write"} == {CREDENTIALS}
    asked = f"import ssl; print(ssl.get_server_certificate(('{source.host.address}', {PORT})))"
    assert client.run("python3", "-c", asked).split() == certificate.split()
    pull(client, source.mirrored("cli"))


def test_credentials_that_cannot_be_used_change_nothing(source: Source) -> None:
    given = {"credentials_file": str(source.file), "networks": ["0.0.0.0/0"]}
    failed(source.controller.task(source.host.name, "image_source", other_machines=given), "invalid_input")
    given = {"credentials_file": str(source.file), "password": "short"}
    failed(source.controller.task(source.host.name, "image_source", other_machines=given), "invalid_input")
    assert source.serve()["changed"] is False


def test_nothing_is_left_of_it_and_the_node_serves_itself(source: Source) -> None:
    dry = source.serve("--check", state="absent")
    assert dry["changed"] is True
    assert (upper(source.host) / CREDENTIALS.lstrip("/")).exists()
    assert source.serve(state="absent")["serves_other_machines"] is False
    assert source.serve(state="absent")["changed"] is False
    assert "image-source-site" not in source.host.run("systemctl", "list-units", "--all", "--no-legend")
    found = source.host.run("find", "/etc/systemd", "/var/lib/fieldops/image-source")
    assert "site" not in found
    assert "other-machines" not in found
    wait_for(lambda: source.host.run("curl", "-s", "http://127.0.0.1:9700/v2/") == "{}", "the node serves itself")
    source.serve()
