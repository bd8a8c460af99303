#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: release_bundle_info
short_description: Tell what a bundle holds, whether it is intact, and whether it can be trusted
version_added: 0.1.0
description:
  - Reads the index of a bundle and compares it with what lies in the folder.
  - With O(index_digest), a bundle is trusted only if its index has that digest, whichever key has signed it. With
    O(trusted_keys) alone, one of them must have signed the index. From the index on, every byte is proved by its
    digest.
  - Both are proved before the index is parsed. Of an index that is not trusted, nothing is parsed or returned.
  - Without O(index_digest) and O(trusted_keys) nothing vouches for the bundle; RV(trusted) is then null.
  - It never fails on what it finds. Look at RV(intact) and RV(trusted) before you use a bundle.
  - A full verification reads every byte on all cores and is done by a process that outlives this module. Without
    O(wait) the module begins it, or tells how far it has come.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._attributes.info
  - fieldops.openshift._wait_options
requirements:
  - python >= 3.10
  - gpgv, where O(trusted_keys) are given
options:
  path:
    description:
      - The folder of the bundle.
    type: path
    required: true
  verification:
    description:
      - V(quick) compares names and sizes.
      - V(full) reads every byte. Check mode, which never waits, is satisfied with a quick one.
    type: str
    choices: [quick, full]
    default: quick
  index_digest:
    description:
      - The vetted digest of the index, as V(sha256:) and 64 hexadecimal digits. It must arrive by another channel than
        the bundle itself.
      - It is a demand that no signature overrules. With O(trusted_keys) as well, RV(index_signers) names the keys that
        signed; a signature that is missing or does not count is reported in RV(trust_warnings).
    type: str
  trusted_keys:
    description:
      - Files with public keys that may vouch, OpenPGP keys for the index and the release, PEM keys for images that
        cosign signed. They must arrive by another channel than the bundle itself.
      - RSA keys with fewer than 2048 bits, DSA and ElGamal keys are refused; signatures count with SHA-2 and SHA-3.
      - Of several signatures in one file at least one must be valid and by a trusted key, and none may be bad. Those by
        unknown keys, and those that have expired or were revoked, do not count.
    type: list
    elements: path
  base:
    description:
      - The folder, or the index alone, of a bundle to compare with.
    type: path
seealso:
  - module: fieldops.openshift.release_bundle
"""

EXAMPLES = r"""
- name: See what the bundle on the disk is
  fieldops.openshift.release_bundle_info:
    path: /mnt/disk/4.20.1
  register: found

- name: Read every byte of it
  fieldops.openshift.release_bundle_info:
    path: /mnt/disk/4.20.1
    verification: full
    trusted_keys: [/etc/site/bundle-key.asc]
    wait: true
    wait_timeout: 3600
  register: found

- name: Stop here unless the bundle can be used
  ansible.builtin.assert:
    that: found.trusted and found.intact
    fail_msg: "{{ found.progress.sentence }}"
"""

RETURN = r"""
index_digest:
  description: The digest of the index that lies there, also when it is not trusted.
  type: str
  returned: success
  sample: "sha256:3f2a1b0c..."
bundle:
  description: What its index says.
  type: dict
  returned: unless RV(trusted) is false
  contains:
    path:
      description: Its folder.
      type: str
      sample: /mnt/disk/4.20.1
    index_digest:
      description: Its identity. Note it, and give it to whoever verifies the bundle at the site.
      type: str
      sample: "sha256:3f2a1b0c..."
    built:
      description: When the first build of these contents began, in UTC.
      type: str
      sample: "2026-11-23T14:30:00Z"
    serial:
      description: The number that orders bundles; a site refuses a smaller one than it has seen.
      type: int
      sample: 1795444200
    folder_name:
      description: The name of its folder on nodes.
      type: str
      sample: 4.20.1-x86_64-3f2a1b0c9d8e
    version:
      description: The version of the release.
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
      description: The versions from which the release can be reached.
      type: list
      elements: str
      sample: [4.19.17, 4.20.0]
    base:
      description: The index digest of the bundle that a delta needs, or nothing.
      type: str
      sample: null
    size:
      description: The bytes of all blobs.
      type: int
      sample: 17179869184
    unpacked_size:
      description: The bytes that its layers take on a node, as far as they tell.
      type: int
      sample: 34359738368
    blobs:
      description: The number of blobs.
      type: int
      sample: 940
    images:
      description: Every image.
      type: list
      elements: dict
      contains:
        name:
          description: The name that it must have on a node.
          type: str
          sample: "quay.io/openshift-release-dev/ocp-v4.0-art-dev@sha256:1c6e9f6c..."
        reason:
          description:
            - One of V(release), V(component), V(os_image), V(extra), V(catalog), V(operator) and V(file).
          type: str
          sample: component
        component:
          description: Its name in the release, or the package of an operator.
          type: str
          sample: etcd
        tag:
          description: The tag that led to it, where one was asked for.
          type: str
          sample: null
        media_type:
          description: The type of its manifest, or nothing where only the base of a delta tells it.
          type: str
          sample: application/vnd.docker.distribution.manifest.v2+json
        size:
          description: The bytes of its blobs, those shared with other images included.
          type: int
          sample: 209715200
    signatures:
      description: The signatures that travel.
      type: list
      elements: dict
      contains:
        kind:
          description: V(gpg), V(cosign), V(sigstore) or V(attestation).
          type: str
          sample: gpg
        image:
          description: The digest of the image that is signed.
          type: str
          sample: "sha256:9e2e4cf1..."
    signed:
      description: Whether a signature of the index lies beside it.
      type: bool
      sample: true
