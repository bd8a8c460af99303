# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Options of every module that works on a host; the twin of the documentation fragment ``_host_options``."""

from __future__ import annotations

from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import ModuleRun

HOST_OPTIONS = ArgumentSpec(options={"host_root": {"type": "path", "default": "/"}})


def host_of(run: ModuleRun) -> Host:
    """Return the host that the module's arguments mean."""
    return Host(run.clock, Path(run.params["host_root"]))
