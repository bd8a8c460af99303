# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What every machine of a cluster is given, with our part in it and that of others as it was."""

from __future__ import annotations

import base64
import json
import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.errors import JoiningError
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.joining.plan.site_objects import (
    ANCHOR_FILE,
    REGISTRIES_FILE,
    bundle_with,
    ca_machine_config,
    certs_file,
    lacking_in,
    pull_secret_with,
    served_configuration,
)


def certificate(content: str) -> str:
    return f"-----BEGIN CERTIFICATE-----\n{content}\n-----END CERTIFICATE-----\n"


OURS, FORMER, SITE, PROXY = (certificate(content) for content in ("b3Vycw==", "Zm9ybWVy", "c2l0ZQ==", "cHJveHk="))
HERE = "192.0.2.5:9701"
LOGIN = "fieldops:secret"


@pytest.mark.parametrize(
    ("before", "gone", "after"),
    [
        pytest.param("", (), OURS, id="nothing"),
        pytest.param(SITE, (), SITE + OURS, id="of others"),
        pytest.param(f"# the site's\n{SITE.strip()}", (), f"# the site's\n{SITE}{OURS}", id="no line end"),
        pytest.param(SITE + OURS + PROXY, (), SITE + OURS + PROXY, id="there already"),
        pytest.param(OURS.replace("\n", "\r\n"), (), OURS.replace("\n", "\r\n"), id="there, written otherwise"),
        pytest.param(SITE + FORMER + PROXY, (FORMER,), SITE + PROXY + OURS, id="in place of the former one"),
    ],
)
def test_a_bundle_of_authorities_has_ours_as_well(before: str, gone: tuple[str, ...], after: str) -> None:
    assert bundle_with(before, OURS, gone) == after
    assert bundle_with(after, OURS, gone) == after


def test_ours_is_taken_away_alone() -> None:
    assert bundle_with(SITE + OURS + PROXY, "", [OURS]) == SITE + PROXY


def secret(document: t.Any) -> dict[str, t.Any]:
    return {"data": {".dockerconfigjson": base64.b64encode(json.dumps(document).encode()).decode()}}


def logins(data: dict[str, str] | None) -> t.Any:
    assert data is not None
    return json.loads(base64.b64decode(data[".dockerconfigjson"]))


ENTRY = {"auth": base64.b64encode(LOGIN.encode()).decode()}
QUAY = {"quay.io": {"auth": "c29tZTpvbmU=", "email": "a@example.com"}}


@pytest.mark.parametrize(
    ("before", "registry", "after"),
    [
        pytest.param({"auths": {}}, HERE, {"auths": {HERE: ENTRY}}, id="empty"),
        pytest.param({"auths": QUAY}, HERE, {"auths": {**QUAY, HERE: ENTRY}}, id="of others"),
        pytest.param(
            {"credsStore": "x", "auths": QUAY}, HERE, {"credsStore": "x", "auths": {**QUAY, HERE: ENTRY}}, id="more"
        ),
        pytest.param({"auths": {HERE: {"auth": "b2xk"}}}, HERE, {"auths": {HERE: ENTRY}}, id="an old password"),
        pytest.param({"auths": {"192.0.2.4:9701": ENTRY}}, HERE, {"auths": {HERE: ENTRY}}, id="a former address"),
        pytest.param({"auths": {**QUAY, HERE: ENTRY}}, "", {"auths": QUAY}, id="removed"),
    ],
)
def test_the_pull_secret_has_our_login_as_well(before: t.Any, registry: str, after: t.Any) -> None:
    assert logins(pull_secret_with(secret(before), registry, LOGIN)) == after
    assert pull_secret_with(secret(after), registry, LOGIN) is None


@pytest.mark.parametrize(
    "found",
    [
        pytest.param({}, id="no data"),
        pytest.param({"data": {".dockerconfigjson": "!"}}, id="no base64"),
        pytest.param({"data": {".dockerconfigjson": base64.b64encode(b"topsecret").decode()}}, id="no JSON"),
        pytest.param(secret(["topsecret"]), id="no mapping"),
        pytest.param(secret({"auths": "topsecret"}), id="no logins"),
    ],
)
def test_a_pull_secret_that_cannot_be_read_is_left_and_not_shown(found: dict[str, t.Any]) -> None:
    with pytest.raises(JoiningError) as refused:
        pull_secret_with(found, HERE, LOGIN)
    assert "topsecret" not in str(refused.value)


def rendered(**files: str) -> dict[str, t.Any]:
    paths = {"registries": REGISTRIES_FILE, "anchors": ANCHOR_FILE, "certs": certs_file(HERE)}
    listed = [
        {
            "path": paths[name],
            "contents": {"source": f"data:text/plain;base64,{base64.b64encode(text.encode()).decode()}"},
        }
        for name, text in files.items()
    ]
    return {"spec": {"config": {"storage": {"files": listed}}}}


MIRRORS = f'[[registry.mirror]]\n  location = "{HERE}/openshift-release-dev/ocp-release"\n'


@pytest.mark.parametrize(
    ("configuration", "lacks"),
    [
        pytest.param({}, ["mirrors", "ca"], id="none"),
        pytest.param(rendered(registries="", anchors=SITE), ["mirrors", "ca"], id="of others"),
        pytest.param(rendered(registries=MIRRORS), ["ca"], id="mirrors"),
        pytest.param(rendered(anchors=SITE + OURS), ["mirrors"], id="authority"),
        pytest.param(rendered(registries=MIRRORS, anchors=SITE + OURS), [], id="both"),
        pytest.param(rendered(registries=MIRRORS, certs=OURS), [], id="an authority for this registry alone"),
    ],
)
def test_what_a_machine_that_joins_now_would_lack(configuration: dict[str, t.Any], lacks: list[str]) -> None:
    assert lacking_in(configuration, HERE, OURS) == lacks


@pytest.mark.parametrize(
    ("updated", "name"),
    [pytest.param(0, "old", id="no machine has it yet"), pytest.param(1, "new", id="the first one has it")],
)
def test_what_a_machine_that_joins_is_given(updated: int, name: str) -> None:
    status = {"configuration": {"name": "old"}, "updatedMachineCount": updated, "machineCount": 3}
    assert served_configuration({"spec": {"configuration": {"name": "new"}}, "status": status}) == name
    assert served_configuration({}) == ""


def test_a_machine_config_lays_the_authority_for_one_registry() -> None:
    made = ca_machine_config("worker", HERE, OURS)
    assert made["metadata"]["labels"]["machineconfiguration.openshift.io/role"] == "worker"
    assert lacking_in(made, HERE, OURS) == ["mirrors"]
