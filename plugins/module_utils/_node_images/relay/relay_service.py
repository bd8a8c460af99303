# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A relay as a transient systemd service: another user for each run, no capabilities, and a firewall of its own."""

from __future__ import annotations

import json
import stat
import sys
import typing as t
from collections.abc import Mapping
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._host.command_result import CommandError
from ansible_collections.fieldops.openshift.plugins.module_utils._host.directories import ensure_directory
from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_errors import explained
from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import remove_file, write_file
from ansible_collections.fieldops.openshift.plugins.module_utils._host.program_archive import program_archive
from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.errors import RelayError
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.relay.relay_identity import (
    RelayIdentity,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.relay.relay_presence import (
    ServicePresence,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.relay.relay_record import RECORD
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.relay.relay_request import (
    RelayRequest,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.relay.serving import (
    CREDENTIAL,
    serve_as_service,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import MissingRequirementError

_PYTHON = "/usr/bin/python3"
_SPARE_SECONDS = 5
"""The time limit of systemd is this much longer than that of the relay."""

_CONFINEMENT = {
    "DynamicUser": "yes",
    "CapabilityBoundingSet": "",
    "IPAddressDeny": "any",
    "LockPersonality": "yes",
    "MemoryDenyWriteExecute": "yes",
    "MemoryMax": "512M",
    "PrivateDevices": "yes",
    "ProtectClock": "yes",
    "ProtectControlGroups": "yes",
    "ProtectHome": "yes",
    "ProtectHostname": "yes",
    "ProtectKernelLogs": "yes",
    "ProtectKernelModules": "yes",
    "ProtectKernelTunables": "yes",
    "ProtectProc": "invisible",
    "RestrictAddressFamilies": "AF_INET AF_INET6 AF_UNIX",
    "RestrictNamespaces": "yes",
    "RestrictRealtime": "yes",
    "SystemCallArchitectures": "native",
    "SystemCallFilter": "@system-service",
    "TasksMax": "200",
    "UMask": "0077",
}
"""Source: systemd.exec(5), systemd.resource-control(5). DynamicUser brings a read-only system and no new privileges."""


class RelayService(ServicePresence):
    """Keeps the relay for one bundle on ``host`` by means of its systemd."""

    def launch(self, request: RelayRequest, identity: RelayIdentity, token: str, deadline: Deadline) -> int:
        """Start the service and return its port; raises RelayError with its error if it does not start."""
        program, handover = self.place / "program.zip", self.place / "handover"
        write_file(program, program_archive(serve_as_service), mode=0o644, durable=False)
        shown = {path: self.place / f"bundle-{number}" for number, path in enumerate((request.path, *request.parts))}
        for place in shown.values():
            ensure_directory(place)
        paths = [self._seen(place) for place in shown.values()]
        given = {"request": request.to_document(), "paths": paths, "token": token, **vars(identity)}
        try:
            write_file(handover, json.dumps(given), mode=0o600, durable=False)
            self._run_unit(self._command(request, program, handover, shown), deadline)
        finally:
            remove_file(handover)
        return int(self._reported(deadline)["port"])

    def _reported(self, deadline: Deadline) -> dict[str, t.Any]:
        """Return the port and what was served so far, as the relay has reported to systemd, or an empty mapping."""
        asked = ["systemctl", "show", self._unit, "--property=StatusText", "--value"]
        text = self._host.run(asked, deadline=deadline).stdout.strip()
        counts: dict[str, t.Any] = json.loads(text) if text.startswith("{") else {}
        return counts

    def stop(self, deadline: Deadline) -> None:
        """End the service."""
        self._host.run(["systemctl", "stop", self._unit], deadline=deadline, ok=None)
        self._host.run(["systemctl", "reset-failed", self._unit], deadline=deadline, ok=None)

    def _run_unit(self, argv: list[str], deadline: Deadline) -> None:
        try:
            self._host.run(argv, deadline=deadline)
        except CommandError as error:
            journal = [
                "journalctl",
                f"--unit={self._unit}",
                "--output=cat",
                "--no-pager",
                "--lines=12",
                "--no-hostname",
            ]
            said = self._host.run(journal, deadline=deadline, ok=None).stdout.strip()
            self.stop(deadline)
            raise RelayError(
                "start the relay",
                on=self._unit,
                seen=said or error.stderr.strip(),
                advice=f"Fix the reported problem. 'journalctl -u {self._unit}' shows the complete log.",
            ) from error

    def _command(self, request: RelayRequest, program: Path, handover: Path, shown: Mapping[str, Path]) -> list[str]:
        seen = self._seen
        binds = (f"{_escaped(path)}:{_escaped(seen(place))}" for path, place in shown.items())
        properties = {
            **_CONFINEMENT,
            "Type": "notify",
            "RuntimeMaxSec": str(request.lifetime + _SPARE_SECONDS),
            "TimeoutStartSec": "60",
            "TimeoutStopSec": "10",
            "LoadCredential": f"{CREDENTIAL}:{seen(handover)}",
            # By these paths the folders are found even below one that the relay's user may not enter.
            "BindReadOnlyPaths": " ".join(binds),
            "ExecStopPost": f"-+/usr/bin/rm -f {seen(program)} {seen(self.place / RECORD)}",
            **self._groups(request),
        }
        return [
            "systemd-run",
            "--quiet",
            "--no-ask-password",
            "--collect",
            f"--unit={self._unit}",
            f"--description=fieldops.openshift relay of {request.path}",
            *(f"--property={name}={value}" for name, value in properties.items()),
            *(f"--property=IPAddressAllow={address}" for address in request.allowed_addresses),
            "--",
            *(word.replace("$", "$$").replace("%", "%%") for word in self._program(seen(program))),
        ]

    def _program(self, archive: str) -> list[str]:
        python = _PYTHON if self._host.is_mounted else sys.executable
        if not self._host.path(python).exists():
            raise MissingRequirementError(
                "start the relay",
                on=str(self._host),
                seen=f"it has no {python}",
                advice="A relay requires Python on the host itself. Download from the controller instead.",
            )
        return [python, "-IS", archive]

    def _groups(self, request: RelayRequest) -> dict[str, str]:
        """Return the groups through which the relay's user can read the bundle where others cannot."""
        groups = set()
        for path in map(self._host.path, (request.path, *request.parts)):
            with explained("read the bundle", path):
                seen = path.stat()
            if not (seen.st_mode & stat.S_IROTH and seen.st_mode & stat.S_IXOTH):
                groups.add(str(seen.st_gid))
        return {"SupplementaryGroups": " ".join(sorted(groups))} if groups else {}

    def _seen(self, path: Path) -> str:
        return self._host.as_seen_by_host(path)


def _escaped(path: str) -> str:
    """Return ``path`` as one word of a list of mounts, whatever a USB drive is called. Source: systemd.syntax(7)."""
    return "".join(f"\\{character}" if character in " :\\\"'" else character for character in path)
