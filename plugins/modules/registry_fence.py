#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: registry_fence
short_description: Keep a node from asking registries
version_added: 0.1.0
description:
  - Blocks registries in the configuration of container tools on the node that the task runs on, so that CRI-O, podman
    and skopeo refuse at once to ask them. What is in the container storage is used as before.
  - Put up for the time of an update it proves that nothing of a bundle is fetched from outside, and turns waiting for
    a registry that does not answer into a clear refusal.
  - Mirrors of a blocked registry are not asked either as long as the fence is there. Images of others in the same
    registry cannot be pulled meanwhile.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._host_options
attributes:
  check_mode:
    support: full
  diff_mode:
    support: full
  idempotent:
    support: full
options:
  state:
    description:
      - With V(present) the registries are blocked, and CRI-O has refused to ask the first of them.
      - With V(absent) the fence is gone and everything is as before.
    type: str
    choices: [present, absent]
    default: present
  registries:
    description: Registries, or repositories of one, such as V(quay.io) or V(quay.io/openshift-release-dev).
    type: list
    elements: str
    default: []
  index_digest:
    description: All registries of the images in the bundle with this index, C(sha256:...), staged on the node.
    type: str
seealso:
  - module: fieldops.openshift.registry_fence_info
"""

EXAMPLES = r"""
- name: Let the node ask nobody for the images of the bundle
  fieldops.openshift.registry_fence:
    index_digest: sha256:6a27f17afcd2a65a0ba8ee3e3a7d4a6f2f6cbf3f2c8e4a1d7b9c0e5f3a1b2c3d
  become: true

- name: Take the fence away
  fieldops.openshift.registry_fence:
    state: absent
  become: true
"""

RETURN = r"""
registries:
  description: What is blocked.
  type: list
  elements: str
  returned: success
  sample: [quay.io, quay.io/openshift-release-dev/ocp-release, quay.io/openshift-release-dev/ocp-v4.0-art-dev]
actions:
  description: What was done, or would be in check mode.
  type: list
  elements: dict
  returned: success
  sample:
    - action: write
      path: /etc/containers/registries.conf.d/zz-fieldops-fence.conf
    - action: run
      argv: [systemctl, reload, crio.service]
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.registry_fence import ensure_fence
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.host_options import HOST_OPTIONS, host_of
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import ModuleRun, run_module
from ansible_collections.fieldops.openshift.plugins.module_utils._run.results import Result

SPEC = ArgumentSpec(
    options={
        "state": {"type": "str", "choices": ["present", "absent"], "default": "present"},
        "registries": {"type": "list", "elements": "str", "default": []},
        "index_digest": {"type": "str"},
    }
).merged(HOST_OPTIONS)


def main() -> t.NoReturn:
    def work(run: ModuleRun) -> Result:
        done = ensure_fence(host_of(run), run.params, check_mode=run.check_mode)
        diff = {"before": done.before, "after": done.after}
        return Result(done.changed, {"registries": list(done.registries)}, done.actions, diff)

    run_module(SPEC, work)


if __name__ == "__main__":
    main()
