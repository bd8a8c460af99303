# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The units of the image source of a node. Pure.

The socket belongs to systemd, so that a pull that begins while the server restarts waits for it instead of failing.
sockets.target comes before CRI-O and the kubelet, so the source is there before anything pulls.
Other machines have a socket and a server of their own, with TLS: what goes wrong there is no matter of the node's own
pulls.
Source: systemd.socket(5), systemd.path(5), systemd.exec(5), systemd.resource-control(5).
"""

from __future__ import annotations

import typing as t
from collections.abc import Sequence

NAME: t.Final = "fieldops-image-source"
SOCKET: t.Final = f"{NAME}.socket"
SERVICE: t.Final = f"{NAME}.service"
SITE_SOCKET: t.Final = f"{NAME}-site.socket"
SITE_SERVICE: t.Final = f"{NAME}-site.service"
MIRRORS_PATH: t.Final = f"{NAME}-mirrors.path"
MIRRORS_SERVICE: t.Final = f"{NAME}-mirrors.service"
ENABLED: t.Final = (SOCKET, MIRRORS_PATH)
"""The units of every image source that start others."""

MAIN_FILE: t.Final = "/etc/containers/registries.conf"
DROP_INS: t.Final = "/etc/containers/registries.conf.d"

INSIDE: t.Final = "/run/fieldops-image-source"
"""Where the servers find their program and the bundles: the folder that holds both is root's alone."""

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
BindReadOnlyPaths={program}:{inside}/program {bundles}:{inside}/bundles
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
ExecStart={python} -IS {inside}/program serve {inside}/bundles
Restart=on-failure
RestartSec=100ms
TimeoutStopSec=40
{confinement}""",
    MIRRORS_PATH: """\
[Unit]
Description=Changes of the mirror rules of the site (fieldops.openshift)

[Path]
PathChanged={main_file}
PathChanged={drop_ins}

[Install]
WantedBy=multi-user.target
""",
    MIRRORS_SERVICE: """\
[Unit]
Description=Merge the mirror rules of the site with those for staged bundles (fieldops.openshift)
StartLimitIntervalSec=10
StartLimitBurst=20

[Service]
Type=oneshot
ExecStart={python} -IS {program} join-mirrors
""",
}

_SITE_TEXTS = {
    SITE_SOCKET: """\
[Unit]
Description=Images of staged bundles for other machines (fieldops.openshift), socket

[Socket]
ListenStream={port}
Backlog=1024
TriggerLimitIntervalSec=0
{firewall}
[Install]
WantedBy=sockets.target
""",
    SITE_SERVICE: """\
[Unit]
Description=Images of staged bundles for other machines (fieldops.openshift)
Requires={socket}
After={socket}
StartLimitIntervalSec=0

[Service]
Type=notify
ExecStart={python} -IS {inside}/program serve-other-machines {inside}/bundles
LoadCredential={credential}:{credentials}
Restart=on-failure
RestartSec=1s
TimeoutStopSec=40
{confinement}{allowed}""",
}
CREDENTIAL: t.Final = "other-machines"
"""Name of the systemd credential that holds certificate, key, password and networks."""


def units(*, python: str, program: str, bundles: str, port: int) -> dict[str, str]:
    """Return the text of each unit by its name; ``program`` is the archive that ``python`` runs."""
    words = {"python": _word(python), "program": _word(program), "confinement": _confinement(program, bundles)}
    places = {"main_file": MAIN_FILE, "drop_ins": DROP_INS, "socket": SOCKET, "inside": INSIDE}
    return {name: text.format(port=port, **words, **places) for name, text in _TEXTS.items()}


def site_units(
    *, python: str, program: str, bundles: str, credentials: str, port: int, networks: Sequence[str]
) -> dict[str, str]:
    """Return the units that serve other machines in ``networks``; ``credentials`` is a file that only root may read.

    Addresses are checked by the firewalls of both units, since each covers the sockets that it opened alone, and by the
    server, for hosts whose systemd has no such firewall.
    """
    allowed = "".join(f"IPAddressAllow={network}\n" for network in networks)
    return {
        name: text.format(
            python=_word(python),
            inside=INSIDE,
            port=port,
            socket=SITE_SOCKET,
            credential=CREDENTIAL,
            credentials=credentials,
            confinement=_confinement(program, bundles),
            allowed=allowed,
            firewall=f"IPAddressDeny=any\nIPAddressAllow=localhost\n{allowed}",
        )
        for name, text in _SITE_TEXTS.items()
    }


def _confinement(program: str, bundles: str) -> str:
    return _CONFINEMENT.format(program=program, bundles=bundles, inside=INSIDE)


def _word(text: str) -> str:
    """Return ``text`` as one word of a command line. Source: systemd.service(5), systemd.syntax(7)."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")
    return f'"{escaped}"'
