# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What can go wrong with the OS image of a host, beyond what the doors report."""

from __future__ import annotations

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError


class NotImageBasedError(FieldOpsError):
    """Neither bootc nor rpm-ostree can say what this host is made of."""

    kind = "not_image_based"


class ManagedByOperatorError(FieldOpsError):
    """The machine-config operator decides on the OS image of this host."""

    kind = "managed_by_machine_config_operator"


class UnknownStatusError(FieldOpsError):
    """A status document is not of a form that is known here."""

    kind = "unknown_status"


class OsImageChangeError(FieldOpsError):
    """The OS image was not staged, discarded or rolled back as it should be."""

    kind = "os_image_change"


class NoRollbackError(FieldOpsError):
    """There is no deployment to go back to, or another one than was asked for."""

    kind = "no_rollback"


class BoundImagesError(FieldOpsError):
    """Images that the OS image binds logically are not in its storage."""

    kind = "bound_images"


class SoftRebootError(FieldOpsError):
    """A soft reboot was required and is not possible."""

    kind = "soft_reboot"


class BootcPoolError(FieldOpsError):
    """A pool of bootc-operator is not there, or does not get the image onto its nodes."""

    kind = "bootc_pool"
