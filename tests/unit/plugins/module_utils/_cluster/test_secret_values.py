# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Every credential of a kubeconfig is found, and nothing that a play needs to read is taken for one."""

from __future__ import annotations

import base64
import typing as t

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.secret_values import (
    nested_secrets,
    url_login,
    url_password,
    url_secrets,
)

PEM = "-----BEGIN EC PRIVATE KEY-----\nMHcCAQEE\n-----END EC PRIVATE KEY-----\n"


def kubeconfig(user: dict[str, t.Any], cluster: dict[str, t.Any] | None = None) -> dict[str, t.Any]:
    return {
        "apiVersion": "v1",
        "kind": "Config",
        "current-context": "site",
        "clusters": [{"name": "site", "cluster": {"server": "https://api.site.example:6443", **(cluster or {})}}],
        "contexts": [{"name": "site", "context": {"cluster": "site", "user": "technician", "namespace": "default"}}],
        "users": [{"name": "technician", "user": user}],
    }


def exec_plugin(env: dict[str, str] | None = None, args: list[str] | None = None) -> dict[str, t.Any]:
    variables = [{"name": name, "value": value} for name, value in (env or {}).items()]
    return {
        "exec": {"apiVersion": "client.authentication.k8s.io/v1", "command": "login", "args": args, "env": variables}
    }


@pytest.mark.parametrize(
    ("user", "secrets"),
    [
        pytest.param({"token": "sha256~abc"}, {"sha256~abc"}, id="token"),
        pytest.param({"username": "admin", "password": "hunter2"}, {"hunter2"}, id="password"),
        pytest.param(
            {"client-key-data": base64.b64encode(PEM.encode()).decode()},
            {base64.b64encode(PEM.encode()).decode(), PEM},
            id="key, also decoded",
        ),
        pytest.param(
            {
                "auth-provider": {
                    "name": "oidc",
                    "config": {"id-token": "ey.1.x", "refresh-token": "r1", "client-id": "c"},
                }
            },
            {"ey.1.x", "r1"},
            id="auth provider",
        ),
        pytest.param(
            {"auth-provider": {"config": {"client-secret": "s3", "access-token": "a1"}}}, {"s3", "a1"}, id="more"
        ),
        pytest.param(exec_plugin({"OIDC_CLIENT_SECRET": "word"}), {"word"}, id="exec environment by name"),
        pytest.param(exec_plugin({"SESSION": "pX9-kk/Qz=="}), {"pX9-kk/Qz=="}, id="exec environment by look"),
        pytest.param(exec_plugin(args=["get", "--client-secret=s4"]), {"s4"}, id="exec argument with equals"),
        pytest.param(exec_plugin(args=["--token", "t5", "--verbose"]), {"t5"}, id="exec argument that follows"),
        pytest.param(
            exec_plugin(args=["--issuer=https://u:pw9@idp.example"]), {"pw9"}, id="password in an argument's URL"
        ),
    ],
)
def test_credentials_are_found(user: dict[str, t.Any], secrets: set[str]) -> None:
    assert nested_secrets(kubeconfig(user)) == secrets


@pytest.mark.parametrize(
    "user",
    [
        pytest.param(
            {"client-certificate-data": "LS0tLS1CRUdJTg==", "client-certificate": "/a/tls.crt"}, id="certificates"
        ),
        pytest.param({"tokenFile": "/var/run/token", "client-key": "/a/tls.key"}, id="files"),
        pytest.param(exec_plugin({"AWS_PROFILE": "default", "HOME": "/home/me", "DEBUG": "1"}), id="plain words"),
        pytest.param(
            {"auth-provider": {"config": {"idp-issuer-url": "https://idp.example", "client-id": "k8s"}}}, id="oidc"
        ),
        pytest.param({"token": ""}, id="empty"),
        pytest.param({"token": None, "exec": {"args": None, "env": None}}, id="null"),
    ],
)
def test_other_values_are_left_alone(user: dict[str, t.Any]) -> None:
    assert nested_secrets(kubeconfig(user)) == set()


def test_password_of_a_proxy_url_is_found() -> None:
    assert nested_secrets(kubeconfig({}, {"proxy-url": "http://me:pa55@proxy.site.example:3128"})) == {"pa55"}


@pytest.mark.parametrize(
    "value", [None, 7, "text", b"bytes", [], {"users": "no list"}, {"users": [None, 3, {"user": None}]}]
)
def test_anything_may_be_asked(value: object) -> None:
    assert nested_secrets(value) == set()


@pytest.mark.parametrize(
    ("url", "password"),
    [
        ("http://user:p%40ss@proxy:3128", "p%40ss"),
        ("socks5h://u:p@h", "p"),
        ("http://proxy:3128", ""),
        ("http://proxy:3128/a:b@c", ""),
        ("https://[fd00::1]:6443", ""),
        ("", ""),
    ],
)
def test_url_password(url: str, password: str) -> None:
    assert url_password(url) == password


@pytest.mark.parametrize(
    ("url", "login"),
    [
        ("http://user:p%40ss@proxy:3128", "user:p@ss"),
        ("https://u:p:q@[fd00::1]:3128", "u:p:q"),
        ("socks5h://u:p@h", ""),
        ("http://user@proxy:3128", ""),
        ("http://proxy:3128", ""),
        ("", ""),
    ],
)
def test_url_login(url: str, login: str) -> None:
    assert url_login(url) == login


def test_the_password_of_a_url_is_a_secret_in_every_form_it_takes() -> None:
    assert url_secrets("http://user:p%40ss@proxy:3128") == {"p%40ss", "p@ss", "dXNlcjpwQHNz"}
    assert url_secrets("http://proxy:3128") == set()


@given(st.recursive(st.text() | st.none() | st.integers(), lambda v: st.lists(v) | st.dictionaries(st.text(), v)))
def test_every_nested_token_is_found(value: object) -> None:
    assert "canary-0123" in nested_secrets({"users": [{"anything": value, "user": {"token": "canary-0123"}}]})
