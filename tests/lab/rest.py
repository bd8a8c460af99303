# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The lab's own small client of the Kubernetes API: standard library only, with kept connections.

It is independent of the client under test, so that a test may prepare and look at the cluster without it.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import queue
import socket
import ssl
import time
import typing as t
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlencode, urlsplit

from ansible_collections.fieldops.openshift.tests.lab.errors import LabApiError

Json = dict[str, t.Any]
FIELD_MANAGER = "fieldops-lab"
APPLY = "application/apply-patch+yaml"
MERGE = "application/merge-patch+json"
PARALLEL = 6
IDLE_SECONDS = 30.0  # the API server closes connections that have been idle for 90
INITIALIZING = b"storage is (re)initializing"  # apiserver, pkg/storage/cacher


class RestClient:
    """Speaks to one API server as one user; may be used by several threads. A context manager."""

    def __init__(self, url: str, ca_file: Path, token: str, *, timeout: float = 90.0) -> None:
        self.url = url
        self._address = urlsplit(url).netloc
        self._tls = ssl.create_default_context(cafile=str(ca_file))
        self._token = token
        self._timeout = timeout
        self._idle: queue.LifoQueue[tuple[float, http.client.HTTPSConnection]] = queue.LifoQueue()
        self._plurals: dict[tuple[str, str], tuple[str, bool]] = {}

    def close(self) -> None:
        """Close the kept connections; the client may be used again."""
        while not self._idle.empty():
            self._idle.get_nowait()[1].close()

    def __enter__(self) -> RestClient:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def get(self, path: str, **parameters: str) -> Json:
        """Read one object or list."""
        return self.request("GET", path, None, "", **parameters)

    def exists(self, path: str) -> bool:
        """Whether there is an object at this path."""
        try:
            self.get(path)
        except LabApiError as error:
            if error.status == 404:
                return False
            raise
        return True

    def delete(self, path: str, **parameters: str) -> Json:
        """Delete one object or collection."""
        return self.request("DELETE", path, None, "", **parameters)

    def create(self, path: str, body: Json, **parameters: str) -> Json:
        """Post one object, or a sub-resource such as an eviction."""
        return self.request("POST", path, body, "application/json", **parameters)

    def merge(self, path: str, body: Json, **parameters: str) -> Json:
        """Apply a JSON merge patch (RFC 7386)."""
        return self.request("PATCH", path, body, MERGE, **parameters)

    def request(
        self, method: str, path: str, body: Json | bytes | None = None, content_type: str = "", **parameters: str
    ) -> Json:
        """Send one request and return the decoded answer; anything but 2xx raises LabApiError.

        A server that has just started answers 429 for definitions whose storage is not yet filled; that is waited for.
        """
        status, content = self._exchange(method, path, body, content_type, parameters)
        deadline = time.monotonic() + self._timeout
        while status == 429 and INITIALIZING in content and time.monotonic() < deadline:
            time.sleep(0.02)
            status, content = self._exchange(method, path, body, content_type, parameters)
        answer = _decoded(content)
        if not 200 <= status < 300:
            raise LabApiError(method, path, status, answer)
        return answer

    def apply(self, obj: Json) -> Json:
        """Server-side apply one object, and its ``status``, if it has one, through the status sub-resource."""
        path = self.path_of(obj)
        document = {key: value for key, value in obj.items() if key != "status"}
        applied = self._apply(path, document)
        if "status" in obj:
            identity = {"apiVersion": obj["apiVersion"], "kind": obj["kind"]}
            name = {"metadata": {"name": obj["metadata"]["name"]}, "status": obj["status"]}
            applied = self._apply(f"{path}/status", {**identity, **name})
        return applied

    def apply_all(self, objects: Iterable[Json]) -> list[Json]:
        """Apply many objects at once; the first refusal is raised."""
        with ThreadPoolExecutor(PARALLEL) as pool:
            return list(pool.map(self.apply, objects))

    def apply_text(self, path: str, document: bytes) -> Json:
        """Server-side apply a YAML document as it is."""
        return self.request("PATCH", path, document, APPLY, fieldManager=FIELD_MANAGER, force="true")

    def watch(self, path: str, **parameters: str) -> Iterator[Json]:
        """Yield the events of a watch until the server ends it; the caller closes the generator to stop earlier."""
        with contextlib.closing(self.stream(path, **parameters)) as stream:
            for line in stream:
                yield json.loads(line)

    def stream(self, path: str, **parameters: str) -> EventStream:
        """Return a connection of its own for one watch, which another thread may end."""
        connection = self._connect()
        query = urlencode({"watch": "1", **parameters})
        return EventStream(connection, f"{path}{'&' if '?' in path else '?'}{query}", self._headers(""))

    def path_of(self, obj: Mapping[str, t.Any]) -> str:
        """Return the path of an object from its API version, kind, namespace and name."""
        plural, namespaced = self._plural(obj["apiVersion"], obj["kind"])
        metadata = obj["metadata"]
        scope = f"/namespaces/{metadata.get('namespace', 'default')}" if namespaced else ""
        return f"{api_root(obj['apiVersion'])}{scope}/{plural}/{metadata['name']}"

    def _plural(self, api_version: str, kind: str) -> tuple[str, bool]:
        if (api_version, kind) not in self._plurals:
            for resource in self.get(api_root(api_version))["resources"]:
                if "/" not in resource["name"]:
                    self._plurals[api_version, resource["kind"]] = (resource["name"], resource["namespaced"])
        return self._plurals[api_version, kind]

    def _apply(self, path: str, document: Json) -> Json:
        return self.apply_text(path, json.dumps(document).encode())

    def _exchange(
        self, method: str, path: str, body: Json | bytes | None, content_type: str, parameters: Mapping[str, str]
    ) -> tuple[int, bytes]:
        content = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        target = f"{path}?{urlencode(parameters)}" if parameters else path
        kept = self._kept()
        connection = kept or self._connect()
        try:
            connection.request(method, target, content, self._headers(content_type))
            response = connection.getresponse()
            answer = (response.status, response.read())
        except BaseException as error:
            connection.close()
            # A kept connection may have ended with its server, which is back: what changes nothing is asked again.
            if kept and method == "GET" and isinstance(error, ConnectionResetError):
                return self._exchange(method, path, body, content_type, parameters)
            raise
        self._idle.put((time.monotonic(), connection))
        return answer

    def _kept(self) -> http.client.HTTPSConnection | None:
        """Return a connection that the server has not closed yet for having been idle."""
        while True:
            try:
                since, connection = self._idle.get_nowait()
            except queue.Empty:
                return None
            if time.monotonic() - since < IDLE_SECONDS:
                return connection
            connection.close()

    def _connect(self) -> http.client.HTTPSConnection:
        return http.client.HTTPSConnection(self._address, context=self._tls, timeout=self._timeout)

    def _headers(self, content_type: str) -> dict[str, str]:
        headers = {"Authorization": f"Bearer {self._token}", "Accept": "application/json", "User-Agent": FIELD_MANAGER}
        return {**headers, "Content-Type": content_type} if content_type else headers


