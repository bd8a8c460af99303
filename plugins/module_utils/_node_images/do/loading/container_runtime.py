# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""CRI-O: the images that it has, and its reload."""

from __future__ import annotations

import typing as t
from collections.abc import Sequence

from ansible_collections.fieldops.openshift.plugins.module_utils._host.command_result import CommandError
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.errors import ContainerRuntimeError
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.runtime_images import (
    RuntimeImages,
    used_names,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.sizes import MIB

UNIT = "crio.service"
ENDPOINT = "unix:///var/run/crio/crio.sock"
CRICTL = ("crictl", "--runtime-endpoint", ENDPOINT, "--timeout", "30s")
"""The default timeout of two seconds is too short on a node that loads images."""

_ANSWER_SECONDS = 60.0
_LONGEST_ANSWER = 64 * MIB


def runtime_images(host: Host, deadline: Deadline) -> RuntimeImages:
    """Return the images that CRI-O lists; raises ContainerRuntimeError, transient since it may just be starting."""
    return RuntimeImages.of(_listed(host, ["images"], deadline))


def used_images(host: Host, deadline: Deadline) -> frozenset[str]:
    """Return what CRI-O's containers call their images, by name or id, those of containers that have ended included.

    Raises ContainerRuntimeError.
    """
    return used_names(_listed(host, ["ps", "--all"], deadline))


def remove_images(host: Host, names: Sequence[str], deadline: Deadline) -> str:
    """Let CRI-O remove images, which it refuses for an image that a container uses; return its errors."""
    done = host.run([*CRICTL, "rmi", *names], deadline=deadline, ok=None)
    return done.stderr.strip()[-500:] if done.rc else ""


def _listed(host: Host, what: list[str], deadline: Deadline) -> t.Any:
    try:
        asked = [*CRICTL, *what, "--output", "json"]
        done = host.run(asked, deadline=deadline.within(_ANSWER_SECONDS), limit=_LONGEST_ANSWER)
    except CommandError as error:
        raise ContainerRuntimeError(
            f"list the {'images' if what == ['images'] else 'containers'} of the container runtime",
            on=f"{UNIT} of {host}",
            seen=f"the unit is {_unit_state(host, deadline)}; output of crictl: {error.stderr[-500:] or 'nothing'}",
            advice=f"Check it on the node: systemctl status {UNIT}, journalctl --unit {UNIT}.",
            transient=True,
        ) from error
    return done.json()


def reload_runtime(host: Host, deadline: Deadline) -> None:
    """Reload the drop-ins of CRI-O; containers are not affected. Raises ContainerRuntimeError."""
    try:
        host.run(["systemctl", "reload", UNIT], deadline=deadline.within(_ANSWER_SECONDS))
    except CommandError as error:
        raise ContainerRuntimeError(
            "reload the configuration of the container runtime",
            on=f"{UNIT} of {host}",
            seen=f"the unit is {_unit_state(host, deadline)}; output of systemctl: {error.stderr or 'nothing'}",
            advice=f"Check it on the node: systemctl status {UNIT}, journalctl --unit {UNIT}.",
        ) from error


def _unit_state(host: Host, deadline: Deadline) -> str:
    asked = ["systemctl", "is-active", UNIT]
    return host.run(asked, deadline=deadline.within(_ANSWER_SECONDS), ok=None).stdout.strip() or "unknown"


def runtime_version(host: Host, deadline: Deadline) -> str:
    """Return the version of the node's CRI-O, such as 1.34.0; empty if it is unknown."""
    said = host.run(["crio", "--version"], deadline=deadline.within(_ANSWER_SECONDS), ok=None).stdout
    return next((line.split()[-1] for line in said.splitlines() if line.lower().startswith("version:")), "")
