# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""How registries are reached: with verified TLS, or, only where a rule allows it, without or with none at all."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from ansible_collections.fieldops.openshift.plugins.module_utils._net.http_client import HttpClient
from ansible_collections.fieldops.openshift.plugins.module_utils._net.limits import HttpLimits
from ansible_collections.fieldops.openshift.plugins.module_utils._net.proxies import ProxySettings
from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.host_certificates import settings_for
from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.pull_secret import PullSecret
from ansible_collections.fieldops.openshift.plugins.module_utils._net.retry import RetryPolicy
from ansible_collections.fieldops.openshift.plugins.module_utils._net.tls import TlsSettings
from ansible_collections.fieldops.openshift.plugins.module_utils._net.transfer_errors import TlsError, TransferError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.mirror_rules import Endpoint, MirrorRules
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import Clock

PATIENCE = RetryPolicy(attempts=7)
"""About half a minute without any progress, as a registry's restart or a link that flaps takes."""


@dataclass(frozen=True)
class RegistrySettings:
    """All settings for requests to registries. ``tls`` is for every endpoint that is not insecure.

    ``certificate_folders`` have certificates for single hosts, see containers-certs.d(5).
    """

    pull_secret: PullSecret = field(default_factory=PullSecret)
    rules: MirrorRules = field(default_factory=MirrorRules)
    tls: TlsSettings = field(default_factory=TlsSettings)
    proxies: ProxySettings = field(default_factory=ProxySettings)
    retry: RetryPolicy = PATIENCE
    certificate_folders: tuple[str, ...] = ()
    limits: HttpLimits = field(default_factory=HttpLimits)


class RegistryAccess:
    """The HTTP clients, one for each kind of trust; and what is known about insecure hosts."""

    def __init__(self, settings: RegistrySettings, clock: Clock, notice: Callable[[str], object] | None = None) -> None:
        self._settings = settings
        self._clock = clock
        self._notice = notice
        self._clients: dict[TlsSettings, HttpClient] = {}
        self._tls: dict[tuple[str, bool], TlsSettings] = {}
        self._schemes: dict[str, str] = {}
        self._probes: dict[str, threading.Lock] = {}
        self._lock = threading.Lock()
        # A given file that cannot be used is reported before any work.
        self._client(settings.tls)

    def close(self) -> None:
        """Close the idle connections."""
        for client in self._clients.values():
            client.close()

    def client_for(self, endpoint: Endpoint, deadline: Deadline) -> tuple[HttpClient, str]:
        """Return the client for ``endpoint`` and the scheme of its URLs; raise TlsError for unusable certificates.

        An insecure host is tried with TLS first and without it only if it does not speak that.
        """
        with self._lock:
            client = self._client(self._tls_for(endpoint))
            one_at_a_time = self._probes.setdefault(endpoint.host, threading.Lock())
        if not endpoint.insecure:
            return client, "https"
        with one_at_a_time:
            scheme = self._schemes.get(endpoint.host)
            if scheme is None:
                scheme = self._schemes[endpoint.host] = _probe(client, endpoint.host, deadline)
        return client, scheme

    def _tls_for(self, endpoint: Endpoint) -> TlsSettings:
        key = (endpoint.host, endpoint.insecure)
        if key not in self._tls:
            common = self._settings.tls
            if endpoint.insecure:
                # The authorities are for a proxy in between, which is verified nevertheless.
                common = TlsSettings(verify=False, ca_file=common.ca_file, ca_pem=common.ca_pem)
            self._tls[key] = settings_for(endpoint.host, self._settings.certificate_folders, common)
        return self._tls[key]

    def _client(self, tls: TlsSettings) -> HttpClient:
        if tls not in self._clients:
            settings = self._settings
            self._clients[tls] = HttpClient(
                self._clock,
                tls=tls,
                proxies=settings.proxies,
                retry=settings.retry,
                limits=settings.limits,
                notice=self._notice,
            )
        return self._clients[tls]


def _probe(client: HttpClient, host: str, deadline: Deadline) -> str:
    try:
        with client.stream("GET", f"https://{host}/v2/", deadline=deadline):
            return "https"
    except (TlsError, TransferError) as no_tls:
        try:
            with client.stream("GET", f"http://{host}/v2/", deadline=deadline):
                return "http"
        except TransferError:
            raise no_tls from None
