# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which node answers where we call the API."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from urllib.parse import urlsplit

from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.standing import RolloutNode


def nodes_at(server: str, nodes: Iterable[RolloutNode]) -> list[str]:
    """Return the names of the nodes that have the address in ``server``, a URL.

    A name is not resolved: behind it there usually is an address that moves with the control plane.
    """
    wanted = _address(urlsplit(server).hostname or "")
    return [node.name for node in nodes if wanted and wanted in map(_address, node.state.addresses)]


def _address(text: str) -> str:
    try:
        return str(ipaddress.ip_address(text))
    except ValueError:
        return ""
