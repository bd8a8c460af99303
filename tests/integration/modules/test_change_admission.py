# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The admission policy that is shipped: who may write policies and assignments, and what."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration.modules.change_sites import (
    CONFIG_MAPS,
    NAMESPACE,
    WHY,
    Json,
    as_user,
    by_policy,
    task,
)
from ansible_collections.fieldops.openshift.tests.integration.plays import run_play
from ansible_collections.fieldops.openshift.tests.integration.shipped_rights import bind, grant, shipped
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.errors import LabApiError
from ansible_collections.fieldops.openshift.tests.lab.rest import RestClient

NOBODY = "fieldops.openshift/changed-by"
WRITER = {
    "apiVersion": "rbac.authorization.k8s.io/v1",
    "kind": "Role",
    "metadata": {"name": "writer", "namespace": NAMESPACE},
    "rules": [
        {
            "apiGroups": [""],
            "resources": ["configmaps"],
            "verbs": ["get", "create", "patch", "delete", "deletecollection"],
        }
    ],
}


def config_map(name: str, by: str | None, **data: str) -> Json:
    notes = {"annotations": {NOBODY: by}} if by else {}
    metadata = {"name": name, "namespace": NAMESPACE, **notes}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": {"schemaVersion": "1", **data}}


def signed(*names: str, text: str = "{}") -> Json:
    """Return a policy that names each of ``names`` as somebody who changed it."""
    changes = ",".join(f'{{"by":"{name}"}}' for name in names)
    return config_map("change-policies", "manager", p=f'{{"changes":[{changes}],"spec":{text}}}')


@pytest.fixture(scope="module")
def site() -> Iterator[ApiServer]:
    with ApiServer.start_openshift(users={"manager": [], "writer": []}) as server:
        grant(server.rest, "manager", "change-manager.yml")
        grant(server.rest, "manager", "change-management-reader.yml")
        server.rest.apply(WRITER)
        bind(server.rest, "writer", WRITER)
        for document in shipped("change-admission.yml"):
            server.rest.apply(document)
        wait_until_in_force(server)
        yield server


def wait_until_in_force(server: ApiServer) -> None:
    """The API server takes a moment to compile a new policy; then it refuses a trial that breaks it."""
    wrong = config_map("change-policies", None)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            server.rest.create(CONFIG_MAPS, wrong, dryRun="All")
        except LabApiError as error:
            if error.status in (403, 422):
                return
            raise
        time.sleep(0.1)
    raise AssertionError("the policy never came into force")


@pytest.fixture
def manager(site: ApiServer) -> Iterator[RestClient]:
    with RestClient(site.url, site.ca_file, site.token_of("manager")) as client:
        yield client


def test_the_modules_pass_it(site: ApiServer, tmp_path: Path) -> None:
    assigned = {"MachineConfigPool.worker": by_policy("p")}
    options = {"assignments": assigned, "allow_missing": True, "reason": WHY, **as_user(site, "manager")}
    assert run_play(tmp_path, task(site, "change_policy", **options)).result["changed"] is True
    removal = {**options, "state": "absent", "assignments": {"MachineConfigPool.worker": None}}
    assert run_play(tmp_path, task(site, "change_policy", **removal)).result["changed"] is True


def test_the_right_to_write_config_maps_is_not_enough(site: ApiServer, tmp_path: Path) -> None:
    options = {"name": "p", "spec": {"strategy": "Permissive"}, "reason": WHY, **as_user(site, "writer")}
    result = run_play(tmp_path, task(site, "change_policy", **options)).result
    assert (result["failed"], result["changed"]) == (True, False)
    assert "writer lacks the verb govern on ConfigMap change-policies" in result["msg"]


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        pytest.param(config_map("change-policies", None), "changed-by", id="nobody's name"),
        pytest.param(config_map("change-policies", "system:admin"), "changed-by", id="another's name"),
        pytest.param(config_map("change-policies", "manager", schemaVersion="2"), "schemaVersion", id="unknown format"),
        pytest.param(config_map("change-assignments", "manager", worker="{}"), "named after", id="no resource"),
        pytest.param(
            config_map("change-assignments", "manager", **{"NodePool.x": "{}"}), "named after", id="no namespace"
        ),
        pytest.param(
            config_map("change-assignments", "manager", **{"MachineConfigPool.master": "{}"}), "master", id="the master"
        ),
        pytest.param(
            {**config_map("change-policies", "manager"), "binaryData": {"p": "e30="}}, "binaryData", id="binary data"
        ),
        pytest.param(config_map("change-policies", "manager", p="{}"), "its writer manager", id="an entry of nobody"),
        pytest.param(signed("mallory"), "its writer manager", id="an entry of somebody else"),
        pytest.param(signed("manager", "alice"), "no other new user", id="somebody else beside the writer"),
        pytest.param(signed("manager", text='{"by" : "alice"}'), "its writer manager", id="a name with a space"),
        pytest.param(signed("manager", text='{"\\u0062y":"alice"}'), "its writer manager", id="a name in disguise"),
    ],
)
def test_what_is_refused(manager: RestClient, body: Json, complaint: str) -> None:
    with pytest.raises(LabApiError, match=complaint):
        manager.create(CONFIG_MAPS, body, dryRun="All")


def test_names_of_earlier_writers_stay(site: ApiServer, manager: RestClient) -> None:
    site.rest.apply({**signed("system:admin"), "metadata": config_map("change-policies", "system:admin")["metadata"]})
    manager.merge(f"{CONFIG_MAPS}/change-policies", signed("manager", "system:admin"))
    with pytest.raises(LabApiError, match="no other new user"):
        manager.merge(f"{CONFIG_MAPS}/change-policies", signed("manager", "system:admin", "system:admin"))
    site.rest.delete(f"{CONFIG_MAPS}/change-policies")


def test_deleting_needs_the_verb_too(site: ApiServer) -> None:
    site.rest.apply(config_map("change-policies", "system:admin"))
    with RestClient(site.url, site.ca_file, site.token_of("writer")) as writer:
        with pytest.raises(LabApiError, match="lacks the verb govern"):
            writer.delete(f"{CONFIG_MAPS}/change-policies")
        with pytest.raises(LabApiError, match="lacks the verb govern"):
            writer.delete(CONFIG_MAPS)
        assert writer.create(CONFIG_MAPS, config_map("others", None))["metadata"]["name"] == "others"
    site.rest.delete(f"{CONFIG_MAPS}/change-policies")
