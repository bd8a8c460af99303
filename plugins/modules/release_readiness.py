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
  - Evaluates the results of M(fieldops.openshift.node_info) for all nodes, and records them in the ConfigMap
    C(release-readiness) in the namespace C(fieldops-openshift), with the conditions C(Present), C(Pinned),
    C(Servable) and C(OSImageFindable) for each node.
  - If M(fieldops.openshift.release_admission) has created its admission policy, the API server rejects releases that
    are not recorded as ready on every node, including requests from the web console and C(oc). An update that has
    started is not affected.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._attributes.cluster
  - fieldops.openshift._cluster_options
attributes:
  check_mode:
    details: Sends every write to the API server as a dry run.
  idempotent:
    details: A different time of the check alone does not count as a change.
options:
  state:
    description: V(present) records the release. V(absent) removes the record, so that the release is not ready.
    type: str
    choices: [present, absent]
    default: present
  digest:
    description: The digest of the release image, C(sha256:...).
    type: str
    required: true
  version:
    description: The version of the release. It determines where the next OS image is expected.
    type: str
  answers:
    description:
      - The C(results) of a registered loop with M(fieldops.openshift.node_info) over all nodes of the cluster, by
        their node names. A node that is missing in the results or could not be queried is not ready.
    type: list
    elements: dict
notes:
  - The last ten releases are kept.
  - The required RBAC permissions are in C(extensions/rbac/release-readiness.yml) of this collection.
seealso:
  - module: fieldops.openshift.release_admission
  - module: fieldops.openshift.cluster_update_info
  - module: fieldops.openshift.node_info
"""

EXAMPLES = r"""
- name: Gather the images of every node
  fieldops.openshift.node_info:
    index_digest: "{{ bundle.index_digest }}"
  delegate_to: "{{ node }}"
  become: true
  ignore_unreachable: true
  loop: "{{ nodes }}"
  loop_control:
    loop_var: node
  register: asked

- name: Record the readiness of the nodes
  fieldops.openshift.release_readiness:
    digest: "{{ bundle.release | regex_replace('^.*@', '') }}"
    version: "{{ bundle.version }}"
    answers: "{{ asked.results }}"
"""

RETURN = r"""
release:
  description: >-
    The recorded release, in the same format as the entries of
    RV(fieldops.openshift.cluster_update_info#module:readiness). Empty if the record was removed.
  type: dict
  returned: success
  sample: {digest: 'sha256:0f1c...', version: 4.21.4, checked: '2026-11-28T20:14:00Z'}
actions:
  description: The API calls that made changes, or that would be made in check mode.
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
