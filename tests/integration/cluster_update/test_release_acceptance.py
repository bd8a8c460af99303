# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which releases the real cluster-version-operator takes: by their signatures, and by what its node can get at."""

from __future__ import annotations

from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference
from ansible_collections.fieldops.openshift.tests.integration.cluster_update.conftest import Connect
from ansible_collections.fieldops.openshift.tests.integration.cluster_update.releases import RUNNING, Releases
from ansible_collections.fieldops.openshift.tests.integration.cluster_update.updates import (
    NEXT,
    VERSION,
    await_that,
    condition_of,
    follow_update,
    request,
    take_step,
)
from ansible_collections.fieldops.openshift.tests.lab.actors.version_operator_node import PODS
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.registry.faults import NOWHERE
from ansible_collections.fieldops.openshift.tests.lab.registry.release_signatures import SignatureStore, signed_message
from ansible_collections.fieldops.openshift.tests.lab.registry.release_signer import ReleaseSigner
from ansible_collections.fieldops.openshift.tests.lab.seed.cluster import release_image

REFERENCE = ImageReference.parse(release_image(NEXT))
DIGEST = Digest.parse(release_image(NEXT).partition("@")[2])
UNVERIFIED = "The update cannot be verified: unable to verify sha256:"


def refused(site: ApiServer) -> str:
    """Return why the operator refuses a release, nothing while it does not."""
    said = condition_of(site.rest, "ReleaseAccepted")
    return str(said["message"]) if said.get("status") == "False" else ""


def test_a_signature_of_another_digest_proves_nothing_and_spoils_nothing(
    site: ApiServer, connect: Connect, releases: Releases, tmp_path: Path
) -> None:
    signer = releases.signer
    both = SignatureStore(tmp_path)
    other = signer.keyring.sign(signer.key, signed_message(REFERENCE, NOWHERE))
    both.add(DIGEST, other)
    with releases.version_operator(site), connect() as door:
        take_step(door, request(signature_config_map=both.config_map(DIGEST)))
        await_that(lambda: UNVERIFIED in refused(site), "the signature is refused")
        both.sign(signer.keyring, signer.key, REFERENCE)
        with_both = request(signature_config_map=both.config_map(DIGEST), wait_for="accepted")
        assert follow_update(door, with_both)[0].objects["release"]["state"] == "partial"


def test_a_signature_by_a_key_that_the_running_release_lacks_proves_nothing(
    site: ApiServer, connect: Connect, releases: Releases, tmp_path: Path
) -> None:
    with ReleaseSigner(tmp_path) as foreign, releases.version_operator(site), connect() as door:
        foreign.sign(REFERENCE)
        take_step(door, request(signature_config_map=foreign.signatures(REFERENCE)))
        await_that(lambda: UNVERIFIED in refused(site), "the signature is refused")
    assert "against keyrings: verifier-public-key-lab" in refused(site)


def test_while_no_node_can_get_at_the_image_nothing_is_said_and_nothing_is_begun(
    site: ApiServer, connect: Connect, releases: Releases
) -> None:
    """For four minutes the operator waits for its version pod, and writes no status (pkg/cvo/cvo.go, sync)."""
    with releases.version_operator(site, NEXT, unreachable=(NEXT,)), connect() as door:
        take_step(door, request())
        await_that(lambda: "no route to host" in str(site.rest.get(PODS)["items"]), "a version pod waits for its image")
        step = take_step(door, request())
    assert (step.done, step.objects["release"]["state"]) == (False, "requested")
    assert site.rest.get(VERSION)["status"]["history"][0]["version"] == RUNNING
