# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The work behind the module boot_image_info."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping, Sequence
from functools import partial

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.do.history_store import HistoryStore
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.do.machine_site import (
    FACT_OPTIONS,
    SELECTION_OPTIONS,
    read_cluster_api,
    read_machine_site,
    read_resources,
    selected,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.do.skew import read_skew
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.do.user_data import StubReader
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.aleph import aleph_data
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.assessment import (
    Assessment,
    Site,
    assess,
    judge_cluster_api,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.cluster_api import cluster_api_data
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.history_entries import (
    HistoryEntry,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.history_shards import History
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.ignition_stub import user_data_secret
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.machine_resource import (
    MachineResource,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.observation import (
    observation_of,
    own_entries,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.operator_skips import (
    next_record,
    skips,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.report import (
    cluster_data,
    resource_data,
    sentence_of,
    summary,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.skew.known_failures import (
    warnings_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient

BOTH_KINDS = ["machinesets", "controlplanemachinesets"]
BOOT_IMAGE_INFO_OPTIONS: dict[str, dict[str, t.Any]] = {
    **SELECTION_OPTIONS,
    **FACT_OPTIONS,
    "kinds": {"type": "list", "elements": "str", "choices": BOTH_KINDS, "default": BOTH_KINDS},
    "user_data": {"type": "bool", "default": True},
    "history": {"type": "bool", "default": False},
    "skew": {"type": "bool", "default": True},
    "aleph": {"type": "dict", "default": {}},
}


def look_at(
    client: ClusterClient,
    site: Site,
    history: History,
    chosen: Sequence[MachineResource],
    *,
    forgiving: bool = False,
) -> list[tuple[Assessment, HistoryEntry | None]]:
    """Return the assessment of each resource, and what others did to it that history does not know yet."""
    entries, now = history.by_resource(), client.clock.utcnow()
    found = [assess(one, site, own_entries(entries.get(one.key, ()), one), forgiving=forgiving) for one in chosen]
    return [(one, observation_of(one, site.platform, now)) for one in found]


def look(client: ClusterClient, params: Mapping[str, t.Any]) -> dict[str, t.Any]:
    """Return the images as the module boot_image_info does."""
    history = HistoryStore(client).history
    site = read_machine_site(client, params, history)
    chosen = selected(read_resources(client, params["kinds"]), params)
    every = not (params["names"] or params["labels"]) and BOTH_KINDS[0] in params["kinds"]
    by_cluster_api = read_cluster_api(client, site, chosen) if every else []
    found = [seen.with_entry(noted) for seen, noted in look_at(client, site, history, chosen)]
    stubs: Mapping[str, tuple[str, str]] = {}
    if params["user_data"]:
        stubs = StubReader(client, (user_data_secret(one.provider) for one in chosen)).as_data()
    cluster = cluster_data(site)
    skew = read_skew(client) if params["skew"] else None
    if skew:
        cluster["skew"] = skew.as_data()
    resources = [resource_data(one, stubs, history=params["history"]) for one in found]
    others = [cluster_api_data(one, partial(judge_cluster_api, site)) for one in by_cluster_api]
    return {
        "cluster": cluster,
        "machine_resources": resources,
        "cluster_api": others,
        "nodes": [aleph_data(str(name), held) for name, held in sorted((params["aleph"] or {}).items())],
        "skipped_by_operator": skips(found),
        "known_not_to_join": warnings_of(site.version, [*resources, *others]),
        "next_record": next_record(found, site, skew) if skew and every else {},
        "unreadable_history": list(history.faults),
        "summary": summary(found),
        "sentence": sentence_of(found),
    }
