# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Changes of a few lines in the published sources of others, for builds of the lab."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.lab.errors import LabError


@dataclass(frozen=True)
class Change:
    """One text in a source file, relative to the root of its sources, that is replaced."""

    file: str
    old: str
    new: str

    def applied_to(self, root: Path) -> str:
        """Return the changed text; raise LabError if the old text is not there exactly once."""
        source = root / self.file
        text = source.read_text()
        if text.count(self.old) != 1:
            seen = f"{text.count(self.old)} times {self.old.strip()!r}"
            raise LabError("change a source", on=str(source), seen=seen, advice="Build with Go 1.26.")
        return text.replace(self.old, self.new)


RECEPTOR_CONNECTIONS = "github.com/ansible/receptor/pkg/netceptor/conn.go"
RECEPTOR = (
    Change(RECEPTOR_CONNECTIONS, "\tql         quic.Listener\n", "\tql         *quic.Listener\n"),
    Change(
        RECEPTOR_CONNECTIONS,
        "quic.DialContext(cctx, pc, rAddr, s.nodeID, tlscfg, cfg)",
        "quic.Dial(cctx, pc, rAddr, tlscfg, cfg)",
    ),
)
"""quic-go of receptor 1.4.1 does not compile with Go 1.21 and later; of a later one two names are others."""
