# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The report of a site as data, of what was read from the cluster."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ansible_collections.fieldops.openshift.plugins.module_utils._reports.plan.bounds import bounded
from ansible_collections.fieldops.openshift.plugins.module_utils._reports.plan.outcome import NONE, UNKNOWN, outcome
from ansible_collections.fieldops.openshift.plugins.module_utils._reports.plan.passage import node_entry
from ansible_collections.fieldops.openshift.plugins.module_utils._reports.plan.run_history import SiteRun
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_keys import SCHEMA_VERSION_KEY

Fields = Mapping[str, t.Any]

SCHEMA_VERSION = 1
NO_IMAGES: Mapping[str, t.Any] = {"staged": "", "staged_bytes": 0, "loaded": ""}


@dataclass(frozen=True)
class SiteRecords:
    """What was read at the instant ``read`` by the user ``by``: the results of modules by name, None where missing.

    ``missing`` has the name and the reason of each part that could not be read.
    """

    read: str
    by: str
    parts: Mapping[str, t.Any] = field(default_factory=dict)
    runs: tuple[SiteRun, ...] = ()
    missing: tuple[tuple[str, str], ...] = ()

    def part(self, name: str) -> t.Any:
        """Return a part, empty where it could not be read or does not exist."""
        return self.parts.get(name) or {}


def subject(wanted: str, runs: Sequence[SiteRun], heads: Sequence[Mapping[str, str]]) -> str:
    """Return the id of the rollout to report: ``wanted``, else that of the last run, or one that began after it."""
    last = runs[0] if runs else None
    if wanted or not heads:
        return wanted or (last.rollout if last else "")
    head = heads[0]
    if last and last.rollout and last.ended >= head["started"]:
        return last.rollout
    return head["rollout"]


def site_document(records: SiteRecords) -> dict[str, t.Any]:
    """Return the report, with its texts and lists cut to a bound."""
    rollout = records.parts.get("rollout")
    journal = records.part("rollout").get("journal") or {}
    run = _run_of(records, journal.get("rollout", ""))
    asked = _asked(records, journal, run)
    found = outcome(rollout, run, records.part("changes") or [], records.read)
    if found["status"] == NONE and {"runs", "rollouts", "rollout"} & dict(records.missing).keys():
        found = {**found, "status": UNKNOWN, "sentence": "The records of the update could not be read."}
    document: dict[str, t.Any] = bounded(
        {
            SCHEMA_VERSION_KEY: SCHEMA_VERSION,
            "read": records.read,
            "read_by": records.by,
            "cluster_id": (records.part("health").get("cluster_version") or {}).get("cluster_id", ""),
            "asked": asked,
            "outcome": found,
            "versions": _versions(records, asked["version"]),
            "nodes": _nodes(records, asked["version"]),
            "estimate": records.part("rollout").get("estimate") or {},
            "changes": records.part("changes") or [],
            "space": records.part("space") or [],
            "boot_images": _boot_images(records.part("boot_images")),
            "findings": [_finding(one) for one in records.part("health").get("findings") or ()],
            "runs": [one.as_data() for one in records.runs],
            "missing": [{"part": name, "reason": reason} for name, reason in records.missing],
        }
    )
    return document


def _run_of(records: SiteRecords, rollout: str) -> SiteRun | None:
    """Return the last run of a rollout, without an id the last run of all: it may have ended before it had one."""
    return next((one for one in records.runs if not rollout or one.rollout == rollout), None)


def _asked(records: SiteRecords, journal: Fields, run: SiteRun | None) -> dict[str, t.Any]:
    """Return what the rollout is for, and who accepted its bundle."""
    digest = journal.get("target") or (run.digest if run else "")
    bundles = records.part("accepted").get("bundles") or []
    nothing: Fields = {}
    bundle = next((one for one in reversed(bundles) if one["index_digest"] == digest), nothing)
    return {
        "rollout": journal.get("rollout") or (run.rollout if run else ""),
        "version": bundle.get("version") or (run.version if run else ""),
        "architecture": bundle.get("architecture", ""),
        "bundle_digest": digest,
        "bundle_bytes": run.bundle_bytes if run else 0,
        "bundle_built": bundle.get("built") or "",
        "accepted": bundle.get("accepted", ""),
        "accepted_by": bundle.get("by", ""),
        "started": journal.get("started", ""),
        "started_by": journal.get("by", ""),
    }


def _versions(records: SiteRecords, target: str) -> dict[str, t.Any]:
    """Return the release before the update, the present one, and the history that the cluster keeps, newest first."""
    version = records.part("health").get("cluster_version") or {}
    history = version.get("history") or []
    place = next((at for at, one in enumerate(history) if one["version"] == target), None)
    older = history[place + 1 :] if place is not None else history
    return {
        "before": next((one["version"] for one in older if one["state"] == "Completed"), ""),
        "now": version.get("current_version", ""),
        "desired": version.get("desired_version", ""),
        "target": target,
        "history": history,
    }


def _nodes(records: SiteRecords, version: str) -> list[dict[str, t.Any]]:
    release = next((one for one in records.part("readiness") or [] if one["version"] == version), None)
    images = {node["name"]: _images_of(node) for node in (release["nodes"] if release else ())}
    nodes = records.part("rollout").get("nodes") or ()
    return [{**node_entry(node), **images.get(node["name"], NO_IMAGES)} for node in nodes]


def _images_of(node: Fields) -> dict[str, t.Any]:
    """Return since when a node has the bundle of a release, with how many bytes, and all of its images."""
    loaded = [one for one in node["conditions"] if (one["type"], one["status"]) == ("Present", "True")]
    return {
        "staged": node.get("staged", ""),
        "staged_bytes": node.get("staged_bytes", 0),
        "loaded": next((one.get("lastTransitionTime", "") for one in loaded), ""),
    }


def _boot_images(part: Fields) -> dict[str, t.Any]:
    resources = [
        {
            "kind": one["kind"],
            "name": one["name"],
            "standing": one["standing"],
            "reason": one["reason"],
            "current": one["current"],
            "target": one["target"],
        }
        for one in part.get("machine_resources") or ()
    ]
    return {"sentence": part.get("sentence", ""), "resources": resources}


def _finding(finding: Fields) -> dict[str, t.Any]:
    place = f"{finding['namespace']}/" if finding.get("namespace") else ""
    return {
        "severity": finding["severity"],
        "object": f"{finding['kind']} {place}{finding['name']}",
        "seen": finding["seen"],
        "remedy": finding["advice"],
        "allowed": finding.get("allowed", False),
    }
