# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""Sockets that the service manager holds for a server. Source: sd_listen_fds(3), without libsystemd."""

from __future__ import annotations

import os
import socket

from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.errors import RelayError

_FIRST = 3


def inherited_listeners() -> dict[str, socket.socket]:
    """Return the listening sockets that were handed over, by their names; raises RelayError where there are none."""
    count = os.environ.get("LISTEN_FDS", "")
    if os.environ.get("LISTEN_PID") != str(os.getpid()) or not count.isdecimal() or count == "0":
        raise RelayError(
            "take over a socket",
            on="LISTEN_FDS",
            seen="the service manager has handed none over",
            advice="Start the program by its socket unit, which holds the port.",
        )
    names = os.environ.get("LISTEN_FDNAMES", "").split(":")
    names += [str(number) for number in range(len(names), int(count))]
    return {name: socket.socket(fileno=_FIRST + number) for number, name in zip(range(int(count)), names)}
