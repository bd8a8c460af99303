# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The gate before a release is requested: everything that blocks it, in one table."""

from __future__ import annotations

import typing as t
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.os_image_lookup import (
    OsImageLookup,
)

Facts = Mapping[str, t.Any]

PASSED, REFUSED, LATER = "passed", "refused", "later"
BACKUP = "etcd backup"
MOST_NAMED = 8
"""Of how many objects a row says what is wrong; the others are counted."""


@dataclass(frozen=True)
class GateRow:
    """One check; ``verdict`` is later where change is restricted now, ``advice`` says what to do about a refusal."""

    check: str
    verdict: str
    seen: str
    advice: str = ""


def release_gate(seen: Facts) -> dict[str, t.Any]:
    """Judge what was ``seen`` of a site right before its release is requested.

    ``seen`` holds results of modules: ``rollout`` of rollout_info, ``health`` of cluster_health_info with its budgets,
    ``trial`` of cluster_update in check mode, also of one that failed; ``images`` and ``backups`` are lists of results
    of node_info as a loop over nodes registers them, unreachable ones included. ``method`` is how nodes will be rolled:
    with ``pool`` pools of workers are opened as well. ``sets`` are the nodes with
    PinnedImageSets of machine_config_pool_info, where pools must have sets. ``version`` is that of the release.
    ``backup`` is what the site demands: ``demand`` (require, make or ignore), ``path``, and ``max_age`` in seconds.
    Return the ``rows``, the ``lines`` of the table, ``refused``, the checks that say no, their ``sentence``, and
    ``backup_on``, the node that must make a backup, empty where none is needed.
    """
    backup_on = _backup_maker(seen)
    rows = [*_rows(seen, backup_on)]
    width = max(len(row.check) for row in rows)
    refused = [row for row in rows if row.verdict == REFUSED]
    return {
        "rows": [asdict(row) for row in rows],
        "lines": [f"{row.verdict:<7}  {row.check:<{width}}  {row.seen}" for row in rows],
        "refused": [row.check for row in refused],
        "sentence": "; ".join(f"{row.seen}. {row.advice}".rstrip() for row in refused),
        "backup_on": backup_on,
    }


def _rows(seen: Facts, backup_on: str) -> Iterator[GateRow]:
    rollout = seen["rollout"]
    yield _nodes(rollout)
    yield _pools(rollout["pools"], seen.get("method") or "")
    yield _budgets(seen["health"]["findings"])
    yield _images(seen["images"])
    yield _os_image(seen["images"], seen["version"], seen.get("sets") or ())
    if seen["backup"]["demand"] != "ignore":
        yield _backup(seen, backup_on)
    yield from _trial(seen["trial"])


def _nodes(rollout: Facts) -> GateRow:
    degraded = {name for pool in rollout["pools"] for name in pool["degraded"]}
    held = [f"{one['name']}: {reason}" for one in rollout["nodes"] if (reason := _kept_back_by(one, degraded))]
    if held:
        advice = "Include them, or exclude them from this update with fieldops.openshift.rollout_record, phase skipped."
        return GateRow("nodes", REFUSED, f"these nodes would not be updated: {_named(held)}", advice)
    return GateRow("nodes", PASSED, f"{len(rollout['nodes'])} nodes, none of them held back")


def _kept_back_by(node: Facts, degraded: Collection[str]) -> str:
    if node["standing"] != "pending":
        return str(node["reason"]) if node["standing"] == "held_back" else ""
    if not node["current_config"]:
        return "it is not managed by a machine-config daemon"
    return "its machine-config daemon is degraded" if node["name"] in degraded else ""


def _pools(pools: Sequence[Facts], method: str) -> GateRow:
    refusals = [*_foreign_pauses(pools, method), *_blocked_pools(pools)]
    if refusals:
        seen, advice = zip(*refusals)
        return GateRow("pools", REFUSED, "; ".join(seen), " ".join(advice))
    return GateRow("pools", PASSED, "no pool that the update opens or requires is paused by another user")


def _foreign_pauses(pools: Sequence[Facts], method: str) -> Iterator[tuple[str, str]]:
    paused = [
        f"{pool['name']} is {pool['paused_by']}"
        for pool in pools
        if (pool["required"] or method == "pool") and pool["paused"] and not (pool["record"] or {}).get("paused")
    ]
    if paused:
        seen = f"the update opens or requires a pool that is paused: {_named(paused)}"
        yield seen, "Contact the user who paused it, and unpause it: no update completes while it is paused."


def _blocked_pools(pools: Sequence[Facts]) -> Iterator[tuple[str, str]]:
    blocked = [f"{pool['name']}: {pool['blocked']}" for pool in pools if pool["blocked"]]
    if blocked:
        seen = f"no node of these pools could be started: {_named(blocked)}"
        yield seen, "Bring these nodes back first, even if they are excluded from this update."


def _budgets(findings: Sequence[Facts]) -> GateRow:
    held = [
        f"{one['namespace']}/{one['name']} {one['seen']}"
        for one in findings
        if one["code"].startswith("budget_") and one["severity"] == "fault" and not one["allowed"]
    ]
    if held:
        advice = "Correct these budgets, or accept them with site_allowed_findings."
        return GateRow("budgets", REFUSED, f"these budgets block drains: {_named(held)}", advice)
    return GateRow("budgets", PASSED, "no disruption budget blocks a drain permanently")


