# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a registry was asked, from its own access log: tests count requests and bytes with it."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from ansible_collections.fieldops.openshift.tests.lab.registry.threads import BUSY, thread_states

OWN_AGENT = "fieldops-lab"
SETTLE_SECONDS = 1.0  # after which an answer that was complete before is in the log, however busy the machine is
# The combined log format, as distribution writes it to standard output between its other lines.
LINE = re.compile(
    r'(?P<client>\S+) - \S+ \[[^]]+\] "(?P<method>[A-Z]+) (?P<path>\S+) HTTP/[0-9.]+" '
    r'(?P<status>\d+) (?P<size>\d+) "[^"]*" "(?P<agent>[^"]*)"'
)
RESOURCE = re.compile(r"/v2/(?P<repository>.+)/(?P<kind>manifests|blobs|tags|referrers)/(?P<name>[^?]+)")
STORED = re.compile(
    r"/storage/sha256/../(?P<hex>[0-9a-f]{64})[?].*namespace=(?P<namespace>[^&]*)&repo_name=(?P<rest>[^&]*)"
)
TOKENS = "/v2/auth?"
REDIRECTS = (302, 307)


@dataclass(frozen=True)
class RegistryRequest:
    """One answered request. ``kind`` is manifests, blobs, redirects, tags, referrers, tokens or empty.

    ``name`` is a digest, a tag or ``list``. Where blobs come from another host, ``redirects`` were asked at the
    registry and ``blobs`` there.

    ``size`` counts the bytes of the answer's body, ``client`` is the address that asked.
    """

    client: str
    method: str
    path: str
    status: int
    size: int
    agent: str
    repository: str = ""
    kind: str = ""
    name: str = ""

    @classmethod
    def parse(cls, line: str) -> RegistryRequest | None:
        """Return the request in a line of the log, or None if the line is none of the access log."""
        found = LINE.fullmatch(line)
        if not found:
            return None
        return cls(
            client=found["client"],
            method=found["method"],
            path=found["path"],
            status=int(found["status"]),
            size=int(found["size"]),
            agent=found["agent"],
            **_resource(found["path"], int(found["status"])),
        )


def _resource(path: str, status: int) -> dict[str, str]:
    """Return repository, kind and name of what was asked for."""
    stored = STORED.match(path)
    if stored:
        repository = unquote(f"{stored['namespace']}/{stored['rest']}")
        return {"repository": repository, "kind": "blobs", "name": f"sha256:{stored['hex']}"}
    if path.startswith(TOKENS):
        return {"kind": "tokens"}
    found = RESOURCE.match(path)
    if not found:
        return {}
    redirected = found["kind"] == "blobs" and status in REDIRECTS
    return {**found.groupdict(), **({"kind": "redirects"} if redirected else {})}


class AccessLog:
    """Reads the access log of one registry, whose process is ``pid``, from a mark on."""

    def __init__(self, path: Path, pid: int) -> None:
        self.path = path
        self._pid = pid

    def mark(self) -> int:
        """Return the present position; requests answered before are before it."""
        self._settle()
        return self.path.stat().st_size

    def requests(self, since: int = 0, *, kind: str = "", method: str = "", name: str = "") -> list[RegistryRequest]:
        """Return the requests after a mark in the order of their ends, without the lab's own."""
        self._settle()
        with self.path.open("rb") as handle:
            handle.seek(since)
            lines = handle.read().decode(errors="replace").splitlines()
        return [
            request
            for request in map(RegistryRequest.parse, lines)
            if request
            and request.agent != OWN_AGENT
            and kind in ("", request.kind)
            and method in ("", request.method)
            and name in ("", request.name)
        ]

    def count(self, since: int = 0, *, kind: str = "", method: str = "", name: str = "") -> int:
        """Count the requests after a mark."""
        return len(self.requests(since, kind=kind, method=method, name=name))

    def _settle(self) -> None:
        """Wait until the registry is idle: it logs a request when its answer is complete, so a client may be first."""
        deadline = time.monotonic() + SETTLE_SECONDS
        # A Go program keeps no work from its sleeping threads.
        while thread_states(self._pid) & BUSY and time.monotonic() < deadline:
            time.sleep(0.001)
