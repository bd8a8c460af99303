# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which signatures of a manifest list are found in the container storage once its image is loaded.

A container runtime asks for the image by its ID (cri-o, ``internal/storage/image.go``, IsRunningImageAllowed), so that
the manifest of the instance is what a signature has to be of. skopeo asks the same library the same question.
"""

from __future__ import annotations

import json
import os
import shutil
import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.image_signatures import (
    signature_files,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.image_view import (
    VERSION,
    VERSION_FILE,
    view_links,
)
from ansible_collections.fieldops.openshift.tests.integration.node_images.bundles import write_bundle
from ansible_collections.fieldops.openshift.tests.integration.registry.skopeo import ACCEPT_ANYTHING, Skopeo
from ansible_collections.fieldops.openshift.tests.lab.debian import node_root
from ansible_collections.fieldops.openshift.tests.lab.registry.cosign import CosignKey, cosign_signature
from ansible_collections.fieldops.openshift.tests.lab.registry.images import ImageList
from ansible_collections.fieldops.openshift.tests.lab.registry.release import PartnerSpec, ReleaseFactory

if t.TYPE_CHECKING:
    from pathlib import Path

    from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import BundledImage
    from ansible_collections.fieldops.openshift.tests.lab.registry.release import Release

pytestmark = [pytest.mark.long, pytest.mark.skipif(os.geteuid() != 0, reason="a container storage is root's")]


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> CosignKey:
    return CosignKey.create(tmp_path_factory.mktemp("key"))


class Storage:
    """A container storage of the test's own."""

    def __init__(self, directory: Path) -> None:
        # The programs of node hosts, in a namespace of their own: those of the machine may be built without Sigstore.
        script = 'mount --bind "$0/usr" /usr && exec skopeo "$@"'
        self.skopeo = Skopeo(directory / "skopeo", ["unshare", "--mount", "sh", "-c", script, node_root()])
        self._directory = directory
        self._place = f"[vfs@{directory}/root+{directory}/run]"

    def load(self, image: BundledImage, view: Path) -> None:
        self.skopeo.ok("copy", "--preserve-digests", f"dir:{view}", f"containers-storage:{self._place}{image.name}")

    def accepts(self, image: BundledImage, key: CosignKey) -> bool:
        """Whether a policy that demands a signature of ``key`` lets the image out, asked for by its ID."""
        book = json.loads((self._directory / "root/vfs-images/images.json").read_text())
        identity = next(one["id"] for one in book if str(image.name) in one["names"])
        rule = {
            "type": "sigstoreSigned",
            "keyPath": str(key.public),
            "signedIdentity": {"type": "exactRepository", "dockerRepository": image.name.name},
        }
        self.skopeo.policy({"default": [{"type": "reject"}], "transports": {"containers-storage": {"": [rule]}}})
        out = self._directory / "out"
        source = f"containers-storage:{self._place}@{identity}"
        done = self.skopeo.run("copy", "--remove-signatures", source, f"dir:{out}")
        shutil.rmtree(out, ignore_errors=True)
        self.skopeo.policy(ACCEPT_ANYTHING)
        assert done.returncode == 0 or "A signature was required, but no signature exists" in done.stderr, done.stderr
        return done.returncode == 0


@pytest.mark.parametrize(
    ("signed", "accepted"),
    [
        pytest.param((), False, id="unsigned"),
        pytest.param((0,), False, id="the list alone"),
        pytest.param((1,), True, id="the instance alone"),
        pytest.param((0, 1), True, id="list and instance"),
    ],
)
def test_the_signature_of_the_instance_is_what_counts(
    factory: ReleaseFactory, release: Release, key: CosignKey, tmp_path: Path, signed: tuple[int, ...], accepted: bool
) -> None:
    partner = factory.partner_image(PartnerSpec(architectures=("x86_64", "aarch64")))
    assert isinstance(partner.image, ImageList)
    instance = next(one.digest for one in partner.image.instances if one.architecture.oci == "amd64")
    subjects = [(partner.image.digest, instance)[number] for number in signed]
    signatures = {one: cosign_signature(release.pool, key, partner.reference.by_digest(one)) for one in subjects}
    bundle = write_bundle(tmp_path / "bundle", release, extra=[partner], signed=signatures)
    image = next(one for one in bundle.index.images if one.manifests[0] == partner.image.digest)
    view = bundle.folder / "views/partner"
    view.mkdir(parents=True)
    (view / VERSION_FILE).write_text(VERSION)
    for name, target in view_links(image).items():
        (view / name).symlink_to(target)
    for name, content in signature_files(image, bundle.index.signatures, release.pool.read).items():
        (view / name).write_bytes(content)
    storage = Storage(tmp_path)
    storage.load(image, view)
    assert storage.accepts(image, key) is accepted
