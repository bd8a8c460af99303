# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
name: private_folder
author: fieldops.openshift contributors (@fieldops)
version_added: 0.1.0
short_description: Create a folder that only the current user can access
description:
  - Creates a folder for secrets on the controller, in memory if possible, and returns its path. The path is the same
    in each run of the same user, so that files of an interrupted play can be found.
  - Fails if the path is already used by something else, such as a link or a folder of another user.
options:
  _terms:
    description: The purpose of the folder, in letters, digits and hyphens.
    type: list
    elements: str
    required: true
"""

EXAMPLES = r"""
- name: Create a folder for the secret of this run
  ansible.builtin.set_fact:
    place: "{{ lookup('fieldops.openshift.private_folder', 'serve-6a27f17afcd2') }}"
"""

RETURN = r"""
_raw:
  description: The paths, one for each given purpose.
  type: list
  elements: str
"""

import os
import typing as t
from pathlib import Path

from ansible.errors import AnsibleLookupError
from ansible.plugins.lookup import LookupBase

from ansible_collections.fieldops.openshift.plugins.module_utils._host.directories import ensure_private_directory
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError

MEMORY = Path("/dev/shm")  # noqa: S108 - what is there already is refused unless it is ours
DISK = Path("/tmp")  # noqa: S108


class LookupModule(LookupBase):
    """The lookup as ansible-core finds it."""

    def run(self, terms: list[str], variables: dict[str, t.Any] | None = None, **kwargs: t.Any) -> list[str]:  # noqa: ARG002
        """Make a folder for each of ``terms`` and return the paths."""
        base = MEMORY if MEMORY.is_dir() else DISK
        return [_made(base, str(term)) for term in terms]


def _made(base: Path, name: str) -> str:
    if not name.replace("-", "").isalnum():
        raise AnsibleLookupError(f"private_folder: {name!r:.60} is not a name of letters, digits and hyphens")
    path = base / f"fieldops-{os.geteuid()}-{name}"
    try:
        ensure_private_directory(path)
    except FieldOpsError as error:
        raise AnsibleLookupError(f"private_folder: {error}") from error
    return str(path)
