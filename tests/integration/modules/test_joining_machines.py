# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A cluster is told how machines that join find their images, without a word that drains its nodes."""

from __future__ import annotations

import base64
import copy
import json
import typing as t
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration.modules.change_sites import Json, as_user, task
from ansible_collections.fieldops.openshift.tests.integration.plays import run_play
from ansible_collections.fieldops.openshift.tests.integration.shipped_rights import grant
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.seed.cluster import infrastructure
from ansible_collections.fieldops.openshift.tests.lab.seed.healthy import healthy_cluster, plant
from ansible_collections.fieldops.openshift.tests.lab.seed.operator_settings import config_map, namespaces, secret

Join = Callable[..., Json]

CONFIG = "/apis/config.openshift.io/v1"
SET = f"{CONFIG}/imagedigestmirrorsets/fieldops-image-source"
OPENSHIFT_CONFIG = "/api/v1/namespaces/openshift-config"
BUNDLE, LOGINS = f"{OPENSHIFT_CONFIG}/configmaps/user-ca-bundle", f"{OPENSHIFT_CONFIG}/secrets/pull-secret"
SECRET = "/api/v1/namespaces/fieldops-openshift/secrets/image-source"
INFRASTRUCTURE = f"{CONFIG}/infrastructures/cluster"
RELEASE, ART = (f"quay.io/openshift-release-dev/{name}" for name in ("ocp-release", "ocp-v4.0-art-dev"))
HERE = "198.51.100.1:9701"
SHOWN = {"gather": ["joining_machines"]}
SITE_CA = "-----BEGIN CERTIFICATE-----\nc2l0ZQ==\n-----END CERTIFICATE-----\n"
QUAY = {"quay.io": {"auth": "c29tZTpvbmU="}}
NETWORKS = ["198.51.100.0/24"]
RESTRICTED = {"stanza": {"strategy": "Restrictive"}}


@pytest.fixture(scope="module")
def server() -> Iterator[ApiServer]:
    with ApiServer.start_openshift(users={"joiner": [], "stranger": []}) as server:
        server.rest.apply_all(namespaces())
        plant(server.rest, healthy_cluster())
        for file in ("joining-machines.yml", "change-management-reader.yml"):
            grant(server.rest, "joiner", file)
        yield server


@pytest.fixture
def site(server: ApiServer, join: Join) -> Iterator[ApiServer]:
    """A cluster on bare metal that has a CA and a login of its own."""
    client = server.rest
    client.apply(config_map("openshift-config", "user-ca-bundle", {"ca-bundle.crt": SITE_CA}))
    logins = json.dumps({"auths": QUAY})
    client.apply(
        secret("openshift-config", "pull-secret", "kubernetes.io/dockerconfigjson", {".dockerconfigjson": logins})
    )
    platform_is(server, "OpenShiftManagedDefault")
    yield server
    join(state="absent", allow_drain=True)
    assert client.get(BUNDLE)["data"]["ca-bundle.crt"] == SITE_CA
    assert logins_of(server) == QUAY
    assert not any(client.exists(path) for path in (SET, SECRET))


@pytest.fixture
def join(server: ApiServer, tmp_path: Path) -> Join:
    def _join(*words: str, **options: t.Any) -> Json:
        given = {
            "images": [f"{RELEASE}@sha256:{'a' * 64}"],
            "networks": NETWORKS,
            **as_user(server, "joiner"),
            **options,
        }
        result: Json = run_play(tmp_path, task(server, "joining_machines", **given), *words).result
        return result

    return _join


def platform_is(site: ApiServer, balancer: str) -> None:
    """Let the cluster have been installed with such a load balancer, which no cluster changes later."""
    found = copy.deepcopy(infrastructure())
    found["status"]["platformStatus"]["baremetal"]["loadBalancer"] = {"type": balancer}
    site.rest.delete(INFRASTRUCTURE)
    site.rest.apply(found)


def logins_of(site: ApiServer) -> Json:
    content = base64.b64decode(site.rest.get(LOGINS)["data"][".dockerconfigjson"])
    found: Json = json.loads(content)["auths"]
    return found


def entries_of(site: ApiServer) -> list[Json]:
    found: list[Json] = site.rest.get(SET)["spec"]["imageDigestMirrors"]
    return found


