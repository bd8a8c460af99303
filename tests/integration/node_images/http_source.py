# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A bundle served in the lab's network by a plain server."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.integration.node_images.nodes import wait_for
from ansible_collections.fieldops.openshift.tests.lab.lab import Lab
from ansible_collections.fieldops.openshift.tests.lab.network import GATEWAY


@contextlib.contextmanager
def served(lab: Lab, folder: Path, port: int = 9400) -> Iterator[str]:
    """Serve a bundle in the lab's network with a server that knows no ranges; yield its URL."""
    words = ["-m", "http.server", "--bind", GATEWAY, "--directory", str(folder), str(port)]
    command = lab.command([sys.executable, *words])
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        probe = lab.command(["curl", "--silent", "--fail", f"http://{GATEWAY}:{port}/index.json"])
        wait_for(lambda: subprocess.run(probe, capture_output=True, check=False).returncode == 0, "it serves")
        yield f"http://{GATEWAY}:{port}"
    finally:
        process.kill()
        process.communicate()
