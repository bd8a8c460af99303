#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: node_images
short_description: Load the images of a bundle into the node's container storage
version_added: 0.1.0
description:
  - Lets CRI-O pull the images of a bundle that M(fieldops.openshift.node_bundle) has staged on the node that the task
    runs on, each under its own name C(repository@digest) and with its manifest unchanged. They come from the node
    itself, which M(fieldops.openshift.image_source) lets serve them. No registry is asked.
  - On a node on which the bundle is not staged CRI-O asks where its own configuration sends it, with O(index), such as
    the control plane of a site that P(fieldops.openshift.prepare_joining#role) has prepared.
  - Images that CRI-O already has are left alone. An image whose content does not have its digest is refused, and
    damaged bytes of the staged bundle are removed, so that staging brings them again.
  - At the end CRI-O itself must list every image under its name.
  - The work is a job on the node. It outlives the task, the session and a lost connection, and goes on after a power
    cut when the module is run again.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._host_options
  - fieldops.openshift._space_options
  - fieldops.openshift._wait_options
attributes:
  check_mode:
    support: full
  diff_mode:
    support: full
    details: Shows the images that CRI-O lacks.
  idempotent:
    support: full
options:
  index_digest:
    description: The vetted digest of the bundle's index, C(sha256:...).
    type: str
    required: true
  index:
    description:
      - The index of the bundle in base64, as M(ansible.builtin.slurp) returns its C(index.json), for a node on which
        the bundle is not staged. It must have O(index_digest). It says which images there are and how much room they
        take.
      - It is no secret, but far too long to be shown.
    type: str
  images:
    description:
      - Which images of the bundle to load, by name (C(repository@digest)) or component. Without any, all.
    type: list
    elements: str
    default: []
  parallel:
    description:
      - How many images are pulled at a time. The layers of as many images are kept in C(/var/tmp) meanwhile. Each image
        already uses several processors for its layers, so that more than two help only where there are many small
        images or many processors, and with O(index) where CRI-O up to 1.34 waits for a name server that does not
        answer, ten seconds for each image.
    type: int
    default: 2
requirements:
  - crictl and curl on the node, which every OpenShift node has
seealso:
  - module: fieldops.openshift.node_info
  - module: fieldops.openshift.crio_pinned_images
  - module: fieldops.openshift.image_source
"""

EXAMPLES = r"""
- name: Load all images of the bundle and show each
  fieldops.openshift.node_images:
    index_digest: sha256:6a27f17afcd2a65a0ba8ee3e3a7d4a6f2f6cbf3f2c8e4a1d7b9c0e5f3a1b2c3d
    wait: true
    wait_timeout: 3600
  become: true

- name: Pull all images of a bundle that is staged on the control plane alone
  fieldops.openshift.node_images:
    index_digest: sha256:6a27f17afcd2a65a0ba8ee3e3a7d4a6f2f6cbf3f2c8e4a1d7b9c0e5f3a1b2c3d
    index: "{{ lookup('ansible.builtin.file', '/media/usb/4.21.3/index.json', rstrip=false) | b64encode }}"
    parallel: 4
    wait: true
    wait_timeout: 3600
  become: true

- name: Load one component, such as after its image was lost
  fieldops.openshift.node_images:
    index_digest: sha256:6a27f17afcd2a65a0ba8ee3e3a7d4a6f2f6cbf3f2c8e4a1d7b9c0e5f3a1b2c3d
    images: [etcd]
    wait: true
  become: true
"""

RETURN = r"""
images:
  description: The wanted images, once CRI-O lists all of them, as RV(fieldops.openshift.node_info#module:images).
  type: list
  elements: dict
  returned: when all are loaded
  sample: [{name: 'quay.io/openshift-release-dev/ocp-v4.0-art-dev@sha256:0f1c...', component: etcd}]
lacking:
  description: Names of wanted images that CRI-O does not have yet.
  type: list
  elements: str
  returned: when no job runs
  sample: []
loading:
  description: What the job did, in the step that found it finished.
  type: dict
  returned: when all are loaded
  contains:
    images:
      description: How many images it pulled.
      type: int
      sample: 191
    seconds:
      description: How long it took.
      type: float
      sample: 812.4
forecast:
  description: What was computed before the job was started, as M(fieldops.openshift.node_bundle) returns it.
  type: list
  elements: dict
  returned: when the job was started or would be
  sample: []
job:
  description: The job while it runs, with images done and in all.
  type: dict
  returned: while the job runs
  sample:
    id: load-6a27f17afcd2
    state: running
    unit: fieldops-load-6a27f17afcd2-77ab01cd.service
    progress: {"done": 57, "total": 191, "unit": images}
actions:
  description: What was done, or would be in check mode.
  type: list
  elements: dict
  returned: success
  sample: [{"action": pull, "images": ["quay.io/openshift-release-dev/ocp-v4.0-art-dev@sha256:0f1c..."]}]
progress:
  description: Where things stand, as RV(fieldops.openshift.cluster_health_info#module:progress).
  type: dict
  returned: success
  sample: {sentence: '57 of 191 images are loaded, now etcd', done: false, next_delay: 5.0}
timeline:
  description: What was seen while it waited, one entry for each change, as
    RV(fieldops.openshift.cluster_health_info#module:timeline).
  type: list
  elements: dict
  returned: always
  sample: [{at: '2026-11-21T22:01:07Z', sentence: '57 of 191 images are loaded, now etcd'}]
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.load_step import load_step
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.host_options import HOST_OPTIONS, host_of
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import run
from ansible_collections.fieldops.openshift.plugins.module_utils._run.steps import Waiting
from ansible_collections.fieldops.openshift.plugins.module_utils._run.wait_options import WAIT_OPTIONS

SPEC = ArgumentSpec(
    options={
        "index_digest": {"type": "str", "required": True},
        # Longer than a log can bear.
        "index": {"type": "str", "no_log": True},
        "images": {"type": "list", "elements": "str", "default": []},
        "parallel": {"type": "int", "default": 2},
        "keep_free_percent": {"type": "int"},
    }
).merged(HOST_OPTIONS, WAIT_OPTIONS)
WAITING = Waiting("all images are loaded", on="the node")


def main() -> t.NoReturn:
    run(SPEC, lambda this: load_step(host_of(this), this.params, check_mode=this.check_mode), WAITING)


if __name__ == "__main__":
    main()
