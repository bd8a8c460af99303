# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Folders as removable media have them: a real exFAT, and a place where no mode is ever changed.

exFAT and FAT keep no modes: whatever is asked for, files are shown with those that the mount was given.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import typing as t
from dataclasses import dataclass
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.sizes import MIB
from ansible_collections.fieldops.openshift.tests.lab.c_compiler import compile_c
from ansible_collections.fieldops.openshift.tests.lab.debian import require_packages
from ansible_collections.fieldops.openshift.tests.lab.errors import LabError

PACKAGES = ("exfat-fuse", "exfatprogs")
PROGRAMS = ("losetup", "mkfs.exfat", "mount.exfat-fuse", "umount")
SIZE = 256 * MIB

SHIM = """
#include <sys/types.h>
int chmod(const char *path, mode_t mode) { return 0; }
int fchmod(int descriptor, mode_t mode) { return 0; }
int fchmodat(int directory, const char *path, mode_t mode, int flags) { return 0; }
"""


@dataclass(frozen=True)
class ModelessFolder:
    """A folder, and the environment of programs that change no modes."""

    path: Path
    environment: dict[str, str]


@pytest.fixture
def exfat_folder(tmp_path: Path) -> t.Iterator[Path]:
    """An empty exFAT of 256 MiB, mounted through FUSE."""
    missing = missing_for_exfat()
    if missing:
        pytest.skip(f"exFAT cannot be mounted here: {missing}")
    image, folder = tmp_path / "exfat.img", tmp_path / "exfat"
    with image.open("wb") as stream:
        stream.truncate(SIZE)
    folder.mkdir()
    run("mkfs.exfat", str(image))
    device = run("losetup", "--find", "--show", str(image)).strip()
    try:
        run("mount.exfat-fuse", device, str(folder))
        try:
            yield folder
        finally:
            run("umount", str(folder))
    finally:
        run("losetup", "--detach", device)


@pytest.fixture
def modeless_folder(tmp_path: Path) -> ModelessFolder:
    """A folder for programs that are started with its environment: they change no modes, and are not told so."""
    source, library, folder = tmp_path / "modeless.c", tmp_path / "modeless.so", tmp_path / "modeless"
    source.write_text(SHIM)
    compile_c(["-shared", "-fPIC", "-o", str(library), str(source)])
    folder.mkdir()
    return ModelessFolder(folder, {**os.environ, "LD_PRELOAD": str(library)})


def missing_for_exfat() -> str:
    """Return what this machine lacks for an exFAT of its own; Debian's packages are installed if they can be."""
    if os.geteuid():
        return "not root"
    if not Path("/dev/fuse").exists():
        return "no /dev/fuse"
    if any(shutil.which(program) is None for program in PROGRAMS):
        try:
            require_packages(PACKAGES)
        except LabError as error:
            return str(error)
    if subprocess.run(["losetup", "--find"], capture_output=True, check=False).returncode:
        return "no loop device"
    return ", ".join(f"no {program}" for program in PROGRAMS if shutil.which(program) is None)


def run(*argv: str) -> str:
    """Run a command that has to succeed and return what it prints."""
    return subprocess.run(argv, capture_output=True, text=True, check=True).stdout
