#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: node_info
short_description: Gather information about images, bundles, image stores and etcd backups on a node
version_added: 0.1.0
description:
  - Runs on the node itself, because it uses the commands and files of the node.
  - O(gather=images) queries CRI-O for the selected images and whether they are pinned.
  - O(gather=bundles) returns the bundles that M(fieldops.openshift.node_bundle) has staged or is staging.
  - O(gather=image_source) requests every image of every staged bundle from the image source of the node, as CRI-O
    does. A node without an image source is reported as such and is not an error.
  - O(gather=image_stores) returns the slots for image stores, what is mounted there, and what depends on it.
  - O(gather=etcd_backups) returns the complete backups in a folder of a control plane node and their age by the clock
    of the node. A backup consists of a snapshot and the resources of the static pods, named as by the script
    C(cluster-backup.sh) of the cluster. Both files must be complete and owned by root.
  - O(gather=release_images) returns the images of O(releases), as far as the node knows them from its staged bundles or
    from a release image in its container storage.
  - O(gather=blobs) returns the digests of all blobs in the staged bundles, for an inventory of the site.
  - O(gather=bundle_sources) requests the bundle index from each server in O(sources), with the same address, port,
    certificate and token that M(fieldops.openshift.node_bundle) uses later. Each server is queried once and reported.
    This verifies connectivity between two nodes, which cannot be derived from routes or closed ports.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes.info
  - fieldops.openshift._host_options
  - fieldops.openshift._source_options
