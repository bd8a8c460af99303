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
  - Brings the bytes of a bundle onto the node that the task runs on, into
    C(/var/lib/fieldops/bundles/VERSION-ARCHITECTURE-DIGEST), where M(fieldops.openshift.node_images) loads them from.
  - Only what the node lacks is fetched. A blob that broke off goes on where it ended. Every blob is
    verified against the index before it gets its name, and flushed to the disk before that.
  - Before anything is written it is computed whether the bundle, the images in the container storage and the layers
    that are unpacked meanwhile will fit. If they do not, the task fails with the numbers.
  - The work is a job on the node. It outlives the task, the session and a lost connection, and goes on after a power
    cut when the module is run again.
  - One bundle at a time is brought to a node. While a job works on another one, of another play perhaps, this waits.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._host_options
  - fieldops.openshift._source_options
  - fieldops.openshift._space_options
  - fieldops.openshift._wait_options
attributes:
  check_mode:
    support: full
    details: It asks the sources for the index and says what would be fetched and whether it fits.
  diff_mode:
    support: full
    details: Shows how many blobs are staged.
  idempotent:
    support: full
options:
  state:
    description:
      - With V(present) the bundle is complete on the node.
      - With V(absent) its folder and its jobs are gone. Images that were loaded from it stay.
    type: str
    choices: [present, absent]
    default: present
  index_digest:
    description:
      - The vetted digest of the bundle's index, C(sha256:...). Nothing whose way does not begin at this digest is
        accepted.
    type: str
    required: true
  src:
    description:
      - A folder on the node that holds the bundle, such as a mounted stick. It is asked before O(sources).
    type: path
    default: ""
  parts:
    description:
      - Further folders on the node, such as other drives, that have blobs of the bundle which O(src) has not. Each has
        the same C(index.json).
    type: list
    elements: path
    default: []
  images:
    description:
      - Which images of the bundle this node needs, by name (C(repository@digest)) or component. Without any it needs
        all.
    type: list
    elements: str
    default: []
  stall_timeout:
    description:
      - After how many seconds without a byte from any source the job gives up and says what each of them said.
    type: int
    default: 120
  away_timeout:
    description:
      - After how many seconds in which the node cannot be reached O(wait) gives it up. It is meant for nodes that
        restart, and for those that do not come back while others go on.
    type: int
    default: 1800
seealso:
  - module: fieldops.openshift.node_info
  - module: fieldops.openshift.node_images
"""

EXAMPLES = r"""
- name: Stage the bundle from a stick that is mounted on the node
  fieldops.openshift.node_bundle:
    index_digest: sha256:6a27f17afcd2a65a0ba8ee3e3a7d4a6f2f6cbf3f2c8e4a1d7b9c0e5f3a1b2c3d
    src: /run/media/usb/4.21.3-x86_64
    wait: true
  become: true

- name: Begin to stage from the relay and do not wait
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
  description: The bundle on the node, once it is complete.
  type: dict
  returned: when the bundle is complete
  contains:
    version:
      description: The release.
      type: str
      sample: 4.21.3
    architecture:
      description: The architecture under its release name.
      type: str
      sample: x86_64
    index_digest:
      description: The digest of its index.
      type: str
      sample: "sha256:6a27f17a..."
    release:
      description: The release image.
      type: str
      sample: "quay.io/openshift-release-dev/ocp-release@sha256:9e2e4cf1..."
    base:
      description: The index digest of the bundle that this one is a delta to, or nothing.
      type: str
      sample: null
    folder:
      description: Where it lies.
      type: str
      sample: /var/lib/fieldops/bundles/4.21.3-x86_64-6a27f17afcd2
    images:
      description: How many images the bundle has.
      type: int
      sample: 191
    files:
      description: How many files it has besides, which are staged and not loaded.
      type: int
      sample: 0
    complete:
      description: Whether every blob of the wanted images is there.
      type: bool
      sample: true
    blobs:
      description: How many blobs the wanted images have.
      type: int
      sample: 812
    size:
      description: Their bytes.
      type: int
      sample: 18253611008
    missing_blobs:
      description: How many of them are not there.
      type: int
      sample: 0
    missing_size:
      description: Bytes that are still to be fetched.
      type: int
      sample: 0
    unreachable_blobs:
      description: Blobs of the base that a delta needs and the node does not have.
      type: list
      elements: str
      sample: []
received:
  description: What the job did, in the step that found it finished.
  type: dict
  returned: when the bundle is complete
  contains:
    received_blobs:
      description: Blobs that were fetched.
      type: int
      sample: 640
    received_size:
      description: Bytes that came from all sources.
      type: int
      sample: 12884901888
    linked_blobs:
      description: Blobs that another staged bundle of the node already had.
      type: int
      sample: 172
    by_source:
      description: Bytes by source.
      type: dict
      sample: {"https://192.0.2.11:9443/": 12884901888}
    seconds:
      description: How long it took.
      type: float
      sample: 131.4
