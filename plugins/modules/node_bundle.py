#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: node_bundle
short_description: Stage a bundle on a node, or remove it
version_added: 0.1.0
description:
  - Copies a bundle to the node that the task runs on, to C(/var/lib/fieldops/bundles/VERSION-ARCHITECTURE-DIGEST),
    from which M(fieldops.openshift.node_images) loads the images.
  - Only content that is missing on the node is transferred, and interrupted transfers are resumed. Every blob is
    verified against the index and flushed to disk before it is moved to its final name.
  - Before anything is written, the module computes whether the bundle, the images in the container storage and the
    temporary unpacked layers will fit. If they do not fit, the task fails and reports the sizes. In check mode, content
    that O(reclaim) can remove counts as removed. M(fieldops.openshift.node_images) removes it.
  - The work runs as a job on the node. The job continues when the task, the session or the connection ends, and is
    resumed after a power failure when the module is run again.
  - A node stages one bundle at a time. If a job stages a different bundle, for example of another play, the module
    waits for it.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._host_options
  - fieldops.openshift._reclaim_options
  - fieldops.openshift._source_options
  - fieldops.openshift._space_options
  - fieldops.openshift._wait_options
attributes:
  check_mode:
    details: Queries the sources for the index, and reports what would be transferred and whether it fits.
  diff_mode:
    details: Shows how many blobs are staged.
options:
  state:
    description:
      - V(present) ensures that the bundle is complete on the node.
      - V(absent) removes its folder and its jobs. Images that were loaded from the bundle are kept.
    type: str
    choices: [present, absent]
    default: present
  index_digest:
    description:
      - The vetted digest of the bundle index, C(sha256:...). Content that is not referenced from this digest is
        rejected.
    type: str
    required: true
  src:
    description:
      - A folder on the node that contains the bundle, such as a mounted USB drive. It is used before O(sources).
    type: path
    default: ""
  parts:
    description:
      - Additional folders on the node, such as other drives, with blobs of the bundle that are missing in O(src).
        Each folder must contain the same C(index.json).
    type: list
    elements: path
    default: []
  images:
    description:
      - The images of the bundle that this node needs, by name (C(repository@digest)) or component. By default, all
        images are staged.
    type: list
    elements: str
    default: []
  etcd_fsync_limit:
    description:
      - The limit for the 99th percentile of the fsync latency of etcd, in milliseconds. On a node that runs etcd, the
        job pauses while the latency is higher.
      - The job reads the metrics of the etcd member on its node every five seconds. A pause ends when the latency is
        below the limit. If the latency stays high during a pause of one minute, the job is not the cause. It then
        continues without further pauses and reports this in RV(received.etcd.problem).
      - With V(0), the job never pauses. Red Hat recommends a latency below 10 ms.
    type: int
    default: 50
  read_bandwidth:
    description:
      - The maximum rate at which the job reads from the disk of C(/var/lib/fieldops), in megabytes per second. With
        V(0), there is no limit.
      - systemd sets the limit as C(io.max) of the control group of the job. It has no effect in a helper pod.
    type: int
    default: 0
  write_bandwidth:
    description:
      - The maximum rate at which the job writes to this disk, in megabytes per second, as with O(read_bandwidth).
    type: int
    default: 0
  start:
    description:
      - Whether to start the job. With V(false), the module creates only the folder of the bundle with the index, so
        that M(fieldops.openshift.bundle_relay) can serve content before the node has received it.
    type: bool
    default: true
  stall_timeout:
    description:
      - The time in seconds without any data from all sources after which the job fails and reports the response of
        each source.
    type: int
    default: 120
  away_timeout:
    description:
      - With O(wait), the time in seconds that the node may be unreachable before the task fails. Use it to tolerate
        restarts of the node, without waiting too long for a node that does not come back.
    type: int
    default: 1800
seealso:
  - module: fieldops.openshift.node_info
  - module: fieldops.openshift.node_images
"""

EXAMPLES = r"""
- name: Stage the bundle from a USB drive that is mounted on the node
  fieldops.openshift.node_bundle:
    index_digest: sha256:6a27f17afcd2a65a0ba8ee3e3a7d4a6f2f6cbf3f2c8e4a1d7b9c0e5f3a1b2c3d
    src: /run/media/usb/4.21.3-x86_64
    wait: true
  become: true

- name: Start to stage the bundle from the relay without waiting
  fieldops.openshift.node_bundle:
    index_digest: sha256:6a27f17afcd2a65a0ba8ee3e3a7d4a6f2f6cbf3f2c8e4a1d7b9c0e5f3a1b2c3d
    sources:
      - url: https://192.0.2.11:9443
        ca: "{{ relay.ca }}"
        token_file: "{{ run_directory }}/relay-token"
  delegate_to: worker-0
  become: true

- name: Remove the bundle
  fieldops.openshift.node_bundle:
    index_digest: sha256:6a27f17afcd2a65a0ba8ee3e3a7d4a6f2f6cbf3f2c8e4a1d7b9c0e5f3a1b2c3d
    state: absent
  become: true