options:
  gather:
    description: The information to return. Only the listed subsets are queried.
    type: list
    elements: str
    choices: [images, bundles, blobs, image_source, image_stores, etcd_backups, release_images, bundle_sources]
    default: [images]
  index_digest:
    description:
      - The digest of the index of the bundle to examine, C(sha256:...).
      - For O(gather=images) its images are selected, for O(gather=image_stores) it determines RV(image_stores.ready),
        and for O(gather=bundles) only this bundle is returned, for which the first 32 digits are sufficient. Required
        for O(gather=bundle_sources).
    type: str
  images:
    description:
      - The images of a bundle that the node needs, by name (C(repository@digest)) or component. By default, all
        images are needed; for O(gather=bundles), the images that the bundle was last staged for.
      - RV(bundles[].complete), the blobs and the sizes refer to these images. If a bundle does not contain an image
        of that name, this is reported in RV(bundles[].problem).
    type: list
    elements: str
    default: []
  names:
    description: Additional images for O(gather=images), by name.
    type: list
    elements: str
    default: []
  pullable:
    description:
      - For O(gather=images), the names of images that the node must be able to find through its own mirror
        configuration, for example on the control plane. The module requests the manifest of each image, as rpm-ostree
        does, and pulls nothing.
      - Use it for a node without its own copy, because the bundle is staged only on the control plane. Such a node is
        ready only if its images are also pinned.
    type: list
    elements: str
    default: []
  releases:
    description: The releases for O(gather=release_images), as release images or their digests.
    type: list
    elements: str
    default: []
  audit:
    description:
      - Whether O(gather=image_stores) reads and verifies every layer of the mounted stores. This takes several
        minutes for a release.
      - Digests in a mounted store are not checked when a container starts. The audit reassembles the archive of each
        layer from the unpacked files and the recorded metadata, and compares its digest with the image configuration
        that the index references.
    type: bool
    default: false
  pool:
    description: The pool for which RV(image_stores.documents) are generated.
    type: str
    default: ""
  etcd_backup_path:
    description:
      - The backup folder for O(gather=etcd_backups), see O(fieldops.openshift.etcd_backup#module:path).
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
- name: Gather whether the node is ready for the update
  fieldops.openshift.node_info:
    index_digest: sha256:6a27f17afcd2a65a0ba8ee3e3a7d4a6f2f6cbf3f2c8e4a1d7b9c0e5f3a1b2c3d
  become: true
  register: node

- name: Stop if the node is not ready
  ansible.builtin.assert:
    that: node.ready
    fail_msg: "{{ inventory_hostname }} lacks {{ node.lacking | join(', ') }}"

- name: Check that a node without the bundle has its images and finds the next OS image on the control plane
  fieldops.openshift.node_info:
    names: "{{ bundle.images | fieldops.openshift.chosen_images([]) }}"
    pullable: "{{ bundle.images | selectattr('reason', 'equalto', 'os_image') | map(attribute='name') }}"
  become: true

- name: Gather the staged bundles and the images that are served from them
  fieldops.openshift.node_info:
    gather: [bundles, image_source]
  become: true
  register: node

- name: Require all images of the bundle
  ansible.builtin.assert:
    that: >-
      node.image_source.bundles | selectattr('index_digest', 'equalto', digest) | map(attribute='lacking') | flatten
      == []

- name: Audit the content of the mounted image stores
  fieldops.openshift.node_info:
    gather: [image_stores]
    audit: true
  become: true
  register: node
  failed_when: node.image_stores.slots | map(attribute='damage') | select | length > 0

- name: Gather the age of the newest etcd backup
  fieldops.openshift.node_info:
    gather: [etcd_backups]
  delegate_to: master-0
  become: true
  register: node

- name: Check that a node can reach the relay of its neighbor
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
    Whether the bundle is known on the node and CRI-O has every selected image or can pull it from the image source of
    the node. With O(pullable), whether CRI-O has and pins every selected image.
  type: bool
  returned: with O(gather=images)
  sample: true
problem:
  description: Why the node is not ready, phrased to follow its name in a sentence. Empty if it is ready.
  type: str
  returned: with O(gather=images)
  sample: ""
staged:
  description: Whether the bundle is known on the node. True if no bundle was specified.
  type: bool
  returned: with O(gather=images)
  sample: true
staged_bundle:
  description: What the node holds of the bundle. None if it is not staged or no bundle was specified.
  type: dict
  returned: with O(gather=images)
  contains:
    size:
      description: The size of its blobs in bytes.
      type: int
      sample: 18253611008
    since:
      description: When its blobs were last added or removed, by the clock of the node.
      type: str
      sample: "2026-11-28T20:02:41Z"
images:
  description: The selected images.
  type: list
  elements: dict
  returned: with O(gather=images)
  contains:
    name:
      description: The name under which CRI-O has the image, or should have it.
      type: str
      sample: "quay.io/openshift-release-dev/ocp-v4.0-art-dev@sha256:0f1c..."
    component:
      description: The component name in the release, or None.
      type: str
      sample: etcd
    reason:
      description: V(release), V(component), V(os_image), V(extra) or V(operator), or None for images from O(names).
      type: str
      sample: component
    media_type:
      description: The media type of the manifest. None if only the base of a delta contains it.
      type: str
      sample: application/vnd.docker.distribution.manifest.v2+json
    present:
      description: Whether CRI-O lists the image.
      type: bool
      sample: true
    pinned:
      description: Whether the image is pinned in CRI-O.
      type: bool
      sample: true
lacking:
  description: The names of the selected images that CRI-O does not have.
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
    The names of bundle images that cannot be pulled from the image source of the node, which
    M(fieldops.openshift.image_source) manages. Empty if the node has no image source.
  type: list
  elements: str
  returned: with O(gather=images)
  sample: []
pullable:
  description: Whether O(pullable) was set, that is, the node has no copy of its own.
  type: bool
  returned: with O(gather=images)
  sample: false
unpullable:
  description: The images of O(pullable) that the node could not find, with the error.
  type: list
  elements: dict
  returned: with O(gather=images)
  contains:
    name:
      description: The name of the image.
      type: str
      sample: "quay.io/openshift-release-dev/ocp-v4.0-art-dev@sha256:0f1c..."
    seen:
      description: The output of skopeo.
      type: str
      sample: "registry quay.io is blocked"
  sample: []
unpinned:
  description: The names of the selected images that are not pinned.
  type: list
  elements: str
  returned: with O(gather=images)
  sample: []
bundles:
  description: The staged bundles, sorted by folder.
  type: list
  elements: dict
  returned: with O(gather=bundles)
  contains:
    folder:
      description: The bundle folder.
      type: str
      sample: /var/lib/fieldops/bundles/4.21.3-x86_64-6a27f17afcd2
    problem:
      description: Why the bundle cannot be used. Empty if it can be used.
      type: str
      sample: ""
    index_digest:
      description: The digest of the index. None if it cannot be read.
      type: str
      sample: "sha256:6a27f17a..."
    version:
      description: The version of the release.
      type: str
      sample: 4.21.3
    architecture:
      description: The release architecture.
      type: str
      sample: x86_64
    release:
      description: The release image.
      type: str
      sample: "quay.io/openshift-release-dev/ocp-release@sha256:9e2e4cf1..."
    base:
      description: The index digest of the base bundle, if this bundle is a delta. None otherwise.
      type: str
      sample: null
    images:
      description: The number of images in the bundle.
      type: int
      sample: 191
    files:
      description: The number of additional files in the bundle, which are staged but not loaded.
      type: int
      sample: 0
    selection:
      description: >-
        The images to which RV(bundles[].complete), the blobs and the sizes refer: O(images), or those that
        M(fieldops.openshift.node_bundle) was last run for. Empty if all images count.
      type: list
      elements: str
      sample: []
    complete:
      description: Whether every blob of the bundle is present.
      type: bool
      sample: true
    blobs:
      description: The number of blobs in the bundle.
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
    serving:
      description: Whether the node has an image source from M(fieldops.openshift.image_source), which serves the
        bundle.
      type: bool
      sample: true
    jobs:
      description: The running jobs that use the bundle.
      type: list
      elements: dict
      contains:
        id:
          description: The name of the job.
          type: str
          sample: load-6a27f17afcd2
        sentence:
          description: The progress of the job.
          type: str
          sample: 57 of 191 images are loaded, now etcd
blobs:
  description: The digests of all blobs in the staged bundles, each once. Staging verified them.
  type: list
  elements: str
  returned: with O(gather=blobs)
  sample: ["sha256:1c6e9f6c..."]
image_source:
  description: The images that the node can pull from its staged bundles.
  type: dict
  returned: with O(gather=image_source)
  contains:
    present:
      description: Whether the node has an image source.
      type: bool
      sample: true
    listening:
      description: Whether its systemd units are active.
      type: bool
      sample: true
    port:
      description: The port on the loopback address.
      type: int
      returned: when there is one
      sample: 9700
    blocked:
      description: The blocked registries.
      type: list
      elements: str
      sample: [quay.io]
    other_machines:
      description: The configuration for other machines. None if only the node itself is served.
      type: dict
      contains:
        address:
          description: The address that other machines use.
          type: str
          sample: 192.0.2.5
        port:
          description: The port on the addresses of the node.
          type: int
          sample: 9701
        networks:
          description: The networks that are served.
          type: list
          elements: str
          sample: [192.0.2.0/24]
        listening:
          description: Whether its systemd unit is active.
          type: bool
          sample: true
    bundles:
      description: The staged bundles.
      type: list
      elements: dict
      contains:
        folder:
          description: The bundle folder on the node.
          type: str
          sample: /var/lib/fieldops/bundles/4.21.4-x86_64-6a27f17afcd2
        index_digest:
          description: The digest of the index. None if it is damaged.
          type: str
          sample: sha256:6a27f17afcd2a65a0ba8ee3e3a7d4a6f2f6cbf3f2c8e4a1d7b9c0e5f3a1b2c3d
        release:
          description: Its release image.
          type: str
          sample: quay.io/openshift-release-dev/ocp-release@sha256:0f1c...
        images:
          description: The number of images in the bundle.
          type: int
          sample: 191
        servable:
          description: The number of images that can be pulled completely.
          type: int
          sample: 191
        lacking:
          description: The names of the other images.
          type: list
          elements: str
          sample: []
        problem:
          description: The problem with the bundle, or None.
          type: str
          sample: ""
    damaged:
      description: The digests of blobs that were found to be damaged after they were staged.
      type: list
      elements: str
      sample: []
image_stores:
  description: The image stores of the node.
  type: dict
  returned: with O(gather=image_stores)
  contains:
    slots:
      description: The slots, in the order in which CRI-O uses them.
      type: list
      elements: dict
      contains:
        slot:
          description: The number of the slot.
          type: int
          sample: 4
        path:
          description: The path of the slot.
          type: str
          sample: /var/lib/fieldops/stores/slot4
        state:
          description:
            - V(mounted), V(empty), or V(foreign) for another mount. V(unmounted) and V(lost) are slots whose store
              should be mounted. The file of a lost store is missing or incomplete.
          type: str
          sample: mounted
        mounted:
          description: Whether anything is mounted on the path.
          type: bool
          sample: true
        at_boot:
          description: Whether the store is mounted at each boot.
          type: bool
          sample: true
        store:
          description: The store of the slot, as returned by M(fieldops.openshift.node_image_store).
          type: dict
          sample: {digest: "sha256:1d5c...", version: 4.20.1}
        lacking:
          description: The names of images in the store that CRI-O does not list.
          type: list
          elements: str
          sample: []
        layers_over:
          description: The number of layers of containers, loaded images and deltas that depend on layers in the
            store.
          type: int
          sample: 37
        damage:
          description: With O(audit), the damage that was found in the store. None if no store is mounted.
          type: list
          elements: dict
          contains:
            image:
              description: The name of the image.
              type: str
              sample: "quay.io/openshift-release-dev/ocp-v4.0-art-dev@sha256:0f1c..."
            layer:
              description: The affected layer.
              type: str
              sample: 5f70bf18a086...
            problem:
              description: The problem that was found.
              type: str
              sample: "its archive has the digest sha256:9f..., its config says sha256:1a..."
    ready:
      description: Whether a store of the bundle is mounted and CRI-O lists all its images. None without
        O(index_digest).
      type: bool
      sample: true
    configured:
      description: Whether C(storage.conf) lists the slots.
      type: bool
      sample: true
    managed:
      description: Whether a machine-config daemon owns C(storage.conf).
      type: bool
      sample: false
    storage_conf:
      description: The path of the effective file.
      type: str
      sample: /etc/containers/storage.conf
    storage_conf_text:
      description: The content of that file, for M(fieldops.openshift.additional_image_stores).
      type: str
      sample: "[storage]\ndriver = \"overlay\"\n"
    documents:
      description: The objects to apply to the cluster to configure the slots on nodes of O(pool).
      type: list
      elements: dict
      sample: []
etcd_backups:
  description: The etcd backups.
  type: dict
  returned: with O(gather=etcd_backups)
  contains:
    backups:
      description: The complete backups, newest first, as returned by M(fieldops.openshift.etcd_backup).
      type: list
      elements: dict
      contains:
        path:
          description: The folder of the backup.
          type: str
          sample: /home/core/assets/backup
        snapshot:
          description: The snapshot of the database.
          type: str
          sample: /home/core/assets/backup/snapshot_2026-11-21_220107.db
        resources:
          description: The archive with the resources of the static pods.
          type: str
          sample: /home/core/assets/backup/static_kuberesources_2026-11-21_220107.tar.gz
        size:
          description: The total size of both files in bytes.
          type: int
          sample: 182452256
        made_at:
          description: When the backup was started, in UTC.
          type: str
          sample: "2026-11-21T22:01:07Z"
        age_seconds:
          description: The age of the backup in seconds, by the clock of the node.
          type: int
          sample: 14
    unusable:
      description: Files that are named like parts of a backup but are not usable.
      type: list
      elements: dict
      contains:
        name:
          description: The name of the file.
          type: str
          sample: snapshot_2026-11-20_220107.db.part
        reason:
          description: Why the file is not usable.
          type: str
          sample: it was not completed
    problem:
      description: Why the content of the folder cannot be trusted. Empty if it can be trusted and if the folder does
        not exist.
      type: str
      sample: ""
release_images:
  description: The releases in O(releases) that the node knows.
  type: list
  elements: dict
  returned: with O(gather=release_images)
  contains:
    release:
      description: The digest of the release image.
      type: str
      sample: "sha256:9e2e4cf1..."
    version:
      description: The release.
      type: str
      sample: 4.21.3
    images:
      description: The images of the release, including the release image.
      type: list
      elements: dict
      contains:
        name:
          description: Its name.
          type: str
          sample: "quay.io/openshift-release-dev/ocp-v4.0-art-dev@sha256:0f1c..."
        component:
          description: The component name. Empty for the release image.
          type: str
          sample: etcd
bundle_sources:
  description: The servers, in the order given.
  type: list
  elements: dict
  returned: with O(gather=bundle_sources)
  contains:
    url:
      description: The URL as given in O(sources).
      type: str
      sample: https://192.0.2.11:9700
    answers:
      description: Whether the server serves this bundle to this node. True also for a server that has not received
        the index yet.
      type: bool
      sample: false
    reason:
      description: Why it does not. Empty if it does.
      type: str
      sample: no connection within 5 s
actions:
  description: Always empty, because this module makes no changes.
  type: list
  elements: dict
  returned: success
  sample: []
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._etcd.do.backup_step import backups_report
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.known_releases import (
    release_images_report,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.node_report import (
    bundles_report,
    images_report,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.probe_sources import sources_report
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.staged_bundles import held_by_all
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.stores.report import stores_report
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.source.source_report import source_report
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.gathering import gather_option, gathered
from ansible_collections.fieldops.openshift.plugins.module_utils._run.host_options import HOST_OPTIONS, host_of
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import run
from ansible_collections.fieldops.openshift.plugins.module_utils._run.source_options import SOURCE_OPTIONS

READERS = {
    "images": images_report,
    "bundles": bundles_report,
    "blobs": lambda host, _params: sorted(f"sha256:{name}" for name in held_by_all(host)),
    "image_source": lambda host, _params: source_report(host),
    "image_stores": stores_report,
    "etcd_backups": lambda host, params: backups_report(host, params["etcd_backup_path"]),
    "release_images": release_images_report,
    "bundle_sources": lambda host, params: sources_report(params, host.clock),
}
OPTIONS: dict[str, dict[str, t.Any]] = {
    "index_digest": {"type": "str"},
    "images": {"type": "list", "elements": "str", "default": []},
    "names": {"type": "list", "elements": "str", "default": []},
    "pullable": {"type": "list", "elements": "str", "default": []},
    "releases": {"type": "list", "elements": "str", "default": []},
    "audit": {"type": "bool", "default": False},
    "pool": {"type": "str", "default": ""},
    "etcd_backup_path": {"type": "path", "default": "/home/core/assets/backup"},
}
SPEC = HOST_OPTIONS.merged(SOURCE_OPTIONS, gather_option(READERS), ArgumentSpec(options=OPTIONS))


def main() -> t.NoReturn:
    run(SPEC, lambda this: gathered(READERS, host_of(this), this.params))


if __name__ == "__main__":
    main()
