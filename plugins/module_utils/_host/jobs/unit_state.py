# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The state of a systemd service as ``systemctl show`` prints it, and what it means for the work in it."""

from __future__ import annotations

from dataclasses import dataclass

PROPERTIES = ("LoadState", "ActiveState")


@dataclass(frozen=True)
class UnitState:
    """Some properties of org.freedesktop.systemd1(5), as they are."""

    load: str
    active: str

    @property
    def is_known(self) -> bool:
        """Whether systemd still has the unit."""
        return self.load not in ("", "not-found")

    @property
    def is_alive(self) -> bool:
        """Whether processes of it run, or are being started or stopped."""
        return self.is_known and self.active not in ("inactive", "failed")


def parse_unit(text: str) -> UnitState:
    """Return the state in the "Name=value" lines of ``systemctl show``; what is missing is empty."""
    pairs = (line.partition("=") for line in text.splitlines())
    values = {name: value.strip() for name, separator, value in pairs if separator}
    return UnitState(load=values.get("LoadState", ""), active=values.get("ActiveState", ""))
