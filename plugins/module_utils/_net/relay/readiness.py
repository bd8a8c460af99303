# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""State notifications to the service manager. Source: sd_notify(3), "Notes", the protocol without libsystemd."""

from __future__ import annotations

import os
import socket


def tell_service_manager(state: str) -> None:
    """Send ``state``, such as READY=1; does nothing without a listener."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address:
        return
    # An abstract address is written with an @ in place of its leading NUL.
    name = f"\0{address[1:]}" if address.startswith("@") else address
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as channel:
        channel.sendto(state.encode(), name)