def _images(answers: Sequence[Facts]) -> GateRow:
    lacking = [f"{_node_of(one)} {_lack(one)}" for one in answers if not one.get("ready")]
    if lacking:
        return GateRow(
            "images", REFUSED, _named(lacking), "Stage and load the bundle on these nodes: run the phase images."
        )
    pulling = [f"{_node_of(one)} {len(one['lacking'])}" for one in answers if one["lacking"]]
    told = f", of which these are pulled from the node's own bundle: {_named(pulling)}" if pulling else ""
    return GateRow("images", PASSED, f"{len(answers)} nodes have the images that they need{told}")


def _os_image(answers: Sequence[Facts], version: str, sets: Sequence[Facts]) -> GateRow:
    """Judge whether each node will find its next OS image without a registry."""
    lookup = OsImageLookup.of(version)
    without = [one for one in answers if one.get("ready") and not _finds_os_image(one)]
    if not without:
        pulling = sum(1 for one in answers if one.get("pullable"))
        told = f"; {pulling} nodes without a copy pull it from the control plane" if pulling else ""
        return GateRow("OS image", PASSED, f"each node that holds the bundle serves the OS image to itself{told}")
    if lookup is OsImageLookup.CONTAINER_STORAGE:
        return GateRow("OS image", PASSED, f"nodes use it from their container storage since {version}")
    told = f"the machine-config daemon of {version} pulls the OS image from a registry only"
    if lookup is OsImageLookup.PINNED_IMAGE_SET:
        pinned = {one["node"] for one in sets if one["state"] == "pinned"}
        without = [one for one in without if _node_of(one) not in pinned]
        if not without:
            return GateRow(
                "OS image", PASSED, "each node serves it to itself, or keeps it through the PinnedImageSet of its pool"
            )
        told += " where its pool has no PinnedImageSet"
    return GateRow("OS image", REFUSED, f"{told}: {_named([_without_it(one) for one in without])}", _advice(without))


def _finds_os_image(answer: Facts) -> bool:
    return not answer["unpullable"] if answer.get("pullable") else bool(answer.get("serving"))


def _without_it(answer: Facts) -> str:
    unpullable = answer.get("unpullable") or ()
    return _node_of(answer) + (f" does not find it ({unpullable[0]['seen']})" if unpullable else "")


def _advice(without: Sequence[Facts]) -> str:
    if all(one.get("pullable") for one in without):
        return "Serve it to these nodes from the control plane: run fieldops.openshift.prepare_site."
    return "Serve the bundle on these nodes: run the phase images."


def _node_of(answer: Facts) -> str:
    return str(answer[answer["ansible_loop_var"]])


def _lack(answer: Facts) -> str:
    if answer.get("staged") is None:
        return "did not answer"
    if not answer["staged"]:
        return "does not have the bundle"
    if answer["unserved"]:
        return f"does not serve {', '.join(answer['unserved'])}"
    if answer["lacking"]:
        return f"lacks {', '.join(answer['lacking'])}"
    return f"has no copy of the bundle and has not pinned {', '.join(answer['unpinned'])}"


def _recent(seen: Facts) -> list[str]:
    """Return when the backups started that are recent enough."""
    found = [backup for one in seen["backups"] for backup in one.get("etcd_backups", {}).get("backups", ())]
    return [backup["made_at"] for backup in found if backup["age_seconds"] < float(seen["backup"]["max_age"])]


def _backup_maker(seen: Facts) -> str:
    """Return the node that must make a backup.

    An arbiter runs etcd without the other static pods, so that the script of the cluster cannot make one there.
    """
    if seen["backup"]["demand"] != "make" or _recent(seen):
        return ""
    able = (
        node["name"]
        for node in seen["rollout"]["nodes"]
        if node["is_control_plane"] and node["ready"] and "arbiter" not in node["roles"]
    )
    return min(able, default="")


def _backup(seen: Facts, backup_on: str) -> GateRow:
    recent, demand = _recent(seen), seen["backup"]
    if recent:
        return GateRow(BACKUP, PASSED, f"the latest one is from {max(recent)}")
    if backup_on:
        return GateRow(BACKUP, PASSED, f"{backup_on} creates one before the release is requested")
    told = _named([f"{_node_of(one)} {_has(one)}" for one in seen["backups"]])
    missing = f"no backup of etcd in {demand['path']} started less than {demand['max_age']} seconds ago: {told}"
    advice = (
        "Set site_etcd_backup=make so that this play creates one, or run /usr/local/bin/cluster-backup.sh "
        f"{demand['path']} as root on a control plane node that is ready."
    )
    return GateRow(BACKUP, REFUSED, missing, advice)


def _has(answer: Facts) -> str:
    if "etcd_backups" not in answer:
        return "did not answer"
    held = answer["etcd_backups"]
    if held["problem"]:
        return f"has an untrusted folder ({held['problem']})"
    return f"has one from {held['backups'][0]['made_at']}" if held["backups"] else "has no complete one"


def _trial(trial: Facts) -> Iterator[GateRow]:
    # A play that continues after a failed task registers it as one that has not failed.
    if "progress" not in trial:
        error = trial.get("error") or {}
        seen = error.get("seen") or trial.get("msg") or "the dry run failed"
        yield GateRow("release", REFUSED, seen, error.get("advice") or "")
        return
    yield GateRow("release", PASSED, "the cluster accepts the release")
    permission = trial.get("permission") or {}
    if trial.get("ended"):
        yield GateRow("window", LATER, trial["ended"]["reason"])
    elif permission:
        yield GateRow("window", PASSED, permission["sentence"])


def _named(found: Sequence[str]) -> str:
    more = len(found) - MOST_NAMED
    return "; ".join(found[:MOST_NAMED]) + (f"; and {more} more" if more > 0 else "")
