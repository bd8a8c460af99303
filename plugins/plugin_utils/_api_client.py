# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The client of a plugin that is no module: from its options, by their names, to the API."""

from __future__ import annotations

import typing as t
from collections.abc import Callable

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_options import CLUSTER_OPTIONS
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_session import cluster_client
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import ModuleRun


def api_client(option: Callable[[str], t.Any], **replaced: t.Any) -> ClusterClient:
    """Return a client with the connection options that ``option`` returns; ``replaced`` has others by name."""
    params = {name: option(name) for name in CLUSTER_OPTIONS.options} | replaced
    return cluster_client(ModuleRun(params=params, check_mode=False, clock=SystemClock()))
