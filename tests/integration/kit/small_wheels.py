# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Wheels with nothing in them but what they say of themselves, in a folder that pip takes for a package index."""

from __future__ import annotations

import typing as t
import zipfile
from pathlib import Path

WHEEL = "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: {tag}\n"
PACKAGES = ("pip", "jmespath", "mnemonic", "netaddr", "openshift", "kubernetes", "segno")


def small_wheel(
    folder: Path, name: str, version: str, requires: t.Sequence[str] = (), tag: str = "py3-none-any", python: str = ""
) -> Path:
    """Write a wheel and return its path."""
    path = folder / f"{name}-{version}-{tag}.whl"
    info = f"{name}-{version}.dist-info"
    lines = ["Metadata-Version: 2.1", f"Name: {name.replace('_', '-')}", f"Version: {version}"]
    lines += [f"Requires-Python: {python}"] if python else []
    lines += [f"Requires-Dist: {line}" for line in requires]
    with zipfile.ZipFile(path, "w") as archive:
        for part, text in {"METADATA": "\n".join(lines) + "\n", "WHEEL": WHEEL.format(tag=tag), "RECORD": ""}.items():
            # Without the time, so that the same wheel always has the same bytes.
            archive.writestr(zipfile.ZipInfo(f"{info}/{part}"), text)
    return path


def small_index(folder: Path) -> Path:
    """Fill a folder with all that a kit requires, each as small as can be; two releases of ansible-core."""
    folder.mkdir()
    small_wheel(folder, "ansible_core", "2.17.1", ["cffi", "resolvelib<2"], python=">=3.10")
    small_wheel(folder, "ansible_core", "2.21.1", ["cffi>=2"], python=">=3.12")
    small_wheel(folder, "resolvelib", "1.0")
    small_wheel(folder, "resolvelib", "2.0")
    for machine in ("x86_64", "aarch64"):
        for python in ("cp310", "cp312"):
            small_wheel(folder, "cffi", "2.1", tag=f"{python}-{python}-manylinux_2_28_{machine}")
    for name in PACKAGES:
        small_wheel(folder, name, "40.0")
    return folder
