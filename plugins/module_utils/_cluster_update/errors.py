# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What can go wrong when a cluster is taken to a release."""

from __future__ import annotations

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError


class UpdateBlockedError(FieldOpsError):
    """A precondition of the update is not met. The release was not requested.

    Action: Resolve the blocking preconditions, which the message and the result list with their remedies.
    """

    kind = "update_blocked"


class UpdateRefusedError(FieldOpsError):
    """The cluster version operator rejects the release. The cluster stays at its release."""

    kind = "update_refused"


class StaleRecordError(FieldOpsError):
    """An API server decides about a release by an earlier record of readiness than the cluster has.

    Action: Wait a minute. If the API server still does not follow the record, restart the API servers.
    """

    kind = "stale_record"


class UpdateFailedError(FieldOpsError):
    """The update started and does not complete, or another release replaced it."""

    kind = "update_failed"


class PauseRecordError(FieldOpsError):
    """The annotation of an object in which a pause is recorded is invalid."""

    kind = "pause_record"
