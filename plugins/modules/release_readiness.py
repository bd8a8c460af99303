#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: release_readiness
short_description: Record in the cluster whether every node is ready for a release
version_added: 0.1.0
description:
  - Judges what nodes have answered to M(fieldops.openshift.node_info) and records it in the ConfigMap
    C(release-readiness) of the namespace C(fieldops-openshift), with the conditions C(Present), C(Pinned), C(Servable)
    and C(OSImageFindable) of each node.
  - Where M(fieldops.openshift.release_admission) has laid its policy, the API server refuses a release that is not
    recorded as ready on every node, also where the console or C(oc) asks for it. An update that has begun is not
    affected.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._attributes.cluster
  - fieldops.openshift._cluster_options
attributes:
  check_mode:
    support: full
    details: The API server tries every write without keeping it.
  diff_mode:
    support: full
  idempotent:
    support: full
    details: The instant of the check alone is no change.
options:
  state:
    description: With V(present) the release is recorded, with V(absent) it is forgotten and so not ready.
    type: str
    choices: [present, absent]
    default: present
  digest:
    description: The digest of the release image, C(sha256:...).
    type: str
    required: true
  version:
    description: Its version. Where the next OS image is looked for depends on it.
    type: str
  answers:
    description:
      - The C(results) of a registered loop with M(fieldops.openshift.node_info) over all nodes of the cluster,
        by the names that they have there. A node that is not among them, or that could not be asked, is not ready.
    type: list
    elements: dict
requirements:
  - python >= 3.10
  - kubernetes >= 28.1.0, but neither 36.0.0 nor 36.0.1
notes:
  - The last ten releases are kept.
  - The rights that it needs are in C(extensions/rbac/release-readiness.yml) of this collection.
seealso:
  - module: fieldops.openshift.release_admission
  - module: fieldops.openshift.cluster_update_info
  - module: fieldops.openshift.node_info
"""

EXAMPLES = r"""
- name: Ask every node
  fieldops.openshift.node_info:
    index_digest: "{{ bundle.index_digest }}"
  delegate_to: "{{ node }}"
  become: true
  ignore_unreachable: true
  loop: "{{ nodes }}"
  loop_control:
    loop_var: node
  register: asked

- name: Record what they answered
  fieldops.openshift.release_readiness:
    digest: "{{ bundle.release | regex_replace('^.*@', '') }}"
    version: "{{ bundle.version }}"
    answers: "{{ asked.results }}"
"""

RETURN = r"""
release:
  description: >-
    The release as it is recorded, empty where it is forgotten, as an entry of
    RV(fieldops.openshift.cluster_update_info#module:readiness).
  type: dict
  returned: success
  sample: {digest: 'sha256:0f1c...', version: 4.21.4, checked: '2026-11-28T20:14:00Z'}
actions:
  description: The calls that changed something, or in check mode would have.
  type: list
  elements: dict
  returned: success
  sample:
    - {verb: patch, kind: ConfigMap, namespace: fieldops-openshift, name: release-readiness, dry_run: false}
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.do.release_readiness import (
    record_readiness,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_options import CLUSTER_OPTIONS
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_session import cluster_client
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import run

SPEC = CLUSTER_OPTIONS.merged(
    ArgumentSpec(
        options={
            "state": {"type": "str", "choices": ["present", "absent"], "default": "present"},
            "digest": {"type": "str", "required": True},
            "version": {"type": "str"},
            "answers": {"type": "list", "elements": "dict"},
        },
        required_if=[("state", "present", ("version", "answers"))],
    )
)


def main() -> t.NoReturn:
    run(SPEC, lambda this: record_readiness(cluster_client(this), this.params))


if __name__ == "__main__":
    main()
