# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A laptop with a Debian of its own, for a Python or an architecture that this machine does not have.

Run as a program in new namespaces, without a network, it changes into the root file system of the laptop, of which
nothing is kept, and starts the command in its arguments. It needs the standard library only.

Programs of another architecture run in QEMU: the kernel starts it for them in this namespace of users alone (Linux 6.7
and later, Documentation/admin-guide/binfmt-misc.rst).
"""

from __future__ import annotations

import os
import subprocess
import sys
import typing as t
from dataclasses import dataclass
from pathlib import Path

KIT, HOME = "/mnt", "/home"
REGISTER = (
    b":qemu-aarch64:M::"
    rb"\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00:"
    rb"\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff:"
)
"""How the kernel knows a program for aarch64, as QEMU's scripts/qemu-binfmt-conf.sh has it."""


@dataclass(frozen=True)
class DebianLaptop:
    """A laptop whose root file system is a copy of ``root``; ``qemu`` is the emulator for its programs, if any."""

    root: Path
    qemu: Path | None = None

    def run(self, kit: Path, home: Path, *words: str) -> subprocess.CompletedProcess[str]:
        """Run a command with the kit at ``KIT`` and the user's folder at ``HOME``; errors are part of its output."""
        users = ["--user", "--map-root-user"] if self.qemu else []
        places = [str(one) for one in (self.root, self.qemu or "", kit, home)]
        return subprocess.run(
            [
                *("unshare", *users, "--mount", "--net", "--pid", "--fork", "--kill-child"),
                *(sys.executable, "-I", __file__, *places, *words),
            ],
            env={"HOME": HOME, "PATH": "/usr/bin:/usr/sbin:/bin:/sbin", "LC_ALL": "C.UTF-8"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )


def main(root: str, qemu: str, kit: str, home: str, *words: str) -> t.NoReturn:
    """Become the laptop and start the command."""
    _mount("--make-rprivate", "/")
    if qemu:
        _mount("-t", "binfmt_misc", "none", "/proc/sys/fs/binfmt_misc")
        Path("/proc/sys/fs/binfmt_misc/register").write_bytes(REGISTER + f"{qemu}:F".encode())
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