def test_check_mode_then_the_same_then_nothing(site: ApiServer, join: Join) -> None:
    dry = join("--check", "--diff")
    assert (dry["changed"], dry["waiting"]) == (True, [])
    assert {one["kind"] for one in dry["actions"]} == {"Secret", "ConfigMap", "ImageDigestMirrorSet"}
    assert not site.rest.exists(SET)
    assert not site.rest.exists(SECRET)
    real = join("--diff")
    assert (real["changed"], real["prepared"], real["site"]["registry"]) == (True, True, HERE)
    assert real["site"]["repositories"] == [RELEASE]
    for words in ("--check", "--diff"):
        again = join(words)
        assert (again["changed"], again["actions"]) == (False, []), again


def test_others_keep_what_they_have_and_machines_get_ours(site: ApiServer, join: Join) -> None:
    ca = join()["site"]["ca"]
    assert site.rest.get(BUNDLE)["data"]["ca-bundle.crt"] == f"{SITE_CA}{ca.strip()}\n"
    password = base64.b64decode(site.rest.get(SECRET)["data"]["password"]).decode()
    login = base64.b64encode(f"fieldops:{password}".encode()).decode()
    assert logins_of(site) == {**QUAY, HERE: {"auth": login}}
    assert entries_of(site) == [
        {
            "source": RELEASE,
            "mirrors": [f"{HERE}/openshift-release-dev/ocp-release"],
            "mirrorSourcePolicy": "NeverContactSource",
        }
    ]


def test_repositories_of_later_bundles_are_added_alone(site: ApiServer, join: Join) -> None:
    before = join()["site"]
    added = join(images=[f"{ART}@sha256:{'b' * 64}"])
    assert [(one["kind"], one["verb"]) for one in added["actions"]] == [("ImageDigestMirrorSet", "patch")]
    assert [one["source"] for one in entries_of(site)] == [RELEASE, ART]
    assert added["site"] == {**before, "repositories": [RELEASE, ART]}
    assert join(images=[])["changed"] is False


def test_what_would_drain_every_node_needs_a_word(site: ApiServer, join: Join) -> None:
    join()
    for options in ({"mirror_source_policy": "AllowContactingSource"}, {"port": 9702}, {"state": "absent"}):
        refused = join(**options)
        assert refused["failed"], options
        assert "drain every node" in refused["msg"]
    assert entries_of(site)[0]["mirrors"] == [f"{HERE}/openshift-release-dev/ocp-release"]
    moved = join(port=9702, allow_drain=True, mirror_source_policy="AllowContactingSource")
    assert moved["site"]["registry"] == "198.51.100.1:9702"
    assert set(logins_of(site)) == {"quay.io", "198.51.100.1:9702"}
    assert entries_of(site)[0]["mirrorSourcePolicy"] == "AllowContactingSource"
    assert join(allow_drain=True)["changed"] is False, "what was chosen stays"


def test_a_conflict_with_another_set_is_said_before_anything_is_written(site: ApiServer, join: Join) -> None:
    other = {
        "apiVersion": "config.openshift.io/v1",
        "kind": "ImageDigestMirrorSet",
        "metadata": {"name": "site"},
        "spec": {"imageDigestMirrors": [{"source": RELEASE, "mirrors": ["mirror.example/ocp"]}]},
    }
    site.rest.apply(other)
    try:
        refused = join()
        assert "ImageDigestMirrorSet site has" in refused["msg"]
        assert site.rest.get(BUNDLE)["data"]["ca-bundle.crt"] == SITE_CA
        assert logins_of(site) == QUAY
    finally:
        site.rest.delete(f"{CONFIG}/imagedigestmirrorsets/site")
    assert join()["changed"] is True


def test_nothing_is_configured_while_change_is_restricted(site: ApiServer, join: Join, tmp_path: Path) -> None:
    path = tmp_path / "private" / "credentials"
    closed = join(guard=RESTRICTED, credentials_path=str(path))
    assert closed["permission"]["permitted"] is False
    assert closed["waiting"] == [
        "ConfigMap openshift-config/user-ca-bundle",
        "Secret openshift-config/pull-secret",
        "ImageDigestMirrorSet fieldops-image-source",
    ]
    assert logins_of(site) == QUAY
    assert not site.rest.exists(SET)
    assert path.stat().st_mode & 0o077 == 0
    given = json.loads(path.read_text())
    output = json.dumps(closed)
    assert not any(given[name] in output for name in ("key", "password"))
    assert join()["waiting"] == []
    assert join(guard=RESTRICTED)["permission"] is None, "where nothing is to be changed nothing is asked"