signature_config_map:
  description:
    - The ConfigMap with the release's signatures, to be applied before the cluster is asked to update.
    - Nothing where the bundle has none.
  type: dict
  returned: unless RV(trusted) is false
  sample: {apiVersion: v1, kind: ConfigMap}
catalog_sources:
  description: A CatalogSource for each catalog in the bundle, to be applied at the site.
  type: list
  elements: dict
  returned: unless RV(trusted) is false
  sample: [{apiVersion: operators.coreos.com/v1alpha1, kind: CatalogSource}]
intact:
  description:
    - Whether nothing is damaged. Without a value after a quick verification that found nothing, because layers were not
      read.
  type: bool
  returned: when the verification has ended, unless RV(trusted) is false
  sample: true
damage:
  description: Every blob that is missing or damaged.
  type: list
  elements: dict
  returned: when the verification has ended, unless RV(trusted) is false
  contains:
    blob:
      description: The digest of the blob.
      type: str
      sample: "sha256:1c6e9f6c..."
    path:
      description: Where it should lie in the folder of the bundle.
      type: str
      sample: blobs/sha256/1c6e9f6c...
    size:
      description: Its size in bytes.
      type: int
      sample: 209715200
    problem:
      description: What is wrong with it.
      type: str
      sample: it has 104857600 bytes instead of 209715200
    intact:
      description: How many bytes from its beginning are proved to be right, in steps of 16 MiB.
      type: int
      sample: 50331648
    owner:
      description: What it belongs to, an image, the signature of one, or an image store.
      type: str
      sample: "quay.io/openshift-release-dev/ocp-v4.0-art-dev@sha256:9f8a1f64..."
    images:
      description: The images that need it, the first 20 of them.
      type: list
      elements: str
      sample: ["quay.io/openshift-release-dev/ocp-v4.0-art-dev@sha256:9f8a1f64..."]
trusted:
  description: Whether the index is trusted; null where neither O(index_digest) nor a key for the index was given.
  type: bool
  returned: success
  sample: true
trusted_by:
  description: V(index_digest), V(index_signature), or empty.
  type: str
  returned: success
  sample: index_signature
distrust:
  description: Why the index is not trusted.
  type: str
  returned: success
  sample: its index is not signed
trust_warnings:
  description:
    - What has to be known although the bundle is not refused, for example that neither a digest nor a key was given, or
      that a signature does not count beside the right digest.
  type: list
  elements: str
  returned: success
  sample: ["No digest and no key was given: nothing vouches for this bundle."]
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
  description: The images that carry a signature of cosign; empty where O(trusted_keys) has no PEM key.
  type: list
  elements: dict
  returned: unless RV(trusted) is false
  contains:
    image:
      description: The digest of the image.
      type: str
      sample: "sha256:9e2e4cf1..."
    signers:
      description: The trusted keys that made it, as V(sha256:) of their DER form.
      type: list
      elements: str
      sample: []
added:
  description: What the bundle has that the one in O(base) has not.
  type: dict
  returned: when O(base) is given
  contains:
    base:
      description: The index digest of the other bundle.
      type: str
      sample: "sha256:3f2a1b0c..."
    images:
      description: The names of images that only this one has.
      type: list
      elements: str
      sample: []
    blobs:
      description: The number of blobs that only this one has.
      type: int
      sample: 212
    size:
      description: Their bytes.
      type: int
      sample: 4294967296
    shared:
      description: The bytes of blobs that both have.
      type: int
      sample: 12884901888
actions:
  description: What was changed. This module changes nothing.
  type: list
  elements: dict
  returned: success
  sample: []
progress:
  description: Where things stand, as RV(fieldops.openshift.cluster_health_info#module:progress).
  type: dict
  returned: success
  sample: {sentence: 'verified 3.1 GiB of 16.0 GiB, 412.0 MiB/s, about 32 s left', done: false, next_delay: 10.0}
timeline:
  description: What was seen while it waited, one entry for each change, as
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

SPEC = ArgumentSpec(
    options={
        "path": {"type": "path", "required": True},
        "verification": {"type": "str", "choices": ["quick", "full"], "default": "quick"},
        "index_digest": {"type": "str"},
        "trusted_keys": {"type": "list", "elements": "path", "no_log": False},
        "base": {"type": "path"},
    }
).merged(WAIT_OPTIONS)
WAITING = Waiting("the bundle is verified", on="the folder of the bundle")


def main() -> t.NoReturn:
    run(SPEC, lambda this: step_to_inspection(this.params, this.clock, check_mode=this.check_mode), WAITING)


if __name__ == "__main__":
    main()
