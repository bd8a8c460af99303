# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The templates from which the real machine-config controller makes the MachineConfigs of a role.

Upstream's own hold a whole RHEL CoreOS: its kubelet.service and its configuration of CRI-O would replace the lab's. The
few files here are those that its controllers read again and change (registries, policy, kubelet), as upstream has them,
and one of our own by which a host can be told to have been configured.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.lab.cache import cached, key_of
from ansible_collections.fieldops.openshift.tests.lab.go import OPERATOR, module_directory, pinned_version

ROLES = ("master", "worker")
COMPONENT = "machine-config-operator"
TAKEN = (
    "01-{role}-kubelet/_base/files/kubelet.yaml",
    "01-{role}-container-runtime/_base/files/container-registries.yaml",
    "01-{role}-container-runtime/_base/files/policy.yaml",
)
COMMON = "common/_base/files/container-storage.yaml"
FIRST_BOOT = (
    *(f"common/_base/files/{one}.yaml" for one in ("pull-secret", "additional-trust-bundle", "podman-policy-args")),
    "common/_base/units/machine-config-daemon-pull.service.yaml",
)
"""What a machine's first boot needs, for labs in which one joins."""
RELEASE_FILE = "/etc/lab-release"
OWN = """\
mode: 0644
path: "{path}"
contents:
  inline: |
    role {role}
"""


def templates(further: Sequence[str] = ()) -> Path:
    """Return a directory of templates for ``--templates``, with ``further`` ones of upstream's; cached."""

    def build(directory: Path) -> None:
        upstream = module_directory(OPERATOR, COMPONENT) / "templates"
        for name in [COMMON, *further, *(f"{role}/{one.format(role=role)}" for role in ROLES for one in TAKEN)]:
            (directory / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(upstream / name, directory / name)
        for role in ROLES:
            own = directory / role / f"00-{role}/_base/files/lab-release.yaml"
            own.parent.mkdir(parents=True)
            own.write_text(OWN.format(path=RELEASE_FILE, role=role))

    key = key_of([pinned_version(OPERATOR, COMPONENT), repr((ROLES, TAKEN, COMMON, *further)), RELEASE_FILE, OWN])
    return cached("machine-config-templates", key, build)
