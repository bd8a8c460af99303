# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The record with which a node updates its image source without the controller."""

from __future__ import annotations

import json
import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import read_json
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.source.plan.mirror_files import (
    MirrorSettings,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

SETTINGS_FILE: t.Final = "/var/lib/fieldops/image-source/settings.json"


def read_settings(host: Host) -> MirrorSettings | None:
    """Return the settings of the node's image source, None where it has none; raises InvalidInputError."""
    document = read_json(host.path(SETTINGS_FILE))
    if document is None:
        return None
    try:
        return MirrorSettings(int(document["port"]), tuple(str(name) for name in document["blocked"]))
    except (KeyError, TypeError, ValueError) as error:
        raise InvalidInputError(
            "read the settings of the image source",
            on=SETTINGS_FILE,
            seen=f"{type(error).__name__}: {error}",
            advice="Remove the file and set the image source up again.",
        ) from error


def settings_document(settings: MirrorSettings) -> bytes:
    """Return the content of the record."""
    document = {"schemaVersion": 1, "port": settings.port, "blocked": list(settings.blocked)}
    return json.dumps(document, indent=2, sort_keys=True).encode() + b"\n"
