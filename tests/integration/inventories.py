# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Inventories as a user lists them: ansible-inventory with a file of one plugin."""

from __future__ import annotations

import json
import subprocess
import typing as t
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.integration.play_processes import BINARIES
from ansible_collections.fieldops.openshift.tests.integration.plays import environment_for


def write_inventory(folder: Path, plugin: str, **options: t.Any) -> Path:
    """Write the file of a plugin of this collection, and return its path."""
    file = folder / f"site.{plugin}.yml"
    file.write_text(json.dumps({"plugin": f"fieldops.openshift.{plugin}", **options}))
    return file


def list_inventory(folder: Path, plugin: str, *words: str, **options: t.Any) -> subprocess.CompletedProcess[str]:
    """Return the output of ansible-inventory, which succeeds also if a plugin fails."""
    file = write_inventory(folder, plugin, **options)
    command = [str(BINARIES / "ansible-inventory"), "-i", str(file), "--list", *words]
    return subprocess.run(command, env=environment_for(folder, {}), capture_output=True, text=True, check=True)


def content_of(listed: subprocess.CompletedProcess[str]) -> dict[str, t.Any]:
    """Return the groups and variables that were listed."""
    found: dict[str, t.Any] = _plain(json.loads(listed.stdout))
    return found


def _plain(value: t.Any) -> t.Any:
    """Return ``value`` without the marks by which newer versions of Ansible show that a text is no template."""
    if isinstance(value, dict):
        named = {name: _plain(each) for name, each in value.items()}
        return named["__ansible_unsafe"] if [*named] == ["__ansible_unsafe"] else named
    return [_plain(each) for each in value] if isinstance(value, list) else value
