# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The cluster version operator takes a release that is signed by a key it trusts, and no other."""

from __future__ import annotations

import typing as t
from dataclasses import replace

import pytest

from ansible_collections.fieldops.openshift.tests.integration.lab.waiting import wait_for
from ansible_collections.fieldops.openshift.tests.lab.actors.cluster_version_operator import (
    VERSION,
    ClusterVersionOperator,
    retrieval_by,
)
from ansible_collections.fieldops.openshift.tests.lab.actors.pinned_images import CrioOnHost
from ansible_collections.fieldops.openshift.tests.lab.actors.release_verification import (
    CONFIG_MAPS,
    ReleaseVerification,
)
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.registry.faults import sign_another_digest
from ansible_collections.fieldops.openshift.tests.lab.registry.keyring import Keyring
from ansible_collections.fieldops.openshift.tests.lab.registry.release import Release, ReleaseFactory
from ansible_collections.fieldops.openshift.tests.lab.registry.release_signatures import release_verification
from ansible_collections.fieldops.openshift.tests.lab.registry.release_signer import ReleaseSigner
from ansible_collections.fieldops.openshift.tests.lab.registry.release_spec import ReleaseSpec
from ansible_collections.fieldops.openshift.tests.lab.seed.cluster import cluster_version

if t.TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ansible_collections.fieldops.openshift.tests.lab.lab import Lab
    from ansible_collections.fieldops.openshift.tests.lab.rest import Json, RestClient


RULES = "/etc/containers/registries.conf.d/lab.conf"


@pytest.fixture(scope="module")
def client() -> Iterator[RestClient]:
    with ApiServer.start_openshift() as server:
        yield server.rest


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    return ReleaseFactory(tmp_path_factory.mktemp("release")).release(ReleaseSpec(version="4.21.5"))


@pytest.fixture
def signer(tmp_path: Path, client: RestClient) -> Iterator[ReleaseSigner]:
    """A signer that the cluster trusts, and a cluster that has seen none of its signatures."""
    with ReleaseSigner(tmp_path / "signatures") as signer:
        for one in signer.trust():
            client.apply(one)
        client.delete(CONFIG_MAPS, labelSelector="release.openshift.io/verification-signatures")
        yield signer


@pytest.fixture
def image(release: Release) -> str:
    return f"{release.reference.name}@{release.reference.digest}"


def test_a_release_whose_signature_is_in_the_cluster_is_verified(
    client: RestClient, signer: ReleaseSigner, release: Release, image: str
) -> None:
    signer.sign(release.reference)
    assert "unable to verify" in ReleaseVerification(client)(image)
    client.apply(signer.signatures(release.reference))
    assert ReleaseVerification(client)(image) == ""


def test_one_good_signature_among_bad_ones_is_enough(
    client: RestClient, signer: ReleaseSigner, release: Release, image: str
) -> None:
    sign_another_digest(signer.store, signer.keyring, signer.key, release)
    signer.sign(release.reference)
    client.apply(signer.signatures(release.reference))
    assert ReleaseVerification(client)(image) == ""


def test_a_signature_of_another_digest_proves_nothing(
    client: RestClient, signer: ReleaseSigner, release: Release, image: str
) -> None:
    sign_another_digest(signer.store, signer.keyring, signer.key, release)
    client.apply(signer.signatures(release.reference))
    assert f"unable to verify {release.image.digest} against keyrings" in ReleaseVerification(client)(image)


@pytest.mark.usefixtures("signer")
def test_a_signature_by_a_key_that_nobody_trusts_proves_nothing(
    client: RestClient, release: Release, image: str, tmp_path: Path
) -> None:
    with ReleaseSigner(tmp_path / "foreign") as foreign:
        foreign.sign(release.reference)
        client.apply(foreign.signatures(release.reference))
    assert "unable to verify" in ReleaseVerification(client)(image)


def test_every_key_must_be_satisfied(client: RestClient, signer: ReleaseSigner, release: Release, image: str) -> None:
    signer.sign(release.reference)
    client.apply(signer.signatures(release.reference))
    with Keyring() as others:
        second = others.create("second")
        client.apply(release_verification({"lab": signer.key.public_key, "second": second.public_key}, {}))
    assert ReleaseVerification(client)(image).endswith("against keyrings: verifier-public-key-second")


@pytest.mark.usefixtures("signer")
def test_a_release_by_tag_cannot_be_verified(client: RestClient, release: Release) -> None:
    by_tag = replace(release.reference, digest=None)
    assert "not accessed via digest" in ReleaseVerification(client)(str(by_tag))


def test_without_keys_nothing_can_be_verified(client: RestClient, image: str) -> None:
    client.delete(CONFIG_MAPS)
    assert "incorrectly configured" in ReleaseVerification(client)(image)


def test_an_update_is_accepted_as_soon_as_its_signature_has_arrived(
    client: RestClient, signer: ReleaseSigner, release: Release, image: str
) -> None:
    signer.sign(release.reference)
    client.apply(cluster_version("4.21.3"))
    client.merge(VERSION, {"spec": {"desiredUpdate": {"image": image, "version": "4.21.5"}}})
    with ClusterVersionOperator(client, ReleaseVerification(client)):
        wait_for(lambda: accepted(client).get("reason") == "RetrievePayload")
        assert "The update cannot be verified: unable to verify sha256:" in accepted(client)["message"]
        client.apply(signer.signatures(release.reference))
        wait_for(lambda: accepted(client).get("reason") == "PayloadLoaded")
        wait_for(lambda: client.get(VERSION)["status"]["history"][0]["version"] == "4.21.5")
    assert client.get(VERSION)["status"]["history"][0]["verified"] is True


def test_an_update_is_refused_while_no_node_can_get_at_its_image(lab: Lab) -> None:
    """The signature may have arrived; without a registry the image must have, too."""
    rest = lab.api.rest
    (release,) = lab.registry.releases.values()
    image = f"{release.reference.name}@{release.reference.digest}"
    rules = lab.registry.mirror_rules(["quay.io/openshift-release-dev"])
    lab.hosts["master-0"].write(RULES, rules)
    lab.hosts["master-0"].run("systemctl", "reload", "crio")
    for one in (*lab.registry.signer.trust(), lab.registry.signer.signatures(release.reference)):
        rest.apply(one)
    retrieve = retrieval_by(CrioOnHost(lab.hosts["master-0"]))
    lab.cut_registry()
    rest.merge(VERSION, {"spec": {"desiredUpdate": {"image": image, "version": release.spec.version}}})
    with ClusterVersionOperator(rest, ReleaseVerification(rest), lab.registry.version_of, retrieve):
        wait_for(lambda: accepted(rest).get("reason") == "RetrievePayload", 60)
    assert "Unable to download and prepare the update" in accepted(rest)["message"]
    assert "no route to host" in accepted(rest)["message"]
    rest.merge(VERSION, {"spec": {"desiredUpdate": None}})
    lab.restore_registry()
    assert retrieve(image) == ""
    lab.hosts["master-0"].run("crictl", "rmi", image)
    lab.hosts["master-0"].run("rm", RULES)
    rest.delete(CONFIG_MAPS)


def accepted(client: RestClient) -> Json:
    conditions = client.get(VERSION)["status"]["conditions"]
    return next((one for one in conditions if one["type"] == "ReleaseAccepted"), {})
