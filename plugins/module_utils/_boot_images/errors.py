# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Errors of this room."""

from __future__ import annotations

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError


class MalformedError(FieldOpsError):
    """A document of the cluster or of the site does not have the required format; ``on`` is the place within it."""

    kind = "malformed_document"


class StreamError(FieldOpsError):
    """The boot images of the release cannot be read from the cluster.

    Action: Remove manual changes of the ConfigMap coreos-bootimages. The cluster version operator restores it.
    """

    kind = "boot_image_stream"


class UserDataError(FieldOpsError):
    """The stub Ignition configuration of machines cannot be read or converted."""

    kind = "boot_image_user_data"


class HistoryError(FieldOpsError):
    """The history of boot images is damaged or of an unknown version."""

    kind = "boot_image_history"


class BootImageRefusedError(FieldOpsError):
    """Boot images must not be changed in the current state. Nothing was changed for the named resources."""

    kind = "boot_image_refused"