"""

RETURN = r"""
bundle:
  description: The bundle on the node, after it is complete.
  type: dict
  returned: when the bundle is complete
  contains:
    version:
      description: The version of the release.
      type: str
      sample: 4.21.3
    architecture:
      description: The release architecture.
      type: str
      sample: x86_64
    index_digest:
      description: The digest of the bundle index.
      type: str
      sample: "sha256:6a27f17a..."
    release:
      description: The release image.
      type: str
      sample: "quay.io/openshift-release-dev/ocp-release@sha256:9e2e4cf1..."
    base:
      description: The index digest of the base bundle, if this bundle is a delta. None otherwise.
      type: str
      sample: null
    folder:
      description: The bundle folder.
      type: str
      sample: /var/lib/fieldops/bundles/4.21.3-x86_64-6a27f17afcd2
    images:
      description: The number of images in the bundle.
      type: int
      sample: 191
    files:
      description: The number of additional files in the bundle, which are staged but not loaded.
      type: int
      sample: 0
    complete:
      description: Whether every blob of the selected images is present.
      type: bool
      sample: true
    blobs:
      description: The number of blobs of the selected images.
      type: int
      sample: 812
    size:
      description: The total size of these blobs in bytes.
      type: int
      sample: 18253611008
    missing_blobs:
      description: The number of blobs that are missing.
      type: int
      sample: 0
    missing_size:
      description: The number of bytes that are still to be transferred.
      type: int
      sample: 0
    unreachable_blobs:
      description: Blobs of the base bundle that a delta requires and that are missing on the node.
      type: list
      elements: str
      sample: []
received:
  description: The result of the job, in the step that found it finished.
  type: dict
  returned: when the bundle is complete
  contains:
    received_blobs:
      description: The number of transferred blobs.
      type: int
      sample: 640
    received_size:
      description: The number of bytes received from all sources.
      type: int
      sample: 12884901888
    linked_blobs:
      description: The number of blobs that were reused from another staged bundle on the node.
      type: int
      sample: 172
    by_source:
      description: The number of bytes by source.
      type: dict
      sample: {"https://192.0.2.11:9443/": 12884901888}
    seconds:
      description: The duration in seconds.
      type: float
      sample: 131.4
    etcd:
      description: The fsync latency of etcd on this node.
      type: dict
      returned: on a node that runs etcd, if O(etcd_fsync_limit) is set
      contains:
        limit_ms:
          description: The limit in milliseconds.
          type: float
          sample: 50.0
        slowest_ms:
          description: The highest 99th percentile of all intervals of five seconds, in milliseconds.
          type: float
          sample: 71.3
        paused_seconds:
          description: The total time of all pauses.
          type: float
          sample: 15.1
        problem:
          description: Why the job stopped to monitor etcd, otherwise empty.
          type: str
          sample: ""
