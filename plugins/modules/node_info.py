#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: node_info
short_description: Gather what a node holds - images, bundles, image stores and backups of etcd
version_added: 0.1.0
description:
  - Runs on the node itself, as its commands and files have to be asked.
  - With O(gather=images) asks CRI-O which of the wanted images it has, and which of them it keeps from removal.
  - With O(gather=bundles) returns the bundles that M(fieldops.openshift.node_bundle) has staged, or is staging.
  - With O(gather=image_source) asks the image source of the node for every image of every staged bundle, as CRI-O
    would. A node without a source is reported as such and is no error.
  - With O(gather=image_stores) looks at the slots for image stores, at what is mounted there, and at what runs from it.
  - With O(gather=etcd_backups) finds the whole backups in a folder of a control-plane node, and says how old they are
    by its clock. A backup is a snapshot with the resources of the static pods, under the names that the cluster's own
    script C(cluster-backup.sh) gives them, both whole and root's.
  - With O(gather=bundle_sources) asks each server of O(sources) for the index of the bundle, as
    M(fieldops.openshift.node_bundle) asks it later, with the same address, port, certificate and token. Each is
    reported, and none is asked again. So it proves that two nodes reach one another, which no look at routes or at a
    closed port does.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._attributes.info
  - fieldops.openshift._host_options
  - fieldops.openshift._source_options
