# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The client library's DynamicClient, bounded in time and reading only what is an API's discovery."""

from __future__ import annotations

import json
import typing as t
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.authentication import ClusterAccess
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.bounded_answers import bound_answers
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.discovery_cache import cache_file
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.libraries import dynamic_client_class
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import Clock

USER_AGENT = "fieldops.openshift"


class ConnectionFailedError(OSError):
    """Discovery got no answer; the cause says why. For ``transport.py`` alone, which turns it into an answer."""


class RepeatableHeader(str):
    """The name of a header that occurs more than once: equal only to itself, so that a dictionary holds several."""

    def __hash__(self) -> int:
        return id(self)

    def __eq__(self, other: object) -> bool:
        return self is other


def create_dynamic_client(
    access: ClusterAccess, cache_directory: Path | None, timeouts: tuple[float, float], clock: Clock
) -> t.Any:
    """Return a DynamicClient for ``access``; constructing it asks the server, and raises what the library raises.

    ``timeouts`` are seconds for connecting and for each whole answer, also of discovery, for which the library has
    none; they may be changed later as the attribute of that name. The attribute ``unavailable`` holds the last refusal
    with status 503 that the library passed over in silence during discovery.
    """
    from kubernetes.client import ApiClient

    library = dynamic_client_class()
    api_client = ApiClient(access.configuration)
    api_client.user_agent = USER_AGENT
    _use_tls_context(api_client, access)
    bound_answers(api_client.rest_client.pool_manager, clock)
    for name, value in access.headers:
        api_client.set_default_header(RepeatableHeader(name), value)
    _silence_expected_warning(access)
    cache = cache_file(
        cache_directory,
        server=access.server,
        identity=access.identity,
        library=f"{library.package} {library.version}",
    )
    return _bounded_class(library.cls, timeouts)(api_client, cache_file=cache)


def _use_tls_context(api_client: t.Any, access: ClusterAccess) -> None:
    # The library hands only paths of files to urllib3, and where there is none some of its versions name one.
    api_client.rest_client.pool_manager.connection_pool_kw.update(ssl_context=access.tls_context, ca_certs=None)


def no_discovery(status: int = 200) -> Exception:
    """Return the library's error for an answer of ``status`` that is not what an API server says of itself."""
    from kubernetes.client.exceptions import ApiException

    error: Exception = ApiException(status=status, reason="no API discovery")
    return error


def _bounded_class(base: t.Any, initial_timeouts: tuple[float, float]) -> type:
    from kubernetes.dynamic.exceptions import ServiceUnavailableError
    from kubernetes.dynamic.resource import ResourceInstance
    from urllib3.exceptions import MaxRetryError

    class BoundedDynamicClient(base):
        """A DynamicClient whose every request ends."""

        timeouts = initial_timeouts
        unavailable: t.Any = None

        def request(self, method: str, path: str, body: t.Any = None, **params: t.Any) -> t.Any:
            """Send a request with a timeout; ``serialize=False`` marks ours, all others are the library's discovery."""
            params.setdefault("_request_timeout", self.timeouts)
            if not params.get("serialize", True):
                return super().request(method, path, body, **params)
            serializer = params.pop("serializer", ResourceInstance)
            try:
                response = super().request(method, path, body, **params, serialize=False)
            except ServiceUnavailableError as error:
                self.unavailable = error
                raise
            except MaxRetryError as error:
                # The library would raise a ValueError for this that does not show the cause.
                raise ConnectionFailedError from error
            document = _discovery_document(response.data)
            if document is None:
                raise no_discovery(response.status)
            return serializer(self, document)

    return BoundedDynamicClient


def _discovery_document(content: bytes) -> dict[str, t.Any] | None:
    """Return the document if the library can take it in; pages of proxies and portals make it fail with many errors."""
    try:
        document = json.loads(content)
    except (ValueError, RecursionError):
        return None
    if not isinstance(document, dict) or ("kind" not in document and "gitVersion" not in document):
        return None
    return document


def _silence_expected_warning(access: ClusterAccess) -> None:
    # Who turns verification off has decided; a warning for each request would only hide the others.
    if not access.configuration.verify_ssl:
        import urllib3

        urllib3.disable_warnings(urllib3.exceptions.InsecureRequestWarning)
