# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Withdraws the request for a release whose update has not started.

The cluster version operator tries a refused release again and again. A request that is left standing may begin at any
moment later, also when no one is on site and no change is permitted.
"""

from __future__ import annotations

import typing as t
from collections.abc import Mapping

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.api_error import ApiError
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.differences import difference
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.do.read_update import (
    VERSION_NAME,
    UpdateObservation,
    read_observation,
    update_report,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.do.update_step import (
    DELAY,
    with_permission,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.errors import UpdateFailedError
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.release_request import (
    ReleaseRequest,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.shown_diff import diff_of
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.update_progress import (
    FAILING,
    NONE,
    PARTIAL,
    REFUSED,
    REQUESTED,
    UpdateProgress,
    progress_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import CLUSTER_VERSION
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Step


def withdraw_update(client: ClusterClient, params: Mapping[str, t.Any]) -> Step:
    """Clear the request for this release, as ``oc adm upgrade --clear`` does; other requests and ended updates stay.

    Raise UpdateFailedError for an update that has started, and what ``update_step`` raises.
    """
    request = ReleaseRequest.of(params["image"], params["version"])
    observation = read_observation(client)
    progress = progress_of(request, observation.cluster, observation.operators, observation.pools)
    if progress.state in (PARTIAL, FAILING):
        raise _begun(request, observation, progress)
    if progress.state not in (REQUESTED, REFUSED):
        objects = with_permission(update_report(request, observation, progress, ()), None)
        return Step(progress.sentence, True, objects=objects, actions=(), next_delay=DELAY)
    shown = _clear(client, observation)
    words = "would be" if client.dry_run else "was"
    after = UpdateProgress(NONE, f"the request for {request.name} {words} withdrawn before the update started")
    return Step(
        after.sentence,
        True,
        changed=True,
        objects=with_permission(update_report(request, observation, after, ()), None),
        diff=diff_of([shown]),
        next_delay=DELAY,
    )


def _clear(client: ClusterClient, observation: UpdateObservation) -> dict[str, dict[str, t.Any]]:
    """Clear the request of the very ClusterVersion that was judged; a newer one is judged in the next step."""
    before = client.get(CLUSTER_VERSION, VERSION_NAME)
    cleared = {"spec": {"desiredUpdate": None}}
    try:
        after = client.patch(
            CLUSTER_VERSION, VERSION_NAME, cleared, resource_version=observation.cluster.resource_version
        )
    except ApiError as error:
        if error.status == 409:
            error.transient = True
        raise
    return difference(before, after)


def _begun(request: ReleaseRequest, observation: UpdateObservation, progress: UpdateProgress) -> UpdateFailedError:
    return UpdateFailedError(
        f"withdraw the request for {request.name}",
        on="ClusterVersion version",
        seen=progress.sentence,
        advice="An update that has started is never withdrawn: wait for its end, or request another release with "
        "replace_running_update.",
        partial=update_report(request, observation, progress, ()),
    )
