# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Ways to reach the API: tokens, certificates, kubeconfigs, service accounts, impersonation, authorities."""

from __future__ import annotations

import json
import sys
import typing as t
from collections.abc import Callable
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster import libraries, reviews
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.api_error import ApiError
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.authentication import resolve_access
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.calls import Call
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import (
    InvalidInputError,
    MissingRequirementError,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import NODE
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer

Whoami = Callable[..., str]

NOWHERE = {"HOME": "/nonexistent"}


@pytest.fixture
def whoami(library: str) -> Whoami:
    """Return the user name that the server sees for options and environment."""
    assert library

    def _whoami(environment: dict[str, str] | None = None, **options: t.Any) -> str:
        with ClusterClient(resolve_access(options, {**NOWHERE, **(environment or {})}), SystemClock()) as client:
            return reviews.who_am_i(client).username

    return _whoami


@pytest.fixture
def target(api_server: ApiServer) -> dict[str, str]:
    return {"host": api_server.url, "ca_cert": str(api_server.ca_file)}


def merged(*kubeconfigs: Path) -> dict[str, t.Any]:
    """Return one kubeconfig with the contexts ``context-0``, ``context-1`` ... of several; the first is the current."""
    document: dict[str, t.Any] = {"clusters": [], "users": [], "contexts": [], "current-context": "context-0"}
    for number, path in enumerate(kubeconfigs):
        single = json.loads(path.read_text())
        document["clusters"].append({**single["clusters"][0], "name": f"cluster-{number}"})
        document["users"].append({**single["users"][0], "name": f"user-{number}"})
        context = {"cluster": f"cluster-{number}", "user": f"user-{number}"}
        document["contexts"].append({"name": f"context-{number}", "context": context})
    return document


def test_token(whoami: Whoami, api_server: ApiServer, target: dict[str, str]) -> None:
    assert whoami(**target, api_key=api_server.token_of("technician")) == "technician"


def test_token_of_a_file_with_a_line_break_at_its_end(
    whoami: Whoami, api_server: ApiServer, target: dict[str, str]
) -> None:
    assert whoami(**target, api_key=api_server.token_of("technician") + "\n") == "technician"


def test_options_from_the_environment(whoami: Whoami, api_server: ApiServer) -> None:
    environment = {
        "K8S_AUTH_HOST": f"{api_server.url}/",
        "K8S_AUTH_SSL_CA_CERT": str(api_server.ca_file),
        "K8S_AUTH_API_KEY": api_server.token_of("observer"),
    }
    assert whoami(environment) == "observer"


def test_client_certificate_of_a_kubeconfig(whoami: Whoami, api_server: ApiServer) -> None:
    assert whoami(kubeconfig=str(api_server.kubeconfig_for("alice", ["fieldops:technicians"]))) == "alice"


def test_client_certificate_files(whoami: Whoami, api_server: ApiServer, target: dict[str, str]) -> None:
    pair = api_server.authority.issue("bob", "bob")
    assert whoami(**target, client_cert=str(pair.certificate), client_key=str(pair.key)) == "bob"


def test_kubeconfig_as_a_dictionary(whoami: Whoami, api_server: ApiServer) -> None:
    assert whoami(kubeconfig=json.loads(api_server.kubeconfig.read_text())) == "system:admin"


def test_contexts(whoami: Whoami, api_server: ApiServer) -> None:
    both = merged(api_server.kubeconfig_for("alice"), api_server.kubeconfig)
    assert whoami(kubeconfig=both) == "alice"
    assert whoami(kubeconfig=both, context="context-1") == "system:admin"
    assert whoami({"K8S_AUTH_CONTEXT": "context-1"}, kubeconfig=both) == "system:admin"
    with pytest.raises(InvalidInputError, match="has no context named absent"):
        whoami(kubeconfig=both, context="absent")


def test_a_list_of_kubeconfigs(whoami: Whoami, api_server: ApiServer, tmp_path: Path) -> None:
    whole = merged(api_server.kubeconfig_for("alice"), api_server.kubeconfig)
    (tmp_path / "contexts").write_text(json.dumps({**whole, "users": []}))
    (tmp_path / "users").write_text(json.dumps({"users": whole["users"]}))
    listed = {"KUBECONFIG": f"{tmp_path}/contexts:{tmp_path}/absent:{tmp_path}/users"}
    assert whoami(listed) == "alice"
    assert whoami(listed, context="context-1") == "system:admin"


def test_the_kubeconfig_in_the_home(whoami: Whoami, api_server: ApiServer, tmp_path: Path) -> None:
    (tmp_path / ".kube").mkdir()
    (tmp_path / ".kube/config").write_text(api_server.kubeconfig.read_text())
    assert whoami({"HOME": str(tmp_path)}) == "system:admin"
    assert whoami({"HOME": str(tmp_path), "KUBECONFIG": ""}) == "system:admin"


def test_options_replace_the_credentials_of_a_kubeconfig(whoami: Whoami, api_server: ApiServer) -> None:
    pair = api_server.authority.issue("carol", "carol")
    by_certificate, by_token = str(api_server.kubeconfig_for("alice")), str(api_server.kubeconfig)
    assert whoami(kubeconfig=by_certificate, api_key=api_server.token_of("technician")) == "technician"
    assert whoami(kubeconfig=by_token, client_cert=str(pair.certificate), client_key=str(pair.key)) == "carol"


def test_options_replace_the_server_of_a_kubeconfig(whoami: Whoami, api_server: ApiServer) -> None:
    elsewhere = json.loads(api_server.kubeconfig.read_text())
    elsewhere["clusters"][0]["cluster"] = {"server": "https://192.0.2.1:6443", "insecure-skip-tls-verify": True}
    options = {"host": api_server.url, "ca_cert": str(api_server.ca_file), "validate_certs": True}
    assert whoami(kubeconfig=elsewhere, **options) == "system:admin"


def test_the_service_account_of_a_pod(
    whoami: Whoami, api_server: ApiServer, namespace: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "token").write_text(api_server.token_of_service_account(namespace, "default") + "\n")
    monkeypatch.setattr("kubernetes.config.incluster_config.SERVICE_TOKEN_FILENAME", str(tmp_path / "token"))
    monkeypatch.setattr("kubernetes.config.incluster_config.SERVICE_CERT_FILENAME", str(api_server.ca_file))
    monkeypatch.setenv("KUBERNETES_SERVICE_HOST", "127.0.0.1")
    monkeypatch.setenv("KUBERNETES_SERVICE_PORT", str(api_server.port))
    assert whoami() == f"system:serviceaccount:{namespace}:default"


def test_a_credential_plugin(whoami: Whoami, api_server: ApiServer, tmp_path: Path) -> None:
    credential = {
        "apiVersion": "client.authentication.k8s.io/v1",
        "kind": "ExecCredential",
        "status": {"token": api_server.token_of("observer")},
    }
    (tmp_path / "credential").write_text(json.dumps(credential))
    assert whoami(kubeconfig=_with_plugin(api_server, ["/bin/cat", str(tmp_path / "credential")])) == "observer"


def test_a_credential_plugin_that_fails(whoami: Whoami, api_server: ApiServer, capfd: t.Any) -> None:
    plugin = ["/bin/sh", "-c", "echo canary-token >&2; exit 1"]
    with pytest.raises(InvalidInputError, match="its credential plugin returned no credentials") as failed:
        whoami(kubeconfig=_with_plugin(api_server, plugin))
    assert "canary" not in str(failed.value)
    assert "canary" not in "".join(capfd.readouterr())


def test_impersonation(connect: t.Any, api_server: ApiServer, library: str) -> None:
    options = {"impersonate_user": "jane", "impersonate_groups": ["night-shift", "site:north"]}
    client = connect(kubeconfig=str(api_server.kubeconfig), **options)
    mark = api_server.audit.mark()
    jane = reviews.who_am_i(client)
    assert jane.username == "jane", library
    assert set(jane.groups) == {"night-shift", "site:north", "system:authenticated"}
    assert {request.impersonated for request in api_server.audit.requests(mark, user="system:admin")} == {"jane"}
    with pytest.raises(ApiError, match='Bind a role to user "jane"'):
        client.get(NODE, "worker-0")


def test_groups_alone_cannot_be_impersonated(target: dict[str, str]) -> None:
    with pytest.raises(InvalidInputError, match="Set impersonate_user as well"):
        resolve_access({**target, "api_key": "a", "impersonate_groups": ["b"]}, NOWHERE)


@pytest.mark.parametrize("name", ["a\r\nX-Evil: 1", "J\u00fcrgen"])
def test_names_that_no_header_can_hold_are_refused(target: dict[str, str], name: str) -> None:
    with pytest.raises(InvalidInputError, match="characters that are not allowed in a header"):
        resolve_access({**target, "api_key": "a", "impersonate_user": name}, NOWHERE)


@pytest.mark.parametrize("token", ["canary\r\nX-Evil: 1", "canary\u00fc", "cana\x00ry"])
def test_tokens_that_no_header_can_hold_are_refused_unseen(target: dict[str, str], token: str) -> None:
    with pytest.raises(InvalidInputError, match="Specify the token alone, on one line") as refused:
        resolve_access({**target, "api_key": token}, NOWHERE)
    assert "cana" not in str(refused.value)


def test_an_unknown_authority(connect: t.Any, api_server: ApiServer, library: str) -> None:
    client = connect(host=api_server.url, api_key="canary")
    with pytest.raises(ApiError, match=r"CertificateRejected: .*in ca_cert or in the kubeconfig") as refused:
        client.get(NODE, "worker-0")
    assert not refused.value.transient, library


def test_a_certificate_for_another_name(connect: t.Any, api_server: ApiServer) -> None:
    token, authority = api_server.admin_token, str(api_server.ca_file)
    client = connect(host=f"https://[::ffff:127.0.0.1]:{api_server.port}", api_key=token, ca_cert=authority)
    with pytest.raises(ApiError, match=r"CertificateRejected: .*mismatch.*one of the names in that certificate"):
        client.get(NODE, "worker-0")


def test_verification_can_be_turned_off(whoami: Whoami, api_server: ApiServer) -> None:
    token = api_server.token_of("observer")
    assert whoami(host=api_server.url, api_key=token, validate_certs=False) == "observer"
    assert whoami({"K8S_AUTH_VERIFY_SSL": "false"}, host=api_server.url, api_key=token) == "observer"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        pytest.param({}, "there is no kubeconfig", id="nothing"),
        pytest.param({"host": "https://a:6443"}, "there is no kubeconfig", id="host alone"),
        pytest.param({"host": "a:6443", "api_key": "k"}, "it is not a URL", id="no scheme"),
        pytest.param({"host": "https://", "api_key": "k"}, "it is not a URL", id="no host"),
        pytest.param({"host": "https://a", "api_key": "k", "ca_cert": "/absent"}, "ca_cert /absent", id="no CA file"),
        pytest.param({"kubeconfig": "/absent"}, "there is no such file", id="no kubeconfig"),
        pytest.param({"kubeconfig": {"users": []}}, "the kubeconfig given as an option", id="empty"),
        pytest.param({"kubeconfig": ["/a"]}, "a list is neither a path nor a dictionary", id="list"),
        pytest.param({"kubeconfig": {"users": "canary"}}, "the kubeconfig given as an option", id="malformed"),
    ],
)
def test_unusable_options(options: dict[str, t.Any], words: str) -> None:
    with pytest.raises(InvalidInputError) as refused:
        resolve_access(options, NOWHERE)
    assert words in str(refused.value)
    assert "canary" not in str(refused.value)


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"token: canary\n  broken: [", id="no YAML"),
        pytest.param(b"\xff\xfecanary", id="no text"),
        pytest.param(b"- canary", id="a list"),
        pytest.param(b"canary", id="a word"),
        pytest.param(b"", id="empty"),
        pytest.param(b"users: [{name: canary}]\ncontexts: []\nclusters: []\ncurrent-context: canary", id="no context"),
        pytest.param(
            b"users: [{name: a, user_: {token: canary}}]\ncontexts: [{name: a, context: {user: a, cluster: a}}]\n"
            b"clusters: [{name: a, cluster: {server: 'https://a'}}]\ncurrent-context: a",
            id="no user",
        ),
        pytest.param(b"!!python/object/apply:os.system [canary]", id="code"),
    ],
)
def test_unusable_kubeconfigs_are_not_quoted(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "kubeconfig"
    path.write_bytes(content)
    with pytest.raises(InvalidInputError, match=f"on the kubeconfig {path}") as refused:
        resolve_access({"kubeconfig": str(path)}, NOWHERE)
    assert "canary" not in str(refused.value)


@pytest.mark.parametrize("version", ["36.0.0", "36.0.1", "24.2.0"])
def test_unusable_versions_of_the_library_are_refused(
    version: str, target: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kubernetes.__version__", version)
    with pytest.raises(MissingRequirementError, match=rf"kubernetes {version} .*36\.0\.2 or newer"):
        resolve_access({**target, "api_key": "a"}, NOWHERE)


def test_a_missing_library_is_named(target: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "kubernetes", None)
    with pytest.raises(MissingRequirementError, match="the Python package kubernetes cannot be imported"):
        resolve_access({**target, "api_key": "a"}, NOWHERE)


def test_no_credential_is_shown_in_passing(api_server: ApiServer) -> None:
    kubeconfig = json.loads(api_server.kubeconfig.read_text())
    proxy = {"proxy": "http://me:canary-proxy@127.0.0.1:1", "proxy_headers": {"proxy_basic_auth": "me:canary-header"}}
    access = resolve_access({"kubeconfig": kubeconfig, "context": "lab", **proxy}, NOWHERE)
    client = ClusterClient(access, SystemClock())
    answer = client.attempt(Call("get", NODE, "worker-0"))
    assert answer.reason == "ProxyFailed"
    shown = f"{access!r} {access} {client!r} {vars(client)} {vars(client.transport)} {answer!r} {answer.words}"
    assert not [secret for secret in (api_server.admin_token, "canary-proxy", "canary-header") if secret in shown]
    assert access.secrets >= {api_server.admin_token, "canary-proxy", "canary-header"}


def test_no_key_of_a_kubeconfig_is_left_in_a_file(
    api_server: ApiServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    kubeconfig = json.loads(api_server.kubeconfig.read_text())
    for _again in range(2):
        with ClusterClient(resolve_access({"kubeconfig": kubeconfig}, NOWHERE), SystemClock()) as client:
            assert not list(tmp_path.iterdir())
            assert reviews.who_am_i(client).username == "system:admin"


def test_unusable_certificates_are_named(api_server: ApiServer, tmp_path: Path, target: dict[str, str]) -> None:
    certificate, key = tmp_path / "certificate.pem", tmp_path / "key.pem"
    certificate.write_bytes(api_server.ca_file.read_bytes())
    key.write_text("-----BEGIN PRIVATE KEY-----\ncanary\n-----END PRIVATE KEY-----\n")
    for options in ({"client_cert": str(certificate), "client_key": str(key)}, {"api_key": "a", "ca_cert": str(key)}):
        with pytest.raises(InvalidInputError, match=r"read the certificates .*Specify ca_cert, client_cert") as refused:
            resolve_access({**target, **options}, NOWHERE)
        assert "canary" not in str(refused.value)


def test_which_library_is_used(library: str) -> None:
    assert libraries.dynamic_client_class().package == library


def _with_plugin(api_server: ApiServer, command: list[str]) -> dict[str, t.Any]:
    document: dict[str, t.Any] = json.loads(api_server.kubeconfig.read_text())
    plugin = {"apiVersion": "client.authentication.k8s.io/v1", "command": command[0], "args": command[1:]}
    document["users"][0]["user"] = {"exec": plugin}
    return document
