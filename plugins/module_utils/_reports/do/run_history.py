# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Recording in the cluster how a run of the site ended, and reading that again."""

from __future__ import annotations

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.own_config_map import change_config_map
from ansible_collections.fieldops.openshift.plugins.module_utils._reports.errors import RunHistoryError
from ansible_collections.fieldops.openshift.plugins.module_utils._reports.plan.run_history import (
    NAME,
    SiteRun,
    recorded_runs,
    runs_config_map,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_keys import NAMESPACE
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import CONFIG_MAP


def read_runs(client: ClusterClient) -> tuple[SiteRun, ...]:
    """Return the recorded runs, the last first. Raises RunHistoryError, ApiError."""
    return recorded_runs(client.get(CONFIG_MAP, NAME, NAMESPACE))


def record_run(client: ClusterClient, run: SiteRun) -> None:
    """Record ``run`` as the last one. Raises RunHistoryError, ApiError."""
    change_config_map(
        client,
        NAME,
        lambda found: (runs_config_map([run, *recorded_runs(found)]), None),
        attempted="record how the run ended",
        error=RunHistoryError,
    )
