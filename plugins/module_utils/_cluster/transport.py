# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The one place where requests leave: a Call goes in, an Answer comes out, for every outcome."""

from __future__ import annotations

import typing as t
from collections.abc import Callable
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.answers import (
    KIND_NOT_SERVED,
    Answer,
    answer_of_outage,
    answer_of_response,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.authentication import ClusterAccess
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.bounded_answers import LONGEST_SILENCE
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.calls import Call
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.dynamic_client import (
    create_dynamic_client,
    no_discovery,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.outages import outage_of
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import ObjectKind
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import Clock

CONNECT_TIMEOUT = 10.0
READ_TIMEOUT = LONGEST_SILENCE
"""Seconds: until a connection stands, and for a whole answer unless its caller says otherwise."""

_SHORTEST_TIMEOUT = 1.0

# What the library's discovery stumbles over when a server's JSON is not what it expects.
_MALFORMED = (AttributeError, KeyError, TypeError, ValueError)

T = t.TypeVar("T")


class Transport:
    """Sends calls with the client library; what that learns of the API is kept in ``cache_directory``."""

    def __init__(self, access: ClusterAccess, cache_directory: Path | None, clock: Clock) -> None:
        self.access = access
        self._clock = clock
        self._cache_directory = cache_directory
        self._client: t.Any = None

    def send(self, call: Call, *, at_most: float = READ_TIMEOUT) -> Answer:
        """Return the answer to ``call``; ``at_most`` bounds connecting and each whole answer, in seconds."""
        return self._answered(lambda: self._exchange(call, _timeouts(at_most)))

    def send_to_path(self, path: str, *, at_most: float = READ_TIMEOUT) -> Answer:
        """Return the answer to a GET of ``path``, for what is no object, such as ``/version``."""
        timeouts = _timeouts(at_most)
        return self._answered(
            lambda: self._connected(timeouts).request("get", path, serialize=False, _request_timeout=timeouts)
        )

    def lookup(self, kind: ObjectKind, *, at_most: float = READ_TIMEOUT) -> Answer:
        """Return where the cluster serves ``kind``: a body with ``name``, the plural, and ``namespaced``."""
        resource = self._guarded(lambda: self._resource(kind, _timeouts(at_most)))
        if isinstance(resource, Answer):
            return resource
        return Answer(status=200, body={"name": resource.name, "namespaced": bool(resource.namespaced)})

    def close(self) -> None:
        """Close the connections that are kept; the next call opens new ones."""
        if self._client is not None:
            self._client.client.rest_client.pool_manager.clear()
            self._client = None

    def _exchange(self, call: Call, timeouts: tuple[float, float]) -> t.Any:
        resource = self._resource(call.kind, timeouts)
        return self._connected(timeouts).request(
            call.method,
            call.path(resource),
            body=call.body,
            query_params=list(call.query),
            content_type=call.content_type,
            serialize=False,
            _request_timeout=timeouts,
        )

    def _resource(self, kind: ObjectKind, timeouts: tuple[float, float]) -> t.Any:
        from kubernetes.dynamic.exceptions import ResourceNotFoundError

        client = self._connected(timeouts)
        client.unavailable = None
        try:
            # Without the prefix the library asks every group that has a version of this name.
            prefix = "apis" if kind.group else "api"
            return client.resources.get(prefix=prefix, api_version=kind.api_version, kind=kind.kind)
        except ResourceNotFoundError:
            # The library takes an API group that answers 503 for one without resources.
            if client.unavailable is not None:
                raise client.unavailable from None
            raise
        except _MALFORMED as error:
            raise no_discovery() from error

    def _connected(self, timeouts: tuple[float, float]) -> t.Any:
        # Constructing the library's client asks the server already; after a failure the next call tries again.
        if self._client is None:
            try:
                self._client = create_dynamic_client(self.access, self._cache_directory, timeouts, self._clock)
            except _MALFORMED as error:
                raise no_discovery() from error
        self._client.timeouts = timeouts
        return self._client

    def _answered(self, exchange: Callable[[], t.Any]) -> Answer:
        def _read() -> Answer:
            response = exchange()
            return answer_of_response(response.status, response.data, response.headers, secrets=self.access.secrets)

        return self._guarded(_read)

    def _guarded(self, work: Callable[[], T]) -> T | Answer:
        """Return what ``work`` returns, or the answer that its failure stands for."""
        from kubernetes.client.exceptions import ApiException
        from kubernetes.dynamic.exceptions import ResourceNotFoundError, ResourceNotUniqueError
        from urllib3.exceptions import HTTPError

        try:
            return work()
        except ApiException as error:
            return self._refused(error) if error.status else self._outage(error)
        except (ResourceNotFoundError, ResourceNotUniqueError):
            return Answer(status=404, reason=KIND_NOT_SERVED, message="the server does not serve this kind")
        except (HTTPError, OSError, EOFError) as error:
            return self._outage(error)

    def _refused(self, error: t.Any) -> Answer:
        content = error.body if isinstance(error.body, bytes) else str(error.body or "").encode()
        return answer_of_response(int(error.status), content, error.headers or {}, secrets=self.access.secrets)

    def _outage(self, error: BaseException) -> Answer:
        return answer_of_outage(outage_of(error), secrets=self.access.secrets)


def _timeouts(at_most: float) -> tuple[float, float]:
    at_most = max(_SHORTEST_TIMEOUT, at_most)
    return min(CONNECT_TIMEOUT, at_most), at_most
