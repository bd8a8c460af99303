# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The cache of everything that is built once: binaries, root file systems, database snapshots.

An entry is a directory ``<name>-<key>`` whose key is a hash of all that went into it. It appears at once and complete
(built beside, then renamed), one builder at a time builds it, and nothing in it is ever changed again.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

HEARTBEAT_SECONDS = 15.0


def cache_root() -> Path:
    """Return ``$FIELDOPS_CACHE/lab``, else ``$XDG_CACHE_HOME/fieldops-openshift/lab`` (XDG Base Directory 0.8)."""
    own = os.environ.get("FIELDOPS_CACHE")
    if own:
        return Path(own).absolute() / "lab"
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "fieldops-openshift" / "lab"


def key_of(parts: Iterable[str | bytes | Path]) -> str:
    """Return twelve hexadecimal digits over texts, bytes and the contents (with names) of files, in their order."""
    digest = hashlib.sha256()
    for part in parts:
        if isinstance(part, Path):
            content = part.name.encode() + b"\0" + part.read_bytes()
        else:
            content = part if isinstance(part, bytes) else part.encode()
        digest.update(len(content).to_bytes(8, "big") + content)
    return digest.hexdigest()[:12]


def cached(name: str, key: str, build: Callable[[Path], None]) -> Path:
    """Return the directory of an entry, calling ``build`` with an empty directory when there is none yet."""
    entry = cache_root() / f"{name}-{key}"
    if entry.is_dir():
        return entry
    entry.parent.mkdir(parents=True, exist_ok=True)
    with locked(entry.parent / f".{name}.lock"):
        if entry.is_dir():
            return entry
        unfinished = entry.with_name(f".{entry.name}.unfinished")
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.mkdir()
        with progress(f"building {name}"):
            build(unfinished)
        unfinished.rename(entry)
    return entry


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold an exclusive flock(2) on ``path``; the kernel releases it when the holder dies."""
    with path.open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


@contextlib.contextmanager
def progress(what: str) -> Iterator[None]:
    """Print a line when long work starts, one per heartbeat while it lasts, and one with the seconds it took."""
    started = time.monotonic()
    done = threading.Event()

    def beat() -> None:
        while not done.wait(HEARTBEAT_SECONDS):
            say(f"{what}: {time.monotonic() - started:.0f} s")

    say(f"{what} ...")
    thread = threading.Thread(target=beat, daemon=True)
    thread.start()
    outcome = "failed after"
    try:
        yield
        outcome = "done in"
    finally:
        done.set()
        thread.join()
        say(f"{what}: {outcome} {time.monotonic() - started:.1f} s")


def say(line: str) -> None:
    """Print one line of progress to standard error, where neither pytest nor a caller's output is disturbed."""
    print(f"lab: {line}", file=sys.stderr, flush=True)
