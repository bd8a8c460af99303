# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
name: private_folder
author: fieldops.openshift contributors (@fieldops)
version_added: 0.1.0
short_description: Create or remove a folder that only the current user can access
description:
  - Creates a folder for secrets on the controller, in memory if possible, and returns its path. The path is the same
    in each run of the same user, so that files of an interrupted play can be found.
  - Plays of the same user that run at the same time share the folder. It is removed by the last of them.
  - Fails if the path is already used by something else, such as a link or a folder of another user.
options:
  _terms:
    description: The purpose of the folder, in letters, digits and hyphens.
    type: list
    elements: str
    required: true
  state:
    description:
      - V(absent) removes the folder, unless another running play of this user has created it as well. The paths of
        such folders are not returned.
    type: str
    choices: [present, absent]
    default: present
"""

EXAMPLES = r"""
- name: Create a folder for the secret of this run
  ansible.builtin.set_fact:
    place: "{{ lookup('fieldops.openshift.private_folder', 'serve-6a27f17afcd2') }}"

- name: Remove it if no other play uses it
  ansible.builtin.set_fact:
    removed: "{{ query('fieldops.openshift.private_folder', 'serve-6a27f17afcd2', state='absent') }}"
"""

RETURN = r"""
_raw:
  description: The paths, one for each given purpose. With O(state=absent), those that do not exist any more.
  type: list
  elements: str
"""

import os
import typing as t
from pathlib import Path

from ansible.errors import AnsibleLookupError
from ansible.plugins.lookup import LookupBase

from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._host.shared_folder import join_folder, leave_folder
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError
from ansible_collections.fieldops.openshift.plugins.plugin_utils._play_process import play_process

MEMORY = Path("/dev/shm")  # noqa: S108 - what is there already is refused unless it is ours
DISK = Path("/tmp")  # noqa: S108
SECONDS = 30.0


class LookupModule(LookupBase):
    """The lookup as ansible-core finds it."""

    def run(self, terms: list[str], variables: dict[str, t.Any] | None = None, **kwargs: t.Any) -> list[str]:  # noqa: ARG002
        """Make or leave a folder for each of ``terms`` and return the paths."""
        change = _CHANGES.get(kwargs.get("state", "present"))
        if change is None:
            raise AnsibleLookupError(f"private_folder: state is {kwargs['state']!r:.60}, not {' or '.join(_CHANGES)}")
        try:
            return [str(path) for path in map(_path, terms) if change(path)]
        except FieldOpsError as error:
            raise AnsibleLookupError(f"private_folder: {error}") from error


def _path(term: object) -> Path:
    name = str(term)
    if not name.replace("-", "").isalnum():
        raise AnsibleLookupError(f"private_folder: {name!r:.60} is not a name of letters, digits and hyphens")
    return (MEMORY if MEMORY.is_dir() else DISK) / f"fieldops-{os.geteuid()}-{name}"


def _joined(path: Path) -> bool:
    join_folder(path, play_process(), Deadline(SECONDS, SystemClock()))
    return True


def _left(path: Path) -> bool:
    return leave_folder(path, play_process(), Deadline(SECONDS, SystemClock()))


_CHANGES = {"present": _joined, "absent": _left}
