# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What goes wrong with bundles as files, beyond what the other doors report."""

from __future__ import annotations

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError


class BundleError(FieldOpsError):
    """A bundle cannot be built, read or changed as requested."""

    kind = "bundle"


class DamagedBundleError(BundleError):
    """Bytes of a bundle are missing or do not match its index."""

    kind = "damaged_bundle"


class WrongContentError(FieldOpsError):
    """Received bytes do not match the index."""

    kind = "wrong_content"


class NoSourceError(FieldOpsError):
    """No source provides the missing content."""

    kind = "no_source"
