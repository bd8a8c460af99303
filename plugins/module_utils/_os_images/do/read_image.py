# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What is in the commit of a deployment: bound images, kernel arguments, files of /var; read with ostree."""

from __future__ import annotations

import os
import posixpath

from ansible_collections.fieldops.openshift.plugins.module_utils._host.command_result import CommandError
from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import read_json
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.commands import REPOSITORY
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.host_status import Entry
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.image_content import (
    BOUND_FOLDER,
    BOUND_STORAGE,
    KARGS_FOLDER,
    STORAGE_LIST,
    bound_image,
    kernel_arguments,
    listed_paths,
    stored_names,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.image_spec import REGISTRY, ImageSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import MissingRequirementError

COMMAND_SECONDS = 60.0
STORAGE_LIST_LIMIT = 64 * 1024 * 1024


def bound_images(host: Host, entry: Entry | None, deadline: Deadline) -> tuple[str, ...]:
    """Return the images that the image of ``entry`` binds logically; none on composefs, where ostree knows nothing."""
    if entry is None or entry.checksum is None:
        return ()
    paths = _listed(host, entry.checksum, BOUND_FOLDER, deadline)
    quadlets = [_content(host, entry.checksum, path, deadline) for path in paths]
    return tuple(dict.fromkeys(name for name in map(bound_image, quadlets) if name))


def missing_bound_images(host: Host, wanted: tuple[str, ...]) -> tuple[str, ...]:
    """Return those of ``wanted`` that bootc's own storage does not have."""
    if not wanted:
        return ()
    path = host.path(f"{BOUND_STORAGE}/{STORAGE_LIST}")
    stored = [ImageSpec(REGISTRY, name) for name in stored_names(read_json(path, limit=STORAGE_LIST_LIMIT))]
    return tuple(name for name in wanted if not any(ImageSpec(REGISTRY, name).names_same(one) for one in stored))


def image_kernel_arguments(host: Host, entry: Entry | None, deadline: Deadline) -> tuple[str, ...]:
    """Return what the image of ``entry`` asks for in its kargs.d on this host's architecture."""
    if entry is None or entry.checksum is None:
        return ()
    paths = _listed(host, entry.checksum, KARGS_FOLDER, deadline)
    return kernel_arguments([_content(host, entry.checksum, path, deadline) for path in paths], os.uname().machine)


def var_of_image(host: Host, entry: Entry | None, deadline: Deadline) -> list[str]:
    """Return the names below /var that the image carries: they reach a host only when it is installed."""
    if entry is None or entry.checksum is None:
        return []
    said = _ls(host, entry.checksum, "/var", deadline)
    names = [line.split(None, 4)[4] for line in said.splitlines() if len(line.split(None, 4)) == 5]
    return sorted(name.partition(" -> ")[0] for name in names if name != "/var")


def etc_changes(host: Host, deadline: Deadline) -> list[str] | None:
    """Return what was changed in /etc since the booted image ("M    ssh/sshd_config"), None if unknown."""
    try:
        ended = host.run(["ostree", "admin", "config-diff"], deadline=deadline.within(COMMAND_SECONDS), ok=None)
    except MissingRequirementError:
        return None
    return sorted(ended.stdout.splitlines()) if ended.rc == 0 else None


def _listed(host: Host, checksum: str, folder: str, deadline: Deadline) -> list[str]:
    pairs = listed_paths(_ls(host, checksum, folder, deadline))
    return [posixpath.normpath(posixpath.join(posixpath.dirname(name), target)) for name, target in pairs]


def _ls(host: Host, checksum: str, folder: str, deadline: Deadline) -> str:
    argv = ["ostree", f"--repo={REPOSITORY}", "ls", checksum, folder]
    ended = host.run(argv, deadline=deadline.within(COMMAND_SECONDS), ok=None)
    if ended.rc and "No such file or directory" not in ended.stderr:
        raise CommandError(ended, on=str(host))
    return "" if ended.rc else ended.stdout


def _content(host: Host, checksum: str, path: str, deadline: Deadline) -> str:
    argv = ["ostree", f"--repo={REPOSITORY}", "cat", checksum, path]
    return host.run(argv, deadline=deadline.within(COMMAND_SECONDS)).stdout