def test_the_control_plane_can_serve_before_machines_are_sent_there(
    site: ApiServer, join: Join, tmp_path: Path
) -> None:
    path = tmp_path / "credentials"
    served = join(configure=False, credentials_path=str(path))
    assert (served["prepared"], [one["name"] for one in served["control_plane"]]) == (
        True,
        ["master-0", "master-1", "master-2"],
    )
    assert not site.rest.exists(SET)
    first = json.loads(path.read_text())
    path.unlink()
    join(configure=False, credentials_path=str(path))
    assert json.loads(path.read_text()) == first


def test_a_certificate_near_its_end_is_replaced_and_the_authority_stays(site: ApiServer, join: Join) -> None:
    before = join()["site"]
    record = json.loads(base64.b64decode(site.rest.get(SECRET)["data"]["record.json"]))
    soon = base64.b64encode(json.dumps({**record, "expires": "2027-06-01T00:00:00Z"}).encode()).decode()
    site.rest.merge(SECRET, {"data": {"record.json": soon}})
    renewed = join()
    assert [(one["kind"], one["name"]) for one in renewed["actions"]] == [("Secret", "image-source")]
    assert renewed["site"]["ca"] == before["ca"]
    assert renewed["site"]["certificate_expires"] > "2028"


def test_an_authority_for_one_registry_alone(site: ApiServer, join: Join) -> None:
    done = join(trust="machine_config")
    names = {one["name"] for one in done["actions"] if one["kind"] == "MachineConfig"}
    assert names == {f"99-{role}-fieldops-image-source-ca" for role in ("master", "worker")}
    assert site.rest.get(BUNDLE)["data"]["ca-bundle.crt"] == SITE_CA
    assert join()["changed"] is False


@pytest.mark.parametrize("balancer", ["UserManaged"])
def test_a_load_balancer_of_the_sites_own_needs_an_address(site: ApiServer, join: Join, balancer: str) -> None:
    platform_is(site, balancer)
    refused = join()
    assert refused["failed"]
    assert "forward TCP port 9701" in refused["msg"]
    assert not site.rest.exists(SECRET)
    chosen = join(address="api-int.lab.example")
    assert chosen["site"]["registry"] == "api-int.lab.example:9701"
    assert join()["changed"] is False, "what was chosen stays"


def test_the_networks_that_the_cluster_knows_are_enough(site: ApiServer, join: Join) -> None:
    assert "networks" in join(networks=[])["msg"]
    site.rest.merge(
        f"{INFRASTRUCTURE}/status",
        {"status": {"platformStatus": {"baremetal": {"machineNetworks": ["198.51.100.0/24"]}}}},
    )
    assert join(networks=[])["site"]["networks"] == NETWORKS


def test_the_info_module_says_what_a_machine_would_lack(site: ApiServer, join: Join, tmp_path: Path) -> None:
    def seen() -> Json:
        found: Json = run_play(tmp_path, task(site, "cluster_health_info", **SHOWN, **as_user(site, "joiner"))).result
        return t.cast("Json", found["joining_machines"])

    assert (seen()["prepared"], seen()["site"]) == (False, {})
    made = join()["site"]
    found = seen()
    assert found["site"] == made
    assert [(one["name"], one["lacks"]) for one in found["pools"]] == [
        ("master", ["mirrors", "ca"]),
        ("worker", ["mirrors", "ca"]),
    ]


def test_a_site_is_not_prepared_for_a_user_who_may_not_see_it(site: ApiServer, join: Join, tmp_path: Path) -> None:
    join()
    asked = task(site, "cluster_health_info", **SHOWN, **as_user(site, "stranger"))
    seen = run_play(tmp_path, asked).result["joining_machines"]
    assert (seen["prepared"], seen["site"]) == (False, {})
    assert 'cannot get resource "secrets"' in seen["problem"]