options:
  gather:
    description: What to return. Only what is named is asked for.
    type: list
    elements: str
    choices: [images, bundles, image_source, image_stores, etcd_backups, bundle_sources]
    default: [images]
  index_digest:
    description:
      - The bundle that is asked about, by the digest of its index, C(sha256:...).
      - Its images are the wanted ones of O(gather=images), and RV(image_stores.ready) is about it. Of RV(bundles) only
        this one is returned. Required for O(gather=bundle_sources).
    type: str
  images:
    description:
      - Which images of a bundle the node needs, by name (C(repository@digest)) or component. Without any it needs all.
      - RV(bundles[].complete), the blobs and the sizes are about these. A bundle that has no image of such a name says
        so as its RV(bundles[].problem).
    type: list
    elements: str
    default: []
  names:
    description: Further images for O(gather=images), by name.
    type: list
    elements: str
    default: []
  pullable:
    description:
      - For O(gather=images), images, by name, that the node is to find by its own rules about mirrors, such as at the
        control plane. It asks for the manifest of each, as rpm-ostree does, and pulls nothing.
      - For a node that has no copy of its own, as the bundle is staged on the control plane alone. Such a node is ready
        only if its images are kept from removal as well.
    type: list
    elements: str
    default: []
  audit:
    description:
      - Whether O(gather=image_stores) reads and proves every layer of the mounted stores. It takes minutes for a
        release.
      - Inside a store digests prove nothing, because they are not checked when a container starts. The audit puts the
        archive of each layer together again, from the unpacked files and what was recorded of it, and compares its
        digest with the config that the index names.
    type: bool
    default: false
  pool:
    description: A pool for which RV(image_stores.documents) are written.
    type: str
    default: ""
  etcd_backup_path:
    description:
      - The folder of the backups for O(gather=etcd_backups), as O(fieldops.openshift.etcd_backup#module:path) takes it.
    type: path
    default: /home/core/assets/backup
requirements:
  - crictl on the node, for O(gather=images) and O(gather=image_stores)
  - skopeo on the node, for O(pullable)
seealso:
  - module: fieldops.openshift.node_bundle
  - module: fieldops.openshift.node_images
  - module: fieldops.openshift.image_source
  - module: fieldops.openshift.node_image_store
  - module: fieldops.openshift.etcd_backup
  - module: fieldops.openshift.bundle_relay
  - plugin: fieldops.openshift.bundle_choice
    plugin_type: filter
"""

EXAMPLES = r"""
- name: See whether the node is ready for the update
  fieldops.openshift.node_info:
    index_digest: sha256:6a27f17afcd2a65a0ba8ee3e3a7d4a6f2f6cbf3f2c8e4a1d7b9c0e5f3a1b2c3d
  become: true
  register: node

- name: Stop if it is not
  ansible.builtin.assert:
    that: node.ready
    fail_msg: "{{ inventory_hostname }} lacks {{ node.lacking | join(', ') }}"

- name: See whether a node without the bundle has its images and finds the next OS image at the control plane
  fieldops.openshift.node_info:
    names: "{{ bundle.images | fieldops.openshift.chosen_images([]) }}"
    pullable: "{{ bundle.images | selectattr('reason', 'equalto', 'os_image') | map(attribute='name') }}"
  become: true

- name: See which bundles the node holds, and which of their images it serves
  fieldops.openshift.node_info:
    gather: [bundles, image_source]
  become: true
  register: node

- name: Require all images of the bundle
  ansible.builtin.assert:
    that: >-
      node.image_source.bundles | selectattr('index_digest', 'equalto', digest) | map(attribute='lacking') | flatten
      == []

- name: Prove that the mounted stores hold what their images' configs say
  fieldops.openshift.node_info:
    gather: [image_stores]
    audit: true
  become: true
  register: node
  failed_when: node.image_stores.slots | map(attribute='damage') | select | length > 0

- name: See how old the newest backup of etcd is
  fieldops.openshift.node_info:
    gather: [etcd_backups]
  delegate_to: master-0
  become: true
  register: node

- name: See whether a node reaches the relay of its neighbour
  fieldops.openshift.node_info:
    gather: [bundle_sources]
    index_digest: "{{ site_bundle_digest }}"
    sources:
      - url: "{{ neighbour.relay.url }}"
        ca: "{{ neighbour.relay.ca }}"
        token_file: "{{ run_directory }}/relay-token"
  delegate_to: worker-1
  register: node
"""

RETURN = r"""
ready:
  description: >-
    Whether the bundle is known here and CRI-O has every wanted image, or gets it from the image source of the node.
    With O(pullable) whether CRI-O has every wanted image and keeps it from removal.
  type: bool
  returned: with O(gather=images)
  sample: true
problem:
  description: Why it is not ready, as what follows its name in a sentence; empty where it is.
  type: str
  returned: with O(gather=images)
  sample: ""
staged:
  description: Whether the bundle is known here; true when none was asked for.
  type: bool
  returned: with O(gather=images)
  sample: true
images:
  description: The wanted images.
  type: list
  elements: dict
  returned: with O(gather=images)
  contains:
    name:
      description: The name under which CRI-O has it, or should.
      type: str
      sample: "quay.io/openshift-release-dev/ocp-v4.0-art-dev@sha256:0f1c..."
    component:
      description: Its name in the release, or nothing.
      type: str
      sample: etcd
    reason:
      description: V(release), V(component), V(os_image), V(extra) or V(operator), or nothing for O(names).
      type: str
      sample: component
    media_type:
      description: The type of its manifest, or nothing where only the base of a delta tells it.
      type: str
      sample: application/vnd.docker.distribution.manifest.v2+json
    present:
      description: Whether CRI-O lists it.
      type: bool
      sample: true
    pinned:
      description: Whether CRI-O keeps it from removal.
      type: bool
      sample: true
lacking:
  description: Names of the wanted images that CRI-O does not have.
  type: list
  elements: str
  returned: with O(gather=images)
  sample: []
serving:
  description: Whether the node has an image source.
  type: bool
  returned: with O(gather=images)
  sample: true
unserved:
  description: >-
    Names of images of the bundle that a client does not get from the node's image source, which
    M(fieldops.openshift.image_source) sets up. Empty where the node has none.
  type: list
  elements: str
  returned: with O(gather=images)
  sample: []
pullable:
  description: Whether O(pullable) was asked for, so that the node is one without a copy of its own.
  type: bool
  returned: with O(gather=images)
  sample: false
unpullable:
  description: Images of O(pullable) that the node did not find, and what was said.
  type: list
  elements: dict
  returned: with O(gather=images)
  contains:
    name:
      description: The image.
      type: str
      sample: "quay.io/openshift-release-dev/ocp-v4.0-art-dev@sha256:0f1c..."
    seen:
      description: What skopeo said.
      type: str
      sample: "registry quay.io is blocked"
  sample: []
unpinned:
  description: Names of the wanted images that are not kept from removal.
  type: list
  elements: str
  returned: with O(gather=images)
  sample: []
bundles:
  description: The staged bundles, in the order of their folders.
  type: list
  elements: dict
  returned: with O(gather=bundles)
  contains:
    folder:
      description: Where it lies.
      type: str
      sample: /var/lib/fieldops/bundles/4.21.3-x86_64-6a27f17afcd2
    problem:
      description: Why it cannot be used; empty where it can.
      type: str
      sample: ""
    index_digest:
      description: The digest of its index, or nothing where that cannot be read.
      type: str
      sample: "sha256:6a27f17a..."
    version:
      description: The release.
      type: str
      sample: 4.21.3
    architecture:
      description: The architecture under its release name.
      type: str
      sample: x86_64
    release:
      description: The release image.
      type: str
      sample: "quay.io/openshift-release-dev/ocp-release@sha256:9e2e4cf1..."
    base:
      description: The index digest of the bundle that this one is a delta to, or nothing.
      type: str
      sample: null
    images:
      description: How many images it has.
      type: int
      sample: 191
    files:
      description: How many files it has besides, which are staged and not loaded.
      type: int
      sample: 0
    complete:
      description: Whether every blob of it is there.
      type: bool
      sample: true
    blobs:
      description: How many blobs it has.
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
    serving:
      description: Whether M(fieldops.openshift.image_source) was set up on the node, which then serves the bundle.
      type: bool
      sample: true
    jobs:
      description: Jobs that work with it at this moment.
      type: list
      elements: dict
      contains:
        id:
          description: The name of the job.
          type: str
          sample: load-6a27f17afcd2
        sentence:
          description: How far it is.
          type: str
          sample: 57 of 191 images are loaded, now etcd
image_source:
  description: Which images the node can pull from its staged bundles.
  type: dict
  returned: with O(gather=image_source)
  contains:
    present:
      description: Whether the node has an image source.
      type: bool
      sample: true
    listening:
      description: Whether its units are active.
      type: bool
      sample: true
    port:
      description: The port on the loopback address.
      type: int
      returned: when there is one
      sample: 9700
    blocked:
      description: The registries that are not asked any more.
      type: list
      elements: str
      sample: [quay.io]
    other_machines:
      description: Who else is served, nothing where it is the node alone.
      type: dict
      contains:
        address:
          description: The address at which they ask.
          type: str
          sample: 192.0.2.5
        port:
          description: The port there.
          type: int
          sample: 9701
        networks:
          description: The networks that are served.
          type: list
          elements: str
          sample: [192.0.2.0/24]
        listening:
          description: Whether its unit is active.
          type: bool
          sample: true
    bundles:
      description: The staged bundles.
      type: list
      elements: dict
      contains:
        folder:
          description: Where the bundle lies on the node.
          type: str
          sample: /var/lib/fieldops/bundles/4.21.4-x86_64-6a27f17afcd2
        index_digest:
          description: The digest of its index, nothing where that is damaged.
          type: str
          sample: sha256:6a27f17afcd2a65a0ba8ee3e3a7d4a6f2f6cbf3f2c8e4a1d7b9c0e5f3a1b2c3d
        release:
          description: Its release image.
          type: str
          sample: quay.io/openshift-release-dev/ocp-release@sha256:0f1c...
        images:
          description: How many images it lists.
          type: int
          sample: 191
        servable:
          description: How many of them a client gets whole.
          type: int
          sample: 191
        lacking:
          description: The names of the others.
          type: list
          elements: str
          sample: []
        problem:
          description: What is wrong with the bundle, or nothing.
          type: str
          sample: ""
    damaged:
      description: Digests of blobs that were found to hold other bytes since they were staged.
      type: list
      elements: str
      sample: []
image_stores:
  description: The image stores of the node.
  type: dict
  returned: with O(gather=image_stores)
  contains:
    slots:
      description: The slots, in the order in which CRI-O looks into them.
      type: list
      elements: dict
      contains:
        slot:
          description: Its number.
          type: int
          sample: 4
        path:
          description: Its place.
          type: str
          sample: /var/lib/fieldops/stores/slot4
        state:
          description:
            - V(mounted), V(empty), or V(foreign) when another mount is there. V(unmounted) and V(lost)
              are slots whose store should be mounted; of a lost one the file is not there as a whole.
          type: str
          sample: mounted
        mounted:
          description: Whether anything is mounted there.
          type: bool
          sample: true
        at_boot:
          description: Whether its store is mounted at every boot.
          type: bool
          sample: true
        store:
          description: The store that it was given, as M(fieldops.openshift.node_image_store) returns it.
          type: dict
          sample: {digest: "sha256:1d5c...", version: 4.20.1}
        lacking:
          description: Names of images of that store which CRI-O does not list.
          type: list
          elements: str
          sample: []
        layers_over:
          description: How many layers of containers, loaded images and deltas lie on layers in it.
          type: int
          sample: 37
        damage:
          description: With O(audit), what is wrong in it; nothing where no store is mounted.
          type: list
          elements: dict
          contains:
            image:
              description: The name of the image.
              type: str
              sample: "quay.io/openshift-release-dev/ocp-v4.0-art-dev@sha256:0f1c..."
            layer:
              description: The layer.
              type: str
              sample: 5f70bf18a086...
            problem:
              description: What was seen.
              type: str
              sample: "its archive has the digest sha256:9f..., its config says sha256:1a..."
    ready:
      description: Whether a store of the bundle is mounted and CRI-O lists all its images; nothing without
        O(index_digest).
      type: bool
      sample: true
    configured:
      description: Whether C(storage.conf) lists the slots.
      type: bool
      sample: true
    managed:
      description: Whether a machine-config daemon owns that file.
      type: bool
      sample: false
    storage_conf:
      description: Which file counts.
      type: str
      sample: /etc/containers/storage.conf
    storage_conf_text:
      description: What stands in it, for M(fieldops.openshift.additional_image_stores).
      type: str
      sample: "[storage]\ndriver = \"overlay\"\n"
    documents:
      description: What to apply to the cluster so that the nodes of O(pool) list the slots.
      type: list
      elements: dict
      sample: []
etcd_backups:
  description: The backups of etcd.
  type: dict
  returned: with O(gather=etcd_backups)
  contains:
    backups:
      description: The whole backups, the newest first, as M(fieldops.openshift.etcd_backup) returns one.
      type: list
      elements: dict
      contains:
        path:
          description: Its folder.
          type: str
          sample: /home/core/assets/backup
        snapshot:
          description: The snapshot of the database.
          type: str
          sample: /home/core/assets/backup/snapshot_2026-11-21_220107.db
        resources:
          description: The resources of the static pods.
          type: str
          sample: /home/core/assets/backup/static_kuberesources_2026-11-21_220107.tar.gz
        size:
          description: The bytes of both files.
          type: int
          sample: 182452256
        made_at:
          description: When it was begun, in UTC.
          type: str
          sample: "2026-11-21T22:01:07Z"
        age_seconds:
          description: How long ago that was, by the clock of the node.
          type: int
          sample: 14
    unusable:
      description: Files that are named like parts of a backup and are none.
      type: list
      elements: dict
      contains:
        name:
          description: The name of the file.
          type: str
          sample: snapshot_2026-11-20_220107.db.part
        reason:
          description: Why it does not count.
          type: str
          sample: it was not finished
    problem:
      description: Why nothing in the folder can be trusted; empty where it can, and where there is no such folder.
      type: str
      sample: ""
bundle_sources:
  description: The servers, in the given order.
  type: list
  elements: dict
  returned: with O(gather=bundle_sources)
  contains:
    url:
      description: As it was given.
      type: str
      sample: https://192.0.2.11:9700
    answers:
      description: Whether it serves this bundle to this node. One that has not got the index yet counts as well.
      type: bool
      sample: false
    reason:
      description: Why it does not; empty where it does.
      type: str
      sample: no connection within 5 s
actions:
  description: The commands that changed something. This module runs none.
  type: list
  elements: dict
  returned: success
  sample: []
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._etcd.do.backup_step import backups_report
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.node_report import (
    bundles_report,
    images_report,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.probe_sources import sources_report
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.stores.report import stores_report
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.source.image_source import source_report
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.gathering import gather_option, gathered
from ansible_collections.fieldops.openshift.plugins.module_utils._run.host_options import HOST_OPTIONS, host_of
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import run
from ansible_collections.fieldops.openshift.plugins.module_utils._run.source_options import SOURCE_OPTIONS

READERS = {
    "images": images_report,
    "bundles": bundles_report,
    "image_source": lambda host, _params: source_report(host),
    "image_stores": stores_report,
    "etcd_backups": lambda host, params: backups_report(host, params["etcd_backup_path"]),
    "bundle_sources": lambda host, params: sources_report(params, host.clock),
}
OPTIONS: dict[str, dict[str, t.Any]] = {
    "index_digest": {"type": "str"},
    "images": {"type": "list", "elements": "str", "default": []},
    "names": {"type": "list", "elements": "str", "default": []},
    "pullable": {"type": "list", "elements": "str", "default": []},
    "audit": {"type": "bool", "default": False},
    "pool": {"type": "str", "default": ""},
    "etcd_backup_path": {"type": "path", "default": "/home/core/assets/backup"},
}
SPEC = HOST_OPTIONS.merged(SOURCE_OPTIONS, gather_option(READERS), ArgumentSpec(options=OPTIONS))


def main() -> t.NoReturn:
    run(SPEC, lambda this: gathered(READERS, host_of(this), this.params))


if __name__ == "__main__":
    main()
