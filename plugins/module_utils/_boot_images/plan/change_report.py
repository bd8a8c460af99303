# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the module boot_image returns: what became of each resource, and what differs."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping, Sequence

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.assessment import Assessment
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.history_entries import (
    HistoryEntry,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.report import resource_data, summary
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.verdict import (
    CURRENT,
    FAULT,
    OUTDATED,
)

FAILED = "failed"
UNCHANGED = "unchanged"


def changes_data(
    found: Sequence[Assessment],
    words: Mapping[str, tuple[str, str]],
    later: set[str],
    stubs: Mapping[str, tuple[str, str]],
    *,
    reverting: bool = False,
    reasons: Mapping[str, str] | None = None,
) -> dict[str, t.Any]:
    """Return the resources with what became of them; ``words`` are code and reason of each change that was tried."""
    shown = []
    for one in found:
        data = resource_data(one, stubs)
        key = one.resource.key
        if key in words:
            code, reason = words[key]
            done = "reverted" if reverting else "updated"
            data["outcome"] = done if code == "done" else FAILED
            data["code"], data["reason"] = (data["code"], data["reason"]) if code == "done" else (code, reason)
        elif reverting:
            data["outcome"], data["reason"] = UNCHANGED, (reasons or {}).get(key, "")
        else:
            data["outcome"] = _untouched(one, key in later)
        shown.append(data)
    return {"machine_resources": shown, "remaining": sorted(later), "summary": summary(found)}


def failure_of(shown: Sequence[Mapping[str, t.Any]]) -> dict[str, str]:
    """Return the first failure and how many there are, nothing where there is none."""
    failed = [one for one in shown if one["outcome"] == FAILED]
    tried = [one for one in failed if one["code"] != "not_tried"] or failed
    if not tried:
        return {}
    more = f" (and {len(failed) - 1} more)" if len(failed) > 1 else ""
    seen = ": ".join(filter(None, (tried[0]["code"], tried[0]["reason"])))
    return {"on": f"{tried[0]['kind']}/{tried[0]['name']}{more}", "seen": seen}


def difference_of(
    entries: Sequence[HistoryEntry], noted: Mapping[str, HistoryEntry], pointed: Sequence[Mapping[str, t.Any]] = ()
) -> dict[str, t.Any]:
    """Return before and after of each field that was changed, by resource and field, and of stubs their versions.

    What was only ``noted`` in the history of a resource is shown by its image, what was ``pointed`` at another template
    by that.
    """
    before: dict[str, t.Any] = {key: {"noted_image": ""} for key in noted}
    after: dict[str, t.Any] = {key: {"noted_image": one.after.reference} for key, one in noted.items()}
    for entry in entries:
        for change in entry.changes:
            name = ".".join(map(str, change.path))
            for side, value in ((before, change.before), (after, change.after)):
                if value:
                    side.setdefault(entry.resource, {})[name] = value[0]
        if entry.stub:
            before[f"Secret/{entry.stub.secret}"] = f"Ignition {entry.stub.version_before}"
            after[f"Secret/{entry.stub.secret}"] = f"Ignition {entry.stub.version_after}"
    for one in pointed:
        name = f"{one['kind']}.cluster.x-k8s.io/{one['name']}"
        before[name], after[name] = one["template_before"], one["template"]
    return {"before": before, "after": after}


def _untouched(one: Assessment, deferred: bool) -> str:
    if deferred:
        return "deferred"
    standing = one.verdict.standing
    if standing == CURRENT:
        return UNCHANGED
    if one.left_to_operator:
        return "left_to_operator"
    return FAILED if standing in (FAULT, OUTDATED) else standing
