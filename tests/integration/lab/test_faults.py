# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What can go wrong goes wrong on request, for as long as a test wants, and nowhere but in the lab."""

from __future__ import annotations

import errno
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from ansible_collections.fieldops.openshift.tests.integration.lab.waiting import wait_for
from ansible_collections.fieldops.openshift.tests.lab.errors import LabError
from ansible_collections.fieldops.openshift.tests.lab.lab import Lab
from ansible_collections.fieldops.openshift.tests.lab.node.host import NodeHost
from ansible_collections.fieldops.openshift.tests.lab.rest import RestClient

SSH = 22
SIZES = {"/var/lib/containers": 128 << 20, "/var/lib/fieldops": 32 << 20}
CONNECT = """
import socket, sys
try:
    socket.create_connection((sys.argv[1], int(sys.argv[2])), 1)
except OSError as error:
    print(error.errno or "timed out")
else:
    print(0)
"""


@pytest.fixture(scope="module")
def small_host(lab: Lab) -> Iterator[NodeHost]:
    host = lab.add_host(sizes=SIZES)
    yield host
    lab.remove_host(host.name)


def test_a_partitioned_host_is_cut_off_both_ways_and_goes_on(lab: Lab) -> None:
    host, other = lab.hosts["worker-0"], lab.hosts["worker-1"]
    with lab.faults.partition("worker-0"):
        assert connect(lab, host.address) != "0"
        assert connect(lab, other.address, host) != "0"
        assert host.run("systemctl", "is-active", "kubelet").strip() == "active"
        assert connect(lab, other.address) == "0"
    wait_for(lambda: connect(lab, host.address) == "0" == connect(lab, other.address, host))


def test_a_slow_link_is_slow_until_the_limit_is_taken_away(lab: Lab) -> None:
    with lab.faults.slow_link("worker-0", 1_000_000):
        slow = seconds_to_send(lab, 250_000)
    assert slow > 1
    assert seconds_to_send(lab, 250_000) < slow


def test_after_a_power_loss_the_disk_is_as_it_was_and_the_boot_another(lab: Lab) -> None:
    host = lab.hosts["worker-1"]
    host.write("/var/lib/kept", "here")
    before = boot_id(lab, "worker-1")
    with lab.faults.power_loss("worker-1"):
        assert connect(lab, host.address) != "0"
        with pytest.raises(LabError):
            host.run("true")
    lab.wait_ready(["worker-1"])
    assert host.run("cat", "/var/lib/kept") == "here"
    assert boot_id(lab, "worker-1") != before


@pytest.mark.parametrize("path", [*SIZES])
def test_a_full_disk_refuses_writes_until_there_is_space_again(lab: Lab, small_host: NodeHost, path: str) -> None:
    write = ("dd", "if=/dev/zero", f"of={path}/more", "bs=64k", "count=1")
    with lab.faults.full_disk(small_host.name, path), pytest.raises(LabError, match="No space left"):
        small_host.run(*write)
    small_host.run(*write)
    small_host.run("rm", f"{path}/more")


def test_a_disk_of_a_given_size_keeps_its_files_over_a_reboot(lab: Lab, small_host: NodeHost) -> None:
    small_host.write("/var/lib/fieldops/kept", "here")
    lab.reboot(small_host.name)
    lab.wait_ready([small_host.name])
    assert small_host.run("cat", "/var/lib/fieldops/kept") == "here"


def test_the_machines_own_disk_is_never_filled(lab: Lab) -> None:
    with pytest.raises(LabError, match="no disk of its own"), lab.faults.full_disk("worker-0", "/var/lib/fieldops"):
        pass


def test_a_frozen_api_takes_connections_and_answers_when_it_thaws(lab: Lab) -> None:
    with lab.faults.frozen_api(), impatient(lab) as client, pytest.raises(TimeoutError):
        client.get("/version")
    assert lab.api.rest.get("/version")["gitVersion"]


# CPython leaves the socket of a handshake that was reset to its garbage collector (ssl.SSLSocket._create).
@pytest.mark.filterwarnings("ignore:unclosed <ssl.SSLSocket:ResourceWarning")
def test_a_stopped_api_is_gone_while_hosts_and_pods_go_on(lab: Lab) -> None:
    before = boot_id(lab, "worker-0")
    with lab.faults.stopped_api():
        with impatient(lab) as client, pytest.raises(OSError, match=r"refused|reset|closed"):
            client.get("/version")
        assert lab.hosts["worker-0"].run("systemctl", "is-active", "kubelet").strip() == "active"
    lab.wait_ready(lab.hosts)
    assert boot_id(lab, "worker-0") == before


@pytest.mark.parametrize("where", [pytest.param("worker-0", id="host"), pytest.param("", id="plays")])
def test_no_packet_leaves_the_lab(lab: Lab, where: str) -> None:
    """TEST-NET-3 (RFC 5737) stands for the world, TEST-NET-1 for the network of a machine."""
    for outside in ("203.0.113.1", "192.0.2.1"):
        assert connect(lab, outside, lab.hosts.get(where)) == str(errno.ENETUNREACH)


def connect(lab: Lab, address: str, host: NodeHost | None = None) -> str:
    """Connect from a host, or from where plays run; return 0 or the number of the error."""
    if host:
        return host.run("python3", "-c", CONNECT, address, str(SSH)).strip()
    command = [*lab.network.prefix, sys.executable, "-c", CONNECT, address, str(SSH)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def impatient(lab: Lab) -> RestClient:
    return RestClient(lab.api.url, lab.api.ca_file, lab.api.admin_token, timeout=1)


def seconds_to_send(lab: Lab, size: int) -> float:
    command = ["ssh", "-F", str(lab.ssh_config), "worker-0", "cat > /dev/null"]
    started = time.monotonic()
    subprocess.run(command, input=bytes(size), check=True, timeout=60)
    return time.monotonic() - started


def boot_id(lab: Lab, name: str) -> str:
    return str(lab.api.rest.get(f"/api/v1/nodes/{name}")["status"]["nodeInfo"]["bootID"])
