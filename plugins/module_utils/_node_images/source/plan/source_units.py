# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""The units of a node's image source. Pure.

The socket belongs to systemd, so that a pull that begins while the server restarts waits for it instead of failing.
sockets.target comes before CRI-O and the kubelet, so the source is there before anything pulls.
Source: systemd.socket(5), systemd.path(5), systemd.exec(5), systemd.resource-control(5).
"""

from __future__ import annotations

import typing as t

NAME: t.Final = "fieldops-image-source"
SOCKET: t.Final = f"{NAME}.socket"
SERVICE: t.Final = f"{NAME}.service"
MIRRORS_PATH: t.Final = f"{NAME}-mirrors.path"
MIRRORS_SERVICE: t.Final = f"{NAME}-mirrors.service"

MAIN_FILE: t.Final = "/etc/containers/registries.conf"
DROP_INS: t.Final = "/etc/containers/registries.conf.d"

_CONFINEMENT = """\
DynamicUser=yes
CapabilityBoundingSet=
IPAddressDeny=any
IPAddressAllow=localhost
LockPersonality=yes
MemoryDenyWriteExecute=yes
MemoryMax=256M
PrivateDevices=yes
ProtectClock=yes
ProtectControlGroups=yes
ProtectHome=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectProc=invisible
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX
RestrictNamespaces=yes
RestrictRealtime=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
TasksMax=300
UMask=0077
"""


_TEXTS = {
    SOCKET: """\
[Unit]
Description=Images of staged bundles (fieldops.openshift), socket

[Socket]
ListenStream=127.0.0.1:{port}
Backlog=1024
TriggerLimitIntervalSec=0

[Install]
WantedBy=sockets.target
""",
    SERVICE: """\
[Unit]
Description=Images of staged bundles (fieldops.openshift)
Requires={socket}
After={socket}
StartLimitIntervalSec=0

[Service]
Type=notify
ExecStart={python} -IS {program} serve {bundles}
Restart=on-failure
RestartSec=100ms
TimeoutStopSec=40
{confinement}""",
    MIRRORS_PATH: """\
[Unit]
Description=Mirror rules of the site beside those for staged bundles (fieldops.openshift)

[Path]
PathChanged={main_file}
PathChanged={drop_ins}

[Install]
WantedBy=multi-user.target
""",
    MIRRORS_SERVICE: """\
[Unit]
Description=Join the mirror rules of the site with those for staged bundles (fieldops.openshift)
StartLimitIntervalSec=10
StartLimitBurst=20

[Service]
Type=oneshot
ExecStart={python} -IS {program} join-mirrors
""",
}


def units(*, python: str, program: str, bundles: str, port: int) -> dict[str, str]:
    """Return the text of each unit by its name; ``program`` is the archive that ``python`` runs."""
    words = {"python": _word(python), "program": _word(program), "bundles": _word(bundles)}
    places = {"main_file": MAIN_FILE, "drop_ins": DROP_INS, "socket": SOCKET, "confinement": _CONFINEMENT}
    return {name: text.format(port=port, **words, **places) for name, text in _TEXTS.items()}


def _word(text: str) -> str:
    """Return ``text`` as one word of a command line. Source: systemd.service(5), systemd.syntax(7)."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")
    return f'"{escaped}"'
