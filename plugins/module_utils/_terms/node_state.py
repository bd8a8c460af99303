# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a Node object says about a node, in the words that order, health and proof share."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping
from dataclasses import dataclass, field

from ansible_collections.fieldops.openshift.plugins.module_utils._terms import object_keys
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.conditions import conditions_of

DAEMON_DONE = "Done"
_PRESSURES = ("DiskPressure", "MemoryPressure", "PIDPressure", "NetworkUnavailable")


@dataclass(frozen=True)
class NodeState:
    """A node at the moment its object was read.

    ``pressures`` are the names of adverse conditions that hold. ``current_config`` and its siblings are empty where no
    machine-config daemon runs. ``boot_id`` does not change in a soft reboot. ``addresses`` are those in the cluster.
    ``is_bootc_managed`` is whether bootc-operator decides on the OS image. ``since`` is when the conditions of the node
    changed last, by their names.
    """

    name: str
    roles: tuple[str, ...]
    zone: str
    created: str
    ready: bool
    ready_reason: str
    schedulable: bool
    pressures: tuple[str, ...]
    boot_id: str
    kubelet_version: str
    os_image: str
    current_config: str
    desired_config: str
    current_image: str
    desired_image: str
    daemon_state: str
    daemon_reason: str
    addresses: tuple[str, ...] = ()
    is_bootc_managed: bool = False
    since: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_managed(self) -> bool:
        """Whether a machine-config daemon keeps this node."""
        return bool(self.current_config or self.desired_config or self.daemon_state)

    @property
    def is_updated(self) -> bool:
        """Whether the daemon has brought the node to its desired configuration and image.

        Source: machine-config-operator, pkg/controller/common/layered_node_state.go, IsNodeDone.
        """
        return (
            bool(self.current_config)
            and self.current_config == self.desired_config
            and self.current_image == self.desired_image
            and self.daemon_state == DAEMON_DONE
        )

    @classmethod
    def of(cls, node: Mapping[str, t.Any]) -> NodeState:
        """Return the state of a Node object of API version v1."""
        metadata = node["metadata"]
        labels = metadata.get("labels") or {}
        notes = metadata.get("annotations") or {}
        info = (node.get("status") or {}).get("nodeInfo") or {}
        conditions = conditions_of(node)
        ready = conditions.get("Ready")
        return cls(
            name=metadata["name"],
            roles=_roles(labels),
            zone=labels.get(object_keys.ZONE_LABEL, ""),
            created=metadata.get("creationTimestamp") or "",
            ready=ready is not None and ready.is_true,
            ready_reason=(ready.message or ready.reason) if ready else "the node has never reported its state",
            schedulable=not (node.get("spec") or {}).get("unschedulable", False),
            pressures=tuple(name for name in _PRESSURES if name in conditions and conditions[name].is_true),
            boot_id=info.get("bootID", ""),
            kubelet_version=info.get("kubeletVersion", ""),
            os_image=info.get("osImage", ""),
            current_config=notes.get(object_keys.CURRENT_CONFIG, ""),
            desired_config=notes.get(object_keys.DESIRED_CONFIG, ""),
            current_image=notes.get(object_keys.CURRENT_IMAGE, ""),
            desired_image=notes.get(object_keys.DESIRED_IMAGE, ""),
            daemon_state=notes.get(object_keys.DAEMON_STATE, ""),
            daemon_reason=notes.get(object_keys.DAEMON_REASON, ""),
            addresses=_addresses(node.get("status") or {}),
            is_bootc_managed=object_keys.BOOTC_MANAGED in labels,
            since={name: one.last_transition for name, one in conditions.items()},
        )


def _roles(labels: Mapping[str, str]) -> tuple[str, ...]:
    prefix = object_keys.NODE_ROLE_PREFIX
    return tuple(sorted(key[len(prefix) :] for key in labels if key.startswith(prefix)))


def _addresses(status: Mapping[str, t.Any]) -> tuple[str, ...]:
    return tuple(one["address"] for one in status.get("addresses") or [] if one["type"] == "InternalIP")
