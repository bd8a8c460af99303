#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: node_images
short_description: Load the images of a bundle into the container storage of a node, or remove those left behind
version_added: 0.1.0
description:
  - Makes CRI-O pull the images of a bundle that M(fieldops.openshift.node_bundle) has staged on the node that the
    task runs on, by their original names C(repository@digest) and with unchanged manifests. The images are pulled
    from the node itself, which serves them with M(fieldops.openshift.image_source). No registry is contacted.
  - With O(index), on a node without a staged bundle, CRI-O pulls from the mirrors in its own configuration, such as
    the control plane of a site that was prepared with P(fieldops.openshift.prepare_joining#role).
  - Images that CRI-O already has are left unchanged. An image whose content does not match its digest is rejected,
    and damaged content of the staged bundle is removed so that it can be staged again.
  - At the end, the module verifies that CRI-O lists every image by its name.
  - O(state=absent) removes images and staged bundles of releases that the cluster has left behind, according to
    O(reclaim). In check mode, and with O(reclaim.carry_out=false), the module only returns them and the space that
    becomes free.
  - Loading runs as a job on the node. The job continues when the task, the session or the connection ends, and is
    resumed after a power failure when the module is run again.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._host_options
  - fieldops.openshift._reclaim_options
  - fieldops.openshift._space_options
  - fieldops.openshift._wait_options
attributes:
  diff_mode:
    details: Shows the images that CRI-O does not have, or the images and bundles of releases left behind.
options:
  state:
    description:
      - V(present) loads the images of the bundle. In check mode, content that O(reclaim) can remove counts as removed.
      - V(absent) removes the content that O(reclaim) describes.
    type: str
    choices: [present, absent]
    default: present
  index_digest:
    description: The vetted digest of the bundle index, C(sha256:...). Required with O(state=present).
    type: str
  index:
    description:
      - The Base64-encoded index of the bundle, as returned by M(ansible.builtin.slurp) for its C(index.json), for a
        node on which the bundle is not staged. It must match O(index_digest). It lists the images and the space that
        they need.
      - The value is not secret, but it is hidden in logs because it is very long.
    type: str
  images:
    description:
      - The images of the bundle to load, by name (C(repository@digest)) or component. By default, all images are
        loaded.
    type: list
    elements: str
    default: []
  parallel:
    description:
      - The number of images that are pulled in parallel. The layers of that many images are kept in C(/var/tmp)
        temporarily. Pulling a single image already uses several CPUs, so values above two help only with many small
        images or many CPUs, or with O(index) if CRI-O up to 1.34 waits ten seconds for each image because a name
        server does not respond.
    type: int
    default: 2
  etcd_fsync_limit:
    description:
      - The limit for the 99th percentile of the fsync latency of etcd, in milliseconds. On a node that runs etcd, the
        job starts no further image while the latency is higher, see
        O(fieldops.openshift.node_bundle#module:etcd_fsync_limit). CRI-O completes the images that it is pulling.
      - With V(0), the job never pauses.
    type: int
    default: 50
requirements:
  - crictl and curl on the node, which all OpenShift nodes have
seealso:
  - module: fieldops.openshift.node_info
  - module: fieldops.openshift.crio_pinned_images
  - module: fieldops.openshift.image_source
"""

EXAMPLES = r"""
- name: Load all images of the bundle, showing the progress
  fieldops.openshift.node_images:
    index_digest: sha256:6a27f17afcd2a65a0ba8ee3e3a7d4a6f2f6cbf3f2c8e4a1d7b9c0e5f3a1b2c3d
    wait: true
    wait_timeout: 3600
  become: true

- name: Pull all images of a bundle that is staged only on the control plane
  fieldops.openshift.node_images:
    index_digest: sha256:6a27f17afcd2a65a0ba8ee3e3a7d4a6f2f6cbf3f2c8e4a1d7b9c0e5f3a1b2c3d
    index: "{{ lookup('ansible.builtin.file', '/media/usb/4.21.3/index.json', rstrip=false) | b64encode }}"
    parallel: 4
    wait: true
    wait_timeout: 3600
  become: true

- name: Remove the images and bundles of earlier releases
  fieldops.openshift.node_images:
    state: absent
    reclaim:
      present: "{{ site.cluster_version.desired_image }}"
      left_behind: "{{ site.cluster_version.left_behind }}"
    wait: true
    wait_timeout: 900
  become: true

- name: Load a single component, for example after its image was lost
  fieldops.openshift.node_images:
    index_digest: sha256:6a27f17afcd2a65a0ba8ee3e3a7d4a6f2f6cbf3f2c8e4a1d7b9c0e5f3a1b2c3d
    images: [etcd]
    wait: true
  become: true
"""

RETURN = r"""
reclaim:
  description: The content that the module removes. In check mode, or without O(reclaim.carry_out), the content that it
    can remove.
  type: dict
  returned: with O(reclaim), unless all images are loaded or a job runs
  contains:
    sentence:
      description: A summary that continues a sentence after the name of the node. Empty if there is nothing to remove.
      type: str
      sample: removes 31.2 GiB of 4.21.3 that nothing uses (187 images and 1 bundle)
    problem:
      description: The reason why all images are kept, or an empty string.
      type: str
      sample: ""
    size:
      description: The bytes that become free. Layers that other images use are not included.
      type: int
      sample: 33500744908
    images:
      description: The images.
      type: list
      elements: dict
      contains:
        name:
          description: The image name.
          type: str
          sample: "quay.io/openshift-release-dev/ocp-v4.0-art-dev@sha256:0f1c..."
        version:
          description: The version of its release.
          type: str
          sample: 4.21.3
    bundles:
      description: The staged bundles.
      type: list
      elements: dict
      contains:
        folder:
          description: The name of its folder.
          type: str
          sample: 4.21.3-x86_64-6a27f17afcd2
        version:
          description: The version of its release.
          type: str
          sample: 4.21.3
images:
  description: The selected images, after CRI-O lists all of them, in the same format as
    RV(fieldops.openshift.node_info#module:images).
  type: list
  elements: dict
  returned: when all are loaded
  sample: [{name: 'quay.io/openshift-release-dev/ocp-v4.0-art-dev@sha256:0f1c...', component: etcd}]
lacking:
  description: The names of selected images that CRI-O does not have yet.
  type: list
  elements: str
  returned: when no job runs
  sample: []
loading:
  description: The result of the job, in the step that found it finished.
  type: dict
  returned: when all are loaded
  contains:
    images:
      description: The number of pulled images.
      type: int
      sample: 191
    seconds:
      description: The duration in seconds.
      type: float
      sample: 812.4
    etcd:
      description: >-
        The fsync latency of etcd on this node, as RV(fieldops.openshift.node_bundle#module:received.etcd).
      type: dict
      returned: on a node that runs etcd, if O(etcd_fsync_limit) is set
      sample: {limit_ms: 50.0, slowest_ms: 12.4, paused_seconds: 0.0, problem: ""}
forecast:
  description: The space forecast that was computed before the job started, in the same format as in
    M(fieldops.openshift.node_bundle).
  type: list
  elements: dict
  returned: when the job was started or would be
  sample: []
job:
  description: The running job, with the number of images done and in total.
  type: dict
  returned: while the job runs
  sample:
    id: load-6a27f17afcd2
    state: running
    unit: fieldops-load-6a27f17afcd2-77ab01cd.service
    progress: {"done": 57, "total": 191, "unit": images}
actions:
  description: The actions that were taken, or that would be taken in check mode.
  type: list
  elements: dict
  returned: success
  sample: [{"action": pull, "images": ["quay.io/openshift-release-dev/ocp-v4.0-art-dev@sha256:0f1c..."]}]
progress:
  description: The current progress, in the same format as RV(fieldops.openshift.cluster_health_info#module:progress).
  type: dict
  returned: success
  sample: {sentence: '57 of 191 images are loaded, now etcd', done: false, next_delay: 5.0}
timeline:
  description: The progress messages observed while waiting, one entry for each change, in the same format as
    RV(fieldops.openshift.cluster_health_info#module:timeline).
  type: list
  elements: dict
  returned: always
  sample: [{at: '2026-11-21T22:01:07Z', sentence: '57 of 191 images are loaded, now etcd'}]
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.loading.load_step import load_step
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.host_options import HOST_OPTIONS, host_of
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import run
from ansible_collections.fieldops.openshift.plugins.module_utils._run.reclaim_options import RECLAIM_OPTIONS
from ansible_collections.fieldops.openshift.plugins.module_utils._run.steps import Waiting
from ansible_collections.fieldops.openshift.plugins.module_utils._run.wait_options import WAIT_OPTIONS

SPEC = ArgumentSpec(
    options={
        "state": {"type": "str", "choices": ["present", "absent"], "default": "present"},
        "index_digest": {"type": "str"},
        # Longer than a log can bear.
        "index": {"type": "str", "no_log": True},
        "images": {"type": "list", "elements": "str", "default": []},
        "parallel": {"type": "int", "default": 2},
        "etcd_fsync_limit": {"type": "int", "default": 50},
        "keep_free_percent": {"type": "int"},
    },
    required_if=[("state", "present", ("index_digest",)), ("state", "absent", ("reclaim",))],
).merged(HOST_OPTIONS, RECLAIM_OPTIONS, WAIT_OPTIONS)
WAITING = Waiting("the images are as requested", on="the node")


def main() -> t.NoReturn:
    run(SPEC, lambda this: load_step(host_of(this), this.params, check_mode=this.check_mode), WAITING)


if __name__ == "__main__":
    main()
