# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A real registry (distribution) with its own storage, on a free port, optionally with TLS and a password."""

from __future__ import annotations

import http.client
import json
import secrets
import shutil
import ssl
import time
import typing as t
from functools import partial

from ansible_collections.fieldops.openshift.tests.lab.certificates import Authority
from ansible_collections.fieldops.openshift.tests.lab.errors import LabError, last_lines
from ansible_collections.fieldops.openshift.tests.lab.network import free_port
from ansible_collections.fieldops.openshift.tests.lab.registry.access_log import OWN_AGENT, AccessLog
from ansible_collections.fieldops.openshift.tests.lab.registry.mirror_rules import mirror_rules
from ansible_collections.fieldops.openshift.tests.lab.registry.network_namespace import within
from ansible_collections.fieldops.openshift.tests.lab.registry.programs import program
from ansible_collections.fieldops.openshift.tests.lab.registry.storage import RegistryStorage
from ansible_collections.fieldops.openshift.tests.lab.registry.threads import STOPPED, thread_states
from ansible_collections.fieldops.openshift.tests.lab.workspace import Workspace, write_private

if t.TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from ansible_collections.fieldops.openshift.tests.lab.registry.content import BlobPool
    from ansible_collections.fieldops.openshift.tests.lab.registry.credentials import Credentials
    from ansible_collections.fieldops.openshift.tests.lab.registry.images import Json, NamedImage
    from ansible_collections.fieldops.openshift.tests.lab.registry.release import Release
    from ansible_collections.fieldops.openshift.tests.lab.workspace import LeashedProcess

READY_SECONDS = 20.0
FREEZE_SECONDS = 5.0  # for the last of its threads to see the signal
PORT_ATTEMPTS = 5
ANSWERS = (http.HTTPStatus.OK, http.HTTPStatus.UNAUTHORIZED)


