# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A laptop with a Debian of its own, for a Python that this machine does not have.

Run as a program in new namespaces, without a network, it changes into the root file system of the laptop, of which
nothing is kept, and starts the command in its arguments. It needs the standard library only.
"""

from __future__ import annotations

import os
import subprocess
import sys
import typing as t
from dataclasses import dataclass
from pathlib import Path

KIT, HOME = "/mnt", "/home"


@dataclass(frozen=True)
class DebianLaptop:
    """A laptop whose root file system is a copy of ``root``."""

    root: Path

    def run(self, kit: Path, home: Path, *words: str) -> subprocess.CompletedProcess[str]:
        """Run a command with the kit at ``KIT`` and the user's folder at ``HOME``; errors are part of its output."""
        places = [str(one) for one in (self.root, kit, home)]
        return subprocess.run(
            [
                *("unshare", "--mount", "--net", "--pid", "--fork", "--kill-child"),
                *(sys.executable, "-I", __file__, *places, *words),
            ],
            env={"HOME": HOME, "PATH": "/usr/bin:/usr/sbin:/bin:/sbin", "LC_ALL": "C.UTF-8"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )


def main(root: str, kit: str, home: str, *words: str) -> t.NoReturn:
    """Become the laptop and start the command."""
    _mount("--make-rprivate", "/")
    _mount("-t", "tmpfs", "none", "/mnt")
    for name in ("changes", "work", "laptop"):
        Path("/mnt", name).mkdir()
    laptop = Path("/mnt/laptop")
    _mount("-t", "overlay", "-o", f"lowerdir={root},upperdir=/mnt/changes,workdir=/mnt/work", "none", str(laptop))
    for place, source in ((KIT, kit), (HOME, home), ("/dev", "/dev")):
        (laptop / place[1:]).mkdir(exist_ok=True)
        _mount("--rbind", source, f"{laptop}{place}")
    (laptop / "proc").mkdir(exist_ok=True)
    _mount("-t", "proc", "none", str(laptop / "proc"))
    (laptop / "tmp").mkdir(mode=0o777, exist_ok=True)
    os.chroot(laptop)
    os.chdir(HOME)
    os.execvp(words[0], words)


def _mount(*words: str) -> None:
    subprocess.run(["mount", *words], check=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
