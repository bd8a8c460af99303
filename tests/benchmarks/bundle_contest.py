# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What fetches a release from a registry like quay.io: a build, a loop of skopeo copies, and bare fetching."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.bundle_request import BundleRequest
from ansible_collections.fieldops.openshift.tests.benchmarks.measurement import Run, measured
from ansible_collections.fieldops.openshift.tests.lab.debian import node_root
from ansible_collections.fieldops.openshift.tests.lab.registry.release import Release
from ansible_collections.fieldops.openshift.tests.lab.registry.server import Registry

CONNECTIONS = int(BundleRequest.connections)  # the default

BUILD = """
import json, sys
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build.build_job import build

class NoProgress:
    def report(self, *_words, **_counts):
        pass

request, path = sys.argv[1:]
build(json.loads(request), path, NoProgress())
"""

FLOOR = """
import base64, hashlib, http.client, json, os, ssl, sys, threading
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

settings = json.loads(sys.argv[1])
context = ssl.create_default_context(cafile=settings["ca_file"])
local, lock, tokens = threading.local(), threading.Lock(), {}
LOGIN = {"Authorization": "Basic " + base64.b64encode(settings["login"].encode()).decode()}

def ask(host, target, headers):
    known = local.__dict__.setdefault("known", {})
    if host not in known:
        known[host] = http.client.HTTPSConnection(host, context=context)
    known[host].request("GET", target, headers=headers)
    return known[host].getresponse()

def token(repository):
    with lock:
        if repository not in tokens:
            realm = urlsplit(settings["realm"])
            query = f"service={settings['host']}&scope=repository:{repository}:pull"
            answer = ask(realm.netloc, f"{realm.path}?{query}", LOGIN)
            tokens[repository] = json.loads(answer.read())["token"]
        return tokens[repository]

def fetch(line):
    repository, kind, digest = line.split()
    login = {"Authorization": f"Bearer {token(repository)}", "Accept": settings["accept"]}
    answer = ask(settings["host"], f"/v2/{repository}/{kind}/{digest}", login)
    if answer.status == 302:
        answer.read()
        place = urlsplit(answer.headers["Location"])
        answer = ask(place.netloc, f"{place.path}?{place.query}", {})
    buffer, hasher = memoryview(bytearray(1 << 19)), hashlib.sha256()
    with open(os.path.join(settings["target"], digest), "wb", buffering=0) as stream:
        while count := answer.readinto(buffer):
            hasher.update(buffer[:count])
            stream.write(buffer[:count])
        os.fsync(stream.fileno())
    assert f"sha256:{hasher.hexdigest()}" == digest, (answer.status, line)

with ThreadPoolExecutor(settings["connections"]) as pool:
    list(pool.map(fetch, open(settings["listing"])))
"""

ACCEPT = ", ".join(
    f"application/vnd.{name}+json"
    for name in (
        "docker.distribution.manifest.v2",
        "docker.distribution.manifest.list.v2",
        "oci.image.manifest.v1",
        "oci.image.index.v1",
    )
)


def build_command(registry: Registry, release: Release, target: Path) -> list[str | Path]:
    """Return what builds a bundle of the release with default settings, signatures of images included."""
    mirror = {"source": "quay.io", "mirrors": [registry.host], "contact_source": False}
    request = {
        "release": str(release.reference),
        "architecture": "x86_64",
        "registry": {
            "mirrors": [mirror],
            "ca_file": str(registry.ca_file),
            "pull_secret": str(registry.pull_secret),
        },
        "signature_stores": ["/nonexistent"],
        "trusted_keys": [],
    }
    return [sys.executable, "-c", BUILD, json.dumps(request), target]


class Contest:
    """One registry, one release, and a folder that is empty before each run. ``prefix`` stands before each command."""

    def __init__(self, scratch: Path, registry: Registry, release: Release, prefix: Sequence[str] = ()) -> None:
        self._scratch, self._target = scratch, scratch / "target"
        self._registry, self._release, self._prefix = registry, release, prefix
        self._policy = scratch / "policy.json"
        self._policy.write_text('{"default":[{"type":"insecureAcceptAnything"}]}')
        self._attachments = scratch / "registries.d"
        self._attachments.mkdir()
        (self._attachments / "default.yaml").write_text("default-docker: {use-sigstore-attachments: true}\n")
        self._skopeo = newer_skopeo()

    def build(self) -> Run:
        """Build a bundle."""
        return self._measured(build_command(self._registry, self._release, self._empty()))

    def floor(self) -> Run:
        """Fetch, hash and write every blob and manifest, and nothing else, with as many connections as a build."""
        account = self._registry.credentials
        assert account
        settings = {
            "host": self._registry.host,
            "realm": self._registry.front.realm,
            "ca_file": str(self._registry.ca_file),
            "login": f"{account.user}:{account.password}",
            "accept": ACCEPT,
            "connections": CONNECTIONS,
            "listing": str(self._listing()),
            "target": str(self._empty()),
        }
        return self._measured([sys.executable, "-c", FLOOR, json.dumps(settings)])

    def skopeo(self) -> Run:
        """Copy image by image into one shared layout, as a shell loop would, looking for signatures as a build does."""
        target = self._empty()
        total = Run(0.0, 0.0, 0)
        login = [f"--src-cert-dir={self._registry.certificates}", f"--src-authfile={self._registry.pull_secret}"]
        for number, one in enumerate(self._release.images):
            source = f"docker://{self._registry.host}/{one.reference.repository}@{one.reference.digest}"
            words: list[Path | str] = ["--policy", self._policy, "--registries.d", self._attachments]
            words += ["copy", "--quiet", *login]
            words += ["--dest-shared-blob-dir", target / "shared", source, f"oci:{target}/layout:image-{number}"]
            run = self._measured([*self._skopeo, *words])
            total = Run(total.wall + run.wall, total.cpu + run.cpu, max(total.memory, run.memory))
        return total

    def _measured(self, command: Sequence[str | Path]) -> Run:
        return measured([*self._prefix, *command])

    def _empty(self) -> Path:
        """Return the folder, which is empty now."""
        shutil.rmtree(self._target, ignore_errors=True)
        self._target.mkdir()
        return self._target

    def _listing(self) -> Path:
        """Write what there is to fetch, one thing a line."""
        found: dict[str, str] = {}
        for one in self._release.images:
            for kind, blobs in (("manifests", one.image.manifests), ("blobs", one.image.blobs)):
                found |= {str(blob.digest): f"{one.reference.repository} {kind} {blob.digest}\n" for blob in blobs}
        listing = self._scratch / "listing"
        listing.write_text("".join(found.values()))
        return listing


def newer_skopeo() -> list[Path | str]:
    """Return the command of skopeo 1.18, from the root of node hosts and with their C library."""
    root = node_root()
    (libraries,) = {path.parent for path in root.glob("usr/lib/*/libc.so.6")}
    (loader,) = libraries.glob("ld-linux-*.so.*")
    return [loader, "--library-path", libraries, root / "usr/bin/skopeo"]