class Registry:
    """A running registry; a context manager.

    ``port`` 0 takes a free one. ``tls`` makes a certificate for the address and ``host_names``; ``credentials`` are
    demanded of every client. ``namespace`` is the file of a network namespace to live in.
    """

    def __init__(
        self,
        *,
        address: str = "127.0.0.1",
        port: int = 0,
        tls: bool = False,
        host_names: Sequence[str] = (),
        credentials: Credentials | None = None,
        namespace: Path | None = None,
    ) -> None:
        self.address, self.port = address, port
        self.credentials = credentials
        self._namespace = namespace
        self.workspace = Workspace("registry")
        try:
            self.directory = self.workspace.directory
            self.storage = RegistryStorage(self.directory / "storage")
            self.storage.root.mkdir()
            self.authority = Authority.create(self.directory, "registry-ca") if tls else None
            self._settings = self._configure(host_names)
            self._bind()
        except BaseException:
            self.workspace.close()
            raise

    @property
    def host(self) -> str:
        """``ADDRESS:PORT``, as image references have it; stays the same over ``stop`` and ``start``."""
        return f"{self.address}:{self.port}"

    @property
    def url(self) -> str:
        """The address with its scheme."""
        return f"{'https' if self.authority else 'http'}://{self.host}"

    @property
    def pid(self) -> int:
        """The process that serves at present, or did last."""
        return self._process.pid

    @property
    def certificates(self) -> Path | None:
        """A directory to be given as ``--cert-dir`` or put into ``certs.d``, holding ``ca.crt``; None without TLS."""
        return self.directory / "certs.d" if self.authority else None

    @property
    def access(self) -> AccessLog:
        """The requests that this registry answered."""
        return AccessLog(self._process.log, self.pid)

    def publish(self, *releases: Release) -> None:
        """Hold releases as a mirror of their registries would: same repository paths, tags and digests."""
        for release in releases:
            self.publish_images(release.pool, release.images)

    def publish_images(self, pool: BlobPool, images: Iterable[NamedImage]) -> None:
        """Hold single images whose content lies in ``pool``."""
        self.storage.publish(pool, images)

    def mirror_rules(self, prefixes: Iterable[str], *, by_digest_only: bool = True) -> str:
        """Return a registries.conf that leads names such as ``quay.io/openshift-release-dev`` here."""
        insecure = self.authority is None
        return mirror_rules(self.host, prefixes, insecure=insecure, by_digest_only=by_digest_only)

    def stop(self) -> None:
        """Let the registry crash. What it holds stays."""
        self._process.kill()

    def start(self) -> None:
        """Start the registry again: same address, same data. Returns when it is ready."""
        self._process = self._start_process()
        self._wait_ready()

    def freeze(self) -> None:
        """Let the registry hang: it accepts connections and answers nothing."""
        self._process.freeze()
        deadline = time.monotonic() + FREEZE_SECONDS
        while thread_states(self.pid) - STOPPED and time.monotonic() < deadline:
            time.sleep(0.001)

    def thaw(self) -> None:
        """Let a frozen registry go on."""
        self._process.thaw()

    def close(self) -> None:
        """End the process and remove all files."""
        self.workspace.close()

    def __enter__(self) -> Registry:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _configure(self, host_names: Sequence[str]) -> Json:
        """Return the configuration but for the address (distribution, docs/configuration.md)."""
        settings: Json = {
            "version": "0.1",
            "log": {"level": "error", "accesslog": {"disabled": False}},
            "storage": {"filesystem": {"rootdirectory": str(self.storage.root)}},
            "http": {"secret": secrets.token_hex(16)},
        }
        if self.authority:
            hosts = list(dict.fromkeys([self.address, "127.0.0.1", "localhost", *host_names]))
            pair = self.authority.issue("registry", "registry", hosts=hosts)
            settings["http"]["tls"] = {"certificate": str(pair.certificate), "key": str(pair.key)}
            (self.directory / "certs.d").mkdir()
            shutil.copy(self.authority.pair.certificate, self.directory / "certs.d/ca.crt")
        if self.credentials:
            passwords = write_private(self.directory / "htpasswd", self.credentials.htpasswd)
            settings["auth"] = {"htpasswd": {"realm": "lab", "path": str(passwords)}}
        return settings

    def _bind(self) -> None:
        """Start on a free port; another process may take it between our look and the server's, so try again then."""
        attempts = 1 if self.port else PORT_ATTEMPTS
        for attempt in range(1, attempts + 1):
            self.port = self.port if attempts == 1 else within(self._namespace, partial(free_port, self.address))
            try:
                self.start()
            except LabError:
                if attempt == attempts or "address already in use" not in last_lines(self._process.log):
                    raise
            else:
                return

    def _start_process(self) -> LeashedProcess:
        http_settings = {**self._settings["http"], "addr": self.host}
        settings = json.dumps({**self._settings, "http": http_settings})
        configuration = write_private(self.directory / "registry.json", settings)
        command: list[str | Path] = [program("docker-registry"), "serve", configuration]
        if self._namespace:
            command = [program("nsenter"), f"--net={self._namespace}", "--", *command]
        return self.workspace.start("registry", command)

    def _wait_ready(self) -> None:
        """Wait until ``/v2/`` answers, and it was this process that did: another one may have taken the port."""
        question = f"/v2/?ready={secrets.token_hex(8)}"
        deadline = time.monotonic() + READY_SECONDS
        seen = ""
        while time.monotonic() < deadline:
            self._process.require_running()
            try:
                status = within(self._namespace, partial(self._request, question))
            except (OSError, http.client.HTTPException) as error:
                seen = str(error)
            else:
                seen = f"HTTP {status}"
                if status in ANSWERS and question in self._process.log.read_text(errors="replace"):
                    return
            time.sleep(0.01)
        log = last_lines(self._process.log)
        raise LabError("wait until ready", on=self.url, seen=f"{seen}; {log}", advice="Is the machine overloaded?")

    def _request(self, path: str) -> int:
        connection = http.client.HTTPConnection(self.address, self.port, timeout=5)
        if self.authority:
            context = ssl.create_default_context(cafile=str(self.authority.pair.certificate))
            connection = http.client.HTTPSConnection(self.address, self.port, timeout=5, context=context)
        try:
            connection.request("GET", path, headers={"User-Agent": OWN_AGENT, "Connection": "close"})
            return connection.getresponse().status
        finally:
            connection.close()
