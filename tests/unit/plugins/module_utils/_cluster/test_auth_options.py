# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The options of kubernetes.core, from parameters and from the environment."""

from __future__ import annotations

import typing as t

import pytest
import yaml

from ansible_collections.fieldops.openshift.plugins.doc_fragments._cluster_options import ModuleDocFragment
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.auth_options import (
    AUTH_OPTIONS,
    effective_options,
    environment_names,
    option_secrets,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_options import CLUSTER_OPTIONS

KUBERNETES_CORE = {
    "kubeconfig": ("raw", []),
    "context": ("str", []),
    "host": ("str", []),
    "api_key": ("str", []),
    "username": ("str", []),
    "password": ("str", []),
    "validate_certs": ("bool", ["verify_ssl"]),
    "ca_cert": ("path", ["ssl_ca_cert"]),
    "client_cert": ("path", ["cert_file"]),
    "client_key": ("path", ["key_file"]),
    "proxy": ("str", []),
    "no_proxy": ("str", []),
    "proxy_headers": ("dict", []),
    "persist_config": ("bool", []),
    "impersonate_user": ("str", []),
    "impersonate_groups": ("list", []),
}


def test_options_and_aliases_are_those_of_kubernetes_core() -> None:
    assert {name: (o["type"], o.get("aliases", [])) for name, o in AUTH_OPTIONS.items()} == KUBERNETES_CORE
    assert sorted(AUTH_OPTIONS["proxy_headers"]["options"]) == ["basic_auth", "proxy_basic_auth", "user_agent"]


def test_every_credential_is_no_log() -> None:
    headers = AUTH_OPTIONS["proxy_headers"]["options"]
    hidden = [o["no_log"] for o in (AUTH_OPTIONS["api_key"], AUTH_OPTIONS["password"], headers["basic_auth"])]
    assert hidden == [True, True, True]
    assert headers["proxy_basic_auth"]["no_log"] is True


def documented(options: t.Mapping[str, t.Any], within: str) -> dict[str, t.Any]:
    return {
        name: {
            "type": option["type"],
            "elements": option.get("elements"),
            "aliases": option.get("aliases", []),
            "inner": documented(option.get(within) or {}, within),
        }
        for name, option in options.items()
    }


def test_the_documentation_fragment_is_the_twin() -> None:
    fragment = yaml.safe_load(ModuleDocFragment.DOCUMENTATION)["options"]
    assert documented(fragment, "suboptions") == documented(CLUSTER_OPTIONS.options, "options")


@pytest.mark.parametrize("name", sorted(set(AUTH_OPTIONS) - {"proxy_headers"}))
def test_the_documentation_names_each_environment_variable(name: str) -> None:
    described = " ".join(yaml.safe_load(ModuleDocFragment.DOCUMENTATION)["options"][name]["description"])
    assert all(f"E({variable})" in described for variable in environment_names(name))


@pytest.mark.parametrize(
    ("params", "environment", "options"),
    [
        pytest.param({"host": "https://a"}, {"K8S_AUTH_HOST": "https://b"}, {"host": "https://a"}, id="option first"),
        pytest.param({"host": None}, {"K8S_AUTH_HOST": "https://b"}, {"host": "https://b"}, id="then environment"),
        pytest.param({}, {"K8S_AUTH_HOST": ""}, {}, id="empty variable is unset"),
        pytest.param({}, {"K8S_AUTH_VERIFY_SSL": "no"}, {"validate_certs": False}, id="alias as variable"),
        pytest.param({}, {"K8S_AUTH_VALIDATE_CERTS": "True"}, {"validate_certs": True}, id="name as variable"),
        pytest.param(
            {},
            {
                "K8S_AUTH_CA_CERT": "/a",
                "K8S_AUTH_SSL_CA_CERT": "/b",
                "K8S_AUTH_CERT_FILE": "/c",
                "K8S_AUTH_KEY_FILE": "/d",
            },
            {"ca_cert": "/a", "client_cert": "/c", "client_key": "/d"},
            id="files",
        ),
        pytest.param(
            {"validate_certs": False}, {"K8S_AUTH_VERIFY_SSL": "yes"}, {"validate_certs": False}, id="false is set"
        ),
        pytest.param({}, {"K8S_AUTH_IMPERSONATE_GROUPS": "a,b,"}, {"impersonate_groups": ["a", "b"]}, id="list"),
        pytest.param(
            {"proxy_headers": {"basic_auth": None, "user_agent": "x"}},
            {},
            {"proxy_headers": {"user_agent": "x"}},
            id="dict",
        ),
        pytest.param(
            {},
            {"K8S_AUTH_PROXY_HEADERS_USER_AGENT": "y", "K8S_AUTH_PROXY_HEADERS_BASIC_AUTH": ""},
            {"proxy_headers": {"user_agent": "y"}},
            id="dict from variables",
        ),
    ],
)
def test_where_options_come_from(
    params: dict[str, t.Any], environment: dict[str, str], options: dict[str, t.Any]
) -> None:
    assert effective_options(params, environment) == options


def test_secrets_are_found_in_options_and_environment() -> None:
    params = {
        "kubeconfig": {"users": [{"name": "a", "user": {"token": "nested"}}]},
        "password": "pw",
        "username": "me",
        "proxy": "http://u:proxy-pw@p:1",
        "proxy_headers": {"proxy_basic_auth": "u:header-pw"},
    }
    found = option_secrets(params, {"K8S_AUTH_API_KEY": "from-environment"})
    assert found >= {"nested", "pw", "bWU6cHc=", "proxy-pw", "u:header-pw", "header-pw", "from-environment"}
    assert "me" not in found
    assert "" not in found


def test_no_secrets_in_no_options() -> None:
    assert option_secrets({"kubeconfig": "/path", "host": "https://a"}, {}) == set()


@pytest.mark.parametrize("kubeconfig", [["/a"], 7, {"users": 7}, {}])
def test_secrets_are_looked_for_in_anything(kubeconfig: object) -> None:
    assert option_secrets({"kubeconfig": kubeconfig}, {}) == set()
