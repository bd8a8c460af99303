# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""From a module's arguments to the client that it works with."""

from __future__ import annotations

from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.authentication import resolve_access
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.retries import PATIENCE
from ansible_collections.fieldops.openshift.plugins.module_utils._host.directories import (
    ensure_private_directory,
    user_cache,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_errors import FileAccessError
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_options import PATIENCE_OPTION
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import ModuleRun


def cluster_client(run: ModuleRun) -> ClusterClient:
    """Return a client as the connection options say; in check mode the server only tries what it writes."""
    client = ClusterClient(
        resolve_access(run.params),
        run.clock,
        dry_run=run.check_mode,
        cache_directory=_discovery_directory(),
        patience=run.params.get(PATIENCE_OPTION, PATIENCE),
    )
    run.clients.append(client)
    return client


def _discovery_directory() -> Path | None:
    """Return where this user keeps what is known of APIs; None where there is no such place.

    An execution environment may run as a user without a home; the client then remembers them in memory alone.
    """
    directory = user_cache("discovery")
    try:
        ensure_private_directory(directory)
    except FileAccessError:
        return None
    return directory
