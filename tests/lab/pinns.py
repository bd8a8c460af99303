# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""CRI-O's ``pinns``: the small C program that pins a pod's namespaces, from the module that CRI-O is built from."""

from __future__ import annotations

from pathlib import Path

from ansible_collections.fieldops.openshift.tests.lab.c_compiler import compile_c
from ansible_collections.fieldops.openshift.tests.lab.cache import cached, key_of
from ansible_collections.fieldops.openshift.tests.lab.go import module_directory, pinned_version

MODULE = "github.com/cri-o/cri-o"
FLAGS = ("-std=c99", "-O2", "-Wall", "-Wextra", "-static")


def pinns() -> Path:
    """Return the executable, compiled and cached."""

    def build(directory: Path) -> None:
        sources = sorted(str(path) for path in (module_directory(MODULE, "crio") / "pinns" / "src").glob("*.c"))
        compile_c([*FLAGS, "-o", str(directory / "pinns"), *sources])

    return cached("pinns", key_of([pinned_version(MODULE, "crio"), *FLAGS]), build) / "pinns"
