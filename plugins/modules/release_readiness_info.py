#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: release_readiness_info
short_description: Gather for which releases every node of the cluster is ready
version_added: 0.1.0
description:
  - Reads what M(fieldops.openshift.release_readiness) has recorded. A cluster without a record has no releases.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._attributes.cluster
  - fieldops.openshift._cluster_options
attributes:
  check_mode:
    support: full
  diff_mode:
    support: none
  idempotent:
    support: full
options:
  digest:
    description: The digest of one release image, C(sha256:...). Without it all recorded releases are returned.
    type: str
requirements:
  - python >= 3.10
  - kubernetes >= 28.1.0, but neither 36.0.0 nor 36.0.1
seealso:
  - module: fieldops.openshift.release_readiness
"""

EXAMPLES = r"""
- name: See for which releases the nodes are ready
  fieldops.openshift.release_readiness_info:
  register: readiness

- name: Show the releases that every node is ready for
  ansible.builtin.debug:
    msg: "{{ readiness.releases | selectattr('ready') | map(attribute='version') }}"
"""

RETURN = r"""
releases:
  description: The recorded releases, the last checked first.
  type: list
  elements: dict
  returned: success
  contains:
    digest:
      description: The digest of the release image.
      type: str
      sample: "sha256:0f1c..."
    version:
      description: Its version.
      type: str
      sample: 4.21.4
    checked:
      description: When something of it changed last.
      type: str
      sample: "2026-11-28T20:14:00Z"
    ready:
      description: Whether every node is.
      type: bool
      sample: true
    sentence:
      description: Which nodes are not ready and why, for a person.
      type: str
      sample: "4 of 5 nodes are ready for 4.21.4; worker-2: the node does not know the bundle"
    nodes:
      description: Each node with its C(name), whether it is C(ready), and its C(conditions).
      type: list
      elements: dict
      sample: []
actions:
  description: The calls that changed something. This module makes none.
  type: list
  elements: dict
  returned: success
  sample: []
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.do.release_readiness import (
    read_readiness,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_options import CLUSTER_OPTIONS
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_session import cluster_client
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import ModuleRun, run
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Result

SPEC = CLUSTER_OPTIONS.merged(ArgumentSpec(options={"digest": {"type": "str"}}))


def main() -> t.NoReturn:
    def look(this: ModuleRun) -> Result:
        known = read_readiness(cluster_client(this))
        wanted = this.params["digest"]
        return Result(objects={"releases": [one.as_result() for one in known if wanted in (None, one.digest)]})

    run(SPEC, look)


if __name__ == "__main__":
    main()
