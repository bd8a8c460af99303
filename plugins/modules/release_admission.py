#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: release_admission
short_description: Restrict cluster updates to releases that every node is ready for
version_added: 0.1.0
description:
  - Creates a C(ValidatingAdmissionPolicy) for the C(ClusterVersion) and its binding. The API server then rejects
    releases that M(fieldops.openshift.release_readiness) has not recorded as ready on every node, including requests
    from the web console and C(oc).
  - An update that has started can be finished, and the current release can always be requested. To admit a single
    release in any case, set the annotation C(fieldops.openshift/release-readiness-override) of the C(ClusterVersion)
    to its digest.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._attributes.cluster
  - fieldops.openshift._cluster_options
attributes:
  check_mode:
    details: Sends every write to the API server as a dry run.
options:
  state:
    description: Whether the policy exists. The readiness record of the nodes is kept in any case.
    type: str
    choices: [present, absent]
    default: present
notes:
  - OpenShift serves this API since release 4.17. On earlier releases, the module fails.
  - Creating admission policies requires the permissions of a cluster administrator.
  - C(extensions/rbac/release-admission.yml) of this collection contains the same objects for use with other tools.
seealso:
  - module: fieldops.openshift.release_readiness
"""

EXAMPLES = r"""
- name: Reject releases that a node is not ready for
  fieldops.openshift.release_admission:

- name: Remove the policy
  fieldops.openshift.release_admission:
    state: absent
"""

RETURN = r"""
policy:
  description: The name of the policy and its binding. Empty if there is no policy.
  type: str
  returned: success
  sample: fieldops-openshift-release-readiness
actions:
  description: The API calls that made changes, or that would be made in check mode.
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
    run(SPEC, lambda this: ensure_admission(cluster_client(this), this.params["state"]))


if __name__ == "__main__":
    main()
