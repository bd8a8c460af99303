# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The socket that the service manager holds for a server. Source: sd_listen_fds(3), without libsystemd."""

from __future__ import annotations

import os
import socket

from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.errors import RelayError

_FIRST = 3


def inherited_listener() -> socket.socket:
    """Return the one listening socket that was passed; raises RelayError where there is not exactly one."""
    if os.environ.get("LISTEN_PID") != str(os.getpid()) or os.environ.get("LISTEN_FDS") != "1":
        raise RelayError(
            "receive a socket",
            on="LISTEN_FDS",
            seen="the service manager has not passed exactly one socket",
            advice="Start the program through its socket unit, which holds the port.",
        )
    return socket.socket(fileno=_FIRST)
