# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""All readers of bytes from outside, by name."""

from __future__ import annotations

from collections.abc import Mapping

from ansible_collections.fieldops.openshift.tests.fuzz import (
    bundle_readers,
    cluster_readers,
    network_readers,
    node_readers,
    os_image_readers,
)
from ansible_collections.fieldops.openshift.tests.fuzz.reader import Reader

_TABLES = (bundle_readers, cluster_readers, network_readers, node_readers, os_image_readers)
READERS: Mapping[str, Reader] = {reader.name: reader for table in _TABLES for reader in table.READERS}
