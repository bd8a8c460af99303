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
  - Downloads a release with all images that it references, and additional images, to a folder that can be carried to
    a site without a registry. Every blob is kept exactly as served by the registry, so that all digests stay the
    same.
  - A single index lists every file with its digest. The digest of the index identifies the bundle. Trusting this
    digest means trusting the complete bundle.
  - The module resumes interrupted builds, verifies existing content, and downloads only what is missing. Content that
    the bundle no longer needs is removed.
  - A separate process does the work and continues after the module has ended. Without O(wait), the module starts the
    process or reports its progress. The call that finds it finished returns the bundle.
  - Proxies are taken from E(HTTPS_PROXY) and E(HTTP_PROXY), from E(ALL_PROXY) for schemes without their own proxy,
    and from E(NO_PROXY). A proxy is a V(http://), V(https://), V(socks5://) (host names are resolved on this machine)
    or V(socks5h://) (host names are resolved by the proxy) URL, with V(user:password@) if it requires authentication.
    The certificate of an V(https://) proxy is verified with the system CAs and the CAs in O(ca_file).
  - Redirects from a registry with a public address to an address of the local network or machine are rejected.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._wait_options
attributes:
  check_mode:
    details: Resolves all names and reads the payload, but writes nothing to O(path).
  diff_mode:
    details: Shows the digest of the index, if known, and the repaired blobs.
requirements:
  - python >= 3.10
  - gpgv, to verify release signatures
  - gpg, if O(signing_key) is set
  - tomli on Python 3.10, if O(registries_conf) is in TOML format
  - the program zstd, the Python package zstandard, or Python 3.14, if layers of a release or catalog image are
    compressed with zstd
options:
  path:
    description:
      - The folder of the bundle. It can be on the disk that is carried to the site.
      - A folder with other content, such as an OCI layout, is rejected.
      - FAT and exFAT file systems are supported. Blobs of 4 GiB or more, which FAT does not support, are split into
        numbered parts.
    type: path
    required: true
  parts:
    description:
      - Further folders, for a bundle that is larger than one drive. Whole blobs are spread over O(path) and these
        folders by their free space, and each folder gets the same index and signature. The drives can be used at the
        site in any order, see M(fieldops.openshift.node_bundle).
      - A file C(volume.json) in each folder lists the content of all of them. It is not signed, because every blob is
        verified by the index.
      - Specify the same folders in the same order in each run. Without this option, the bundle is in O(path) only.
    type: list
    elements: path
    default: []
  parity:
    description:
      - A folder on one more drive, which replaces any one of the others at the site if that drive is lost or damaged.
        It requires as much space as the fullest of the other drives.
      - It contains the exclusive or of the other drives, so two lost drives cannot be replaced.
    type: path
  state:
    description:
      - V(present) builds or updates the bundle.
      - V(merged) merges the bundles in O(sources) with the bundle in O(path), for example a delta with its base, or a
        release with images that were bundled separately. Use it to copy a bundle, too.
      - V(repaired) verifies all content and restores only what is damaged, from O(sources) or from registries.
      - V(absent) removes the bundle or parts of a bundle, and nothing else.
    type: str
    choices: [present, merged, repaired, absent]
    default: present
  version:
    description:
      - The version of the release, for example V(4.20.1). The release image is then the one that Red Hat publishes.
      - Either this option or O(image) is required with O(state=present), unless O(image_set_configuration) names a
        release.
      - Together with O(image), it is the version that the payload of the image must have.
    type: str
  architecture:
    description:
      - The architectures of the nodes. Manifest lists of images for several architectures are included, because
        releases and clusters reference them.
      - With several architectures, the release must be one for several architectures, such as C(4.20.1-multi), which
        O(version) then means. The bundle contains what nodes of each of them run. It cannot have O(operators) and
        O(boot_images).
    type: list
    elements: str
    choices: [x86_64, aarch64, ppc64le, s390x]
    default: [x86_64]
  image:
    description:
      - The release image by digest or tag, for hot fixes and releases from other sources.
    type: str
  image_references:
    description:
      - A file with the C(image-references) of a payload, which replaces the one in the release image.
    type: path
  extra_images:
    description:
      - Additional images to include, by full name with a tag or a digest.
      - A tag is resolved once and recorded in the index. It is not resolved again unless O(refresh_tags) is set.
    type: list
    elements: str
  extra_images_file:
    description:
      - A file with one additional image per line. Empty lines and comments that start with C(#) are ignored.
    type: path
  extra_files:
    description:
      - OCI artifacts that are not images, such as Helm charts, and images for other machines. They are staged on
        nodes with all their content, but neither loaded nor pinned.
      - All other images must be suitable for nodes of O(architecture). Any other image, including images of the
        release, ends the build before layers are downloaded. Up to 20 of these images are listed in the error
        message.
      - Each entry is a full name with a tag or a digest, for example V(registry.partner.example/charts/gateway:1.4).
        For an image index, everything that it lists is included. To include a single entry, specify its digest.
    type: list
    elements: str
  boot_images:
    description:
      - Platforms whose boot images are included, so that machines can be added at a site without access to other
        servers. V(metal) includes the live ISO, the kernel, initramfs and root file system for network boot, and the
        disk image. V(vmware) includes the OVA.
      - The files, their locations and their digests come from the stream in the release image, which the signature of
        the release covers. The bundle contains one file for each platform, such as
        C(boot-images.fieldops.invalid/metal), see O(extra_files).
      - The files are downloaded from the servers that the stream names. O(mirrors) do not apply to them. With
        O(state=repaired), they come only from O(sources). O(state=present) downloads damaged files again.
    type: list
    elements: str
    choices: [metal, vmware]
  boot_image_streams:
    description:
      - The streams whose files O(boot_images) includes, by the names that the release lists, for example V(rhel-10).
        The default is the default stream of the release.
    type: list
    elements: str
  image_set_configuration:
    description:
      - A file with an ImageSetConfiguration of C(oc-mirror), version C(v1alpha2) or C(v2alpha1).
      - These keys are read. The newest C(maxVersion) in C(mirror.platform.channels) is used as O(version), the oldest
        C(minVersion) before it as O(update_from), and the name of the channel as O(update_channel).
        C(mirror.operators) with C(packages), C(channels), C(minVersion), C(maxVersion) and C(defaultChannel) are added
        to O(operators). C(mirror.additionalImages) are added to O(extra_images), unless C(mirror.blockedImages)
        contains them. C(mirror.blockedImages) are added to O(blocked_images).
      - A warning lists all other keys with a value, another one what C(oc-mirror) would include in addition. Helm
        charts (C(mirror.helm)) are not supported. Add charts in OCI registries with O(extra_files).
      - Anchors, aliases, merge keys, tags outside the YAML core schema, and duplicate keys are rejected.
    type: path
  operators:
    description:
      - Operators to include with all their images, selected from file-based catalogs.
      - For each catalog, an image with a catalog that contains only these operators is created and included. It always
        has the same digest if the catalog and the options are the same. RV(catalog_sources) and RV(cluster_catalogs)
        use this image.
      - For O(installed_operators), all versions are included through which OLM updates the installed version to the
        selected one.
      - Operators that the selected ones require are not added. A warning lists them.
      - With O(state=repaired), the created catalogs come only from O(sources). O(state=present) creates damaged ones
        again.
      - Catalogs are read with bounded memory. Anchors, aliases, merge keys, tags outside the YAML core schema, and
        duplicate keys are rejected.
      - Each related image of a selected version must be specified with its registry, or be listed in
        O(blocked_images). A single error lists all images that are not.
    type: list
    elements: dict
    suboptions:
      catalog:
        description: The catalog image, for example V(registry.redhat.io/redhat/redhat-operator-index:v4.20).
        type: str
        required: true
      complete:
        description:
          - Whether to include the catalog image as published instead of a catalog with the selected operators. It also
            lists other operators, whose images are not available at the site.
          - Required for clusters whose CatalogSource does not support C(grpcPodConfig.extractContent) without
            C(cacheDir).
        type: bool
        default: false
      packages:
        description: The operators to include.
        type: list
        elements: dict
        required: true
        suboptions:
          name:
            description: The name of the package.
            type: str
            required: true
          channel:
            description: The channel. The default is the default channel of the package.
            type: str
          version:
            description:
              - The version. The default is the newest version in the channel up to
                O(operators[].packages[].max_version).
            type: str
          min_version:
            description:
              - The oldest version. All versions between it and the selected version are included. By default, only the
                selected version is included.
            type: str
          max_version:
            description: The newest version.
            type: str
          channels:
            description: Several channels, instead of O(operators[].packages[].channel).
            type: list
            elements: dict
            suboptions:
              name:
                description: The name of the channel.
                type: str
                required: true
              min_version:
                description: The oldest version. The default is the one of the package.
                type: str
              max_version:
                description: The newest version. The default is the one of the package.
                type: str
          default_channel:
            description:
              - The default channel at the site, one of the included channels. By default, it is the one of the catalog
                or, if it is not included, the channel with the newest version.
            type: str
  installed_operators:
    description:
      - The operators that the site runs. A package in O(operators) is included with all versions that lead from the
        installed version to the selected one. If no update path exists, the error lists the versions that have one.
    type: list
    elements: dict
    suboptions:
      package:
        description: The name of the package.
        type: str
        required: true
      version:
        description: The installed version, or the name of the installed ClusterServiceVersion.
        type: str
        required: true
      bundle:
        description:
          - The name of the installed ClusterServiceVersion. The default is the name in the catalog or, if it does not
            contain the version, V(PACKAGE.vVERSION).
        type: str
      channel:
        description:
          - The channel of its Subscription. A warning lists each channel that is not included, because OLM updates an
            operator only within the channel of its Subscription.
        type: str
  installed_operators_file:
    description:
      - A file in YAML or JSON format with more O(installed_operators), as a list or in the key C(operators).
    type: path
  blocked_images:
    description:
      - Images of operators that are not included. RV(images_left_out) lists them. Without them, an operator can fail at
        the site.
      - Each entry is a complete name as in the catalog, a repository, or a regular expression that is searched in the
        name.
    type: list
    elements: str
  platforms:
    description:
      - The platforms whose components are included. Components that only other platforms need are left out. By
        default, all components are included.
    type: list
    elements: str
  only:
    description:
      - Patterns for component names. Only matching components are included.
    type: list
    elements: str
  exclude:
    description:
      - Patterns for component names. Matching components are left out.
    type: list
    elements: str
  update_from:
    description:
      - Versions that sites run, for example V(4.18.20). All releases that lead from each of them to O(version) are
        included, chosen in the update graph. Content that several releases share is included once.
      - Updates with known risks are avoided if the graph permits it. Then the path with the fewest updates is chosen,
        and of several such paths the one through the newest releases.
      - Known risks of the chosen updates are shown as warnings and included in the index.
      - The path is chosen once and recorded in the index. It is not chosen again unless O(refresh_tags) is set.
      - Requires O(version). The images come from the graph and must be signed like any other release.
    type: list
    elements: str
  update_channel:
    description:
      - The channel of the update graph, for example V(eus-4.20). It must contain all releases of the path.
      - The default is the C(eus) channel of O(version) for an even minor version, otherwise its C(stable) channel.
    type: str
  update_graph:
    description:
      - The file or the URL of an update graph, a Cincinnati document in JSON format, for example as downloaded from
        another machine. The default is the graph of O(update_channel) at the update service of Red Hat.
    type: str
  base:
    description:
      - The folder or the index of a bundle that the site already has. Only blobs that are missing there are included.
    type: path
  inventory:
    description:
      - The inventory of a site, as written by M(fieldops.openshift.site_inventory). Blobs that every node of the site
        has are left out. Nodes that lack one of them reject the bundle before anything is staged.
    type: path
  inventory_keys:
    description:
      - Files with OpenPGP public keys, one of which must have signed O(inventory). The signature is in the file with
        the same name and the ending C(.asc). Without this option, the signature is not verified.
    type: list
    elements: path
  pull_secret:
    description:
      - A file with credentials for registries, in the format of a pull secret, a C(auth.json) file, or the
        C(config.json) file of Docker.
      - Credentials in a credential helper (C(credHelpers), C(credsStore)) are read with C(docker-credential-NAME
        get), as the user of the task, when the registry is accessed for the first time. The program must be in
        E(PATH) and must not prompt for a passphrase. It receives E(HOME), E(XDG_RUNTIME_DIR),
        E(DBUS_SESSION_BUS_ADDRESS), E(GNUPGHOME), E(PASSWORD_STORE_DIR), E(AWS_PROFILE) and the variables that name
        files or folders of cloud tools, but no variable that contains a key.
      - An unusable entry is an error only if its registry requires authentication.
      - The default is the file in E(REGISTRY_AUTH_FILE). If it is not set, these files of the user of the task are
        read, and the first one with credentials for a registry is used, C($XDG_RUNTIME_DIR/containers/auth.json)
        (without that variable C(/run/containers/UID/auth.json) and C(/run/user/UID/containers/auth.json)),
        C($XDG_CONFIG_HOME/containers/auth.json) (without it C(~/.config/containers/auth.json)),
        C($DOCKER_CONFIG/config.json) (without it C(~/.docker/config.json)) and C(~/.dockercfg).
    type: path
  registries_conf:
    description:
      - A file that configures mirrors and other locations of images. Its format is detected from its content, not
        from its name.
      - The file is either a C(registries.conf) file, version 2. If it has this name, the files C(*.conf) in the
        folder C(registries.conf.d) next to it are read as well, sorted by name, and later files replace rules for the
        same prefix. Apart from C([[registry]]) only C(credential-helpers) has an effect. These helpers are used for
        registries without credentials in O(pull_secret).
      - Or the file contains one or more manifests in YAML or JSON, or a C(List), as printed by C(oc get
        imagedigestmirrorset -o yaml), of the kinds ImageDigestMirrorSet, ImageTagMirrorSet and
        ImageContentSourcePolicy. They have the same effect as on the nodes of a cluster.
      - Locations can start with C(https://), and with C(http://) if they are C(insecure).
      - By default, no file is read. This includes C(/etc/containers/registries.conf).
    type: path
  mirrors:
    description:
      - Mirrors of image repositories, as in an ImageDigestMirrorSet. They replace rules of O(registries_conf) for the
        same source. Each location can be a URL, as described there.
    type: list
    elements: dict
    suboptions:
      source:
        description: The registry or a path in it, for example V(quay.io/openshift-release-dev).
        type: str
        required: true
      mirrors:
        description: The mirrors with the same content, in the order in which they are used.
        type: list
        elements: str
        required: true
      insecure:
        description: Whether to permit mirrors with invalid certificates or without TLS.
        type: bool
        default: false
      contact_source:
        description: Whether the source is used after the mirrors.
        type: bool
        default: true
  ca_file:
    description:
      - A file with certificates of trusted authorities, in PEM format, which replace those of the operating system.
      - The authorities in O(certs_dir) are trusted for their registries in addition.
    type: path
  certs_dir:
    description:
      - A folder with a subfolder for each registry, named C(host) or C(host:port). In the subfolder, C(*.crt) files
        are certificates of authorities that are also trusted for this registry, and C(NAME.cert) and C(NAME.key) are
        a client certificate and its key.
      - By default, the first of C(~/.config/containers/certs.d), C(/etc/containers/certs.d) and
        C(/etc/docker/certs.d) that has a subfolder for a registry is used.
    type: path
  trusted_keys:
    description:
      - Files with public keys, one of which must have signed the release. Use OpenPGP keys for release signatures, or
        PEM keys for signatures that cosign attached. Only these keys are trusted.
      - Without this option, a release in C(quay.io/openshift-release-dev) must be signed with release key 2 of Red
        Hat (C(567E347AD0044ADE55BA8A5F199E2F91FD431D51)), which is built in. For other repositories, no key is built
        in. The release signature is then not verified, and the module issues a warning.
      - An empty list disables the verification, for example for a nightly build, with a warning.
      - RSA keys with less than 2048 bits, DSA keys and ElGamal keys are rejected. Only signatures with SHA-2 or SHA-3
        are accepted.
    type: list
    elements: path
  signature_stores:
    description:
      - Folders or URLs with release signatures, in the layout of the signature stores of Red Hat, which are the
        default.
    type: list
    elements: str
  image_signatures:
    description:
      - Whether to include signatures that are attached to images, of cosign and as Sigstore bundles. Clusters from
        release 4.21 on require them when they pull through a mirror.
      - For a manifest list, the signatures of the list and of the included instance are searched. Container runtimes
        verify the instance.
      - If a registry does not respond to such a request, the build continues and the image is listed in
        RV(signatures_unknown). For the release image, and for images in the scope of O(image_policies), this is an
        error.
    type: bool
    default: true
  attestations:
    description:
      - Whether to include attestations with the signatures, such as provenance and software bills of materials.
    type: bool
    default: false
  image_policies:
    description:
      - Files with ClusterImagePolicy and ImagePolicy manifests of the site. For each image in their scope, a cosign
        signature must be included. Otherwise the build fails and lists the images without one.
      - The signatures are not verified with the keys of the policies.
    type: list
    elements: path
  signing_key:
    description:
      - The path of a file with an OpenPGP private key that signs the index.
    type: path
  signing_passphrase:
    description:
      - The passphrase for O(signing_key).
    type: str
  refresh_tags:
    description:
      - Whether to resolve tags again that are already recorded in the bundle, and to choose the update path again.
        The bundle can then change in every run.
    type: bool
    default: false
  connections:
    description:
      - The number of blobs that are downloaded in parallel.
    type: int
    default: 12
  sources:
    description:
      - Folders of bundles to merge, or to repair from.
    type: list
    elements: path
  index_digest:
    description:
      - The digest of the index to restore with O(state=repaired), if the index itself can be lost or damaged.
    type: str
  plan:
    description:
      - A file with the plan of a build, which is V(plan) in RV(forecast) of an earlier run in check mode as JSON.
      - The bundle is built only if it consists of exactly these images and signatures. Otherwise the module fails
        before layers are downloaded, and lists what changed, for example a tag that refers to another image.
    type: path
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

- name: Build a signed bundle of a hot fix with partner images
  fieldops.openshift.release_bundle:
    path: /mnt/disk/hotfix
    image: quay.io/openshift-release-dev/ocp-release:4.20.1-assembly.hotfix-x86_64
    extra_images:
      - registry.partner.example/edge/gateway:1.4
    signing_key: /home/engineer/bundle-key.asc
    signing_passphrase: "{{ bundle_passphrase }}"
    wait: true

- name: Build a delta bundle with the content that the site does not have yet
  fieldops.openshift.release_bundle:
    path: /mnt/disk/4.20.2-delta
    version: 4.20.2
    base: /home/engineer/sites/4.20.1/index.json
    wait: true

- name: Build one bundle for a control-plane-only update of sites with 4.18.20 or 4.18.30
  fieldops.openshift.release_bundle:
    path: /mnt/disk/4.20.3
    version: 4.20.3
    update_from: [4.18.20, 4.18.30]
    update_channel: eus-4.20
    wait: true

- name: Copy a bundle to a USB drive
  fieldops.openshift.release_bundle:
    path: /mnt/usb/4.20.1
    state: merged
    sources: [/srv/bundles/4.20.1]
    wait: true

- name: Copy a bundle to two USB drives, with a third one that replaces either of them
  fieldops.openshift.release_bundle:
    path: /mnt/usb-a/4.20.1
    parts: [/mnt/usb-b/4.20.1]
    parity: /mnt/usb-p/4.20.1
    state: merged
    sources: [/srv/bundles/4.20.1]
    wait: true

- name: Build a bundle with the mirrors of a cluster, and a registry with a private certificate authority
  fieldops.openshift.release_bundle:
    path: /mnt/disk/4.20.1
    version: 4.20.1
    # oc get imagedigestmirrorset,imagetagmirrorset -o yaml > mirrors.yaml
    registries_conf: /home/engineer/mirrors.yaml
    # /home/engineer/certs.d/mirror.example:8443/ca.crt
    certs_dir: /home/engineer/certs.d
    wait: true

- name: Include an operator
  fieldops.openshift.release_bundle:
    path: /mnt/disk/4.20.1
    version: 4.20.1
    operators:
      - catalog: registry.redhat.io/redhat/redhat-operator-index:v4.20
        packages:
          - name: local-storage-operator
    wait: true

- name: Plan a bundle
  fieldops.openshift.release_bundle:
    path: /mnt/disk/4.20.1
    version: 4.20.1
  check_mode: true
  register: planned

- name: Show the plan
  ansible.builtin.debug:
    msg: "{{ planned | fieldops.openshift.bundle_page(bandwidth=50) }}"

- name: Write the plan
  ansible.builtin.copy:
    content: "{{ planned.forecast.plan | to_json }}"
    dest: /home/engineer/4.20.1-plan.json
    mode: "0644"

- name: Build exactly what was planned
  fieldops.openshift.release_bundle:
    path: /mnt/disk/4.20.1
    version: 4.20.1
    plan: /home/engineer/4.20.1-plan.json
    wait: true

- name: Include the update of an operator that the site runs
  fieldops.openshift.release_bundle:
    path: /mnt/disk/4.20.1
    version: 4.20.1
    operators:
      - catalog: registry.redhat.io/redhat/redhat-operator-index:v4.20
        packages:
          - name: odf-operator
            channel: stable-4.20
            max_version: 4.20.2
    installed_operators:
      - package: odf-operator
        version: 4.19.6-rhodf
    wait: true

- name: Repair a bundle on a damaged USB drive
  fieldops.openshift.release_bundle:
    path: /mnt/disk/4.20.1
    state: repaired
    pull_secret: /home/engineer/pull-secret.json
    wait: true
"""

RETURN = r"""
bundle:
  description: The bundle, after it is complete, in the same format as
    RV(fieldops.openshift.release_bundle_info#module:bundle).
  type: dict
  returned: when the bundle is complete
  sample: {path: /mnt/disk/4.20.1, index_digest: 'sha256:3f2a1b0c...'}
content:
  description: The sizes of the bundle by part, in the same format as
    RV(fieldops.openshift.release_bundle_info#module:content).
  type: dict
  returned: when the bundle is complete
  sample: {size: 17179869184, missing: 0, shared: 8589934592}
signature_config_map:
  description:
    - The ConfigMap with the release signatures, which must be applied before the update of the cluster is requested.
    - None if the bundle has no release signatures.
  type: dict
  returned: when the bundle is complete
  sample: {apiVersion: v1, kind: ConfigMap}
signature_config_maps:
  description:
    - The same for each release of the bundle, in the order of
      RV(fieldops.openshift.release_bundle_info#module:bundle.releases). It is empty for a release without GPG
      signatures.
  type: list
  elements: dict
  returned: when the bundle is complete
  sample: [{apiVersion: v1, kind: ConfigMap}]
catalog_sources:
  description: A CatalogSource for each catalog in the bundle, to apply at the site.
  type: list
  elements: dict
  returned: when the bundle is complete
  sample: [{apiVersion: operators.coreos.com/v1alpha1, kind: CatalogSource}]
cluster_catalogs:
  description: A ClusterCatalog for each catalog in the bundle, for operators that OLM v1 manages.
  type: list
  elements: dict
  returned: when the bundle is complete
  sample: [{apiVersion: olm.operatorframework.io/v1, kind: ClusterCatalog}]
signers:
  description:
    - The trusted keys that signed the release, with the primary fingerprint for OpenPGP keys, and the V(sha256:)
      digest of the DER form for PEM keys.
  type: list
  elements: str
  returned: with O(state=present), when the bundle is complete
  sample: [567E347AD0044ADE55BA8A5F199E2F91FD431D51]
signatures_unknown:
  description:
    - Images whose signatures could not be determined, because a registry did not respond. The next build tries again.
  type: list
  elements: dict
  returned: with O(state=present), when the bundle is complete
  contains:
    image:
      description: The name of the image.
      type: str
      sample: "registry.partner.example/edge/gateway@sha256:1c6e9f6c..."
    reason:
      description: The response of the registry.
      type: str
      sample: "registry.partner.example/edge/gateway: status 403"
trust_warnings:
  description: Why the release signature was not verified. Empty if it was verified. The reasons are also shown as
    warnings.
  type: list
  elements: str
  returned: with O(state=present), when the bundle is complete
  sample: []
operators:
  description: The included operators, one entry for each channel.
  type: list
  elements: dict
  returned: with O(state=present), when the bundle is complete
  contains:
    catalog:
      description: The catalog image.
      type: str
      sample: registry.redhat.io/redhat/redhat-operator-index:v4.20
    package:
      description: The package.
      type: str
      sample: odf-operator
    channel:
      description: The channel.
      type: str
      sample: stable-4.20
    version:
      description: The newest included version.
      type: str
      sample: 4.20.2-rhodf
    versions:
      description: All included versions.
      type: list
      elements: str
      sample: [4.20.0-rhodf, 4.20.2-rhodf]
    updates:
      description: The versions (C(versions)) through which an installed version (C(installed)) is updated.
      type: list
      elements: dict
      sample: [{installed: 4.19.6-rhodf, versions: [4.20.0-rhodf, 4.20.2-rhodf]}]
images_left_out:
  description: The images of operators that O(blocked_images) contains.
  type: list
  elements: dict
  returned: with O(state=present), when the bundle is complete
  sample: [{package: gateway, bundle: gateway.v1.4.0, image: 'gateway/debug:1.4'}]
operator_warnings:
  description: Operators that the included ones require and that are not included, and channels of Subscriptions that
    are not included. They are also shown as warnings.
  type: list
  elements: str
  returned: with O(state=present), when the bundle is complete
  sample: ['odf-operator.v4.20.2-rhodf requires the operator ocs-operator >=4.20.0, which is not included']
fetched:
  description: The number of bytes downloaded from registries.
  type: int
  returned: with O(state=present) and O(state=repaired), when the bundle is complete
  sample: 17179869184
kept:
  description: The number of bytes that already existed.
  type: int
  returned: with O(state=present), when the bundle is complete
  sample: 0
copied:
  description: The number of bytes copied from O(sources).
  type: int
  returned: with O(state=merged), when the bundle is complete
  sample: 17179869184
repaired:
  description: The digests of blobs that were damaged.
  type: list
  elements: str
  returned: with O(state=repaired), when the bundle is complete
  sample: []
always_pulled:
  description:
    - Containers in the release manifests with the pull policy C(Always). They do not start without a registry.
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
      description: Why the manifest could not be searched. In that case, all other keys except C(file) are empty.
      type: str
      returned: when it could not be searched
      sample: it uses an anchor or an alias, which are not supported (line 4)
forecast:
  description:
    - The content that would be included, with the number of bytes in V(fetched) and V(kept). V(space) contains the
      number of bytes that are C(missing), C(free) and C(lacking), of C(obsolete) blobs that are removed after the
      build, the free bytes of each of the C(media), and whether the content C(fits).
    - With O(state=present), V(content) contains the sizes by part as in RV(content), V(remedies) what to leave out if
      it does not fit, and V(plan) the images and signatures for O(plan). The filter
      P(fieldops.openshift.bundle_page#filter) converts the result to text.
  type: dict
  returned: in check mode
  sample:
    version: 4.20.1
    fetched: 17179869184
    kept: 0
    space: {missing: 17179869184, free: 64424509440, fits: true}
actions:
  description: The actions that were taken, or that would be taken in check mode.
  type: list
  elements: dict
  returned: success
  sample: [{build: /mnt/disk/4.20.1, fetched: 17179869184, kept: 0}]
progress:
  description: The current progress, in the same format as RV(fieldops.openshift.cluster_health_info#module:progress).
  type: dict
  returned: success
  sample:
    sentence: image 12 of 191, fetched 3.1 GiB of 16.0 GiB from quay.io, 95.2 MiB/s, about 2 min left
    done: false
    next_delay: 10.0
timeline:
  description: The progress messages observed while waiting, one entry for each change, in the same format as
    RV(fieldops.openshift.cluster_health_info#module:timeline).
  type: list
  elements: dict
  returned: always
  sample: [{at: '2026-11-21T22:01:07Z', sentence: resolving 190 images of 4.20.1}]
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build.bundle_step import step_to_state
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

RANGE = {"min_version": {"type": "str"}, "max_version": {"type": "str"}}

PACKAGE = {
    "name": {"type": "str", "required": True},
    "channel": {"type": "str"},
    "version": {"type": "str"},
    **RANGE,
    "channels": {"type": "list", "elements": "dict", "options": {"name": {"type": "str", "required": True}, **RANGE}},
    "default_channel": {"type": "str"},
}

OPERATORS = {
    "catalog": {"type": "str", "required": True},
    "packages": {"type": "list", "elements": "dict", "required": True, "options": PACKAGE},
    "complete": {"type": "bool", "default": False},
}

INSTALLED = {
    "package": {"type": "str", "required": True},
    "version": {"type": "str", "required": True},
    "bundle": {"type": "str"},
    "channel": {"type": "str"},
}

SPEC = ArgumentSpec(
    options={
        "path": {"type": "path", "required": True},
        "parts": {"type": "list", "elements": "path", "default": []},
        "parity": {"type": "path"},
        "state": {"type": "str", "choices": ["present", "merged", "repaired", "absent"], "default": "present"},
        "version": {"type": "str"},
        "architecture": {
            "type": "list",
            "elements": "str",
            "choices": ["x86_64", "aarch64", "ppc64le", "s390x"],
            "default": ["x86_64"],
        },
        "image": {"type": "str"},
        "image_references": {"type": "path"},
        "extra_images": {"type": "list", "elements": "str"},
        "extra_images_file": {"type": "path"},
        "image_set_configuration": {"type": "path"},
        "extra_files": {"type": "list", "elements": "str"},
        "boot_images": {"type": "list", "elements": "str", "choices": ["metal", "vmware"]},
        "boot_image_streams": {"type": "list", "elements": "str"},
        "operators": {"type": "list", "elements": "dict", "options": OPERATORS},
        "installed_operators": {"type": "list", "elements": "dict", "options": INSTALLED},
        "installed_operators_file": {"type": "path"},
        "blocked_images": {"type": "list", "elements": "str"},
        "platforms": {"type": "list", "elements": "str"},
        "only": {"type": "list", "elements": "str"},
        "exclude": {"type": "list", "elements": "str"},
        "update_from": {"type": "list", "elements": "str"},
        "update_channel": {"type": "str"},
        "update_graph": {"type": "str"},
        "base": {"type": "path"},
        "inventory": {"type": "path"},
        "inventory_keys": {"type": "list", "elements": "path", "no_log": False},
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
        "plan": {"type": "path"},
    },
    required_if=[
        ["state", "present", ["version", "image", "image_set_configuration"], True],
        ["state", "merged", ["sources"]],
    ],
    required_by={
        "signing_passphrase": ["signing_key"],
        "parity": ["parts"],
        "update_from": ["version"],
        "inventory_keys": ["inventory"],
    },
    mutually_exclusive=[
        ["update_from", "image"],
        ["update_from", "image_references"],
        ["update_channel", "update_graph"],
        ["base", "inventory"],
    ],
).merged(WAIT_OPTIONS)
WAITING = Waiting("the bundle is complete", on="the folder of the bundle")


def main() -> t.NoReturn:
    run(SPEC, lambda this: step_to_state(this.params, this.clock, check_mode=this.check_mode), WAITING)


if __name__ == "__main__":
    main()
