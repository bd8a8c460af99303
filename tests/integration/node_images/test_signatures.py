# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""CRI-O starts containers of loaded images under an image policy if their signatures traveled in the bundle.

The policy is as the machine-config operator renders an ImagePolicy or ClusterImagePolicy for a namespace
(pkg/controller/container-runtime-config/helpers.go). CRI-O compares each container with it, although nothing is pulled
(cri-o ``server/container_create.go``, verifyImageSignature; ``internal/storage/image.go``, IsRunningImageAllowed).
"""

from __future__ import annotations

import base64
import json
import typing as t
from collections.abc import Iterator

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.tests.integration.node_images.bundles import WrittenBundle, write_bundle
from ansible_collections.fieldops.openshift.tests.integration.node_images.nodes import (
    Controller,
    forget_everything,
    plug_in,
    wait_for,
)
from ansible_collections.fieldops.openshift.tests.lab.lab import Lab
from ansible_collections.fieldops.openshift.tests.lab.node.host import NodeHost
from ansible_collections.fieldops.openshift.tests.lab.registry.cosign import CosignKey, cosign_signature
from ansible_collections.fieldops.openshift.tests.lab.registry.images import ImageList, NamedImage
from ansible_collections.fieldops.openshift.tests.lab.registry.release import PartnerSpec, Release, ReleaseFactory
from ansible_collections.fieldops.openshift.tests.lab.seed import workloads

pytestmark = pytest.mark.long

REGISTRY, NAMESPACE, HOST = "registry.partner.example", "image-policy", "worker-1"
POLICY = f"/etc/crio/policies/{NAMESPACE}.json"
RUNS = "running"
UNSIGNED = "SignatureValidationFailed: A signature was required, but no signature exists"
OTHER_KEY = "SignatureValidationFailed: cryptographic signature verification failed"
BOTH = ("x86_64", "aarch64")


class Signed(t.NamedTuple):
    """An image, and what of it is signed; what comes of a container of it under the policy."""

    name: str
    architectures: tuple[str, ...]
    list_signed: bool
    instances_signed: bool
    by: str
    outcome: str


CASES = (
    Signed("signed", ("x86_64",), True, False, "trusted", RUNS),
    Signed("unsigned", ("x86_64",), False, False, "trusted", UNSIGNED),
    Signed("by-another", ("x86_64",), True, False, "another", OTHER_KEY),
    Signed("list-and-instances", BOTH, True, True, "trusted", RUNS),
    Signed("list-alone", BOTH, True, False, "trusted", UNSIGNED),
)


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> dict[str, CosignKey]:
    folder = tmp_path_factory.mktemp("keys")
    return {name: CosignKey.create(folder, name) for name in ("trusted", "another")}


@pytest.fixture(scope="module")
def images(factory: ReleaseFactory) -> dict[str, NamedImage]:
    return {
        one.name: factory.partner_image(
            PartnerSpec(f"{REGISTRY}/{one.name}:1", architectures=one.architectures, runnable=True, seed=number)
        )
        for number, one in enumerate(CASES)
    }


@pytest.fixture(scope="module")
def bundle(
    release: Release,
    images: dict[str, NamedImage],
    keys: dict[str, CosignKey],
    tmp_path_factory: pytest.TempPathFactory,
) -> WrittenBundle:
    signatures: dict[Digest, NamedImage] = {}
    for one in CASES:
        named = images[one.name]
        for digest in _subjects(one, named):
            signatures[digest] = cosign_signature(release.pool, keys[one.by], named.reference.by_digest(digest))
    folder = tmp_path_factory.mktemp("signed") / "bundle"
    return write_bundle(folder, release, extra=list(images.values()), signed=signatures)


@pytest.fixture(scope="module")
def host(lab: Lab, bundle: WrittenBundle, tmp_path_factory: pytest.TempPathFactory) -> Iterator[NodeHost]:
    """A node that has loaded the bundle."""
    found = lab.hosts[HOST]
    controller = Controller(lab, tmp_path_factory.mktemp("load"))
    options = {"index_digest": str(bundle.index.digest), "wait": True, "wait_timeout": 240, "keep_free_percent": 1}
    staged = controller.task(HOST, "node_bundle", src=plug_in(lab, HOST, bundle), **options)
    assert staged.rc == 0, staged.output
    served = controller.task(HOST, "image_source", block_registries="always")
    assert served.rc == 0, served.output
    loaded = controller.task(HOST, "node_images", **options)
    assert loaded.rc == 0, loaded.output
    yield found
    forget_everything(found, bundle.names)


@pytest.fixture(scope="module")
def guarded(lab: Lab, host: NodeHost, keys: dict[str, CosignKey]) -> str:
    """A namespace whose images of one registry must be signed with the trusted key."""
    lab.api.rest.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}})
    host.run("mkdir", "-p", POLICY.rpartition("/")[0])
    host.write(POLICY, json.dumps(rendered_policy(keys["trusted"])))
    return NAMESPACE


def _subjects(one: Signed, named: NamedImage) -> Iterator[Digest]:
    if one.list_signed:
        yield named.image.digest
    if one.instances_signed:
        assert isinstance(named.image, ImageList)
        yield from (instance.digest for instance in named.image.instances)


def rendered_policy(key: CosignKey) -> dict[str, t.Any]:
    """Return the policy of CRI-O for a public key, as it is rendered for the match policy MatchRepository.

    The default, MatchRepoDigestOrExact, refuses what cosign signs without a tag (containers-policy.json(5)).
    """
    rule = {
        "type": "sigstoreSigned",
        "keyData": base64.b64encode(key.public.read_bytes()).decode(),
        "signedIdentity": {"type": "matchRepository"},
    }
    scopes = {REGISTRY: [rule]}
    accept = [{"type": "insecureAcceptAnything"}]
    return {"default": accept, "transports": {"atomic": scopes, "docker": scopes, "docker-daemon": {"": accept}}}


def outcome_of(lab: Lab, namespace: str, name: str, image: str) -> str:
    """Return what comes of a container of the image: that it runs, or why it was not created."""
    pod = workloads.pod(name, image, namespace=namespace, node=HOST)
    pod["spec"]["containers"][0]["command"] = ["/usr/bin/sh", "-c", "trap 'exit 0' TERM; while true; do sleep 1; done"]
    path = f"/api/v1/namespaces/{namespace}/pods/{name}"
    lab.api.rest.apply(pod)
    wait_for(lambda: _state(lab, path) != "", f"{name} runs or is refused", 120)
    found = _state(lab, path)
    lab.api.rest.delete(path)
    wait_for(lambda: not lab.api.rest.exists(path), f"{name} is gone", 60)
    return found


def _state(lab: Lab, path: str) -> str:
    statuses = lab.api.rest.get(path).get("status", {}).get("containerStatuses", [{}])
    state = statuses[0].get("state", {})
    return RUNS if "running" in state else str(state.get("waiting", {}).get("message", ""))


@pytest.mark.parametrize("one", CASES, ids=[one.name for one in CASES])
def test_a_policy_of_the_namespace_judges_loaded_images(
    lab: Lab, guarded: str, images: dict[str, NamedImage], one: Signed
) -> None:
    image = str(images[one.name].reference.by_digest())
    assert one.outcome in outcome_of(lab, guarded, one.name, image)


@pytest.mark.usefixtures("host")
def test_without_a_policy_an_unsigned_image_runs(lab: Lab, images: dict[str, NamedImage]) -> None:
    image = str(images["unsigned"].reference.by_digest())
    assert outcome_of(lab, "default", "no-policy", image) == RUNS
