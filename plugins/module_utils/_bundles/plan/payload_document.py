# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""JSON documents of images and releases; what is wrong with one is a PayloadError."""

from __future__ import annotations

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.bundle_errors import PayloadError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.json_document import Document


class PayloadDocument(Document):
    """A manifest, a config or a document of a release."""

    error = PayloadError
