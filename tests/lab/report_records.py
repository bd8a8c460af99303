# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Records of a site as its readers return them, for reports: three nodes, one done, one in progress, one to come."""

from __future__ import annotations

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._reports.plan.document import SiteRecords
from ansible_collections.fieldops.openshift.plugins.module_utils._reports.plan.run_history import SiteRun

Fields = dict[str, t.Any]

NOW = "2026-11-21T23:30:00Z"
ROLLOUT = "update-4.21.5-6a27f17afcd2"
DIGEST = f"sha256:{'6a27f17a' * 8}"
STAGED = "2026-11-21T20:02:00Z"
READY = "2026-11-21T20:10:00Z"


def at(clock: str) -> str:
    """Return a time of the evening of the run as journals have it."""
    return f"2026-11-21T{clock}:00.000000Z"


def record(phase: str, **times: str) -> Fields:
    """Return the record of a node, with its phases and their times."""
    found = {name: at(clock) for name, clock in times.items()}
    return {
        "phase": phase,
        "since": max(found.values(), default=""),
        "reason": "",
        "failed_in": "",
        "broken": [],
        "by": "",
        "times": found,
    }


def node(name: str, standing: str, known: Fields | None = None, pool: str = "worker") -> Fields:
    """Return a node as rollout_info does."""
    return {
        "name": name,
        "pool": pool,
        "is_control_plane": pool == "master",
        "standing": standing,
        "reason": "",
        "record": known,
        "seconds": 3900.0 if standing == "done" else None,
    }


DONE = record("done", draining="22:05", drained="22:20", changing="22:21", rebooting="22:50", done="23:10")
UNDER_WAY = record("rebooting", draining="23:11", drained="23:15", changing="23:15", rebooting="23:25")


def rollout(*nodes: Fields, **others: t.Any) -> Fields:
    """Return a rollout as rollout_info does."""
    remaining = [one["name"] for one in nodes if one["standing"] in ("pending", "in_progress")]
    return {
        "nodes": list(nodes),
        "remaining": remaining,
        "held_back": [one["name"] for one in nodes if one["standing"] == "held_back"],
        "estimate": {"node_seconds": 3900.0, "remaining_seconds": 3900.0 * len(remaining)},
        "journal": {
            "exists": True,
            "rollout": ROLLOUT,
            "target": DIGEST,
            "started": at("22:04"),
            "by": "technician@laptop/4711-1",
        },
        "sentence": f"rollout {ROLLOUT}: {len(nodes) - len(remaining)} of {len(nodes)} nodes are done",
        "lock": {"holder": "", "expires": ""},
        **others,
    }


def change(name: str, **others: t.Any) -> Fields:
    """Return a pool with a window on Saturday night, and the next one a week later."""
    return {
        "kind": "MachineConfigPool",
        "name": name,
        "resource": f"MachineConfigPool {name}",
        "permitted": False,
        "sentence": "change is restricted: the maintenance schedule of policy nights is closed",
        "next_permitted": "2026-11-28T22:00:00Z",
        "windows": [
            {"start": "2026-11-21T22:00:00Z", "end": "2026-11-21T23:20:00Z", "seconds": 4800},
            {"start": "2026-11-28T22:00:00Z", "end": "2026-11-28T23:20:00Z", "seconds": 4800},
        ],
        **others,
    }


def run(status: str = "waits_for_window", **others: t.Any) -> SiteRun:
    """Return a run that ended a minute before the report."""
    fields: Fields = {
        "ended": "2026-11-21T23:29:00Z",
        "by": "system:admin",
        "status": status,
        "sentence": "Stopped, because the window is closed.",
        "next_permitted": "2026-11-28T22:00:00Z",
        "rollout": ROLLOUT,
        "version": "4.21.5",
        "digest": DIGEST,
        "bundle_bytes": 24 << 30,
        "remaining": ("worker-2",),
        "remaining_count": 1,
        **others,
    }
    return SiteRun(**fields)


def records(**parts: t.Any) -> SiteRecords:
    """Return what was read of a site; ``parts`` replace those that are made here."""
    nodes = (node("master-0", "done", DONE, "master"), node("worker-1", "in_progress", UNDER_WAY))
    made = {
        "rollout": rollout(*nodes, node("worker-2", "pending")),
        "accepted": {"bundles": [_BUNDLE], "running": {}},
        "readiness": [{"digest": DIGEST, "version": "4.21.5", "nodes": [_ready(one["name"]) for one in nodes]}],
        "changes": [change("master"), change("worker")],
        "health": {"cluster_version": _VERSION, "findings": [finding()]},
        "boot_images": {"sentence": "of 1 machine resources, 1 boot another image", "machine_resources": [_MACHINES]},
        "space": [{"node": "worker-1", "filesystem": "root", "free": 80 << 30, "size": 120 << 30, "percent": 66}],
    }
    return SiteRecords(NOW, "system:admin", {**made, **parts}, (run(), run("done", ended="2026-10-03T21:00:00Z")))


def finding(**others: str) -> Fields:
    """Return a finding of the health check."""
    return {
        "severity": "fault",
        "kind": "Node",
        "namespace": "",
        "name": "worker-2",
        "seen": "it is not ready: its kubelet has stopped",
        "advice": "Check the kubelet of the node.",
        "allowed": False,
        **others,
    }


def _ready(name: str) -> Fields:
    conditions = [{"type": "Present", "status": "True", "message": "", "lastTransitionTime": READY}]
    return {"name": name, "ready": True, "staged": STAGED, "staged_bytes": 17 << 30, "conditions": conditions}


_BUNDLE: Fields = {
    "index_digest": DIGEST,
    "version": "4.21.5",
    "architecture": "x86_64",
    "built": "2026-11-18T09:00:00Z",
    "accepted": "2026-11-21T19:02:00Z",
    "by": "system:admin",
}
_VERSION: Fields = {
    "cluster_id": "0d1b2c3a-6d5e-4f60-8a7b-1c2d3e4f5a6b",
    "current_version": "4.21.3",
    "desired_version": "4.21.5",
    "history": [
        {"version": version, "state": state, "started": started, "completed": completed, "verified": True}
        for version, state, started, completed in (
            ("4.21.5", "Partial", "2026-11-21T21:30:00Z", ""),
            ("4.21.3", "Completed", "2026-08-01T10:00:00Z", "2026-08-01T11:10:00Z"),
        )
    ],
}
_MACHINES: Fields = {
    "kind": "MachineSet",
    "name": "site-worker-a",
    "standing": "outdated",
    "reason": "it boots the image of an earlier release",
    "current": {"image": "ami-1", "release": "9.6.1", "openshift": "4.19"},
    "target": {"image": "ami-2", "release": "9.6.2", "openshift": "4.21"},
}
