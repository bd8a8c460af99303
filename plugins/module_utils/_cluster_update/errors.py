# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What can go wrong when a cluster is taken to a release."""

from __future__ import annotations

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError


class UpdateBlockedError(FieldOpsError):
    """Something stands in the way of the update; the release was not asked for."""

    kind = "update_blocked"


class UpdateRefusedError(FieldOpsError):
    """The cluster version operator does not accept the release; the cluster stays where it is."""

    kind = "update_refused"


class UpdateFailedError(FieldOpsError):
    """The update was begun and does not come to its end, or not to this one."""

    kind = "update_failed"


class PauseRecordError(FieldOpsError):
    """What an object bears as the record of our pause is none."""

    kind = "pause_record"
