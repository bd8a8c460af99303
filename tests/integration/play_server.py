# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The program that ``plays.py`` has plays made by: it imports what each of them needs once, and forks for every play.

Four of five seconds of processors that a small play uses go into starting Python, Ansible and the Kubernetes client. A
play that is forked here is a process of its own with its own environment, configuration, folder and session; what
ansible-playbook does after it was imported is done by each.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import json
import os
import pkgutil
import random
import socket
import sys
import tempfile
import time
import typing as t
import warnings

LARGEST = 2**20
"""Bytes of what a play is told: arguments and environment."""
CORE = [f"ansible.plugins.{kind}" for kind in ("action", "filter", "test", "lookup", "inventory", "vars")]
OURS = [f"ansible_collections.fieldops.openshift.plugins.{kind}" for kind in ("action", "filter", "test", "lookup")]
MODULES = (
    *("callback.default", "connection.local", "shell.sh", "strategy.linear", "cache.memory"),
    *("become.sudo", "loader"),
)


def import_everything() -> None:
    """Import what plays import; nothing of it may start a thread, which a fork would lose."""
    importlib.import_module("ansible.cli.playbook")
    for name in MODULES:
        importlib.import_module(f"ansible.plugins.{name}")
    loader = sys.modules["ansible.plugins.loader"]
    loader.init_plugin_loader()
    for package in (*CORE, *OURS):
        for found in pkgutil.iter_modules(importlib.import_module(package).__path__, f"{package}."):
            importlib.import_module(found.name)
    for kind in (loader.filter_loader, loader.test_loader):
        list(kind.all())  # what a template may use is looked up once by each process


def serve(door: socket.socket) -> None:
    """Fork for every request that comes through ``door`` until its other end is closed.

    A request is one JSON object, and brings two descriptors: where the play is told of, and where it writes to. This
    returns in the process of a play too, when that process is to run it.
    """
    while True:
        message, files, _flags, _address = socket.recv_fds(door, LARGEST, 2)
        if not message:
            return
        if not os.fork():
            door.close()
            keep(json.loads(message), *files)
            return
        for file in files:
            os.close(file)
        with_children_that_ended()


def with_children_that_ended() -> None:
    """Take note of the children that have ended, so that what they used counts."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


def keep(request: dict[str, t.Any], teller: int, output: int) -> None:
    """Fork once more; tell of the play's process and, when it has ended, with which status. Return in the play."""
    play = os.fork()
    if not play:
        os.close(teller)
        become(request, output)
        return
    os.close(output)
    os.write(teller, f"{play}\n".encode())
    _play, status = os.waitpid(play, 0)
    os.write(teller, f"{os.waitstatus_to_exitcode(status)}\n".encode())
    os._exit(0)


def become(request: dict[str, t.Any], output: int) -> None:
    """Make this process what a new one would be with this environment, in this folder, writing to ``output``."""
    os.setsid()
    for target in (1, 2):
        os.dup2(output, target)
    os.close(output)
    os.chdir(request["cwd"])
    os.environ.clear()
    os.environ.update(request["env"])
    time.tzset()
    random.seed()
    tempfile.tempdir = None
    sys.argv = request["argv"]
    atexit.unregister(sys.modules["ansible.utils.path"].cleanup_tmp_file)  # it would remove what was made before
    warnings.filterwarnings("ignore", "AnsibleCollectionFinder has already been configured")
    importlib.reload(sys.modules["ansible.constants"])


def main() -> None:
    """Serve; in a forked process run the play."""
    home = os.getpid()
    import_everything()
    gc.freeze()
    with socket.socket(fileno=int(sys.argv[1])) as door:
        serve(door)
    if os.getpid() != home:
        sys.modules["ansible.cli.playbook"].main()


if __name__ == "__main__":
    main()
