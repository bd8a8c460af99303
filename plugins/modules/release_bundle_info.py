#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: release_bundle_info
short_description: Gather information about a bundle, and verify its integrity and trust
version_added: 0.1.0
description:
  - Reads the index of a bundle and compares it with the content of the folder.
  - With O(index_digest), a bundle is trusted only if its index has that digest, no matter which key signed it. With
    O(trusted_keys) only, the index must be signed with one of the keys. All other content is verified by the digests
    in the index.
  - Both are verified before the index is parsed. An index that is not trusted is neither parsed nor returned.
  - Without O(index_digest) and O(trusted_keys), trust cannot be determined, and RV(trusted) is null.
  - The module does not fail because of its findings. Check RV(intact) and RV(trusted) before you use a bundle.
  - A full verification reads all content on all CPU cores in a separate process, which continues after the module has
    ended. Without O(wait), the module starts the process or reports its progress.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes.info
  - fieldops.openshift._wait_options
requirements:
  - python >= 3.10
  - gpgv, if O(trusted_keys) is set
options:
  path:
    description:
      - The folder of the bundle.
    type: path
    required: true
  parts:
    description:
      - Further folders of the same bundle, for a bundle on several drives, in any order. The folder with the parity can
        be among them.
      - A bundle with only some of its drives is verified as far as it is there, and RV(needed_volumes) lists the drives
        with the rest.
    type: list
    elements: path
    default: []
  verification:
    description:
      - V(quick) compares names and sizes.
      - V(full) reads all content. In check mode, which never waits, the quick verification is used.
    type: str
    choices: [quick, full]
    default: quick
  index_digest:
    description:
      - The vetted digest of the index, V(sha256:) followed by 64 hexadecimal digits, or by at least the first 32 of
        them. It must be received through a different channel than the bundle itself. The filter
        P(fieldops.openshift.vetted_digest#filter) converts words to a digest.
      - The digest is required regardless of signatures. If O(trusted_keys) is also set, RV(index_signers) lists the
        keys that signed the index. A missing or unaccepted signature is reported in RV(trust_warnings).
    type: str
  trusted_keys:
    description:
      - Files with trusted public keys. OpenPGP keys are used for the index and the release, and PEM keys for images
        signed with cosign. They must be received through a different channel than the bundle itself.
      - RSA keys with less than 2048 bits, DSA keys and ElGamal keys are rejected. Only signatures with SHA-2 or SHA-3
        are accepted.
      - If a file contains several signatures, at least one must be valid and from a trusted key, and none may be bad.
        Signatures from unknown keys, and expired or revoked signatures, are ignored.
    type: list
    elements: path
  base:
    description:
      - The folder or the index of a bundle to compare with.
    type: path
  mirror_registry:
    description:
      - A registry of the site that contains the images of the bundle, with an optional path, for example
        V(registry.site.example:8443/mirror). If set, RV(mirror_sets) is returned.
    type: str
  site:
    description:
      - The properties of a cluster, as returned in RV(fieldops.openshift.cluster_health_info#module:footprint). If set,
        RV(needed) returns the images of the bundle that the cluster needs.
    type: dict
    suboptions:
      platform:
        description: The platform type, C(status.platformStatus.type) of the Infrastructure object.
        type: str
        required: true
      enabled_capabilities:
        description: The enabled capabilities.
        type: list
        elements: str
        required: true
      known_capabilities:
        description: The capabilities that the present release knows. An update can enable other capabilities.
        type: list
        elements: str
        required: true
      used_images:
        description: The names of the images that run in the cluster.
        type: list
        elements: str
        required: true
      present_images:
        description: The images of the present release. See RV(fieldops.openshift.node_info#module:release_images).
        type: list
        elements: dict
        required: true
        suboptions:
          name:
            description: The name of the image (C(repository@digest)).
            type: str
            required: true
          component:
            description: The component name.
            type: str
            default: ""
      images_by_node:
        description: The names of the images that run on each node, by node name.
        type: dict
        default: {}
      pools:
        description: The pool of each node, by node name.
        type: dict
        default: {}
      images_by_pool:
        description: The lists of images that the site has chosen for pools, as names or components, by pool.
        type: dict
        default: {}
seealso:
  - module: fieldops.openshift.release_bundle
"""

EXAMPLES = r"""
- name: Gather the content of the bundle on the disk
  fieldops.openshift.release_bundle_info:
    path: /mnt/disk/4.20.1
  register: found

- name: Verify all content of the bundle
  fieldops.openshift.release_bundle_info:
    path: /mnt/disk/4.20.1
    verification: full
    trusted_keys: [/etc/site/bundle-key.asc]
    wait: true
    wait_timeout: 3600
  register: found

- name: Stop unless the bundle can be used
  ansible.builtin.assert:
    that: found.trusted and found.intact
    fail_msg: "{{ found.progress.sentence }}"
"""

RETURN = r"""
index_digest:
  description: The digest of the index, even if it is not trusted.
  type: str
  returned: success
  sample: "sha256:3f2a1b0c..."
bundle:
  description: The content of the index.
  type: dict
  returned: unless RV(trusted) is false
  contains:
    path:
      description: The folder of the bundle.
      type: str
      sample: /mnt/disk/4.20.1
    index_digest:
      description: The index digest, which identifies the bundle. Record it and pass it on for the verification at the
        site.
      type: str
      sample: "sha256:3f2a1b0c..."
    built:
      description: When the first build of this content started, in UTC.
      type: str
      sample: "2026-11-23T14:30:00Z"
    serial:
      description: The serial number of the bundle. A site rejects serials lower than the highest that it has
        accepted.
      type: int
      sample: 1795444200
    folder_name:
      description: The name of the bundle folder on nodes.
      type: str
      sample: 4.20.1-x86_64-3f2a1b0c9d8e
    version:
      description: The version of the release. Of several releases it is the last one, to which the others lead.
      type: str
      sample: 4.20.1
    releases:
      description: All releases in the bundle, in the order of their versions.
      type: list
      elements: dict
      contains:
        version:
          description: The version.
          type: str
          sample: 4.20.1
        architecture:
          description: The architecture of the images.
          type: str
          sample: x86_64
        release:
          description: The release image by digest.
          type: str
          sample: "quay.io/openshift-release-dev/ocp-release@sha256:9e2e4cf1..."
        previous:
          description: The versions from which an update to the release is supported.
          type: list
          elements: str
          sample: [4.19.17, 4.20.0]
        images:
          description: The names of its images, and of the images that were added to the bundle.
          type: list
          elements: str
          sample: ["quay.io/openshift-release-dev/ocp-v4.0-art-dev@sha256:1c6e9f6c..."]
    update_path:
      description: The updates through the releases, if the bundle was built for versions of sites.
      type: list
      elements: dict
      contains:
        from:
          description: The version before the update.
          type: str
          sample: 4.19.17
        to:
          description: The version after the update.
          type: str
          sample: 4.20.1
        risks:
          description:
            - The known risks of the update, as the update graph published them when the bundle was built. A rule of the
              type V(Always) applies to every cluster, a rule of the type V(PromQL) if the query returns 1.
          type: list
          elements: dict
          sample: []
    architecture:
      description: The architecture of the images.
      type: str
      sample: x86_64
    release:
      description: The release image by digest.
      type: str
      sample: "quay.io/openshift-release-dev/ocp-release@sha256:9e2e4cf1..."
    previous:
      description: The versions from which an update to the release is supported.
      type: list
      elements: str
      sample: [4.19.17, 4.20.0]
    base:
      description: The index digest of the base bundle that a delta requires. None otherwise.
      type: str
      sample: null
    size:
      description: The total size of all blobs in bytes.
      type: int
      sample: 17179869184
    unpacked_size:
      description: The size of the unpacked layers on a node in bytes, as far as known.
      type: int
      sample: 34359738368
    blobs:
      description: The number of blobs.
      type: int
      sample: 940
    images:
      description: The images in the bundle.
      type: list
      elements: dict
      contains:
        name:
          description: The name of the image on nodes.
          type: str
          sample: "quay.io/openshift-release-dev/ocp-v4.0-art-dev@sha256:1c6e9f6c..."
        reason:
          description:
            - One of V(release), V(component), V(os_image), V(extra), V(catalog), V(operator) and V(file).
          type: str
          sample: component
        component:
          description: The component name in the release, or the package name of an operator.
          type: str
          sample: etcd
        tag:
          description: The tag that was resolved to the image, if any.
          type: str
          sample: null
        media_type:
          description: The media type of the manifest. None if only the base of a delta contains it.
          type: str
          sample: application/vnd.docker.distribution.manifest.v2+json
        size:
          description: The total size of its blobs in bytes, including blobs shared with other images.
          type: int
          sample: 209715200
        left_out:
          description: The digests of its blobs that the bundle leaves out, because the site has them.
          type: list
          elements: str
          sample: []
    signatures:
      description: The included signatures.
      type: list
      elements: dict
      contains:
        kind:
          description: V(gpg), V(cosign), V(sigstore) or V(attestation).
          type: str
          sample: gpg
        image:
          description: The digest of the signed image.
          type: str
          sample: "sha256:9e2e4cf1..."
    signed:
      description: Whether the bundle folder contains a signature of the index.
      type: bool
      sample: true
content:
  description: The sizes of the bundle by part. Blobs that only the base of a delta contains do not count.
  type: dict
  returned: unless RV(trusted) is false
  contains:
    rows:
      description: The parts. Components that only one platform needs are a part of their own.
      type: list
      elements: dict
      contains:
        reason:
          description: The reason for the images as in RV(bundle.images), or V(signature) or V(image_store).
          type: str
          sample: component
        name:
          description: The platform of components, or the name of a catalog, an operator or a file.
          type: str
          sample: aws
        count:
          description: The number of images, signatures or stores.
          type: int
          sample: 12
        size:
          description: The size of all blobs of the part in bytes.
          type: int
          sample: 1610612736
        own:
          description: The size of the blobs that no other part needs, in bytes.
          type: int
          sample: 1073741824
        missing:
          description: The number of bytes that a build would download. Always 0 for an existing bundle.
          type: int
          sample: 0
    size:
      description: The size of all blobs in bytes.
      type: int
      sample: 17179869184
    missing:
      description: The number of bytes that a build would download. Always 0 for an existing bundle.
      type: int
      sample: 0
    shared:
      description: The number of bytes that are saved because images share blobs.
      type: int
      sample: 8589934592
    node:
      description: The number of bytes that a node needs.
      type: dict
      contains:
        staged:
          description: The size of the staged bundle.
          type: int
          sample: 17179869184
        unpacked:
          description: The size of the unpacked layers of the loaded images.
          type: int
          sample: 34359738368
        estimated:
          description: Whether the unpacked size of some layers is estimated.
          type: bool
          sample: false
signature_config_map:
  description:
    - The ConfigMap with the release signatures, which must be applied before the update of the cluster is requested.
    - None if the bundle has no release signatures.
  type: dict
  returned: unless RV(trusted) is false
  sample: {apiVersion: v1, kind: ConfigMap}
signature_config_maps:
  description:
    - The same for each release of the bundle, in the order of RV(bundle.releases). It is empty for a release without
      GPG signatures.
  type: list
  elements: dict
  returned: unless RV(trusted) is false
  sample: [{apiVersion: v1, kind: ConfigMap}]
catalog_sources:
  description: A CatalogSource for each catalog in the bundle, to apply at the site.
  type: list
  elements: dict
  returned: unless RV(trusted) is false
  sample: [{apiVersion: operators.coreos.com/v1alpha1, kind: CatalogSource}]
cluster_catalogs:
  description: A ClusterCatalog for each catalog in the bundle, for operators that OLM v1 manages.
  type: list
  elements: dict
  returned: unless RV(trusted) is false
  sample: [{apiVersion: olm.operatorframework.io/v1, kind: ClusterCatalog}]
mirror_sets:
  description:
    - The ImageDigestMirrorSet with which the nodes find the images of the bundle in O(mirror_registry), below the path
      of their repository. An ImageTagMirrorSet contains images that were requested by tag.
  type: list
  elements: dict
  returned: with O(mirror_registry), unless RV(trusted) is false
  sample: [{apiVersion: config.openshift.io/v1, kind: ImageDigestMirrorSet}]
intact:
  description:
    - Whether no damage was found. Null after a quick verification without findings, because layers were not read, and
      if RV(needed_volumes) is not empty.
  type: bool
  returned: when the verification has ended, unless RV(trusted) is false
  sample: true
needed_volumes:
  description:
    - The drives that contain the rest of a bundle on several drives. The information is from the drives and is not
      signed.
  type: list
  elements: dict
  returned: when the verification has ended, unless RV(trusted) is false
  contains:
    name:
      description: The letter of the drive, in the order in which the drives were written.
      type: str
      sample: B
    label:
      description: The label of its file system, or the name of the folder where it was mounted.
      type: str
      sample: FIELDOPS-2
    size:
      description: The size in bytes of the blobs on it that are missing.
      type: int
      sample: 5905580032
damage:
  description: The missing and damaged blobs.
  type: list
  elements: dict
  returned: when the verification has ended, unless RV(trusted) is false
  contains:
    blob:
      description: The digest of the blob.
      type: str
      sample: "sha256:1c6e9f6c..."
    path:
      description: The expected path in the bundle folder.
      type: str
      sample: blobs/sha256/1c6e9f6c...
    size:
      description: Its size in bytes.
      type: int
      sample: 209715200
    problem:
      description: The problem that was found.
      type: str
      sample: it has 104857600 bytes instead of 209715200
    intact:
      description: The number of bytes from the beginning that are verified, in steps of 16 MiB.
      type: int
      sample: 50331648
    owner:
      description: The owner of the blob, which is an image, an image signature or an image store.
      type: str
      sample: "quay.io/openshift-release-dev/ocp-v4.0-art-dev@sha256:9f8a1f64..."
    images:
      description: The images that need the blob, at most 20.
      type: list
      elements: str
      sample: ["quay.io/openshift-release-dev/ocp-v4.0-art-dev@sha256:9f8a1f64..."]
trusted:
  description: Whether the index is trusted. Null if neither O(index_digest) nor a key for the index was given.
  type: bool
  returned: success
  sample: true
trusted_by:
  description: V(index_digest), V(index_signature), or empty.
  type: str
  returned: success
  sample: index_signature
trust_problem:
  description: Why the index is not trusted.
  type: str
  returned: success
  sample: its index is not signed
trust_warnings:
  description:
    - Warnings about the trust of a bundle that is not rejected, for example if neither a digest nor a key was given,
      or if the digest is correct but a signature is not accepted.
  type: list
  elements: str
  returned: success
  sample: ["No digest and no key was specified: this bundle is not verified."]
index_signers:
  description: The fingerprints of the trusted keys that signed the index.
  type: list
  elements: str
  returned: success
  sample: []
release_signers:
  description: The fingerprints of the trusted OpenPGP keys that signed the release inside it.
  type: list
  elements: str
  returned: unless RV(trusted) is false
  sample: [567E347AD0044ADE55BA8A5F199E2F91FD431D51]
image_signers:
  description: The images with a cosign signature. Empty if O(trusted_keys) contains no PEM key.
  type: list
  elements: dict
  returned: unless RV(trusted) is false
  contains:
    image:
      description: The digest of the image.
      type: str
      sample: "sha256:9e2e4cf1..."
    signers:
      description: The trusted keys that signed the image, as V(sha256:) digests of their DER form.
      type: list
      elements: str
      sample: []
added:
  description: The content that is missing in the bundle in O(base).
  type: dict
  returned: when O(base) is given
  contains:
    base:
      description: The index digest of the other bundle.
      type: str
      sample: "sha256:3f2a1b0c..."
    images:
      description: The names of images that only this bundle contains.
      type: list
      elements: str
      sample: []
    blobs:
      description: The number of blobs that only this bundle contains.
      type: int
      sample: 212
    size:
      description: The total size of these blobs in bytes.
      type: int
      sample: 4294967296
    shared:
      description: The total size of the blobs that both bundles contain, in bytes.
      type: int
      sample: 12884901888
needed:
  description: The images of the bundle that the cluster needs.
  type: dict
  returned: when O(site) is given
  contains:
    images:
      description:
        - The names of the needed images. A component is left out only if it does not run now and either belongs to
          another platform, or no manifest of the release that will be applied contains it.
      type: list
      elements: str
      sample: ["quay.io/openshift-release-dev/ocp-v4.0-art-dev@sha256:0f1c..."]
    left_out:
      description: The other images of the bundle.
      type: list
      elements: dict
      contains:
        name:
          description: The image name.
          type: str
          sample: "quay.io/openshift-release-dev/ocp-v4.0-art-dev@sha256:51a0..."
        component:
          description: The component name.
          type: str
          sample: aws-ebs-csi-driver
        reason:
          description: The reason why the image is not needed.
          type: str
          sample: for platform AWS
    saved:
      description: The bytes of the bundle that only these images use.
      type: int
      sample: 6871947673
    problem:
      description: The reason why all images count as needed, or an empty string.
      type: str
      sample: ""
    lacking:
      description: The pools whose list in O(site.images_by_pool) leaves out components that run on their nodes.
      type: list
      elements: dict
      contains:
        pool:
          description: The pool.
          type: str
          sample: worker
        components:
          description: The components.
          type: list
          elements: str
          sample: [ovn-kubernetes]
actions:
  description: Always empty, because this module makes no changes.
  type: list
  elements: dict
  returned: success
  sample: []
progress:
  description: The current progress, in the same format as RV(fieldops.openshift.cluster_health_info#module:progress).
  type: dict
  returned: success
  sample: {sentence: 'verified 3.1 GiB of 16.0 GiB, 412.0 MiB/s, about 32 s left', done: false, next_delay: 10.0}
timeline:
  description: The progress messages observed while waiting, one entry for each change, in the same format as
    RV(fieldops.openshift.cluster_health_info#module:timeline).
  type: list
  elements: dict
  returned: always
  sample: [{at: '2026-11-21T22:01:07Z', sentence: 'verified 3.1 GiB of 16.0 GiB, 412.0 MiB/s, about 32 s left'}]
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.inspect_bundle import step_to_inspection
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import run
from ansible_collections.fieldops.openshift.plugins.module_utils._run.steps import Waiting
from ansible_collections.fieldops.openshift.plugins.module_utils._run.wait_options import WAIT_OPTIONS

IMAGE = {"name": {"type": "str", "required": True}, "component": {"type": "str", "default": ""}}
NAMES: dict[str, t.Any] = {"type": "list", "elements": "str", "required": True}
SITE: dict[str, t.Any] = {
    "platform": {"type": "str", "required": True},
    "enabled_capabilities": NAMES,
    "known_capabilities": NAMES,
    "used_images": NAMES,
    "present_images": {"type": "list", "elements": "dict", "required": True, "options": IMAGE},
    **{name: {"type": "dict", "default": {}} for name in ("images_by_node", "pools", "images_by_pool")},
}
SPEC = ArgumentSpec(
    options={
        "path": {"type": "path", "required": True},
        "parts": {"type": "list", "elements": "path", "default": []},
        "verification": {"type": "str", "choices": ["quick", "full"], "default": "quick"},
        "index_digest": {"type": "str"},
        "trusted_keys": {"type": "list", "elements": "path", "no_log": False},
        "base": {"type": "path"},
        "mirror_registry": {"type": "str"},
        "site": {"type": "dict", "options": SITE},
    }
).merged(WAIT_OPTIONS)
WAITING = Waiting("the bundle is verified", on="the folder of the bundle")


def main() -> t.NoReturn:
    run(SPEC, lambda this: step_to_inspection(this.params, this.clock, check_mode=this.check_mode), WAITING)


if __name__ == "__main__":
    main()
