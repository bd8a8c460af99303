# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later


from __future__ import annotations

DOCUMENTATION = r"""
name: helper_run
author: fieldops.openshift contributors (@fieldops)
version_added: 0.1.0
short_description: Return the helper pod run of the current Ansible process
description:
  - Returns the name of the run that P(fieldops.openshift.node_pod#connection) uses by default, so that its pods can
    be removed at the end of a play.
options:
  _terms:
    description: The lookup takes no terms.
"""

EXAMPLES = r"""
- name: Remove the helper pods of this process
  fieldops.openshift.helper_pods:
    state: absent
    run: "{{ lookup('fieldops.openshift.helper_run') }}"
"""

RETURN = r"""
_raw:
  description: The name of the run.
  type: list
  elements: str
"""

import typing as t

from ansible.errors import AnsibleLookupError
from ansible.plugins.lookup import LookupBase

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError
from ansible_collections.fieldops.openshift.plugins.plugin_utils._play_process import own_run


class LookupModule(LookupBase):
    """The lookup as ansible-core finds it."""

    def run(self, terms: list[str], variables: dict[str, t.Any] | None = None, **kwargs: t.Any) -> list[str]:  # noqa: ARG002
        """Return the name of the run."""
        self.set_options(var_options=variables, direct=kwargs)
        try:
            return [own_run().name]
        except FieldOpsError as error:
            raise AnsibleLookupError(str(error)) from error
