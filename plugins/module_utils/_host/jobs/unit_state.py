# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The state of a systemd service as ``systemctl show`` prints it, and what it means for the work in it."""

from __future__ import annotations

import typing as t
from dataclasses import dataclass

if t.TYPE_CHECKING:
    from collections.abc import Mapping

PROPERTIES = (
    "LoadState",
    "ActiveState",
    "SubState",
    "Result",
    "ExecMainCode",
    "ExecMainStatus",
    "MainPID",
)

EXIT_EXEC = 203
"""Exit status that systemd gives a service whose program could not be executed, systemd.exec(5)."""

_EXITED = 1
"""CLD_EXITED of sigaction(2): ExecMainStatus is an exit status; otherwise it is the number of a signal."""


@dataclass(frozen=True)
class UnitState:
    """Some properties of org.freedesktop.systemd1(5), strings as they are, numbers as numbers."""

    load: str
    active: str
    sub: str
    result: str
    main_code: int
    main_status: int
    main_pid: int

    @property
    def is_known(self) -> bool:
        """Whether systemd still has the unit."""
        return self.load not in ("", "not-found")

    @property
    def has_succeeded(self) -> bool:
        """Whether its program ended well and the unit remains only to report that (RemainAfterExit)."""
        return (self.active, self.sub) == ("active", "exited")

    @property
    def has_failed(self) -> bool:
        """Whether its program ended badly."""
        return self.active == "failed"

    @property
    def is_alive(self) -> bool:
        """Whether processes of it run, or are being started or stopped."""
        return self.is_known and self.active not in ("inactive", "failed") and not self.has_succeeded

    @property
    def rc(self) -> int:
        """Exit status of its main process; -N when signal N killed it, as in ``subprocess``."""
        return self.main_status if self.main_code in (0, _EXITED) else -self.main_status


def parse_unit(text: str) -> UnitState:
    """Return the state in the "Name=value" lines of ``systemctl show``; what is missing is empty or 0."""
    pairs = (line.partition("=") for line in text.splitlines())
    values = {name: value.strip() for name, separator, value in pairs if separator}
    return UnitState(
        load=values.get("LoadState", ""),
        active=values.get("ActiveState", ""),
        sub=values.get("SubState", ""),
        result=values.get("Result", ""),
        main_code=_number(values, "ExecMainCode"),
        main_status=_number(values, "ExecMainStatus"),
        main_pid=_number(values, "MainPID"),
    )


def _number(values: Mapping[str, str], name: str) -> int:
    value = values.get(name, "")
    return int(value) if value.isdecimal() else 0
