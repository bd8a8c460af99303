# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""How Go programs of the lab get a wall clock that can be moved: Go's own sources with a few lines changed.

Go programs are linked statically and ask the kernel by themselves, so nothing can be put between them and their clock
from outside (a time namespace moves monotonic time only, time_namespaces(7)). ``go build -overlay`` replaces source
files of the installed toolchain for one build: ``time.Now`` then calls ``components/clock/offset.go``, and TLS judges
the validity of certificates by the time of the program's start and what has passed since, because an API server makes
itself a certificate for three years, which a move must not end.
"""

from __future__ import annotations

import json
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.lab.source_changes import Change

OFFSET = Path(__file__).parent / "components" / "clock" / "offset.go"
NOW = "\tsec, nsec, mono := runtimeNow()\n"
TLS_TIME = "func (c *Config) time() time.Time {\n\tt := c.Time\n\tif t == nil {\n\t\t"


CHANGES = (
    Change("src/time/time.go", NOW, f"{NOW}\tsec, nsec = labWall(sec, nsec)\n"),
    Change(
        "src/crypto/tls/common.go",
        f"{TLS_TIME}t = time.Now\n",
        f"var labStart = time.Now()\n\n{TLS_TIME}return labStart.Add(time.Since(labStart))\n",
    ),
)


def write_overlay(directory: Path, go_root: Path) -> Path:
    """Write changed copies below ``directory``, and return the file for ``-overlay`` that names them."""
    replaced = {str(go_root / "src/time/lab_offset.go"): str(OFFSET)}
    for number, change in enumerate(CHANGES):
        target = directory / f"{number}.go"
        target.write_text(change.applied_to(go_root))
        replaced[str(go_root / change.file)] = str(target)
    overlay = directory / "overlay.json"
    overlay.write_text(json.dumps({"Replace": replaced}))
    return overlay
