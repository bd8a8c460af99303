# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""How registries are reached: with verified TLS, or, only where a rule allows it, without or with none at all."""

from __future__ import annotations

import threading
import typing as t
from dataclasses import dataclass, field

from ansible_collections.fieldops.openshift.plugins.module_utils._net.http_client import HttpClient
from ansible_collections.fieldops.openshift.plugins.module_utils._net.limits import HttpLimits
from ansible_collections.fieldops.openshift.plugins.module_utils._net.proxies import ProxySettings
from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.mirror_rules import MirrorRules
from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.pull_secret import PullSecret
from ansible_collections.fieldops.openshift.plugins.module_utils._net.retry import RetryPolicy
from ansible_collections.fieldops.openshift.plugins.module_utils._net.tls import TlsSettings
from ansible_collections.fieldops.openshift.plugins.module_utils._net.transfer_errors import TlsError, TransferError

if t.TYPE_CHECKING:
    from collections.abc import Callable

    from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.mirror_rules import Endpoint
    from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
    from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import Clock

PATIENCE = RetryPolicy(attempts=7)
"""About half a minute without any progress, as a registry's restart or a link that flaps takes."""


@dataclass(frozen=True)
class RegistrySettings:
    """All that decides how registries are asked. ``tls`` is for every endpoint that is not insecure."""

    pull_secret: PullSecret = field(default_factory=PullSecret)
    rules: MirrorRules = field(default_factory=MirrorRules)
    tls: TlsSettings = field(default_factory=TlsSettings)
    proxies: ProxySettings = field(default_factory=ProxySettings)
    retry: RetryPolicy = PATIENCE
    limits: HttpLimits = field(default_factory=HttpLimits)


class RegistryAccess:
    """The two HTTP clients, one of which verifies; and what has been found out about insecure hosts."""

    def __init__(self, settings: RegistrySettings, clock: Clock, notice: Callable[[str], object] | None = None) -> None:
        def client(tls: TlsSettings) -> HttpClient:
            proxies, retry, limits = settings.proxies, settings.retry, settings.limits
            return HttpClient(clock, tls=tls, proxies=proxies, retry=retry, limits=limits, notice=notice)

        self._verifying = client(settings.tls)
        self._trusting = client(TlsSettings(verify=False, ca_file=settings.tls.ca_file, ca_pem=settings.tls.ca_pem))
        self._schemes: dict[str, str] = {}
        self._lock = threading.Lock()

    def close(self) -> None:
        """Close the idle connections."""
        self._verifying.close()
        self._trusting.close()

    def client_for(self, endpoint: Endpoint, deadline: Deadline) -> tuple[HttpClient, str]:
        """Return the client for ``endpoint`` and the scheme of its URLs.

        An insecure host is tried with TLS first and without it only if it does not speak that.
        """
        if not endpoint.insecure:
            return self._verifying, "https"
        with self._lock:
            scheme = self._schemes.get(endpoint.host)
            if scheme is None:
                scheme = self._schemes[endpoint.host] = self._probe(endpoint.host, deadline)
        return self._trusting, scheme

    def _probe(self, host: str, deadline: Deadline) -> str:
        try:
            with self._trusting.stream("GET", f"https://{host}/v2/", deadline=deadline):
                return "https"
        except (TlsError, TransferError) as no_tls:
            try:
                with self._trusting.stream("GET", f"http://{host}/v2/", deadline=deadline):
                    return "http"
            except TransferError:
                raise no_tls from None
