# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""JSON documents of images and releases; what is wrong with one is a PayloadError."""

from __future__ import annotations

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.bundle_errors import PayloadError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.json_document import Document


class PayloadDocument(Document):
    """A manifest, a config or a document of a release."""

    error = PayloadError
