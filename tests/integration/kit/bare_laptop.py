# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A laptop with nothing but a Python: no network, no root, nothing of the user who runs the tests.

Run as a program in new namespaces of network and mounts, it leaves of the home of root only the Python, becomes an
ordinary user and starts the command in its arguments. It needs the standard library only. As root it can before that
be plugged into the network of a site, and mount a drive.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import typing as t
from dataclasses import asdict, dataclass
from pathlib import Path

NOBODY = 65534
SYSTEM = "/usr/bin:/bin"
MEDIA = Path("/media")
DRIVE = MEDIA / "technician" / "DRIVE"
"""Where a desktop mounts a drive with the label DRIVE."""
PROBE = "import os, sys; print(os.path.realpath(sys.base_prefix))"


@dataclass(frozen=True)
class Plugged:
    """What is plugged into a laptop: a network, by the path of its namespace and a bridge in it, and a drive.

    ``home`` is that of its user, for whom the laptop has an account then.
    """

    network: str = ""
    bridge: str = ""
    address: str = ""
    drive: str = ""
    home: str = ""


NOTHING = Plugged()


def laptop_command(python: Path, words: t.Sequence[str | Path], cwd: Path, plugged: Plugged = NOTHING) -> list[str]:
    """Return what runs a command on a laptop with ``python``; its environment is that of ``laptop_environment``."""
    namespaces = ["unshare", "--net", "--mount"]
    if os.geteuid():
        namespaces[1:1] = ["--user", "--map-current-user"]
    program = [sys.executable, "-I", __file__, json.dumps(asdict(plugged))]
    return [*namespaces, *program, str(prefix_of(python)), str(cwd), *map(str, words)]


def laptop_environment(python: Path, home: Path) -> dict[str, str]:
    """Return the environment of a user whose home is ``home``, with ``python`` on PATH."""
    return {"HOME": str(home), "PATH": f"{prefix_of(python)}/bin:{SYSTEM}"}


def run_on_laptop(
    python: Path, home: Path, words: t.Sequence[str | Path], cwd: Path | None = None, plugged: Plugged = NOTHING
) -> subprocess.CompletedProcess[str]:
    """Run a command with ``python`` on PATH as a user whose home is ``home``; its errors are part of its output."""
    return subprocess.run(
        laptop_command(python, words, cwd or home, plugged),
        env=laptop_environment(python, home),
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


def main(plugged: str, prefix: str, cwd: str, *words: str) -> t.NoReturn:
    """Become the laptop and start the command."""
    routes = Path("/proc/self/net/route").read_text().splitlines()[1:]
    if routes:
        raise SystemExit(f"this is no machine without a network: {routes}")
    if os.geteuid() == 0:
        _plug(Plugged(**json.loads(plugged)))
        _hide_all_but(Path(prefix))
        os.setgroups([])
        os.setresgid(NOBODY, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, NOBODY)
    os.chdir(cwd)
    os.execvp(words[0], words)


def _plug(plugged: Plugged) -> None:
    """Plug in a network, to which there is a cable and no route beyond it, and a drive that the desktop mounts."""
    if plugged.network:
        own, bridge = f"laptop{os.getpid()}", ["nsenter", f"--net={plugged.network}"]
        for words in (
            [*bridge, "ip", "link", "add", own, "type", "veth", "peer", "name", "eth0", "netns", str(os.getpid())],
            [*bridge, "ip", "link", "set", own, "master", plugged.bridge, "up"],
            ["ip", "link", "set", "lo", "up"],
            ["ip", "address", "add", f"{plugged.address}/24", "dev", "eth0"],
            ["ip", "link", "set", "eth0", "up"],
        ):
            subprocess.run(words, check=True)
    if plugged.drive:
        _mount("--make-rprivate", "/")
        _mount("-t", "tmpfs", "-o", "mode=755", "none", str(MEDIA))
        accounts = MEDIA / "passwd"
        accounts.write_text(f"technician:x:{NOBODY}:{NOBODY}::{plugged.home}:/bin/sh\n")
        _mount("--bind", str(accounts), "/etc/passwd")
        DRIVE.mkdir(parents=True)
        _mount("--bind", plugged.drive, str(DRIVE))
        _mount("-o", "remount,bind,ro", str(DRIVE))


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
