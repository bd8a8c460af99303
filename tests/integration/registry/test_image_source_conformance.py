# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The image source through the conformance suite of the distribution specification, as far as that is about pulling."""

from __future__ import annotations

import os
import re
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.blob_proofs import BlobProofs
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.image_endpoint import ImageEndpoint
from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.allowed_peers import AllowedPeers
from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.bundle_endpoint import BundleEndpoint
from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.server import RelayServer
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.tests.integration.node_images.bundles import WrittenBundle, write_bundle
from ansible_collections.fieldops.openshift.tests.lab.go import program
from ansible_collections.fieldops.openshift.tests.lab.registry.release import PartnerSpec, ReleaseFactory
from ansible_collections.fieldops.openshift.tests.lab.registry.release_spec import ReleaseSpec

ROW = re.compile(r"^  ([A-Z][A-Za-z ]+[a-z])\.+: +(\w+)$", re.MULTILINE)
PASSED = (
    "Blob get",
    "Blob head",
    "Manifest get by digest",
    "Manifest head by digest",
    "Referrers",
    "Ping",
    "Invalid Manifest Digest",
    "Read Only Inputs",
)
"""Rows of the report. The program's exit status says nothing: for a registry that it may not push to it ends in a panic
after the report (run.go, ReportResultsYAML)."""


@pytest.fixture
def bundle(tmp_path: Path) -> WrittenBundle:
    factory = ReleaseFactory(tmp_path / "releases")
    partner = factory.partner_image(PartnerSpec(architectures=("x86_64", "aarch64")))
    release = factory.release(ReleaseSpec(version="4.21.3"))
    return write_bundle(tmp_path / "bundle", release, extra=[partner])


@pytest.fixture
def port(bundle: WrittenBundle) -> Iterator[int]:
    clock = SystemClock()
    endpoint = ImageEndpoint([BundleEndpoint(bundle.folder, bundle.index.digest)], BlobProofs(clock, {}))
    server = RelayServer(endpoint, None, AllowedPeers.parse(["127.0.0.1"]), Deadline(120, clock))
    found = server.listen("127.0.0.1", [0])
    serving = threading.Thread(target=server.serve)
    serving.start()
    yield found
    server.stop()
    serving.join(10)
    endpoint.close()


def test_the_pull_part_of_the_suite(bundle: WrittenBundle, port: int, tmp_path: Path) -> None:
    images = [image for image in bundle.index.images if image.is_image]
    settings = {
        "OCI_REGISTRY": f"127.0.0.1:{port}",
        "OCI_TLS": "disabled",
        "OCI_REPO1": "openshift-release-dev/ocp-release",
        "OCI_RESULTS_DIR": str(tmp_path / "results"),
        "OCI_API_PUSH": "false",
        "OCI_API_BLOBS_DELETE": "false",
        "OCI_API_MANIFESTS_DELETE": "false",
        "OCI_API_TAGS_DELETE": "false",
        "OCI_API_TAGS_LIST": "false",
        "OCI_API_BLOBS_DIGEST_HEADER": "true",
        "OCI_RO_DATA_MANIFESTS": " ".join(str(digest) for image in images for digest in image.manifests),
        "OCI_RO_DATA_BLOBS": " ".join(str(digest) for image in images for digest in image.content),
        "OCI_RO_DATA_REFERRERS": " ".join(str(image.manifests[0]) for image in images),
    }
    ended = subprocess.run(
        [program("conformance")],
        env={**os.environ, **settings},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    report = dict(ROW.findall(ended.stdout))
    assert {row: report.get(row) for row in PASSED} == dict.fromkeys(PASSED, "Pass"), ended.stdout
    assert "FAIL" not in report.values(), ended.stdout
