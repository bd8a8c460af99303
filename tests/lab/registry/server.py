# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A registry with its own storage, on a free port: distribution, by default behind a front that is like quay.io."""

from __future__ import annotations

import http.client
import secrets
import ssl
import time
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.lab.certificates import Authority
from ansible_collections.fieldops.openshift.tests.lab.errors import LabError, last_lines
from ansible_collections.fieldops.openshift.tests.lab.network import free_port
from ansible_collections.fieldops.openshift.tests.lab.registry.access_log import OWN_AGENT, AccessLog
from ansible_collections.fieldops.openshift.tests.lab.registry.content import BlobPool
from ansible_collections.fieldops.openshift.tests.lab.registry.credentials import Credentials
from ansible_collections.fieldops.openshift.tests.lab.registry.distribution import DistributionSettings, TokenTrust
from ansible_collections.fieldops.openshift.tests.lab.registry.images import NamedImage
from ansible_collections.fieldops.openshift.tests.lab.registry.mirror_rules import mirror_rules
from ansible_collections.fieldops.openshift.tests.lab.registry.network_namespace import within
from ansible_collections.fieldops.openshift.tests.lab.registry.programs import program
from ansible_collections.fieldops.openshift.tests.lab.registry.quay.front import QuayFront
from ansible_collections.fieldops.openshift.tests.lab.registry.quay.traits import QuayTraits
from ansible_collections.fieldops.openshift.tests.lab.registry.release import Release
from ansible_collections.fieldops.openshift.tests.lab.registry.storage import RegistryStorage
from ansible_collections.fieldops.openshift.tests.lab.registry.threads import STOPPED, thread_states
from ansible_collections.fieldops.openshift.tests.lab.workspace import LeashedProcess, Workspace, write_private

READY_SECONDS = 20.0
FREEZE_SECONDS = 5.0  # for the last of its threads to see the signal
PORT_ATTEMPTS = 5
ANSWERS = (http.HTTPStatus.OK, http.HTTPStatus.UNAUTHORIZED)
NEIGHBOURS = ("127.0.0.2", "127.0.0.3")  # of a registry on the loopback
LIKE_QUAY = QuayTraits()
PULL_SECRET = "/var/lib/kubelet/config.json"  # as the machine-config-operator's templates have it


