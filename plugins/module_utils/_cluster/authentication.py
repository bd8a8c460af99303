# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""From options, environment, kubeconfig or service account to one access to the API."""

from __future__ import annotations

import os
import typing as t
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.auth_options import (
    effective_options,
    option_secrets,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.kubeconfig import (
    default_kubeconfig,
    load_kubeconfig,
    load_service_account,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.libraries import require_kubernetes
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.secret_values import url_login, url_secrets
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.tls_context import (
    removing_files_of_the_library,
    take_certificates,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError


@dataclass(frozen=True)
class ClusterAccess:
    """How the API is reached: the client library's ``configuration`` and the impersonation ``headers``.

    ``tls_context``, an SSLContext, holds the certificates; the configuration names no files of them. ``identity``
    distinguishes users without holding a secret.
    """

    configuration: t.Any = field(repr=False)
    tls_context: t.Any = field(repr=False)
    headers: tuple[tuple[str, str], ...]
    identity: tuple[str, ...]
    given_secrets: frozenset[str] = field(repr=False)

    @property
    def server(self) -> str:
        """The URL of the API server."""
        return str(self.configuration.host)

    @property
    def secrets(self) -> frozenset[str]:
        """All credentials that are known to be in use, also those that have been refreshed since then."""
        return self.given_secrets | _configured_secrets(self.configuration)


def resolve_access(params: Mapping[str, t.Any], environment: Mapping[str, str] | None = None) -> ClusterAccess:
    """Return how to reach the API with the options in ``params``.

    Asked in this order: the options, each also as its ``K8S_AUTH_*`` variable, if they hold a host and credentials;
    the kubeconfig of the options; the files of KUBECONFIG or ``~/.kube/config``; the service account of a pod. Options
    override what a kubeconfig or a service account says. Raise InvalidInputError when nothing is found or what is
    found cannot be used, and MissingRequirementError without a usable client library.
    """
    require_kubernetes()
    environment = os.environ if environment is None else environment
    options = effective_options(params, environment)
    with removing_files_of_the_library():
        configuration, origin = _base_configuration(options, environment)
        _override(configuration, options)
        _check(configuration, origin)
        tls_context = take_certificates(configuration, origin)
    return ClusterAccess(
        configuration=configuration,
        tls_context=tls_context,
        headers=_impersonation_headers(options),
        identity=_identity(options, origin),
        given_secrets=frozenset(option_secrets(params, environment)),
    )


def _base_configuration(options: Mapping[str, t.Any], environment: Mapping[str, str]) -> tuple[t.Any, str]:
    from kubernetes.client import Configuration

    if _are_sufficient(options):
        return Configuration(), "options"
    kubeconfig = options.get("kubeconfig") or default_kubeconfig(environment)
    if kubeconfig:
        context, persist = options.get("context"), bool(options.get("persist_config"))
        configuration = load_kubeconfig(kubeconfig, context=context, persist=persist)
        return configuration, f"kubeconfig {kubeconfig}" if isinstance(kubeconfig, str) else "kubeconfig option"
    configuration = load_service_account()
    if configuration is not None:
        return configuration, "service account"
    raise InvalidInputError(
        "find credentials for the Kubernetes API",
        on="this machine",
        seen="neither options nor K8S_AUTH_ variables contain a host with credentials, and there is no kubeconfig",
        advice="For a playbook of this collection, set site_kubeconfig. For a module, set kubeconfig, or host and "
        "api_key, as options or as environment variables.",
    )


def _are_sufficient(options: Mapping[str, t.Any]) -> bool:
    credentials = (("api_key",), ("username", "password"), ("client_cert", "client_key"))
    return bool(options.get("host")) and any(all(options.get(name) for name in names) for names in credentials)


def _override(configuration: t.Any, options: Mapping[str, t.Any]) -> None:
    if configuration.refresh_api_key_hook is not None:
        configuration.refresh_api_key_hook = _token_refresher(configuration.refresh_api_key_hook)
    _override_credentials(configuration, options)
    if options.get("host"):
        configuration.host = options["host"].rstrip("/")
    for option, attribute in (("ca_cert", "ssl_ca_cert"), ("proxy", "proxy"), ("no_proxy", "no_proxy")):
        if option in options:
            setattr(configuration, attribute, options[option])
    _override_proxy_headers(configuration, options.get("proxy_headers") or {})
    if "validate_certs" in options:
        configuration.verify_ssl = options["validate_certs"]
    configuration.retries = _no_retries()


def _override_proxy_headers(configuration: t.Any, headers: Mapping[str, t.Any]) -> None:
    """Add the credentials within the proxy's URL, which urllib3 itself sends to SOCKS proxies alone."""
    login = url_login(configuration.proxy or "")
    given = {**({"proxy_basic_auth": login} if login else {}), **headers}
    if given:
        from urllib3.util import make_headers

        configuration.proxy_headers = make_headers(**given)


def _no_retries() -> t.Any:
    """Return the instruction to urllib3 to try once and follow nothing.

    Retries are ours alone: those of urllib3 would multiply with them, unseen. It is not ``False``, because then the
    client library of version 36 fails on errors of TLS itself (AttributeError on its empty body).
    """
    from urllib3.util import Retry

    return Retry(total=0, redirect=False)


def _override_credentials(configuration: t.Any, options: Mapping[str, t.Any]) -> None:
    """Let credentials given as options replace those of a kubeconfig instead of joining them.

    A server asks for client certificates first: one left over from a kubeconfig would silently win over the token.
    """
    configuration.api_key = _header_values(configuration.api_key)
    header = _authorization(options)
    certificate = options.get("client_cert"), options.get("client_key")
    if header or any(certificate):
        configuration.api_key = _header_values({"authorization": header} if header else {})
        configuration.refresh_api_key_hook = None
        configuration.cert_file, configuration.key_file = certificate


def _authorization(options: Mapping[str, t.Any]) -> str:
    if options.get("api_key"):
        return f"Bearer {options['api_key']}"
    if options.get("username") and options.get("password"):
        from urllib3.util import make_headers

        return str(make_headers(basic_auth=f"{options['username']}:{options['password']}")["authorization"])
    return ""


def _token_refresher(hook: Callable[[t.Any], None]) -> Callable[[t.Any], None]:
    """Return ``hook`` of the library, kept from setting more than the token.

    The library's own hook writes server, certificates and verification of the kubeconfig over the options on every
    request. It gets one configuration of its own for all requests: to make one costs more than a small request.
    """
    from kubernetes.client import Configuration
    from kubernetes.config.config_exception import ConfigException

    fresh = Configuration()

    def _refresh(configuration: t.Any) -> None:
        try:
            with removing_files_of_the_library():
                hook(fresh)
        except ConfigException:
            raise InvalidInputError(
                "refresh the token",
                on="the Kubernetes API",
                seen="its file or plugin returns none",
                advice="Check the token file or the credential plugin of the kubeconfig.",
            ) from None
        configuration.api_key = _header_values(fresh.api_key)

    return _refresh


def _header_values(values: Mapping[str, str]) -> dict[str, str]:
    """Return credentials without the line break at the end of a token file; refuse what no header can hold.

    Python's own refusal would print the value.
    """
    stripped = {name: value.strip() for name, value in values.items()}
    if not all(value.isascii() and value.isprintable() for value in stripped.values()):
        raise InvalidInputError(
            "send the credentials",
            on="the Kubernetes API",
            seen="the token or password contains line breaks or other characters that cannot be sent",
            advice="Specify the token alone, on one line.",
        )
    return stripped


def _impersonation_headers(options: Mapping[str, t.Any]) -> tuple[tuple[str, str], ...]:
    user, groups = options.get("impersonate_user"), options.get("impersonate_groups") or []
    if groups and not user:
        raise InvalidInputError(
            "impersonate groups",
            on="the option impersonate_groups",
            seen="no user is specified",
            advice="Set impersonate_user as well: the API server does not accept groups alone.",
        )
    headers = [("Impersonate-User", user)] if user else []
    headers += [("Impersonate-Group", group) for group in groups]
    for name, value in headers:
        if not (value.isascii() and value.isprintable()):
            raise InvalidInputError(
                "impersonate a user",
                on=f"{name} {value!r}",
                seen="it contains characters that are not allowed in a header",
                advice="Use names in printable ASCII.",
            )
    return tuple(headers)


def _identity(options: Mapping[str, t.Any], origin: str) -> tuple[str, ...]:
    names = ("context", "username", "client_cert", "impersonate_user")
    return (origin, *(f"{name}={options[name]}" for name in names if options.get(name)))


def _configured_secrets(configuration: t.Any) -> set[str]:
    values = [str(value) for value in configuration.api_key.values()]
    tokens = {value.partition(" ")[2] or value for value in values}
    return (tokens | url_secrets(configuration.proxy or "")) - {""}


def _check(configuration: t.Any, origin: str) -> None:
    server = urlsplit(str(configuration.host))
    if server.scheme not in ("https", "http") or not server.hostname:
        raise InvalidInputError(
            "reach the Kubernetes API",
            on=f"the host given by {origin}",
            seen="it is not a URL",
            advice="Specify it with scheme and port, for example https://api.site.example:6443.",
        )
    for option, path in (
        ("ca_cert", configuration.ssl_ca_cert),
        ("client_cert", configuration.cert_file),
        ("client_key", configuration.key_file),
    ):
        if path and not Path(path).is_file():
            raise InvalidInputError(
                "reach the Kubernetes API",
                on=f"{option} {path}",
                seen="there is no such file",
                advice="Correct the path, or omit the option if the kubeconfig contains the required settings.",
            )
