# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What goes wrong with bundles, beyond what the doors report."""

from __future__ import annotations

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_errors import BundleError


class PayloadError(BundleError):
    """An image or a document in it does not have the required format."""

    kind = "payload"


class SignatureError(BundleError):
    """A signature is missing, not from a trusted key, or for other content."""

    kind = "signature"


class OlderBundleError(BundleError):
    """A bundle is older than the release of the cluster or than an accepted bundle. Nothing was written."""

    kind = "older_bundle"


class AcceptedBundlesError(BundleError):
    """The record of accepted bundles cannot be read or written."""

    kind = "accepted_bundles"


class KitError(BundleError):
    """A kit for laptops cannot be built."""

    kind = "kit"


class PlanChangedError(BundleError):
    """What registries return differs from the requested plan. No layer was downloaded."""

    kind = "plan_changed"
