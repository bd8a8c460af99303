# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A container started from a store by the kubelet and the very runtime that will run pods from it."""

from __future__ import annotations

import uuid
from collections.abc import Callable

from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import remove_file, write_json
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.loading.container_runtime import CRICTL
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.errors import ImageStoreError
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.stores_probe import (
    Probe,
    probe_container,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import DeadlineExceededError

MANIFESTS = "/etc/kubernetes/manifests"
"""Where the kubelet of OpenShift finds static pods."""

SECONDS = 90.0
"""How long the kubelet may take to bring the container to its end."""

_NAME = "fieldops-store-probe"
_EXITED = "CONTAINER_EXITED"
EXITS = "/run/crio/exits"
"""Where CRI-O's monitors note the end of each container: a hint when it is worth asking CRI-O, and no more."""

_LOOK_AGAIN = 0.02
_ASK_AGAIN = 0.05
_ASK_ANYWAY = 1.0
_ANSWER_SECONDS = 30.0


def require_container(host: Host, probe: Probe, deadline: Deadline, is_given_up: Callable[[], bool]) -> str:
    """Start a container of the probe's image, see it end well, and return its id for ``remove_container``.

    Raises ImageStoreError when it does not, or once it ``is_given_up``; then nothing of it is left.
    """
    if not host.path(MANIFESTS).is_dir():
        raise _unproved(probe, f"{MANIFESTS} does not exist on this node, so the kubelet cannot start a container")
    _clear(host)
    name = f"{_NAME}-{uuid.uuid4().hex[:8]}"
    manifest = host.path(f"{MANIFESTS}/{name}.json")
    try:
        write_json(manifest, probe.pod(name), mode=0o600, durable=False)
        container = _ended(host, probe, name, deadline, is_given_up)
    finally:
        remove_file(manifest)
    try:
        _require_success(host, probe, container, deadline)
    except BaseException:
        remove_container(host, container, deadline)
        raise
    return container


def _clear(host: Host) -> None:
    """Take away what a run that was killed left."""
    for path in host.path(MANIFESTS).glob(f"{_NAME}-*.json"):
        remove_file(path)


def _ended(host: Host, probe: Probe, name: str, deadline: Deadline, is_given_up: Callable[[], bool]) -> str:
    """Return the id of the container once it has come to its end."""
    patience = deadline.within(SECONDS)
    ends = _noted_ends(host)
    while True:
        asked = [*CRICTL, "ps", "--all", "--output", "json"]
        listed = host.run(asked, deadline=deadline.within(_ANSWER_SECONDS), ok=None)
        container, state = probe_container(listed.json() if listed.stdout.strip() else {}, name)
        if state == _EXITED:
            return container
        if is_given_up():
            raise _unproved(probe, "the attempt was stopped")
        if patience.expired:
            said = _journal(host, name, deadline)
            raise _unproved(probe, f"after {patience.seconds:.0f} s it is {state or 'absent'}; kubelet: {said}")
        ends = _await_an_end(host, ends, patience, is_given_up)


def _await_an_end(
    host: Host, known: frozenset[str] | None, patience: Deadline, is_given_up: Callable[[], bool]
) -> frozenset[str] | None:
    """Return when CRI-O may have news: each question takes a process of its own, and this node has enough to do.

    Returns what is ``known`` to be noted, None once anything changed: CRI-O removes a note after it has read it, and
    reports that end shortly after.
    """
    patience.pause(_ASK_AGAIN)
    pause = patience.within(_ASK_ANYWAY - _ASK_AGAIN)
    while known is not None and _noted_ends(host) == known:
        if pause.expired or is_given_up():
            return known
        pause.pause(_LOOK_AGAIN)
    return None


def _noted_ends(host: Host) -> frozenset[str] | None:
    """Return the containers whose ends are noted, None where they are not recorded."""
    try:
        return frozenset(path.name for path in host.path(EXITS).iterdir())
    except OSError:
        return None


def _require_success(host: Host, probe: Probe, container: str, deadline: Deadline) -> None:
    asked = [*CRICTL, "inspect", "--output", "json", container]
    status = host.run(asked, deadline=deadline.within(_ANSWER_SECONDS)).json().get("status", {})
    code = status.get("exitCode", 0)
    if code:
        raise _unproved(probe, f"its command ended with status {code}: {status.get('message', '')}"[-600:])


def remove_ended_probes(host: Host, deadline: Deadline) -> None:
    """Remove probes that came to their end: they stand on a store until the kubelet collects them, a minute later."""
    listed = host.run([*CRICTL, "ps", "--all", "--output", "json"], deadline=deadline.within(_ANSWER_SECONDS), ok=None)
    container, state = probe_container(listed.json() if listed.stdout.strip() else {}, _NAME)
    if state == _EXITED:
        remove_container(host, container, deadline)


def remove_container(host: Host, container: str, deadline: Deadline) -> None:
    """Remove the probe's container, which the kubelet would do a minute later."""
    try:
        host.run([*CRICTL, "rm", container], deadline=deadline.within(_ANSWER_SECONDS), ok=None)
    except DeadlineExceededError:
        # The kubelet is removing it at this moment.
        return


def _journal(host: Host, name: str, deadline: Deadline) -> str:
    asked = ["journalctl", "--no-pager", "--quiet", "--output=cat", "--lines=2", "--unit=kubelet", f"--grep={name}"]
    return host.run(asked, deadline=deadline.within(_ANSWER_SECONDS), ok=None).stdout.strip()[-400:] or "nothing"


def _unproved(probe: Probe, seen: str) -> ImageStoreError:
    return ImageStoreError(
        "start a container from the image store",
        on=probe.image,
        seen=seen,
        advice="Load the images instead. Check the journals of kubelet and crio and, with SELinux, the audit log.",
    )
