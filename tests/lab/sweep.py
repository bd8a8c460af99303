# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Removes what a lab leaves when its processes have ended: its control groups and its directory.

``python -I -S sweep.py DIRECTORY [HIERARCHY ...]``: control groups are those below a hierarchy whose name starts with
the directory's. Runs as a file, isolated, so that it works when everything else has gone.
"""

from __future__ import annotations

import contextlib
import errno
import shutil
import sys
import time
from pathlib import Path

PATIENCE_SECONDS = 10.0  # for killed processes to disappear


def main() -> None:
    """Run the command line."""
    directory = Path(sys.argv[1])
    for hierarchy in sys.argv[2:]:
        for group in sorted(Path(hierarchy).glob(f"{directory.name}-*")):
            remove(group, time.monotonic() + PATIENCE_SECONDS)
    shutil.rmtree(directory, ignore_errors=True)


def remove(group: Path, deadline: float) -> None:
    """Remove a control group from its leaves up."""
    for child in [path for path in group.iterdir() if path.is_dir()]:
        remove(child, deadline)
    while True:
        with contextlib.suppress(FileNotFoundError):
            try:
                group.rmdir()
            except OSError as error:
                if error.errno != errno.EBUSY or time.monotonic() > deadline:
                    raise
                time.sleep(0.01)
                continue
        return


if __name__ == "__main__":
    main()
