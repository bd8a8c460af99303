# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The lab's network: 198.51.100.0/24 (TEST-NET-2, RFC 5737) in a network namespace that has no way out.

The namespace has no name and no file: it lives as long as a process of the lab does, so that nothing of it can be left.
Never use 192.0.2.0/24: some virtual machines have their own address there.
"""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.lab.errors import LabError
from ansible_collections.fieldops.openshift.tests.lab.workspace import Workspace

PREFIX = "198.51.100"
GATEWAY = f"{PREFIX}.1"  # the bridge: control plane, registry, time
POD_NETWORKS = "10.85.0.0/16"
BRIDGE = "br0"
GATEWAY_PROGRAM = Path(__file__).with_name("gateway.py")


class LabNetwork:
    """A bridge in a namespace; node hosts are attached to it."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._holder = workspace.start("network", ["unshare", "--net", "sleep", "infinity"])
        self.namespace = Path(f"/proc/{self._holder.pid}/ns/net")
        self._wait_for_namespace()
        for arguments in (
            ("link", "set", "lo", "up"),
            ("link", "add", BRIDGE, "type", "bridge"),
            ("address", "add", f"{GATEWAY}/24", "dev", BRIDGE),
            ("link", "set", BRIDGE, "up"),
        ):
            self.ip(*arguments)
        self._forward()

    @property
    def prefix(self) -> list[str]:
        """What to put before a command so that it runs in the lab's network."""
        return ["nsenter", f"--net={self.namespace}"]

    def ip(self, *arguments: str) -> None:
        """Run ip(8) in the lab's network."""
        done = subprocess.run([*self.prefix, "ip", *arguments], capture_output=True, text=True, check=False)
        if done.returncode:
            raise LabError(
                f"run ip {' '.join(arguments)}", on="the lab's network", seen=done.stderr, advice="Is this root?"
            )

    def route(self, network: str, host: str) -> None:
        """Lead packets for a host's pods to the host; hosts send them here."""
        self.ip("route", "replace", network, "via", host)

    def ssh_proxy(self, host: str, port: str) -> Sequence[str]:
        """Return a command that connects its standard input and output with an address of the lab."""
        program = [sys.executable, "-I", "-S", str(GATEWAY_PROGRAM), "--namespace", str(self.namespace)]
        return [*program, "--target", f"{host}:{port}", "--stdio"]

    def publish(self, name: str, target: str) -> int:
        """Make ``ADDRESS:PORT`` of the lab reachable on the machine's loopback; return the port there.

        What is published stays reachable when the server behind it goes away: connections are then reset.
        """
        port_file = self._workspace.directory / f"gateway-{name}.port"
        command: list[str | Path] = [
            sys.executable,
            "-I",
            "-S",
            GATEWAY_PROGRAM,
            "--namespace",
            self.namespace,
            "--target",
            target,
        ]
        process = self._workspace.start(f"gateway-{name}", [*command, "--port-file", port_file])
        while not port_file.exists():
            process.require_running()
            time.sleep(0.005)
        return int(port_file.read_text())

    def _forward(self) -> None:
        """Let the namespace be the router between the hosts' pod networks."""
        quiet = [f"conf/{device}/send_redirects" for device in ("all", "default", BRIDGE)]
        for value, names in (("1", ["ip_forward"]), ("0", quiet)):
            files = [f"/proc/sys/net/ipv4/{name}" for name in names]
            command = [*self.prefix, "tee", *files]
            subprocess.run(command, input=value, stdout=subprocess.DEVNULL, text=True, check=True)

    def _wait_for_namespace(self) -> None:
        own = Path("/proc/self/ns/net").readlink()
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline:
            self._holder.require_running()
            if self.namespace.readlink() != own:
                return
            time.sleep(0.002)
        raise LabError("make a network namespace", on="this machine", seen="none after 10 s", advice="Is this root?")


class ReservedPort:
    """A port of the machine's loopback that one server may listen on, again and again, and nobody else until ``close``.

    The server needs ``SO_REUSEPORT`` (socket(7)). While it does not listen, connections are refused.
    """

    def __init__(self) -> None:
        self._socket = socket.socket()
        self._socket.bind(("127.0.0.1", 0))
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        self.number: int = self._socket.getsockname()[1]

    def close(self) -> None:
        """Let the port go."""
        self._socket.close()


def free_port(address: str) -> int:
    """Return a port that nobody listens on at this moment."""
    with socket.socket() as probe:
        probe.bind((address, 0))
        port: int = probe.getsockname()[1]
        return port
