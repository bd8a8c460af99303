#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: node_csr_approval
short_description: Approve the pending kubelet CSRs of a node after verifying them
version_added: 0.1.0
description:
  - A node that was away for a long time requests new certificates, but OpenShift does not approve client certificate
    requests of nodes that already exist. The kubelet cannot come back until the request is approved.
  - A request is approved only if the node itself created it, as authenticated by the API server, with its own
    subject, only the key usages of a kubelet, and only the addresses of its Node object. All other requests, in
    particular those of a bootstrap identity, are left for manual approval with C(oc adm certificate approve).
  - With O(wait=true), the module continues until the kubelet is back and no request is pending.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._attributes.cluster
  - fieldops.openshift._cluster_options
  - fieldops.openshift._wait_options
  - fieldops.openshift._rollout_options
attributes:
  diff_mode:
    details: Shows the condition of each approved request.
options:
  name:
    description:
      - The name of the node.
    type: str
    required: true
  boot_id:
    description:
      - The ID of the boot before the reboot, as returned in RV(fieldops.openshift.rollout_record#module:boot_id).
    type: str
    default: ""
  heartbeat:
    description:
      - The last time that the node reported before its reboot, by its own clock.
    type: str
    default: ""
notes:
  - The required RBAC permissions are in C(extensions/rbac/rollout.yml) of this collection, in a separate role.
"""

EXAMPLES = r"""
- name: Approve the CSRs of a node after its reboot
  fieldops.openshift.node_csr_approval:
    name: worker-1
    boot_id: "{{ site_record.boot_id }}"
    heartbeat: "{{ site_record.heartbeat }}"
    wait: true
"""

RETURN = r"""
approved:
  description: The approved requests.
  type: list
  elements: dict
  returned: success
  sample:
    - name: csr-x7k2p
      signer: kubernetes.io/kubelet-serving
      username: system:node:worker-1
      created: "2026-11-21T22:05:40Z"
      obstacle: ""
pending:
  description: The requests that need manual approval, with the reason in RV(ignore:obstacle).
  type: list
  elements: dict
  returned: success
  sample: []
actions:
  description: The API calls that made changes, or that would be made in check mode.
  type: list
  elements: dict
  returned: success
  sample:
    - {verb: patch, kind: CertificateSigningRequest/approval, namespace: null, name: csr-x7k2p, dry_run: false}
progress:
  description: The current progress, in the same format as RV(fieldops.openshift.cluster_health_info#module:progress).
  type: dict
  returned: success
  sample: {sentence: 'worker-1: its kubelet has its certificates', done: true, next_delay: 3.0}
timeline:
  description: The progress messages observed while waiting, one entry for each change.
  type: list
  elements: dict
  returned: always
  sample:
    - {at: "2026-11-21T22:01:07Z", sentence: "worker-1: csr-x7k2p was approved"}
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.signing_requests import (
    CERTIFICATE_OPTIONS,
    certificate_step,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_options import CLUSTER_OPTIONS
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_session import cluster_client
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import run
from ansible_collections.fieldops.openshift.plugins.module_utils._run.steps import Waiting
from ansible_collections.fieldops.openshift.plugins.module_utils._run.wait_options import WAIT_OPTIONS

SPEC = CLUSTER_OPTIONS.merged(WAIT_OPTIONS, ArgumentSpec(options=CERTIFICATE_OPTIONS))
WAITING = Waiting("its certificate requests are approved", on="the node")


def main() -> t.NoReturn:
    run(SPEC, lambda this: certificate_step(cluster_client(this), this.params), WAITING)


if __name__ == "__main__":
    main()
