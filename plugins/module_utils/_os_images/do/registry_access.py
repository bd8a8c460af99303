# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Credentials and a mirror for the time of one pull: placed on the host, and taken away again however that ends.

bootc and rpm-ostree take credentials from the first of /run/ostree/auth.json, /etc/ostree/auth.json and
/usr/lib/ostree/auth.json, whole (``crates/ostree-ext/src/globals.rs``); mirrors from containers-registries.conf.d(5).
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator

from ansible_collections.fieldops.openshift.plugins.module_utils._host.directories import ensure_directory
from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_names import move_file
from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import read_file, remove_file, write_file
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.goal import Goal
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

AUTH_FILE = "/run/ostree/auth.json"
MIRROR_FILE = "/etc/containers/registries.conf.d/zz-fieldops-os-image.conf"

_SAVED = "/run/ostree/auth.json.fieldops-saved"
_MARK = "/run/ostree/auth.json.fieldops"
_THERE, _ABSENT = b"there was one", b"there was none"


@contextlib.contextmanager
def registry_access(host: Host, goal: Goal, auth: str | None) -> Iterator[str | None]:
    """Have ``auth`` (the text of an auth.json) and the goal's mirror in place for the block; yields the auth file."""
    take_away(host)
    try:
        if goal.mirror is not None:
            write_file(host.path(MIRROR_FILE), _mirror_rule(goal))
        if auth is not None:
            _place(host, auth)
        yield AUTH_FILE if host.path(AUTH_FILE).exists() else None
    finally:
        take_away(host)


def has_leftovers(host: Host) -> bool:
    """Whether an interrupted run has left credentials or a mirror behind."""
    return any(host.path(path).exists() for path in (_MARK, MIRROR_FILE))


def take_away(host: Host) -> None:
    """Remove what an earlier run has placed, and put back what was there before."""
    if host.path(MIRROR_FILE).exists():
        remove_file(host.path(MIRROR_FILE))
    mark = read_file(host.path(_MARK)) if host.path(_MARK).exists() else None
    if mark is None:
        return
    saved, auth = host.path(_SAVED), host.path(AUTH_FILE)
    if saved.exists() or saved.is_symlink():
        move_file(saved, auth)
    elif mark != _THERE:
        remove_file(auth)
    remove_file(host.path(_MARK))


def _place(host: Host, auth: str) -> None:
    """Write the credentials; the mark goes first, so that the next run after a kill knows what to restore."""
    _check(auth)
    target = host.path(AUTH_FILE)
    if not target.parent.is_dir():
        ensure_directory(target.parent)
    was_there = target.exists() or target.is_symlink()
    write_file(host.path(_MARK), _THERE if was_there else _ABSENT, mode=0o600)
    if was_there:
        move_file(target, host.path(_SAVED))
    write_file(target, auth, mode=0o600)


def _check(auth: str) -> None:
    try:
        document = json.loads(auth)
    except ValueError:
        document = None
    if not isinstance(document, dict) or not isinstance(document.get("auths", {}), dict):
        # Not a word of it: it is secret.
        raise InvalidInputError(
            "read the credentials for the registry",
            on="registry_auth",
            seen="it is not a JSON object with auths",
            advice="Set the content of an auth.json, see containers-auth.json(5).",
        )


def _mirror_rule(goal: Goal) -> str:
    repository = json.dumps(goal.image.repository if goal.image is not None else "")
    mirror = f"[[registry.mirror]]\nlocation = {json.dumps(goal.mirror)}\n"
    mirror += "insecure = true\n" if goal.mirror_insecure else ""
    head = "# Written by fieldops.openshift.os_image for the time of one pull.\n[[registry]]\n"
    return f"{head}prefix = {repository}\nlocation = {repository}\n{mirror}"
