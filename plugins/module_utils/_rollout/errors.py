# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The errors of a rollout; each leaves the cluster in a state that the next run can read."""

from __future__ import annotations

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError


class LockHeldError(FieldOpsError):
    """Others hold the lock of this cluster."""

    kind = "lock_held"


class LockLostError(FieldOpsError):
    """The lock is not ours, or not any more: nothing may be changed."""

    kind = "lock_lost"


class NoSuchNodeError(FieldOpsError):
    """The cluster has no node of this name."""

    kind = "no_such_node"


class ForeignCordonError(FieldOpsError):
    """Others have cordoned the node; it is theirs to uncordon."""

    kind = "foreign_cordon"


class NodeBusyError(FieldOpsError):
    """The node is on its way in another rollout."""

    kind = "node_busy"


class DrainRefusedError(FieldOpsError):
    """Pods on the node may not be removed as things are; nothing was evicted."""

    kind = "drain_refused"


class DrainBlockedError(FieldOpsError):
    """Pods are left that no further waiting removes."""

    kind = "drain_blocked"


class JournalError(FieldOpsError):
    """The journal of the rollout cannot be used."""

    kind = "journal"


class RebootRefusedError(FieldOpsError):
    """The host may not be rebooted as things are."""

    kind = "reboot_refused"


class ForeignPauseError(FieldOpsError):
    """Others have paused the pool; it is theirs to open."""

    kind = "foreign_pause"


class NoSuchPoolError(FieldOpsError):
    """The cluster has no pool of this name."""

    kind = "no_such_pool"


class PoolDegradedError(FieldOpsError):
    """A node of the pool has been degraded for so long that waiting is no answer."""

    kind = "pool_degraded"


class NodeAwayError(FieldOpsError):
    """The node has not come back from its reboot for so long that waiting is no answer."""

    kind = "node_away"


class ConfigRefusedError(FieldOpsError):
    """The node may not be given another configuration as things are."""

    kind = "config_refused"


class UnusableGateError(FieldOpsError):
    """A gate of the site cannot be evaluated as it is written."""

    kind = "unusable_gate"