forecast:
  description: What was computed before the job was started, for each file system.
  type: list
  elements: dict
  returned: when the job was started or would be
  contains:
    path:
      description: A place on the file system.
      type: str
      sample: /var/lib
    total:
      description: Its bytes.
      type: int
      sample: 128849018880
    free:
      description: Bytes that were free.
      type: int
      sample: 85899345920
    reserve:
      description: Bytes that must stay free.
      type: int
      sample: 20615843021
    needed:
      description: Bytes that will be taken at the worst moment.
      type: int
      sample: 54760833024
    lacking:
      description: Bytes by which it is too small; 0 when all fits.
      type: int
      sample: 0
    image_gc:
      description:
        - When the kubelet removes images from this file system. Nothing on one without the container storage.
      type: dict
      contains:
        threshold:
          description: From how many percent of use on. V(100) means never.
          type: int
          sample: 85
        read_from:
          description: The file of the node that sets it. Empty where it is the kubelet's default.
          type: str
          sample: /etc/kubernetes/kubelet.conf
        problem:
          description: What of the kubelet's configuration could not be read or understood, and so does not count.
          type: str
          sample: ""
        reserve:
          description: Bytes that must be free so that no image is removed.
          type: int
          sample: 20615843021
        removes_images:
          description: Whether less than that will be free, which only O(keep_free_percent) allows.
          type: bool
          sample: false
    evictions:
      description: What the kubelet's files set on when it evicts pods for want of space on this file system.
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
          description: The least free space, as a share or a quantity.
          type: str
          sample: 10%
        read_from:
          description: The file of the node that sets it.
          type: str
          sample: /etc/kubernetes/kubelet.conf
        reserve:
          description: Bytes that must be free so that nothing is evicted. V(0) where it is switched off.
          type: int
          sample: 12884901888
    evicts_pods:
      description: Whether less than that will be free, which only O(keep_free_percent) allows.
      type: bool
      sample: false
    needs:
      description: The parts of RV(forecast[].needed).
      type: list
      elements: dict
      contains:
        purpose:
          description: What takes it.
          type: str
          sample: images in the container storage
        size:
          description: Its bytes.
          type: int
          sample: 35433480192
        estimate:
          description: Whether the index does not know all sizes.
          type: bool
          sample: false
        passing:
          description: Whether the space is free again afterwards.
          type: bool
          sample: false
job:
  description: The job while it runs.
  type: dict
  returned: while the job runs
  contains:
    id:
      description: Its name.
      type: str
      sample: stage-6a27f17afcd2
    state:
      description: V(queued) or V(running).
      type: str
      sample: running
    sentence:
      description: How far it is.
      type: str
      sample: "bundle 4.21.3-x86_64-6a27f17afcd2: staged 5.9 GiB of 17.0 GiB, 95.2 MiB/s, about 2 min left"
    unit:
      description: The systemd unit that it runs in.
      type: str
      sample: fieldops-stage-6a27f17afcd2-1f0c33aa.service
    started:
      description: Since when.
      type: str
      sample: "2026-11-21T22:01:07Z"
    progress:
      description: Bytes done and in all.
      type: dict
      sample: {"done": 6442450944, "total": 18253611008, "unit": bytes}
relaying:
  description:
    - Whether the node serves this bundle to others, or holds what is left of that. M(fieldops.openshift.bundle_relay)
      ends it.
  type: bool
  returned: when O(state=present)
  sample: false
actions:
  description: What was done, or would be in check mode.
  type: list
  elements: dict
  returned: success
  sample: [{"action": stage, "bundle": 4.21.3-x86_64-6a27f17afcd2, "blobs": 640, "size": 12884901888}]
progress:
  description: Where things stand, as RV(fieldops.openshift.cluster_health_info#module:progress).
  type: dict
  returned: success
  sample: {sentence: 'bundle 4.21.3-x86_64-6a27f17afcd2 is complete: 812 blobs, 17.0 GiB', done: true, next_delay: 5.0}
timeline:
  description: What was seen while it waited, one entry for each change, as
    RV(fieldops.openshift.cluster_health_info#module:timeline).
  type: list
  elements: dict
  returned: always
  sample:
    - at: '2026-11-21T22:01:07Z'
      sentence: 'bundle 4.21.3-x86_64-6a27f17afcd2: staged 5.9 GiB of 17.0 GiB, 95.2 MiB/s, about 2 min left'
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.bundle_orders import bundle_step
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.host_options import HOST_OPTIONS, host_of
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import run
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
        "stall_timeout": {"type": "int", "default": 120},
        "away_timeout": {"type": "int", "default": 1800},
    }
).merged(HOST_OPTIONS, SOURCE_OPTIONS, WAIT_OPTIONS)
WAITING = Waiting("the bundle is as asked for", on="the node")


def main() -> t.NoReturn:
    run(SPEC, lambda this: bundle_step(host_of(this), this.params, check_mode=this.check_mode), WAITING)


if __name__ == "__main__":
    main()
