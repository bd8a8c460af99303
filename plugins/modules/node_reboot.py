#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: node_reboot
short_description: Reboot a host once
version_added: 0.1.0
description:
  - Requests a reboot of the host if it is still in the specified boot. If the host has already left that boot,
    nothing is done. The module can therefore be repeated safely without a second reboot.
  - The module returns before the host goes down. With O(wait=true), the task waits until the host is reachable and in
    a different boot.
  - The module runs on the host itself as root, and requires only Python and systemd there.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._wait_options
attributes:
  check_mode:
    details: Also checks that the host is reachable.
  diff_mode:
    details: Shows the type of reboot that is requested.
options:
  boot_id:
    description:
      - The ID of the boot to end, as in C(/proc/sys/kernel/random/boot_id) and in the Node object.
    type: str
    required: true
  soft:
    description:
      - Whether to reboot only the userspace, which requires systemd 254 or later. The kernel and the boot ID do not
        change, so the reboot is verified with the soft reboot counter of systemd.
      - The host boots the root file system that is mounted on C(/run/nextroot), or the current root file system
        otherwise. The module does not check whether a deployment supports soft reboots. Use C(bootc status) to check
        it.
    type: bool
    default: false
  request:
    description:
      - With O(soft=true), a name for this reboot. Use a different name for each reboot. The same request never causes
        a second reboot.
    type: str
  host_root:
    description:
      - The mount point of the host's root file system, if the module runs in a privileged pod.
    type: path
    default: /
requirements:
  - python >= 3.9
  - systemd
seealso:
  - module: fieldops.openshift.node_ready_info
    description: Verifies in the cluster that the node is back.
"""

EXAMPLES = r"""
- name: Reboot the host of a node, unless it has already rebooted
  fieldops.openshift.node_reboot:
    boot_id: "{{ site_record.boot_id }}"
    wait: true
    wait_timeout: 900
  delegate_to: worker-1
  become: true
"""

RETURN = r"""
rebooted:
  description: Whether the host is in a different boot than the specified one.
  type: bool
  returned: success
  sample: true
requested:
  description: Whether this call requested the reboot, or would have requested it in check mode.
  type: bool
  returned: success
  sample: false
soft:
  description: Whether only the userspace is rebooted.
  type: bool
  returned: success
  sample: false
boot_id:
  description: The ID of the current boot.
  type: str
  returned: success
  sample: 9a2b7c10-0c1d-4e2f-8a3b-5c6d7e8f9a0b
actions:
  description: The commands that were run, or that would be run in check mode.
  type: list
  elements: dict
  returned: success
  sample:
    - {argv: [systemd-run, --quiet, --collect, --unit=fieldops-reboot, --on-active=2s, systemctl, reboot]}
progress:
  description: The current progress, in the same format as RV(fieldops.openshift.cluster_health_info#module:progress).
  type: dict
  returned: success
  sample: {sentence: the host has rebooted, done: true, next_delay: 5.0}
timeline:
  description: The progress messages observed while waiting, one entry for each change, in the same format as
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
