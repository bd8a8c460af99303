#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: release_admission
short_description: Let a cluster admit only releases that every node is ready for
version_added: 0.1.0
description:
  - Creates a C(ValidatingAdmissionPolicy) on the C(ClusterVersion) with its binding. The API server then refuses a
    release that M(fieldops.openshift.release_readiness) has not recorded as ready on every node, also where the console
    or C(oc) asks for it.
  - An update that has begun may finish, and the present release can always be asked for. One release is admitted in
    any case while the C(ClusterVersion) has the annotation C(fieldops.openshift/release-readiness-override) with its
    digest.
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
options:
  state:
    description: Whether the policy is in force. The record of the nodes' readiness is kept in any case.
    type: str
    choices: [present, absent]
    default: present
requirements:
  - python >= 3.10
  - kubernetes >= 28.1.0, but neither 36.0.0 nor 36.0.1
notes:
  - OpenShift serves this API as of 4.17. On earlier releases the module fails.
  - The rights to create admission policies are those of an administrator of the cluster.
  - C(extensions/rbac/release-admission.yml) of this collection has the same objects for other tools.
seealso:
  - module: fieldops.openshift.release_readiness
"""

EXAMPLES = r"""
- name: Let the API server refuse releases that a node is not ready for
  fieldops.openshift.release_admission:

- name: Take the policy away
  fieldops.openshift.release_admission:
    state: absent
"""

RETURN = r"""
policy:
  description: The name of the policy and of its binding, empty where there is none.
  type: str
  returned: success
  sample: fieldops-openshift-release-readiness
actions:
  description: The calls that changed something, or in check mode would have.
  type: list
  elements: dict
  returned: success
  sample:
    - {verb: create, kind: ValidatingAdmissionPolicy, name: fieldops-openshift-release-readiness, dry_run: false}
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.do.release_admission import (
    ensure_admission,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_options import CLUSTER_OPTIONS
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_session import cluster_client
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import run

SPEC = CLUSTER_OPTIONS.merged(
    ArgumentSpec(options={"state": {"type": "str", "choices": ["present", "absent"], "default": "present"}})
)


def main() -> t.NoReturn:
    run(SPEC, lambda this: ensure_admission(cluster_client(this), this.params["state"]).as_result())


if __name__ == "__main__":
    main()