class EventStream:
    """The lines of one watch. Connected when made; asks when iterated over, and ends when the server does.

    Every wait is bounded by the client's timeout; ``end`` makes a reader in another thread return at once.
    """

    def __init__(self, connection: http.client.HTTPSConnection, target: str, headers: Mapping[str, str]) -> None:
        self._connection, self._target, self._headers = connection, target, headers
        connection.connect()
        self._socket = connection.sock

    def __iter__(self) -> Iterator[bytes]:
        self._connection.request("GET", self._target, headers=dict(self._headers))
        response = self._connection.getresponse()
        if response.status != 200:
            raise LabApiError("WATCH", self._target, response.status, _decoded(response.read()))
        yield from response

    def end(self) -> None:
        """Shut the connection down; the TLS object is left alone, for another thread may be reading from it."""
        with contextlib.suppress(OSError):
            socket.socket.shutdown(self._socket, socket.SHUT_RDWR)

    def close(self) -> None:
        """Close the connection; for the thread that reads."""
        self._connection.close()


def api_root(api_version: str) -> str:
    """Return ``/api/v1`` or ``/apis/GROUP/VERSION``."""
    return f"/apis/{api_version}" if "/" in api_version else f"/api/{api_version}"


def _decoded(content: bytes) -> Json:
    try:
        answer = json.loads(content)
    except ValueError:
        answer = None
    return answer if isinstance(answer, dict) else {"message": content.decode(errors="replace")}