class Registry:
    """A running registry; a context manager.

    It behaves like quay.io as ``quay`` says: TLS, tokens and blobs from two more hosts (``others``), a login for
    private repositories. With ``quay`` None it is distribution itself, whose ``credentials`` are demanded of every
    client, if there are any, and which otherwise takes the ``tokens`` of another registry's token service.

    ``port`` 0 takes a free one. ``tls`` makes a certificate for the addresses and ``host_names``, an ``expired`` one on
    request. ``namespace`` is the file of a network namespace to live in.
    """

    def __init__(
        self,
        *,
        address: str = "127.0.0.1",
        port: int = 0,
        tls: bool | None = None,
        host_names: Sequence[str] = (),
        credentials: Credentials | None = None,
        namespace: Path | None = None,
        quay: QuayTraits | None = LIKE_QUAY,
        others: tuple[str, str] | None = None,
        tokens: TokenTrust | None = None,
        expired: bool = False,
    ) -> None:
        self.address, self.port = address, port
        self.credentials = credentials or (Credentials() if quay else None)
        self._namespace = namespace
        self._others = others or (NEIGHBOURS if address.startswith("127.") else (address, address))
        self.workspace = Workspace("registry")
        try:
            self.directory = self.workspace.directory
            self.storage = RegistryStorage(self.directory / "storage")
            self.storage.root.mkdir()
            encrypted = tls if tls is not None else quay is not None
            self.authority = Authority.create(self.directory, "registry-ca") if encrypted else None
            self._configure(quay, host_names, tokens, expired)
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
        """The process that clients talk to at present, or did last."""
        return self._processes[-1].pid

    @property
    def certificates(self) -> Path | None:
        """A directory to be given as ``--cert-dir`` or put into ``certs.d``, holding ``ca.crt``; None without TLS."""
        return self.directory / "certs.d" if self.authority else None

    @property
    def ca_file(self) -> Path | None:
        """The authority to trust; None without TLS."""
        return self.authority.pair.certificate if self.authority else None

    @property
    def pull_secret(self) -> Path | None:
        """A pull secret that fits; None if no login is known."""
        if not self.credentials:
            return None
        return write_private(self.directory / "pull-secret.json", self.credentials.pull_secret([self.host]))

    @property
    def host_files(self) -> dict[str, str]:
        """What hosts need to pull from it, by path: its authority, and the pull secret as OpenShift's nodes have it."""
        files = {}
        if self.ca_file:
            files[f"/etc/containers/certs.d/{self.host}/ca.crt"] = self.ca_file.read_text()
        if self.pull_secret:
            files[PULL_SECRET] = self.pull_secret.read_text()
            files["/etc/crio/crio.conf.d/01-pull-secret.conf"] = f'[crio.image]\nglobal_auth_file = "{PULL_SECRET}"\n'
        return files

    @property
    def front(self) -> QuayFront:
        """What makes it like quay.io, to be changed while it runs; raise LabError if it is distribution itself."""
        if not self._front:
            raise LabError("change the traits", on=self.url, seen="a plain registry", advice="Start it with quay=....")
        return self._front

    @property
    def access(self) -> AccessLog:
        """The requests that this registry answered."""
        return AccessLog(self._processes[-1].log, self.pid)

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
        for process in reversed(self._processes):
            process.kill()

    def start(self) -> None:
        """Start the registry again: same address, same data. Returns when it is ready."""
        self._processes = [self._started("registry", self._distribution.command(self.directory, self.host))]
        if self._front:
            self._processes.append(self._started("front", self._front.command()))
        self._wait_ready()

    def freeze(self) -> None:
        """Let the registry hang: it accepts connections and answers nothing."""
        for process in self._processes:
            process.freeze()
        deadline = time.monotonic() + FREEZE_SECONDS
        while thread_states(self.pid) - STOPPED and time.monotonic() < deadline:
            time.sleep(0.001)

    def thaw(self) -> None:
        """Let a frozen registry go on."""
        for process in self._processes:
            process.thaw()

    def close(self) -> None:
        """End the processes and remove all files."""
        self.workspace.close()

    def __enter__(self) -> Registry:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _configure(
        self, quay: QuayTraits | None, host_names: Sequence[str], tokens: TokenTrust | None, expired: bool
    ) -> None:
        pair = None
        if self.authority:
            hosts = list(dict.fromkeys([self.address, "127.0.0.1", "localhost", *self._others, *host_names]))
            pair = self.authority.issue("registry", "registry", hosts=hosts, expired=expired)
            (self.directory / "certs.d").mkdir()
            (self.directory / "certs.d/ca.crt").write_bytes(self.authority.pair.certificate.read_bytes())
        self._distribution = DistributionSettings(self.storage.root)
        self._front: QuayFront | None = None
        if quay:
            addresses = (self.address, *self._others)
            self._front = QuayFront(quay, self.directory, self.storage, addresses, pair, self.credentials)
            self._distribution.socket = self._front.upstream
        else:
            self._distribution.demand(self.directory, pair, self.credentials, tokens)

    def _bind(self) -> None:
        """Start on a free port; another process may take it between our look and the server's, so try again then."""
        attempts = 1 if self.port else PORT_ATTEMPTS
        for attempt in range(1, attempts + 1):
            self.port = self.port if attempts == 1 else self._free_port(self.address)
            if self._front:
                self._front.ports = [self.port, *map(self._free_port, self._others)]
            try:
                self.start()
            except LabError:
                if attempt == attempts or "address already in use" not in last_lines(self._processes[-1].log):
                    raise
                self.stop()
            else:
                return

    def _free_port(self, address: str) -> int:
        return within(self._namespace, partial(free_port, address))

    def _started(self, name: str, command: list[str | Path]) -> LeashedProcess:
        if self._namespace:
            command = [program("nsenter"), f"--net={self._namespace}", "--", *command]
        return self.workspace.start(name, command)

    def _wait_ready(self) -> None:
        """Wait until ``/v2/`` answers, and it was this process that did: another one may have taken the port."""
        question = f"/v2/?ready={secrets.token_hex(8)}"
        deadline = time.monotonic() + READY_SECONDS
        seen, log = "", self._processes[-1].log
        while time.monotonic() < deadline:
            for process in self._processes:
                process.require_running()
            try:
                status = within(self._namespace, partial(self._request, question))
            except (OSError, http.client.HTTPException) as error:
                seen = str(error)
            else:
                seen = f"HTTP {status}"
                if status in ANSWERS and question in log.read_text(errors="replace"):
                    return
            time.sleep(0.01)
        words = f"{seen}; {last_lines(log)}"
        raise LabError("wait until ready", on=self.url, seen=words, advice="Is the machine overloaded?")

    def _request(self, path: str) -> int:
        connection = http.client.HTTPConnection(self.address, self.port, timeout=5)
        if self.authority:
            # Whether the certificate is good is for clients to judge: it may be an expired one.
            context = ssl._create_unverified_context()  # noqa: S323
            connection = http.client.HTTPSConnection(self.address, self.port, timeout=5, context=context)
        try:
            connection.request("GET", path, headers={"User-Agent": OWN_AGENT, "Connection": "close"})
            return connection.getresponse().status
        finally:
            connection.close()
