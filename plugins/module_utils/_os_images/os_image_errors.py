# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What can go wrong with the OS image of a host, beyond what the doors report."""

from __future__ import annotations

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError


class NotImageBasedError(FieldOpsError):
    """Neither bootc nor rpm-ostree reports the OS image of this host."""

    kind = "not_image_based"


class ManagedByOperatorError(FieldOpsError):
    """The machine-config operator manages the OS image of this host."""

    kind = "managed_by_machine_config_operator"


class UnknownStatusError(FieldOpsError):
    """A status document has an unknown format."""

    kind = "unknown_status"


class OsImageChangeError(FieldOpsError):
    """The OS image could not be staged, discarded or rolled back."""

    kind = "os_image_change"


class NoRollbackError(FieldOpsError):
    """There is no rollback deployment, or it is not the requested one."""

    kind = "no_rollback"


class BoundImagesError(FieldOpsError):
    """Logically bound images of the OS image are not in its storage."""

    kind = "bound_images"


class SoftRebootError(FieldOpsError):
    """A soft reboot was required and is not possible."""

    kind = "soft_reboot"


class BootcPoolError(FieldOpsError):
    """A pool of bootc-operator does not exist, or cannot update its nodes to the image."""

    kind = "bootc_pool"
