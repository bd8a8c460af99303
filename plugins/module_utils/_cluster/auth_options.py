# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Options for reaching the API, equal in name, alias and environment variable to those of kubernetes.core.

The twin of the documentation fragment ``_cluster_options``.
"""

from __future__ import annotations

import os
import typing as t
from collections.abc import Mapping

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.secret_values import (
    basic_credentials,
    nested_secrets,
    url_secrets,
)

AUTH_OPTIONS: dict[str, dict[str, t.Any]] = {
    "kubeconfig": {"type": "raw"},
    "context": {"type": "str"},
    "host": {"type": "str"},
    "api_key": {"type": "str", "no_log": True},
    "username": {"type": "str"},
    "password": {"type": "str", "no_log": True},
    "validate_certs": {"type": "bool", "aliases": ["verify_ssl"]},
    "ca_cert": {"type": "path", "aliases": ["ssl_ca_cert"]},
    "client_cert": {"type": "path", "aliases": ["cert_file"]},
    "client_key": {"type": "path", "aliases": ["key_file"], "no_log": False},
    "proxy": {"type": "str"},
    "no_proxy": {"type": "str"},
    "proxy_headers": {
        "type": "dict",
        "options": {
            "proxy_basic_auth": {"type": "str", "no_log": True},
            "basic_auth": {"type": "str", "no_log": True},
            "user_agent": {"type": "str"},
        },
    },
    "persist_config": {"type": "bool"},
    "impersonate_user": {"type": "str"},
    "impersonate_groups": {"type": "list", "elements": "str"},
}
"""What AnsibleModule takes as argument_spec for these options."""

ENVIRONMENT_PREFIX = "K8S_AUTH_"

_FALSE_WORDS = frozenset({"0", "false", "no", "off"})


def effective_options(params: Mapping[str, t.Any], environment: Mapping[str, str]) -> dict[str, t.Any]:
    """Return the options that are set, each from ``params`` or else from its ``K8S_AUTH_*`` environment variable.

    An option that is null, and a variable or dictionary that is empty, count as not set.
    """
    options: dict[str, t.Any] = {}
    for name, spec in AUTH_OPTIONS.items():
        value = params.get(name)
        if value is None:
            value = _from_environment(name, spec, environment)
        if name == "proxy_headers" and value:
            value = {header: content for header, content in value.items() if content is not None}
        if value is not None and value != {}:
            options[name] = value
    return options


def option_secrets(params: Mapping[str, t.Any], environment: Mapping[str, str] | None = None) -> set[str]:
    """Return every credential within the options and their environment variables, nested ones included.

    Meant for ``no_log_values`` of a module: ``no_log`` of an option reaches neither into a kubeconfig given as a
    dictionary nor to the environment.
    """
    options = effective_options(params, os.environ if environment is None else environment)
    secrets = {options.get("api_key", ""), options.get("password", ""), *url_secrets(options.get("proxy", ""))}
    for header in ("proxy_basic_auth", "basic_auth"):
        credentials = (options.get("proxy_headers") or {}).get(header, "")
        secrets |= {credentials, credentials.partition(":")[2], basic_credentials(credentials)}
    if options.get("password"):
        secrets.add(basic_credentials(f"{options.get('username', '')}:{options['password']}"))
    secrets |= nested_secrets(options.get("kubeconfig"))
    return secrets - {""}


def environment_names(option: str) -> list[str]:
    """Return the environment variables that stand for ``option``, in the order in which they are asked."""
    names = [option, *AUTH_OPTIONS[option].get("aliases", [])]
    return [f"{ENVIRONMENT_PREFIX}{name.upper()}" for name in names]


def _from_environment(name: str, spec: Mapping[str, t.Any], environment: Mapping[str, str]) -> t.Any:
    if spec["type"] == "dict":
        named = {inner: environment.get(f"{ENVIRONMENT_PREFIX}{name}_{inner}".upper()) for inner in spec["options"]}
        return {inner: text for inner, text in named.items() if text}
    text = next((environment[variable] for variable in environment_names(name) if environment.get(variable)), None)
    if text is None:
        return None
    if spec["type"] == "bool":
        return text.lower() not in _FALSE_WORDS
    if spec["type"] == "list":
        return [item for item in text.split(",") if item]
    return text
