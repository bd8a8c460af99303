# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The machine-config operator as a whole: its real controller, actors for the rest of it, and how nodes reboot."""

from __future__ import annotations

import contextlib
import threading
import typing as t
import uuid
from collections.abc import Callable, Iterator, Mapping

from ansible_collections.fieldops.openshift.tests.lab.actors.actor import now, with_condition
from ansible_collections.fieldops.openshift.tests.lab.actors.machine_config_daemon import MachineConfigDaemon
from ansible_collections.fieldops.openshift.tests.lab.actors.machine_config_release import MachineConfigRelease
from ansible_collections.fieldops.openshift.tests.lab.actors.pinned_images import ImageRuntime, PinnedImages
from ansible_collections.fieldops.openshift.tests.lab.api_access import ApiAccess
from ansible_collections.fieldops.openshift.tests.lab.errors import LabApiError
from ansible_collections.fieldops.openshift.tests.lab.lab import Lab
from ansible_collections.fieldops.openshift.tests.lab.machine_config_controller import machine_config_controller
from ansible_collections.fieldops.openshift.tests.lab.rest import RestClient

GONE = 404


@contextlib.contextmanager
def machine_config_operator(
    server: ApiAccess, reboot: Callable[[str], None], runtimes: Mapping[str, ImageRuntime] | None = None
) -> Iterator[None]:
    """Run the operator for as long as the context lasts; pinned images are seen to on the nodes of ``runtimes``."""
    with contextlib.ExitStack() as running:
        running.enter_context(machine_config_controller(server))
        running.enter_context(MachineConfigDaemon(server.rest, reboot))
        running.enter_context(MachineConfigRelease(server.rest))
        for node, runtime in (runtimes or {}).items():
            running.enter_context(PinnedImages(server.rest, node, runtime))
        yield


def reboot_hosts(lab: Lab) -> Callable[[str], None]:
    """Return what reboots the real hosts of a lab."""

    def reboot(name: str) -> None:
        lab.hosts[name].run("systemctl", "--no-block", "reboot")

    return reboot


def reboot_objects(client: RestClient, seconds: float = 0.2) -> Callable[[str], None]:
    """Return what makes a Node object without a host look rebooted: not ready, then ready with a new boot id."""

    def come_back(name: str) -> None:
        try:
            _set_ready(client, name, ready=True, boot=str(uuid.uuid4()))
        except LabApiError as error:
            if error.status != GONE:  # a node that was deleted while it was away
                raise

    def reboot(name: str) -> None:
        _set_ready(client, name, ready=False)
        timer = threading.Timer(seconds, come_back, [name])
        timer.daemon = True
        timer.start()

    return reboot


def _set_ready(client: RestClient, name: str, *, ready: bool, boot: str = "") -> None:
    path = f"/api/v1/nodes/{name}"
    status = client.get(path)["status"]
    reason = "KubeletReady" if ready else "NodeStatusUnknown"
    conditions = with_condition(status["conditions"], "Ready", ready, reason)
    beat = {"lastHeartbeatTime": now()} if ready else {}
    change: dict[str, t.Any] = {
        "conditions": [{**one, **beat} if one["type"] == "Ready" else one for one in conditions]
    }
    if boot:
        change["nodeInfo"] = {**status["nodeInfo"], "bootID": boot}
    client.merge(f"{path}/status", {"status": change})
