# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the image source of a node serves."""

from __future__ import annotations

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.source.other_machines import (
    read_other_machines,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.source.plan.source_units import (
    ENABLED,
    SITE_SOCKET,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.source.served import (
    is_listening,
    served_bundles,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.source.settings import read_settings
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline

STEP_SECONDS = 120.0


def source_report(host: Host) -> dict[str, t.Any]:
    """Return whether the node has an image source, and which images of which bundles it serves."""
    deadline = Deadline(STEP_SECONDS, host.clock)
    settings = read_settings(host)
    if settings is None:
        return {"present": False, "listening": False, "blocked": [], "other_machines": {}, "bundles": [], "damaged": []}
    is_on = is_listening(host, deadline, ENABLED)
    return {
        "present": True,
        "listening": is_on,
        "port": settings.port,
        "blocked": list(settings.blocked),
        "other_machines": _site_report(host, deadline),
        **served_bundles(host, settings, deadline, is_on=is_on),
    }


def _site_report(host: Host, deadline: Deadline) -> dict[str, t.Any]:
    others = read_other_machines(host)
    if others is None:
        return {}
    listening = is_listening(host, deadline, (SITE_SOCKET,))
    return {
        "address": others.address,
        "port": others.port,
        "networks": list(others.networks),
        "listening": listening,
    }
