# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.
"""Where container tools of this user keep logins and certificates: paths of its environment, whether they exist or not.

Source: containers-auth.json(5), containers-certs.d(5); containers/image ``pkg/docker/config``.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

_CHOICE = "REGISTRY_AUTH_FILE"


def chosen_auth_file(environment: Mapping[str, str]) -> str | None:
    """Return the file that REGISTRY_AUTH_FILE names; raise InvalidInputError if there is none."""
    chosen = environment.get(_CHOICE)
    if not chosen:
        return None
    path = Path(chosen).absolute()
    if not path.is_file():
        raise InvalidInputError(
            f"read the file in {_CHOICE}",
            on=str(path),
            seen="there is no such file",
            advice=f"Correct the environment variable {_CHOICE}, or set pull_secret.",
        )
    return str(path)


def auth_files(environment: Mapping[str, str]) -> tuple[str, ...]:
    """Return the files with logins in the order in which podman, skopeo and CRI-O look into them."""
    home, user = _home(environment), os.getuid()
    runtime = environment.get("XDG_RUNTIME_DIR")
    first = [f"{runtime}/containers"] if runtime else [f"/run/containers/{user}", f"/run/user/{user}/containers"]
    docker = environment.get("DOCKER_CONFIG") or f"{home}/.docker"
    return (
        *(f"{folder}/auth.json" for folder in first),
        f"{environment.get('XDG_CONFIG_HOME') or f'{home}/.config'}/containers/auth.json",
        f"{Path(docker).absolute()}/config.json",
        f"{home}/.dockercfg",
    )


def certs_dirs(environment: Mapping[str, str]) -> tuple[str, ...]:
    """Return the folders with certificates for single registries, the first of which counts."""
    return (f"{_home(environment)}/.config/containers/certs.d", "/etc/containers/certs.d", "/etc/docker/certs.d")


def _home(environment: Mapping[str, str]) -> str:
    # The arbitrary user of a container platform may have no home at all.
    try:
        return environment.get("HOME") or str(Path("~").expanduser())
    except RuntimeError:
        return "/"