reclaim:
  description: The content that can be removed. See RV(fieldops.openshift.node_images#module:reclaim).
  type: dict
  returned: with O(reclaim), when the job was started or would be
  sample:
    sentence: removes 31.2 GiB of 4.21.3 that nothing uses (187 images and 1 bundle)
    problem: ""
    size: 33500744908
    images: [{name: 'quay.io/openshift-release-dev/ocp-v4.0-art-dev@sha256:0f1c...', version: 4.21.3}]
    bundles: [{folder: 4.21.3-x86_64-6a27f17afcd2, version: 4.21.3}]
forecast:
  description: The space forecast that was computed before the job started, for each file system.
  type: list
  elements: dict
  returned: when the job was started or would be
  contains:
    path:
      description: A path on the file system.
      type: str
      sample: /var/lib
    total:
      description: The size of the file system in bytes.
      type: int
      sample: 128849018880
    free:
      description: The free space in bytes.
      type: int
      sample: 85899345920
    reserve:
      description: The space that must stay free, in bytes.
      type: int
      sample: 20615843021
    needed:
      description: The maximum space that is needed, in bytes.
      type: int
      sample: 54760833024
    lacking:
      description: The missing space in bytes. 0 if everything fits.
      type: int
      sample: 0
    image_gc:
      description:
        - When the kubelet removes images from this file system. None for file systems without the container storage.
      type: dict
      contains:
        threshold:
          description: The disk usage in percent at which the kubelet starts to remove images. V(100) means never.
          type: int
          sample: 85
        read_from:
          description: The file on the node that sets the threshold. Empty for the default of the kubelet.
          type: str
          sample: /etc/kubernetes/kubelet.conf
        problem:
          description: The part of the kubelet configuration that could not be read and is therefore ignored.
          type: str
          sample: ""
        reserve:
          description: The space in bytes that must be free so that no image is removed.
          type: int
          sample: 20615843021
        removes_images:
          description: Whether less than that space will be free, which is possible only with O(keep_free_percent).
          type: bool
          sample: false
    evictions:
      description: The eviction settings of the kubelet for this file system.
      type: list
      elements: dict
      contains:
        setting:
          description: V(evictionHard) or V(evictionSoft).
          type: str
          sample: evictionHard
        signal:
          description: V(imagefs.available) or V(nodefs.available).
          type: str
          sample: imagefs.available
        value:
          description: The minimum free space, as a percentage or a quantity.
          type: str
          sample: 10%
        read_from:
          description: The file on the node that contains the setting.
          type: str
          sample: /etc/kubernetes/kubelet.conf
        reserve:
          description: The space in bytes that must be free so that no pod is evicted. V(0) if the setting is
            disabled.
          type: int
          sample: 12884901888
    evicts_pods:
      description: Whether less than that space will be free, which is possible only with O(keep_free_percent).
      type: bool
      sample: false
    needs:
      description: The parts of RV(forecast[].needed).
      type: list
      elements: dict
      contains:
        purpose:
          description: What the space is needed for.
          type: str
          sample: images in the container storage
        size:
          description: The size in bytes. Negative for space that a reclaim frees.
          type: int
          sample: 35433480192
        estimate:
          description: Whether the size is an estimate, because the index does not contain all sizes.
          type: bool
          sample: false
        passing:
          description: Whether the space is needed only temporarily.
          type: bool
          sample: false
job:
  description: The running job.
  type: dict
  returned: while the job runs
  contains:
    id:
      description: The ID of the job.
      type: str
      sample: stage-6a27f17afcd2
    state:
      description: V(queued) or V(running).
      type: str
      sample: running
    sentence:
      description: The progress of the job.
      type: str
      sample: "bundle 4.21.3-x86_64-6a27f17afcd2: staged 5.9 GiB of 17.0 GiB, 95.2 MiB/s, about 2 min left"
    unit:
      description: The systemd unit of the job.
      type: str
      sample: fieldops-stage-6a27f17afcd2-1f0c33aa.service
    started:
      description: When the job was started.
      type: str
      sample: "2026-11-21T22:01:07Z"
    progress:
      description: The number of bytes done and in total.
      type: dict
      sample: {"done": 6442450944, "total": 18253611008, "unit": bytes}
relaying:
  description:
    - Whether the node serves this bundle to others, or still holds files of a relay. Use
      M(fieldops.openshift.bundle_relay) to stop it.
  type: bool
  returned: when O(state=present)
  sample: false
actions:
  description: The actions that were taken, or that would be taken in check mode. V(stage) fetches blobs. V(select)
    records that a complete bundle is staged for other images than before.
  type: list
  elements: dict
  returned: success
  sample: [{"action": stage, "bundle": 4.21.3-x86_64-6a27f17afcd2, "blobs": 640, "size": 12884901888}]
progress:
  description: The current progress, in the same format as RV(fieldops.openshift.cluster_health_info#module:progress).
  type: dict
  returned: success
  sample: {sentence: 'bundle 4.21.3-x86_64-6a27f17afcd2 is complete: 812 blobs, 17.0 GiB', done: true, next_delay: 5.0}
timeline:
  description: The progress messages observed while waiting, one entry for each change, in the same format as
    RV(fieldops.openshift.cluster_health_info#module:timeline).
  type: list
  elements: dict
  returned: always
  sample:
    - at: '2026-11-21T22:01:07Z'
      sentence: 'bundle 4.21.3-x86_64-6a27f17afcd2: staged 5.9 GiB of 17.0 GiB, 95.2 MiB/s, about 2 min left'
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.staging.bundle_orders import (
    bundle_step,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.host_options import HOST_OPTIONS, host_of
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import run
from ansible_collections.fieldops.openshift.plugins.module_utils._run.reclaim_options import RECLAIM_OPTIONS
from ansible_collections.fieldops.openshift.plugins.module_utils._run.source_options import SOURCE_OPTIONS
from ansible_collections.fieldops.openshift.plugins.module_utils._run.steps import Waiting
from ansible_collections.fieldops.openshift.plugins.module_utils._run.wait_options import WAIT_OPTIONS

SPEC = ArgumentSpec(
    options={
        "state": {"type": "str", "choices": ["present", "absent"], "default": "present"},
        "index_digest": {"type": "str", "required": True},
        "src": {"type": "path", "default": ""},
        "parts": {"type": "list", "elements": "path", "default": []},
        "images": {"type": "list", "elements": "str", "default": []},
        "keep_free_percent": {"type": "int"},
        "etcd_fsync_limit": {"type": "int", "default": 50},
        "read_bandwidth": {"type": "int", "default": 0},
        "write_bandwidth": {"type": "int", "default": 0},
        "start": {"type": "bool", "default": True},
        "stall_timeout": {"type": "int", "default": 120},
        "away_timeout": {"type": "int", "default": 1800},
    }
).merged(HOST_OPTIONS, RECLAIM_OPTIONS, SOURCE_OPTIONS, WAIT_OPTIONS)
WAITING = Waiting("the bundle is as requested", on="the node")


def main() -> t.NoReturn:
    run(SPEC, lambda this: bundle_step(host_of(this), this.params, check_mode=this.check_mode), WAITING)


if __name__ == "__main__":
    main()
