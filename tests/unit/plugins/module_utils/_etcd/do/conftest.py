# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""This machine as a control-plane node, with the stand-in for the cluster's script; only for root, as the script is."""

from __future__ import annotations

import os
import typing as t
from collections.abc import Callable
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._etcd.do import backup_job
from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.tests.lab.actors.cluster_backup import install


@pytest.fixture
def host() -> Host:
    return Host(SystemClock())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where backups are kept, if there are any."""
    return tmp_path / "assets/backup"


@pytest.fixture
def script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """What installs the script; its settings are those of the stand-in."""
    if os.geteuid():
        pytest.skip("the script runs as root only")

    def installed(**settings: t.Any) -> Path:
        path = install(tmp_path / "node", **settings)
        monkeypatch.setattr(backup_job, "SCRIPT", str(path))
        return path

    return installed
