# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The errors of a rollout; each leaves the cluster in a state that the next run can read."""

from __future__ import annotations

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError


class LockHeldError(FieldOpsError):
    """Another job holds the lock of this cluster."""

    kind = "lock_held"


class LockLostError(FieldOpsError):
    """This job does not hold the lock, or no longer: nothing may be changed."""

    kind = "lock_lost"


class NoSuchNodeError(FieldOpsError):
    """The cluster has no node of this name."""

    kind = "no_such_node"


class ForeignCordonError(FieldOpsError):
    """Another user or program cordoned the node and must uncordon it."""

    kind = "foreign_cordon"


class NodeBusyError(FieldOpsError):
    """The node is in progress in another rollout."""

    kind = "node_busy"


class DrainRefusedError(FieldOpsError):
    """Pods on the node must not be removed with the current options. Nothing was evicted."""

    kind = "drain_refused"


class DrainBlockedError(FieldOpsError):
    """Pods remain that further waiting does not remove."""

    kind = "drain_blocked"


class JournalError(FieldOpsError):
    """The journal of the rollout is missing, damaged or in use."""

    kind = "journal"


class RebootRefusedError(FieldOpsError):
    """The host must not be rebooted in its current state."""

    kind = "reboot_refused"


class ForeignPauseError(FieldOpsError):
    """Another user or program paused the pool and must unpause it."""

    kind = "foreign_pause"


class NoSuchPoolError(FieldOpsError):
    """The cluster has no pool of this name."""

    kind = "no_such_pool"


class PoolDegradedError(FieldOpsError):
    """A node of the pool has been degraded for longer than permitted."""

    kind = "pool_degraded"


class NodeAwayError(FieldOpsError):
    """The node has not returned from its reboot for longer than permitted."""

    kind = "node_away"


class ConfigRefusedError(FieldOpsError):
    """The configuration of the node must not be changed in its current state."""

    kind = "config_refused"


class UnusableGateError(FieldOpsError):
    """The expression of a gate of the site is not valid."""

    kind = "unusable_gate"
