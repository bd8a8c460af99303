# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A registry like quay.io that is far away: in a network of its own, on a processor of its own, behind a delay."""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.lab.network import PREFIX, LabNetwork
from ansible_collections.fieldops.openshift.tests.lab.network_place import DEVICE, NetworkPlace
from ansible_collections.fieldops.openshift.tests.lab.registry.server import Registry
from ansible_collections.fieldops.openshift.tests.lab.workspace import Workspace

ADDRESS, OTHERS = f"{PREFIX}.2", (f"{PREFIX}.3", f"{PREFIX}.4")
PACKETS = 100_000  # that may be under way at once, so that the delay costs time and no packets


class Distance:
    """A context manager. Whatever is measured runs with ``prefix`` before its command.

    The delay is that of the network (tc-netem(8)) where the kernel has it and we are root; else the registry itself
    waits: one delay before each answer and two for each connection. Such a registry knows nothing of TCP's windows.
    """

    def __init__(self) -> None:
        self._closing = ExitStack()
        self._namespace: Path | None = None
        self.prefix: list[str] = []

    def __enter__(self) -> Distance:
        try:
            with _last_processor():
                self.registry = self._closing.enter_context(self._start())
        except BaseException:
            self._closing.close()
            raise
        self._closing.enter_context(_other_processors())
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.close()

    def set(self, milliseconds: int) -> str:
        """Let the registry be so far away from now on, to and fro together; return what delays."""
        if self._delayed_by_network(milliseconds):
            return "tc netem"
        self.registry.front.change(delay_seconds=milliseconds / 1000)
        return "the registry itself (this kernel has no netem)"

    def _start(self) -> Registry:
        if os.geteuid():
            return Registry()
        workspace = Workspace("distance")
        self._closing.callback(workspace.close)
        network = LabNetwork(workspace)
        place = NetworkPlace("registry", ADDRESS, workspace=workspace, network=network, more=OTHERS)
        self._namespace, self.prefix = place.namespace, network.prefix
        return Registry(address=ADDRESS, others=OTHERS, namespace=place.namespace)

    def _delayed_by_network(self, milliseconds: int) -> bool:
        if not self._namespace:
            return False
        words = [
            "qdisc",
            "replace",
            "dev",
            DEVICE,
            "root",
            "netem",
            "delay",
            f"{milliseconds}ms",
            "limit",
            str(PACKETS),
        ]
        command = ["nsenter", f"--net={self._namespace}", "tc", *words]
        try:
            return subprocess.run(command, capture_output=True, check=False).returncode == 0
        except FileNotFoundError:
            return False


@contextlib.contextmanager
def _last_processor() -> Iterator[None]:
    """Let what is started within have one processor and no other."""
    own = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(own)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, own)


@contextlib.contextmanager
def _other_processors() -> Iterator[None]:
    """Let what is started within have the other processors, if there are any."""
    own = os.sched_getaffinity(0)
    os.sched_setaffinity(0, own - {max(own)} or own)
    try:
        yield
    finally:
        os.sched_setaffinity(0, own)
