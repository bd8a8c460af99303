#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: node_reboot
short_description: Reboot the host that the module runs on, once
version_added: 0.1.0
description:
  - Asks for a reboot of the host if it is still in the boot that is to end, and says so if it has left it already. So
    it can be run again at any time without a second reboot.
  - The answer comes before the host goes down. With O(wait=true) the task goes on until the host can be reached again
    and is in another boot.
  - It runs on the host itself, as root, and needs nothing but Python and systemd there.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._wait_options
attributes:
  check_mode:
    support: full
    details: Also a way to find out whether the host can be reached.
  diff_mode:
    support: full
    details: Shows which kind of reboot is requested.
  idempotent:
    support: full
options:
  boot_id:
    description:
      - The identity of the boot that is to end, as C(/proc/sys/kernel/random/boot_id) and the Node object have it.
    type: str
    required: true
  soft:
    description:
      - Whether to reboot the userspace alone, with systemd 254 or newer. The kernel and its boot stay, so that the
        proof that it has happened is the number of soft reboots that systemd counts.
      - What is booted then is what is mounted below C(/run/nextroot), else the same root again. Whether a deployment
        can be reached this way is for whoever prepared it to know; C(bootc status) tells of each.
    type: bool
    default: false
  request:
    description:
      - With O(soft=true), a name for this reboot, and another one for the next. The same request never leads to a
        second reboot.
    type: str
  host_root:
    description:
      - Where the root of the host is mounted, if the module runs in a privileged pod on it.
    type: path
    default: /
requirements:
  - python >= 3.9
  - systemd
seealso:
  - module: fieldops.openshift.node_ready_info
    description: Proves in the cluster that the node is back.
"""

EXAMPLES = r"""
- name: Reboot the host of a node, unless it has rebooted already
  fieldops.openshift.node_reboot:
    boot_id: "{{ site_record.boot_id }}"
    wait: true
    wait_timeout: 900
  delegate_to: worker-1
  become: true
"""

RETURN = r"""
rebooted:
  description: Whether the host is in another boot than the one that was to end.
  type: bool
  returned: success
  sample: true
requested:
  description: Whether this call asked for the reboot, or in check mode would have.
  type: bool
  returned: success
  sample: false
soft:
  description: Whether it was the userspace alone that rebooted, or is to.
  type: bool
  returned: success
  sample: false
boot_id:
  description: The identity of the present boot.
  type: str
  returned: success
  sample: 9a2b7c10-0c1d-4e2f-8a3b-5c6d7e8f9a0b
actions:
  description: The commands that were run, or in check mode would have been.
  type: list
  elements: dict
  returned: success
  sample:
    - {argv: [systemd-run, --quiet, --collect, --unit=fieldops-reboot, --on-active=2s, systemctl, reboot]}
progress:
  description: Where things stand, as RV(fieldops.openshift.cluster_health_info#module:progress).
  type: dict
  returned: success
  sample: {sentence: the host has rebooted, done: true, next_delay: 5.0}
timeline:
  description: What was seen while it waited, one entry for each change, as
    RV(fieldops.openshift.cluster_health_info#module:timeline).
  type: list
  elements: dict
  returned: always
  sample: [{at: '2026-11-21T22:01:07Z', sentence: the host is about to reboot}]
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.reboot import REBOOT_OPTIONS, reboot_step
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import run
from ansible_collections.fieldops.openshift.plugins.module_utils._run.steps import Waiting
from ansible_collections.fieldops.openshift.plugins.module_utils._run.wait_options import WAIT_OPTIONS

SPEC = WAIT_OPTIONS.merged(ArgumentSpec(options=REBOOT_OPTIONS, required_if=[("soft", True, ("request",))]))
WAITING = Waiting("it has rebooted", on="the host")
HOST_MAY_REBOOT = True


def main() -> t.NoReturn:
    run(SPEC, lambda this: reboot_step(this.params, this.clock, check_mode=this.check_mode), WAITING)


if __name__ == "__main__":
    main()
