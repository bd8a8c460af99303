# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What runs on a node without a play: the image server, and the update of its mirror rules."""

from __future__ import annotations

import sys
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.source import mirrors
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.source.serving import (
    serve_images,
    serve_other_machines,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.source.settings import read_settings
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError

_JOIN_SECONDS = 60.0


def main() -> None:
    """Do what the first argument says: ``serve`` FOLDER, ``serve-other-machines`` FOLDER, or ``join-mirrors``."""
    work, *arguments = sys.argv[1:] or [""]
    if work == "serve" and len(arguments) == 1:
        serve_images(Path(arguments[0]))
    elif work == "serve-other-machines" and len(arguments) == 1:
        serve_other_machines(Path(arguments[0]))
    elif work == "join-mirrors":
        join_mirrors(Host(SystemClock()))
    else:
        raise SystemExit("usage: program.zip serve FOLDER | serve-other-machines FOLDER | join-mirrors")


def join_mirrors(host: Host) -> None:
    """Write the drop-in again by the present files of the site; it stays as it is if a file cannot be read.

    CRI-O is reloaded in any case: a play may have been killed between the drop-in and the reload.
    """
    settings = read_settings(host)
    if settings is None:
        return
    deadline = Deadline(_JOIN_SECONDS, host.clock)
    try:
        mirrors.apply(host, mirrors.planned(host, settings, deadline), deadline)
    except FieldOpsError as error:
        raise SystemExit(str(error)) from error
