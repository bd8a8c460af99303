#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: joining_machines_info
short_description: Gather whether machines that join a cluster find their images at its control plane
version_added: 0.1.0
description:
  - Shows what M(fieldops.openshift.joining_machines) keeps, without its secrets, and for each MachineConfigPool whether
    the configuration of a machine that joins now has it.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._attributes.info
  - fieldops.openshift._attributes.cluster
  - fieldops.openshift._cluster_options
requirements:
  - python >= 3.10
  - kubernetes >= 28.1.0, but neither 36.0.0 nor 36.0.1
seealso:
  - module: fieldops.openshift.joining_machines
"""

EXAMPLES = r"""
- name: See whether a machine can join without a registry
  fieldops.openshift.joining_machines_info:
  register: joining

- name: Wait until it can
  fieldops.openshift.joining_machines_info:
  register: joining
  until: joining.pools | rejectattr('ready') | length == 0
  retries: 60
  delay: 10
"""

RETURN = r"""
prepared:
  description: Whether there is a Secret with what the control plane serves.
  type: bool
  returned: success
  sample: true
problem:
  description: Why this user cannot see it, or nothing.
  type: str
  returned: success
  sample: ""
control_plane:
  description: The nodes of the control plane with their C(name) and C(addresses).
  type: list
  elements: dict
  returned: success
  sample: [{name: master-0, addresses: [192.0.2.10]}]
site:
  description: How machines are served, empty where the site is not prepared.
  type: dict
  returned: success
  contains:
    address:
      description: Where they ask.
      type: str
      sample: 192.0.2.5
    port:
      description: The port there.
      type: int
      sample: 9701
    registry:
      description: Both, as mirrors begin.
      type: str
      sample: "192.0.2.5:9701"
    networks:
      description: Who may ask.
      type: list
      elements: str
      sample: [192.0.2.0/24]
    trust:
      description: How machines come to trust the authority.
      type: str
      sample: user_ca_bundle
    ca:
      description: Its certificate.
      type: str
      sample: "-----BEGIN CERTIFICATE-----..."
    ca_expires:
      description: Until when that is valid.
      type: str
      sample: "2046-11-19T20:00:00Z"
    certificate_names:
      description: The addresses and names that the control plane proves.
      type: list
      elements: str
      sample: [192.0.2.5, 192.0.2.10, api-int.site.example]
    certificate_expires:
      description: Until when it does.
      type: str
      sample: "2029-11-23T20:00:00Z"
    mirror_source_policy:
      description: Whether other registries may be asked, empty where there is no ImageDigestMirrorSet.
      type: str
      sample: NeverContactSource
    repositories:
      description: The repositories that have an entry.
      type: list
      elements: str
      sample: [quay.io/openshift-release-dev/ocp-release]
pools:
  description: The pools of machines, and what the configuration lacks that a machine is given which joins now.
  type: list
  elements: dict
  returned: success
  contains:
    name:
      description: The MachineConfigPool.
      type: str
      sample: worker
    ready:
      description: Whether a machine that joins finds its images.
      type: bool
      sample: false
    lacks:
      description: The C(mirrors), or the C(ca). The pull secret is not looked at.
      type: list
      elements: str
      sample: [mirrors]
actions:
  description: The calls that changed something. This module makes none.
  type: list
  elements: dict
  returned: success
  sample: []
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.joining.joining_machines import (
    joining_report,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_options import CLUSTER_OPTIONS
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_session import cluster_client
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import run
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Result

SPEC = CLUSTER_OPTIONS


def main() -> t.NoReturn:
    run(SPEC, lambda this: Result(objects=joining_report(cluster_client(this))))


if __name__ == "__main__":
    main()
