# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The admission policy for releases is laid, and taken away again."""

from __future__ import annotations

import typing as t
from collections.abc import Iterator
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration.modules.change_sites import Json, task
from ansible_collections.fieldops.openshift.tests.integration.plays import run_play
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer

NAME = "fieldops-openshift-release-readiness"
API = "/apis/admissionregistration.k8s.io/v1"
OBJECTS = {
    "ValidatingAdmissionPolicy": f"{API}/validatingadmissionpolicies/{NAME}",
    "ValidatingAdmissionPolicyBinding": f"{API}/validatingadmissionpolicybindings/{NAME}",
}
RECORD = "/api/v1/namespaces/fieldops-openshift/configmaps/release-readiness"


@pytest.fixture(scope="module")
def site() -> Iterator[ApiServer]:
    with ApiServer.start_openshift() as server:
        yield server


def lay(site: ApiServer, folder: Path, *, check_mode: bool = False, **options: t.Any) -> Json:
    asked = {**task(site, "release_admission", **options), "check_mode": check_mode}
    result: Json = run_play(folder, asked).result
    return result


def present(site: ApiServer) -> set[str]:
    return {kind for kind, path in OBJECTS.items() if site.rest.exists(path)}


def test_a_policy_is_tried_laid_once_and_taken_away(site: ApiServer, tmp_path: Path) -> None:
    tried = lay(site, tmp_path, check_mode=True)
    assert (tried["changed"], present(site), site.rest.exists(RECORD)) == (True, set(), False)
    laid = lay(site, tmp_path)
    assert (laid["changed"], laid["policy"], present(site)) == (True, NAME, set(OBJECTS))
    assert site.rest.get(RECORD)["data"] == {"ready": "", "schemaVersion": "1"}
    again = lay(site, tmp_path)
    assert (again["changed"], again["actions"]) == (False, [])
    gone = lay(site, tmp_path, state="absent")
    assert (gone["changed"], gone["policy"], present(site)) == (True, "", set())
    assert site.rest.exists(RECORD), "the record is kept"
    assert lay(site, tmp_path, state="absent")["changed"] is False


def test_a_policy_that_was_altered_is_put_right(site: ApiServer, tmp_path: Path) -> None:
    lay(site, tmp_path)
    path = OBJECTS["ValidatingAdmissionPolicyBinding"]
    site.rest.merge(path, {"spec": {"validationActions": ["Audit"]}})
    result = lay(site, tmp_path)
    assert result["changed"] is True
    assert site.rest.get(path)["spec"]["validationActions"] == ["Deny"]
