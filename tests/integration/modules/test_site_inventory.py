# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""site_inventory on the real API, with the rights of extensions/rbac alone."""

from __future__ import annotations

import typing as t
from collections.abc import Iterator
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.signatures.gpgv import Gpgv
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.signatures.trusted_keys import TrustedKeys
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.site_inventory import read_inventory
from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.tests.integration.lab.waiting import wait_for
from ansible_collections.fieldops.openshift.tests.integration.plays import run_play
from ansible_collections.fieldops.openshift.tests.integration.shipped_rights import grant
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.registry.keyring import Keyring
from ansible_collections.fieldops.openshift.tests.lab.seed.healthy import healthy_cluster, plant
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._terms.bundle_samples import digest

Result = dict[str, t.Any]
GROUP, PLURAL = "operators.coreos.com", "subscriptions"
SUBSCRIPTIONS = f"/apis/{GROUP}/v1alpha1/{PLURAL}"
BLOBS = [str(digest(name)) for name in "abc"]
HELD = {"master-0": BLOBS, "worker-0": BLOBS[:2]}


@pytest.fixture(scope="module")
def site() -> Iterator[ApiServer]:
    with ApiServer.start_openshift(users={"technician": []}) as server:
        plant(server.rest, healthy_cluster("4.21.3", control_plane=1, workers=0))
        grant(server.rest, "technician", "site-inventory.yml")
        yield server


def write(site: ApiServer, folder: Path, *words: str, **options: t.Any) -> Result:
    reach = {"host": site.url, "ca_cert": str(site.ca_file), "api_key": site.token_of("technician")}
    given = {"path": str(folder / "inventory.json"), "blobs_by_node": HELD, **options}
    return run_play(folder, {"fieldops.openshift.site_inventory": {**reach, **given}}, *words).result


def test_every_state(site: ApiServer, tmp_path: Path) -> None:
    file = tmp_path / "inventory.json"
    trial = write(site, tmp_path, "--check", "--diff")
    assert (trial["changed"], trial["inventory"]["common_blobs"], file.exists()) == (True, 2, False)
    done = write(site, tmp_path)
    assert (done["changed"], done["actions"]) == (True, [{"action": "write", "path": str(file)}])
    content = file.read_bytes()
    found = read_inventory(content, on="inventory")
    assert (found.version, {name: len(blobs) for name, blobs in found.nodes.items()}) == (
        "4.21.3",
        {"master-0": 3, "worker-0": 2},
    )
    assert done["inventory"]["cluster"] == found.cluster != ""
    for words in (("--check",), ()):
        again = write(site, tmp_path, *words)
        assert (again["changed"], again["actions"], file.read_bytes()) == (False, [], content)
    assert write(site, tmp_path, blobs_by_node={"master-0": BLOBS})["changed"] is True


def test_a_signature_belongs_to_the_file(site: ApiServer, tmp_path: Path) -> None:
    signature = tmp_path / "inventory.json.asc"
    with Keyring() as keyring:
        key = keyring.create("site")
        secret = str(keyring.export_secret(key, tmp_path / "secret.asc"))
        (tmp_path / "public.asc").write_text(key.public_key)
    assert write(site, tmp_path)["changed"] is True
    assert write(site, tmp_path, signing_key=secret)["changed"] is True
    gpgv = Gpgv(TrustedKeys.read([str(tmp_path / "public.asc")]).ring, SystemClock())
    assert gpgv.verify_detached((tmp_path / "inventory.json").read_bytes(), signature.read_bytes()).is_good
    assert write(site, tmp_path, signing_key=secret)["changed"] is False
    assert write(site, tmp_path, blobs_by_node={"master-0": []})["changed"] is True
    assert not signature.exists(), "that of the earlier content is gone"


def test_operators_are_listed(site: ApiServer, tmp_path: Path) -> None:
    assert write(site, tmp_path)["inventory"]["operators"] == []
    site.rest.apply(subscription_definition())
    wait_for(lambda: site.rest.exists(SUBSCRIPTIONS), 30)
    subscription = {
        "apiVersion": f"{GROUP}/v1alpha1",
        "kind": "Subscription",
        "metadata": {"name": "lso", "namespace": "default"},
        "spec": {
            "name": "local-storage-operator",
            "channel": "stable",
            "source": "redhat",
            "sourceNamespace": "ns",
        },
    }
    site.rest.apply(subscription)
    status = {"status": {"installedCSV": "local-storage-operator.v4.21.0"}}
    site.rest.merge(f"/apis/{GROUP}/v1alpha1/namespaces/default/{PLURAL}/lso", status)
    (operator,) = write(site, tmp_path)["inventory"]["operators"]
    assert operator == {
        "package": "local-storage-operator",
        "namespace": "default",
        "channel": "stable",
        "version": "4.21.0",
        "bundle": "local-storage-operator.v4.21.0",
        "catalog": "ns/redhat",
    }


def subscription_definition() -> Result:
    """Return the definition of Subscriptions; their content is not checked."""
    schema = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{PLURAL}.{GROUP}"},
        "spec": {
            "group": GROUP,
            "scope": "Namespaced",
            "names": {"plural": PLURAL, "singular": "subscription", "kind": "Subscription"},
            "versions": [{"name": "v1alpha1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}],
        },
    }
