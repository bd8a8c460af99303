# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What keeps a relay from serving."""

from __future__ import annotations

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError


class RelayError(FieldOpsError):
    """A relay could not be started, found or stopped."""

    kind = "relay"
