#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: release_bundle
short_description: Build a bundle of an OpenShift release for sites without a registry
version_added: 0.1.0
description:
  - Fetches a release with all images that it names, and images of your own, into a folder that can be carried to a site
    where there is no registry. Every blob is kept exactly as the registry served it, so that all digests stay.
  - One index names every byte with its digest. The digest of the index is the identity of the bundle; who trusts it
    trusts the whole bundle.
  - It goes on where it was interrupted, verifies what is already there, and fetches only what is missing. What the
    bundle does not need any more is removed.
  - The work is done by a process that outlives this module. Without O(wait) the module begins it, or tells how far it
    has come; the call that finds it finished returns the bundle.
  - Proxies are taken from E(HTTPS_PROXY) and E(HTTP_PROXY), from E(ALL_PROXY) for a scheme without a proxy of its own,
    and E(NO_PROXY). A proxy is V(http://), V(https://), V(socks5://) (host names are resolved on this machine) or
    V(socks5h://) (by the proxy), with V(user:password@) if it requires a login. The certificate of an V(https://) proxy
    is verified by the CAs of the system and those in O(ca_file).
  - A registry with a public address is not followed when it redirects to an address of the local network or machine.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._wait_options
attributes:
  check_mode:
    support: full
    details: Resolves all names, reads the payload, and writes nothing to O(path).
  diff_mode:
    support: full
    details: Shows the digest of the index, as far as it is known, and the blobs that are repaired.
  idempotent:
    support: full
requirements:
  - python >= 3.10
  - gpgv, to verify the signature of the release
  - gpg, where O(signing_key) is given
  - tomli on Python 3.10, where O(registries_conf) is in TOML
  - the program zstd, or the Python package zstandard, or Python 3.14, where layers of a release or catalog image are
    compressed with zstd
options:
  path:
    description:
      - The folder of the bundle. It may lie on the disk that is carried to the site.
      - A folder that holds something else, such as an OCI layout, is refused.
      - FAT and exFAT serve as well. A blob of 4 GiB or more, which FAT cannot hold, is kept there in numbered parts.
    type: path
    required: true
  state:
    description:
      - V(present) builds the bundle or brings it up to date.
      - V(merged) makes one bundle of those in O(sources) and the one that is in O(path), such as a delta and its base,
        or a release and images that were bundled apart. A bundle is copied like this, too.
      - V(repaired) verifies every byte and brings only what is damaged, from O(sources) or else from registries.
      - V(absent) removes the bundle, or what there is of it, and nothing else.
    type: str
    choices: [present, merged, repaired, absent]
    default: present
  version:
    description:
      - The version of the release, for example V(4.20.1). Its image is then the one that Red Hat publishes.
      - This or O(image) is needed with O(state=present).
      - Together with O(image) it is what the payload of that image has to say of itself.
    type: str
  architecture:
    description:
      - The architecture whose images travel. Of images for several architectures the list travels as well, because
        releases and clusters name them by it.
    type: str
    choices: [x86_64, aarch64, ppc64le, s390x]
    default: x86_64
  image:
    description:
      - The release image by digest or tag, for hot fixes and releases from elsewhere.
    type: str
  image_references:
    description:
      - A file with the C(image-references) of a payload, to be used instead of those in the release image.
    type: path
  extra_images:
    description:
      - Images of your own that travel as well, by full name with a tag or a digest.
      - A tag is resolved once and recorded in the index. It is not asked again unless O(refresh_tags) is set.
    type: list
    elements: str
  extra_images_file:
    description:
      - A file with one such image in each line. Empty lines and comments that begin with C(#) are ignored.
    type: path
  extra_files:
    description:
      - OCI artifacts that are no images, such as Helm charts, and images for other machines. They are staged on nodes
        with everything that they are made of, and neither loaded nor pinned.
      - Without this option only images that nodes of O(architecture) can run travel. Any other image, also one of the
        release, ends the build before layers are fetched; up to 20 of them are named at once.
      - Each is a full name with a tag or a digest, for example V(registry.partner.example/charts/gateway:1.4). Of an
        image index everything that it lists travels. Name one entry by digest to take that one alone.
    type: list
    elements: str
  image_set_configuration:
    description:
      - A file with an ImageSetConfiguration of C(oc-mirror), whose C(mirror.additionalImages) travel as well.
      - Nothing else of it has an effect. Other keys with a value, such as C(mirror.platform) and C(mirror.operators),
        are named in a warning; use O(version) and O(operators) for these.
      - Anchors, aliases, merge keys, tags beyond those of YAML's core, and keys that stand twice in a mapping are
        refused.
    type: path
  operators:
    description:
      - Operators that travel with all their images, chosen from file-based catalogs. The catalog image travels whole;
        it lists other operators as well, whose images are missing at the site.
      - Catalogs are read in bounded memory. Anchors, aliases, merge keys, tags beyond those of YAML's core, and keys
        that stand twice in a mapping are refused.
      - Every image that a chosen version relates to must be named with its registry. All that are not are listed in one
        error.
    type: list
    elements: dict
    suboptions:
      catalog:
        description: The catalog image, for example V(registry.redhat.io/redhat/redhat-operator-index:v4.20).
        type: str
        required: true
      packages:
        description: The operators.
        type: list
        elements: dict
        required: true
        suboptions:
          name:
            description: The name of the package.
            type: str
            required: true
          channel:
            description: The channel; by default the default one of the package.
            type: str
          version:
            description: The version; by default the newest one of the channel.
            type: str
  platforms:
    description:
      - Leave out components that only other platforms need. By default all components travel.
    type: list
    elements: str
  only:
    description:
      - Patterns of names of components; only those that match one travel.
    type: list
    elements: str
  exclude:
    description:
      - Patterns of names of components that do not travel.
    type: list
    elements: str
  base:
    description:
      - The folder, or the index alone, of a bundle that the site already has. Only blobs that it lacks travel then.
    type: path
  pull_secret:
    description:
      - A file with credentials for registries, in the form of a pull secret, C(auth.json) or the C(config.json) of
        Docker.
      - Credentials that a credential helper keeps (C(credHelpers), C(credsStore)) are asked for with
        C(docker-credential-NAME get), as the user of the task, when their registry is needed for the first time. The
        program has to be in E(PATH) and must not ask for a passphrase. It gets E(HOME), E(XDG_RUNTIME_DIR),
        E(DBUS_SESSION_BUS_ADDRESS), E(GNUPGHOME), E(PASSWORD_STORE_DIR), E(AWS_PROFILE) and the variables that name
        files or folders of the cloud tools, but no variable that holds a key itself.
      - An entry that cannot be used is an error only where its registry asks for a login.
      - By default the file that E(REGISTRY_AUTH_FILE) names, else these files of the user of the task, the first of
        which that has a login for a registry counts, C($XDG_RUNTIME_DIR/containers/auth.json) (without that variable
        C(/run/containers/UID/auth.json) and C(/run/user/UID/containers/auth.json)),
        C($XDG_CONFIG_HOME/containers/auth.json) (without it C(~/.config/containers/auth.json)),
        C($DOCKER_CONFIG/config.json) (without it C(~/.docker/config.json)) and C(~/.dockercfg).
    type: path
  registries_conf:
    description:
      - A file that says where images are found instead. What it holds decides how it is read, not its name.
      - Either C(registries.conf), version 2. If it has this name, the files C(*.conf) in the folder
        C(registries.conf.d) beside it are read as well, in the order of their names; later ones replace rules of the
        same prefix. Of the keys that are not about C([[registry]]) only C(credential-helpers) has an effect. These
        helpers are asked for registries for which O(pull_secret) has no login.
      - Or manifests in YAML or JSON, one or several or a C(List), as C(oc get imagedigestmirrorset -o yaml) shows them,
        of the kinds ImageDigestMirrorSet, ImageTagMirrorSet and ImageContentSourcePolicy. They have the effect that
        they have on the nodes of a cluster.
      - Locations may begin with C(https://), and with C(http://) if they are C(insecure).
      - No file is read by default, C(/etc/containers/registries.conf) included.
    type: path
  mirrors:
    description:
      - Where images are found instead, as an ImageDigestMirrorSet says it. They replace rules of O(registries_conf) for
        the same source. Each may be written as a URL as there.
    type: list
    elements: dict
    suboptions:
      source:
        description: The registry, or a path in it, for example V(quay.io/openshift-release-dev).
        type: str
        required: true
      mirrors:
        description: Mirrors that hold the same below them, in the order in which they are asked.
        type: list
        elements: str
        required: true
      insecure:
        description: Whether their certificates may be wrong, or missing together with TLS.
        type: bool
        default: false
      contact_source:
        description: Whether the source itself is asked after the mirrors.
        type: bool
        default: true
  ca_file:
    description:
      - A file with the certificates, in PEM, of the authorities to trust instead of those of the operating system.
      - The authorities in O(certs_dir) are trusted for their registries in either case.
    type: path
  certs_dir:
    description:
      - A folder with a subfolder for each registry, named C(host) or C(host:port). In it, C(*.crt) are certificates of
        authorities to trust for this registry as well, C(NAME.cert) and C(NAME.key) are a client certificate and its
        key.
      - By default C(~/.config/containers/certs.d), C(/etc/containers/certs.d) and C(/etc/docker/certs.d), the first of
        which that has a subfolder for a registry counts.
    type: path
  trusted_keys:
    description:
      - Files with public keys, one of which must have signed the release, OpenPGP keys for release signatures or PEM
        keys for those that cosign attached. Only these keys count.
      - Without this option, a release in C(quay.io/openshift-release-dev) must be signed by Red Hat's release key 2
        (C(567E347AD0044ADE55BA8A5F199E2F91FD431D51)), which is built in. For other repositories no key is built in;
        the signature of the release is then not verified, and the module warns of that.
      - An empty list switches the verification off, for example for a nightly build, with a warning.
      - RSA keys with fewer than 2048 bits, DSA and ElGamal keys are refused; signatures count with SHA-2 and SHA-3.
    type: list
    elements: path
  signature_stores:
    description:
      - Folders or URLs with signatures of releases, in the layout of Red Hat's stores, which are the default.
    type: list
    elements: str
  image_signatures:
    description:
      - Whether signatures that are attached to the images travel as well, those of cosign and Sigstore bundles.
        Clusters from 4.21 on demand them when they pull through a mirror.
      - Of a manifest list the signatures of the list and of the instance that travels are looked for; container
        runtimes verify the instance.
      - When a registry does not answer such a question, the build goes on and RV(signatures_unknown) names the image.
        For the release image, and for images that O(image_policies) name, this is an error.
    type: bool
    default: true
  attestations:
    description:
      - Whether attestations, such as provenance and software bills of materials, travel with the signatures.
    type: bool
    default: false
  image_policies:
    description:
      - Files with ClusterImagePolicy and ImagePolicy manifests of the site. Each image that is in one of their scopes
        must have a signature by cosign that travels; the build fails and names those that have none.
      - The signatures are not verified with the keys of the policies.
    type: list
    elements: path
  signing_key:
    description:
      - A file with a secret OpenPGP key that signs the index.
    type: path
  signing_passphrase:
    description:
      - The passphrase of O(signing_key).
    type: str
  refresh_tags:
    description:
      - Whether tags are asked again although the bundle knows what they led to. A bundle may then change at every run.
    type: bool
    default: false
  connections:
    description:
      - How many blobs are fetched at the same time.
    type: int
    default: 12
  sources:
    description:
      - Folders of bundles to merge or to repair from.
    type: list
    elements: path
  index_digest:
    description:
      - The digest of the index to restore with O(state=repaired), where it may be lost or damaged itself.
    type: str
"""

EXAMPLES = r"""
- name: Build the bundle of a release on a disk
  fieldops.openshift.release_bundle:
    path: /mnt/disk/4.20.1
    version: 4.20.1
    pull_secret: /home/engineer/pull-secret.json
    trusted_keys: [/home/engineer/redhat-release-key.asc]
    wait: true
    wait_timeout: 14400

- name: Build the bundle of a hot fix with images of a partner, signed by us
  fieldops.openshift.release_bundle:
    path: /mnt/disk/hotfix
    image: quay.io/openshift-release-dev/ocp-release:4.20.1-assembly.hotfix-x86_64
    extra_images:
      - registry.partner.example/edge/gateway:1.4
    signing_key: /home/engineer/bundle-key.asc
    signing_passphrase: "{{ bundle_passphrase }}"
    wait: true

- name: Carry only what the site does not have yet
  fieldops.openshift.release_bundle:
    path: /mnt/disk/4.20.2-delta
    version: 4.20.2
    base: /home/engineer/sites/4.20.1/index.json
    wait: true

- name: Copy a bundle to a USB drive
  fieldops.openshift.release_bundle:
    path: /mnt/usb/4.20.1
    state: merged
    sources: [/srv/bundles/4.20.1]
    wait: true

- name: Use the mirrors of the site's own cluster, and a registry with a certificate of its own authority
  fieldops.openshift.release_bundle:
    path: /mnt/disk/4.20.1
    version: 4.20.1
    # oc get imagedigestmirrorset,imagetagmirrorset -o yaml > mirrors.yaml
    registries_conf: /home/engineer/mirrors.yaml
    # /home/engineer/certs.d/mirror.example:8443/ca.crt
    certs_dir: /home/engineer/certs.d
    wait: true

- name: Take an operator along
  fieldops.openshift.release_bundle:
    path: /mnt/disk/4.20.1
    version: 4.20.1
    operators:
      - catalog: registry.redhat.io/redhat/redhat-operator-index:v4.20
        packages:
          - name: local-storage-operator
    wait: true

- name: Bring what a bad USB drive damaged
  fieldops.openshift.release_bundle:
    path: /mnt/disk/4.20.1
    state: repaired
    pull_secret: /home/engineer/pull-secret.json
    wait: true
"""

RETURN = r"""
bundle:
  description: The bundle, once it is complete, as RV(fieldops.openshift.release_bundle_info#module:bundle).
  type: dict
  returned: when the bundle is complete
  sample: {path: /mnt/disk/4.20.1, index_digest: 'sha256:3f2a1b0c...'}
signature_config_map:
  description:
    - The ConfigMap with the release's signatures, to be applied before the cluster is asked to update.
    - Nothing where the bundle has none.
  type: dict
  returned: when the bundle is complete
  sample: {apiVersion: v1, kind: ConfigMap}
catalog_sources:
  description: A CatalogSource for each catalog in the bundle, to be applied at the site.
  type: list
  elements: dict
  returned: when the bundle is complete
  sample: [{apiVersion: operators.coreos.com/v1alpha1, kind: CatalogSource}]
signers:
  description:
    - The trusted keys that signed the release, OpenPGP keys by primary fingerprint, PEM keys as V(sha256:) of their DER
      form.
  type: list
  elements: str
  returned: with O(state=present), when the bundle is complete
  sample: [567E347AD0044ADE55BA8A5F199E2F91FD431D51]
signatures_unknown:
  description:
    - Images of which it is not known whether they are signed, because a registry did not answer. The next build asks
      again.
  type: list
  elements: dict
  returned: with O(state=present), when the bundle is complete
  contains:
    image:
      description: The image.
      type: str
      sample: "registry.partner.example/edge/gateway@sha256:1c6e9f6c..."
    reason:
      description: What the registry said instead.
      type: str
      sample: "registry.partner.example/edge/gateway: status 403"
trust_warnings:
  description: Why the signature of the release was not verified; empty where it was. They are shown as warnings too.
  type: list
  elements: str
  returned: with O(state=present), when the bundle is complete
  sample: []
fetched:
  description: The bytes that were fetched from registries.
  type: int
  returned: with O(state=present) and O(state=repaired), when the bundle is complete
  sample: 17179869184
kept:
  description: The bytes that were already there.
  type: int
  returned: with O(state=present), when the bundle is complete
  sample: 0
copied:
  description: The bytes that were copied from O(sources).
  type: int
  returned: with O(state=merged), when the bundle is complete
  sample: 17179869184
repaired:
  description: The digests of the blobs that were damaged.
  type: list
  elements: str
  returned: with O(state=repaired), when the bundle is complete
  sample: []
always_pulled:
  description:
    - Containers in the manifests of the release whose pull policy is C(Always). Without a registry they do not start.
  type: list
  elements: dict
  returned: with O(state=present), when the bundle is complete
  contains:
    file:
      description: The manifest in the release image.
      type: str
      sample: release-manifests/0000_50_console-operator_07-downloads-deployment.yaml
    kind:
      description: The kind of the object.
      type: str
      sample: Deployment
    namespace:
      description: The namespace of the object.
      type: str
      sample: openshift-console
    name:
      description: The name of the object.
      type: str
      sample: downloads
    container:
      description: The name of the container.
      type: str
      sample: download-server
    image:
      description: The image of the container.
      type: str
      sample: "quay.io/openshift-release-dev/ocp-v4.0-art-dev@sha256:1c6e9f6c..."
    problem:
      description: Why the manifest could not be searched. All other keys but the file are empty then.
      type: str
      returned: when it could not be searched
      sample: it uses an anchor or an alias, which are not accepted here (line 4)
forecast:
  description:
    - What would be there, with V(fetched) and V(kept) bytes. V(space) has the bytes that are C(missing) and C(free),
      and whether that C(fits).
  type: dict
  returned: in check mode
  sample:
    version: 4.20.1
    fetched: 17179869184
    kept: 0
    space: {missing: 17179869184, free: 64424509440, fits: true}
actions:
  description: What was done, or in check mode would be done.
  type: list
  elements: dict
  returned: success
  sample: [{build: /mnt/disk/4.20.1, fetched: 17179869184, kept: 0}]
progress:
  description: Where things stand, as RV(fieldops.openshift.cluster_health_info#module:progress).
  type: dict
  returned: success
  sample:
    sentence: image 12 of 191, fetched 3.1 GiB of 16.0 GiB, 95.2 MiB/s, about 2 min left
    done: false
    next_delay: 10.0
timeline:
  description: What was seen while it waited, one entry for each change, as
    RV(fieldops.openshift.cluster_health_info#module:timeline).
  type: list
  elements: dict
  returned: always
  sample: [{at: '2026-11-21T22:01:07Z', sentence: resolving 190 images of 4.20.1}]
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.bundle_step import step_to_state
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import run
from ansible_collections.fieldops.openshift.plugins.module_utils._run.steps import Waiting
from ansible_collections.fieldops.openshift.plugins.module_utils._run.wait_options import WAIT_OPTIONS

MIRROR = {
    "source": {"type": "str", "required": True},
    "mirrors": {"type": "list", "elements": "str", "required": True},
    "insecure": {"type": "bool", "default": False},
    "contact_source": {"type": "bool", "default": True},
}

PACKAGE = {"name": {"type": "str", "required": True}, "channel": {"type": "str"}, "version": {"type": "str"}}

OPERATORS = {
    "catalog": {"type": "str", "required": True},
    "packages": {"type": "list", "elements": "dict", "required": True, "options": PACKAGE},
}

SPEC = ArgumentSpec(
    options={
        "path": {"type": "path", "required": True},
        "state": {"type": "str", "choices": ["present", "merged", "repaired", "absent"], "default": "present"},
        "version": {"type": "str"},
        "architecture": {
            "type": "str",
            "choices": ["x86_64", "aarch64", "ppc64le", "s390x"],
            "default": "x86_64",
        },
        "image": {"type": "str"},
        "image_references": {"type": "path"},
        "extra_images": {"type": "list", "elements": "str"},
        "extra_images_file": {"type": "path"},
        "image_set_configuration": {"type": "path"},
        "extra_files": {"type": "list", "elements": "str"},
        "operators": {"type": "list", "elements": "dict", "options": OPERATORS},
        "platforms": {"type": "list", "elements": "str"},
        "only": {"type": "list", "elements": "str"},
        "exclude": {"type": "list", "elements": "str"},
        "base": {"type": "path"},
        "pull_secret": {"type": "path", "no_log": False},
        "registries_conf": {"type": "path"},
        "mirrors": {"type": "list", "elements": "dict", "options": MIRROR},
        "ca_file": {"type": "path"},
        "certs_dir": {"type": "path"},
        "trusted_keys": {"type": "list", "elements": "path", "no_log": False},
        "signature_stores": {"type": "list", "elements": "str"},
        "image_signatures": {"type": "bool", "default": True},
        "attestations": {"type": "bool", "default": False},
        "image_policies": {"type": "list", "elements": "path"},
        "signing_key": {"type": "path", "no_log": False},
        "signing_passphrase": {"type": "str", "no_log": True},
        "refresh_tags": {"type": "bool", "default": False},
        "connections": {"type": "int", "default": 12},
        "sources": {"type": "list", "elements": "path"},
        "index_digest": {"type": "str"},
    },
    required_if=[["state", "present", ["version", "image"], True], ["state", "merged", ["sources"]]],
    required_by={"signing_passphrase": ["signing_key"]},
).merged(WAIT_OPTIONS)
WAITING = Waiting("the bundle is complete", on="the folder of the bundle")


def main() -> t.NoReturn:
    run(SPEC, lambda this: step_to_state(this.params, this.clock, check_mode=this.check_mode), WAITING)


if __name__ == "__main__":
    main()
