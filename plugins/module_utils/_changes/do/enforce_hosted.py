# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""Carries the state of hosted control planes and their node pools through to them, on the hub."""

from __future__ import annotations

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.read_site import (
    HOSTED_CLUSTER,
    NODE_POOL,
    Look,
    Site,
    read_site,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.hosted_pause import wanted_pause
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.resources import HOSTED_KINDS
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError

if t.TYPE_CHECKING:
    from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient

_KINDS = {kind.kind: kind for kind in (HOSTED_CLUSTER, NODE_POOL)}

Fields = dict[str, t.Any]


class WrongClockError(FieldOpsError):
    """Clocks are so far apart that no window can be told, and hence nothing enforced."""

    kind = "clock_skew"


def refuse_wrong_clock(site: Site) -> None:
    """Raise WrongClockError where the clocks disagree: what is enforced by a wrong clock is enforced for good."""
    if site.asker.clock.is_too_far:
        raise WrongClockError(
            "enforce change management",
            on="the cluster",
            seen=site.asker.clock.complaint,
            advice="Nothing was touched. Synchronise the clocks, then run this again.",
        )


def enforce_on_hosted(client: ClusterClient, look: Look) -> list[Fields]:
    """Set ``pausedUntil`` of every hosted resource as its state asks for and return what became of each.

    A pause that somebody else set is kept. Run it when windows open and close: between two runs a pause ends by itself
    at the opening that was known, but none begins.
    """
    site = read_site(client, look, with_nodes=False)
    refuse_wrong_clock(site)
    outcome = []
    for judged in site.judged:
        name = judged.resource.name
        if name.kind not in HOSTED_KINDS or not (judged.governed.binding or judged.resource.paused_by):
            continue
        pause = wanted_pause(judged.state, judged.resource.paused_until, judged.resource.paused_by)
        changed = not pause.kept and pause.wanted != judged.resource.paused_until
        if changed:
            client.patch(_KINDS[name.kind], name.name, pause.patch(), name.namespace)
        outcome.append(
            {
                "kind": name.kind,
                "namespace": name.namespace,
                "name": name.name,
                "permitted": judged.state.permitted,
                "paused_until": pause.wanted,
                "kept": pause.kept,
                "changed": changed,
                "reason": judged.state.sentence,
            }
        )
    return outcome
