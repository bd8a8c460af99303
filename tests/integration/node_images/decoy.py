# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""An address that hosts find under the names of registries, where whoever knocks is noted and nobody is answered."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.integration.node_images.nodes import wait_for
from ansible_collections.fieldops.openshift.tests.lab.lab import Lab
from ansible_collections.fieldops.openshift.tests.lab.network import BRIDGE, PREFIX
from ansible_collections.fieldops.openshift.tests.lab.node.host import NodeHost

ADDRESS = f"{PREFIX}.8"
PORTS = ("80", "443", "5000")
LISTEN = """
import selectors, socket, sys
address, note, *ports = sys.argv[1:]
doors = selectors.DefaultSelector()
for port in ports:
    doors.register(socket.create_server((address, int(port))), selectors.EVENT_READ)
with open(note, "w") as notes:
    while True:
        for key, _events in doors.select():
            caller, origin = key.fileobj.accept()
            print(origin[0], key.fileobj.getsockname()[1], file=notes, flush=True)
            caller.close()
"""


class Decoy:
    """Who knocked until now."""

    def __init__(self, note: Path) -> None:
        self._note = note

    @property
    def callers(self) -> list[str]:
        """The addresses and ports of all calls, in their order."""
        return self._note.read_text().splitlines()


@contextlib.contextmanager
def decoy(lab: Lab, hosts: Sequence[NodeHost], registries: Sequence[str], folder: Path) -> Iterator[Decoy]:
    """Let ``hosts`` find all ``registries`` at an address of the lab that notes every call."""
    note = folder / "callers"
    lab.network.ip("address", "add", f"{ADDRESS}/32", "dev", BRIDGE)
    words = [sys.executable, "-c", LISTEN, ADDRESS, str(note), *PORTS]
    process = subprocess.Popen(lab.command(words), stderr=subprocess.DEVNULL)
    names = f"{ADDRESS} {' '.join(registries)}"
    try:
        for host in hosts:
            host.run("sh", "-c", f"cp /etc/hosts /etc/hosts.real; echo '{names}' >> /etc/hosts")
        wait_for(note.exists, "the decoy listens")
        yield Decoy(note)
    finally:
        for host in hosts:
            host.run("sh", "-c", "cat /etc/hosts.real > /etc/hosts; rm /etc/hosts.real")
        process.kill()
        process.wait()
        lab.network.ip("address", "delete", f"{ADDRESS}/32", "dev", BRIDGE)
