# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Signatures of cosign that travel in the bundle stand beside their images in the container storage.

A policy over that storage is what CRI-O asks before it starts a container of a namespace with a policy of its own
(cri-o, ``internal/storage/image.go``, IsRunningImageAllowed); skopeo asks the same library the same question.
"""

from __future__ import annotations

import json
import typing as t

import pytest

from ansible_collections.fieldops.openshift.tests.integration.node_images.bundles import WrittenBundle, write_bundle
from ansible_collections.fieldops.openshift.tests.integration.node_images.nodes import Controller, plug_in
from ansible_collections.fieldops.openshift.tests.lab.registry.cosign import CosignKey, cosign_signature

if t.TYPE_CHECKING:
    from ansible_collections.fieldops.openshift.tests.lab.lab import Lab
    from ansible_collections.fieldops.openshift.tests.lab.node.host import NodeHost
    from ansible_collections.fieldops.openshift.tests.lab.registry.release import Release

KEY, POLICY, OUT = "/srv/cosign.pub", "/srv/policy.json", "/var/tmp/accepted"


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> CosignKey:
    return CosignKey.create(tmp_path_factory.mktemp("key"))


@pytest.fixture(scope="module")
def bundle(release: Release, key: CosignKey, tmp_path_factory: pytest.TempPathFactory) -> WrittenBundle:
    """A bundle in which the release image alone is signed."""
    signature = cosign_signature(release.pool, key, release.reference)
    return write_bundle(tmp_path_factory.mktemp("signed") / "bundle", release, signed={release.image.digest: signature})


def is_accepted(host: NodeHost, name: str) -> bool:
    """Whether a policy that wants a signature of the key lets the image out of the host's container storage."""
    # To keep them would forbid another form of the layers; they are judged all the same.
    copy = f"copy -q --remove-signatures containers-storage:{name} dir:{OUT}"
    script = f"skopeo --policy {POLICY} {copy} && echo accepted; rm -rf {OUT}"
    return host.run("sh", "-c", script, check=False).endswith("accepted\n")


def test_a_policy_over_the_storage_finds_the_signature(
    lab: Lab, host: NodeHost, bundle: WrittenBundle, key: CosignKey, release: Release, controller: Controller
) -> None:
    medium = plug_in(lab, host.name, bundle)
    wait = {"index_digest": str(bundle.index.digest), "wait": True, "wait_timeout": 240, "keep_free_percent": 1}
    assert controller.task(host.name, "node_bundle", src=medium, **wait).rc == 0
    loaded = controller.task(host.name, "node_images", **wait)
    assert loaded.rc == 0, loaded.output
    rule = {"type": "sigstoreSigned", "keyPath": KEY, "signedIdentity": {"type": "matchRepository"}}
    policy = {"default": [{"type": "reject"}], "transports": {"containers-storage": {"": [rule]}}}
    host.write(KEY, key.public.read_text())
    host.write(POLICY, json.dumps(policy))
    named = {image.manifests[0]: str(image.name) for image in bundle.index.images}
    signed = named.pop(release.image.digest)
    assert is_accepted(host, signed)
    assert not is_accepted(host, next(iter(named.values())))
