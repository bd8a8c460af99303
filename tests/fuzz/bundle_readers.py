# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What bundles, releases, catalogs and kits consist of."""

from __future__ import annotations

import io
import tarfile
import typing as t
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.boot_files import files_of
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.bundle_errors import PayloadError
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.contents.json_objects import json_objects
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.contents.tar_entries import TarReader
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.contents.yaml_documents import (
    yaml_documents,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.kit.kit_folder import parsed_sums
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.signatures.trusted_keys import TrustedKeys
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.boot_artifacts import listed_artifacts
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.build_plan import require_plan
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.kit.kit_lock import KitLock
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.manifests import parse_manifest
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.needed_images import mention_in
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.operators.catalog import catalog_record
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.operators.image_set import (
    read_image_set,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.release_payload import parse_references
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.site_inventory import read_inventory
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.trust.gpg_verdict import gpg_verdict
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.trust.image_policies import policies_in
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.trust.openpgp_keys import key_problem
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.trust.pull_policy import pulled_always
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.trust.signed_statement import (
    statement_problem,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.mirror_sets import mirror_sets
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.architecture import Architecture
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index_reader import read_index
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_volumes import read_volumes
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.tests.fuzz.reader import Reader, as_json, as_text, seed
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._terms.bundle_samples import sample_index

HEX = "e" * 64
DIGEST = f"sha256:{HEX}"
INDEX = sample_index().as_bytes()
DESCRIPTOR = {"mediaType": "application/vnd.oci.image.layer.v1.tar+gzip", "digest": DIGEST, "size": 7}
MANIFEST = {
    "schemaVersion": 2,
    "mediaType": "application/vnd.oci.image.manifest.v1+json",
    "config": {**DESCRIPTOR, "mediaType": "application/vnd.oci.image.config.v1+json"},
    "layers": [DESCRIPTOR],
    "annotations": {"org.opencontainers.image.title": "a"},
}
REFERENCES = {
    "kind": "ImageStream",
    "apiVersion": "image.openshift.io/v1",
    "metadata": {"name": "4.21.3", "annotations": {}},
    "spec": {"tags": [{"name": "etcd", "from": {"kind": "DockerImage", "name": f"quay.io/a/b@{DIGEST}"}}]},
}
INVENTORY = {
    "schemaVersion": 1,
    "kind": "FieldOpsSiteInventory",
    "written": "2026-11-21T22:00:00Z",
    "cluster": "c",
    "version": "4.21.3",
    "operators": [],
    "nodes": ["n"],
    "groups": [{"nodes": ["n"], "blobs": [HEX]}],
}
STATEMENT = {
    "critical": {
        "type": "atomic container signature",
        "image": {"docker-manifest-digest": DIGEST},
        "identity": {"docker-reference": "quay.io/a/b"},
    },
    "optional": {"creator": "x"},
}
GPG = b"""[GNUPG:] NEWSIG
[GNUPG:] GOODSIG 199E2F91FD431D51 Red Hat
[GNUPG:] VALIDSIG 567E347AD0044ADE55BA8A5F199E2F91FD431D51 2026-11-21 1795000000 0 4 0 1 8 00 567E347AD0044ADE
"""
KEY = b"-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE\n-----END PUBLIC KEY-----\n"
IMAGE_SET = b"""kind: ImageSetConfiguration
apiVersion: mirror.openshift.io/v2alpha1
mirror:
  platform:
    channels: [{name: stable-4.21, minVersion: 4.21.3, maxVersion: 4.21.5}]
  operators:
  - catalog: quay.io/a/catalog:v4.21
    packages: [{name: lvms-operator, channels: [{name: stable-4.21, minVersion: 4.21.0}]}]
  additionalImages: [{name: "quay.io/a/b:1"}]
"""
MIRRORS = b"""apiVersion: config.openshift.io/v1
kind: ImageDigestMirrorSet
metadata: {name: site}
spec:
  imageDigestMirrors:
  - source: quay.io/a
    mirrors: [mirror.example.com:5000/a]
    mirrorSourcePolicy: NeverContactSource
"""
POLICY = b"""apiVersion: config.openshift.io/v1
kind: ClusterImagePolicy
metadata: {name: openshift}
spec:
  scopes: [quay.io/openshift-release-dev/ocp-release]
  policy: {rootOfTrust: {policyType: PublicKey, publicKey: {keyData: Zm9v}}}
"""
MANIFESTS = f"""kind: Deployment
apiVersion: apps/v1
metadata: {{name: x, annotations: {{capability.openshift.io/name: Console}}}}
spec: {{template: {{spec: {{containers: [{{name: a, image: "quay.io/a/b@{DIGEST}", imagePullPolicy: Always}}]}}}}}}
""".encode()
CATALOG = {
    "schema": "olm.bundle",
    "package": "lvms-operator",
    "name": "lvms-operator.v4.21.0",
    "image": f"quay.io/a/b@{DIGEST}",
    "relatedImages": [{"name": "a", "image": f"quay.io/a/b@{DIGEST}"}],
    "properties": [{"type": "olm.package", "value": {"packageName": "lvms-operator", "version": "4.21.0"}}],
}
CHANNEL = {
    "schema": "olm.channel",
    "package": "lvms-operator",
    "name": "stable",
    "entries": [{"name": "lvms-operator.v4.21.0", "replaces": "x", "skips": ["y"], "skipRange": ">=4.20.0 <4.21.0"}],
}
VOLUMES = {
    "schemaVersion": 1,
    "kind": "FieldOpsVolume",
    "index": DIGEST,
    "name": "A",
    "volumes": [{"name": "A", "label": "DRIVE-A", "blobs": [HEX]}, {"name": "B", "label": "", "blobs": []}],
}
LOCK = {
    "kind": "FieldOpsKit",
    "schemaVersion": 1,
    "requirements": ["kubernetes>=24"],
    "targets": ["3.12-x86_64"],
    "wheels": [
        {"name": "a", "version": "1", "file": "a-1-py3-none-any.whl", "sha256": HEX, "targets": ["3.12-x86_64"]}
    ],
}
BOOT_MANIFEST = {
    "schemaVersion": 2,
    "layers": [{"digest": DIGEST, "annotations": {"org.opencontainers.image.title": "rhcos.iso"}}],
}


def _tar_file() -> bytes:
    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name in ("release-manifests/image-references", "a" * 150):
            entry = tarfile.TarInfo(name)
            entry.size = 5
            archive.addfile(entry, io.BytesIO(b"bytes"))
    return written.getvalue()


def _tar(content: bytes) -> object:
    reader = TarReader(io.BytesIO(content), lambda seen: PayloadError("read it", on="layer", seen=seen, advice="Stop."))
    return [(entry, reader.read(1 << 16)) for entry in reader]


def _manifest(content: bytes) -> object:
    return parse_manifest(content, "application/vnd.oci.image.manifest.v1+json", on="image")


def _references(content: bytes) -> object:
    return parse_references(content, on="release")


def _inventory(content: bytes) -> object:
    return read_inventory(content, on="inventory")


def _statement(content: bytes) -> object:
    return statement_problem(content, "atomic container signature", Digest(HEX))


def _verdict(content: bytes) -> object:
    return gpg_verdict(as_text(content)), gpg_verdict(as_text(content), detached=True)


def _keys(content: bytes) -> object:
    return TrustedKeys.parse(content, on="key")


def _documents(content: bytes) -> list[t.Any]:
    return yaml_documents(content, on="file")


def _image_set(content: bytes) -> object:
    return [read_image_set(document, on="file") for document in _documents(content)]


def _mirror_sets(content: bytes) -> object:
    return mirror_sets(_documents(content), on="file")


def _policies(content: bytes) -> object:
    return policies_in(_documents(content), on="file")


def _manifests(content: bytes) -> object:
    return [(mention_in(document), pulled_always(document)) for document in _documents(content)]


def _catalog(content: bytes) -> object:
    return [catalog_record(one, ["lvms-operator"]) for one in json_objects(io.BytesIO(content), on="catalog")]


def _volumes(content: bytes) -> object:
    return read_volumes(content, on="drive")


def _lock(content: bytes) -> object:
    return KitLock.from_document(as_json(content))


def _sums(content: bytes) -> object:
    return parsed_sums(content, Path("kit"))


def _plan(content: bytes) -> object:
    return require_plan(as_json(content), on="plan.json")


def _boot_artifacts(content: bytes) -> object:
    streams = {"data": {"stream": as_text(content)}}
    return listed_artifacts(streams, Architecture.parse("x86_64"), "metal", (), on="streams")


def _boot_files(content: bytes) -> object:
    return files_of(sample_index().images[0], content)


ISO = {"disk": {"location": "https://images.example/a.iso", "sha256": HEX}}
FORMS = {"iso": ISO, "pxe": ISO, "raw.gz": ISO}
METAL = {"metal": {"release": "9.8.20260428-0", "formats": FORMS}}
STREAM = {"stream": "rhel-9", "architectures": {"x86_64": {"artifacts": METAL}}}
READERS = (
    Reader("bundle_index", read_index, (INDEX,)),
    Reader("image_manifest", _manifest, (seed(MANIFEST),)),
    Reader("release_references", _references, (seed(REFERENCES),)),
    Reader("tar_file", _tar, (_tar_file(),)),
    Reader("site_inventory", _inventory, (seed(INVENTORY),)),
    Reader("signed_statement", _statement, (seed(STATEMENT),)),
    Reader("gpg_status", _verdict, (GPG,)),
    Reader("trusted_keys", _keys, (KEY,)),
    Reader("openpgp_ring", key_problem, (b"\x98\x33\x04" + bytes(48),)),
    Reader("image_set_configuration", _image_set, (IMAGE_SET,)),
    Reader("mirror_sets", _mirror_sets, (MIRRORS,)),
    Reader("image_policies", _policies, (POLICY,)),
    Reader("release_manifests", _manifests, (MANIFESTS,)),
    Reader("operator_catalog", _catalog, (seed(CATALOG) + b"\n" + seed(CHANNEL),)),
    Reader("bundle_volumes", _volumes, (seed(VOLUMES),)),
    Reader("kit_lock", _lock, (seed(LOCK),)),
    Reader("checksums", _sums, (f"{HEX}  wheels/a.whl\n".encode(),)),
    Reader("build_plan", _plan, (seed({"kind": "FieldOpsBundlePlan", "schemaVersion": 1}),)),
    Reader("boot_artifacts", _boot_artifacts, (seed(STREAM),)),
    Reader("boot_files", _boot_files, (seed(BOOT_MANIFEST),)),
)
