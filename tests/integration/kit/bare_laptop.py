# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A laptop with nothing but a Python: no network, no root, nothing of the user who runs the tests.

Run as a program in new namespaces of network and mounts, it leaves of the home of root only the Python, becomes an
ordinary user and starts the command in its arguments. It needs the standard library only.
"""

from __future__ import annotations

import os
import subprocess
import sys
import typing as t
from pathlib import Path

NOBODY = 65534
SYSTEM = "/usr/bin:/bin"
PROBE = "import os, sys; print(os.path.realpath(sys.base_prefix))"


def run_on_laptop(
    python: Path, home: Path, words: t.Sequence[str | Path], cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a command with ``python`` on PATH as a user whose home is ``home``; its errors are part of its output."""
    prefix = prefix_of(python)
    if os.geteuid() == 0:
        namespaces = ["unshare", "--net", "--mount"]
    else:
        namespaces = ["unshare", "--user", "--map-current-user", "--net", "--mount"]
    return subprocess.run(
        [*namespaces, sys.executable, "-I", __file__, str(prefix), str(cwd or home), *map(str, words)],
        env={"HOME": str(home), "PATH": f"{prefix}/bin:{SYSTEM}"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )


def prefix_of(python: Path) -> Path:
    """Return the folder in which a Python is installed, also for that of a virtual environment."""
    return Path(subprocess.run([python, "-I", "-c", PROBE], capture_output=True, text=True, check=True).stdout.strip())


def namespaces_lack() -> str:
    """Return why a bare laptop cannot be had on this machine, empty if it can."""
    own = [] if os.geteuid() == 0 else ["--user", "--map-current-user"]
    try:
        tried = subprocess.run(
            ["unshare", *own, "--net", "--mount", "true"], capture_output=True, text=True, check=False
        )
    except FileNotFoundError:
        return "the program unshare (util-linux) is not installed"
    return "" if tried.returncode == 0 else f"namespaces are not permitted: {tried.stderr.strip()}"


def main(prefix: str, cwd: str, *words: str) -> t.NoReturn:
    """Become the laptop and start the command."""
    routes = Path("/proc/self/net/route").read_text().splitlines()[1:]
    if routes:
        raise SystemExit(f"this is no machine without a network: {routes}")
    if os.geteuid() == 0:
        _hide_all_but(Path(prefix))
        os.setgroups([])
        os.setresgid(NOBODY, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, NOBODY)
    os.chdir(cwd)
    os.execvp(words[0], words)


def _hide_all_but(prefix: Path) -> None:
    """Put an empty folder over the topmost one on the path to ``prefix`` that others may not enter."""
    closed = next((path for path in [*reversed(prefix.parents), prefix] if not path.stat().st_mode & 1), None)
    if closed is None:
        return
    _mount("--make-rprivate", "/")
    _mount("--bind", str(prefix), "/mnt")
    _mount("-t", "tmpfs", "-o", "mode=755", "none", str(closed))
    prefix.mkdir(parents=True, exist_ok=True)
    _mount("--bind", "/mnt", str(prefix))


def _mount(*words: str) -> None:
    subprocess.run(["mount", *words], check=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
