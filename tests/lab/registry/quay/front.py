# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The front as the lab holds it: where its hosts are, what it is told at the start and later."""

from __future__ import annotations

import json
import socket
import sys
import typing as t
from dataclasses import replace
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.lab.certificates import KeyPair
from ansible_collections.fieldops.openshift.tests.lab.registry.credentials import Credentials
from ansible_collections.fieldops.openshift.tests.lab.registry.quay.tokens import TokenKey
from ansible_collections.fieldops.openshift.tests.lab.registry.quay.traits import QuayTraits
from ansible_collections.fieldops.openshift.tests.lab.registry.storage import RegistryStorage
from ansible_collections.fieldops.openshift.tests.lab.workspace import write_private

PROGRAM = "ansible_collections.fieldops.openshift.tests.lab.registry.quay.front_program"
ABOVE = Path(__file__).absolute().parents[7]  # of ansible_collections
HOSTS = ("registry", "tokens", "content")


class QuayFront:
    """The settings of one front. ``addresses`` are those of registry, token service and content network."""

    def __init__(
        self,
        traits: QuayTraits,
        directory: Path,
        storage: RegistryStorage,
        addresses: tuple[str, str, str],
        pair: KeyPair | None,
        account: Credentials | None,
    ) -> None:
        self.traits = traits
        self.account = account
        self.addresses = addresses
        self.ports = [0, 0, 0]
        self.key = TokenKey.create()
        self.upstream = directory / "upstream.sock"
        self._directory, self._storage, self._pair = directory, storage, pair

    @property
    def service(self) -> str:
        """The registry as tokens name it."""
        return f"{self.addresses[0]}:{self.ports[0]}"

    @property
    def realm(self) -> str:
        """Where tokens are to be asked for."""
        return f"{self._url(1)}/v2/auth"

    @property
    def content_host(self) -> str:
        """The host that blobs come from, with its port."""
        return f"{self.addresses[2]}:{self.ports[2]}"

    def command(self) -> list[str | Path]:
        """Return the command that runs the front as it is set now."""
        settings = {
            "traits": self.traits.document(),
            "key": self.key.pem.decode(),
            "generation": self.key.generation,
            "account": {"user": self.account.user, "password": self.account.password} if self.account else None,
            "storage": str(self._storage.root),
            "upstream": str(self.upstream),
            "control": str(self._control),
            "service": self.service,
            "token_host": self._url(1),
            "content_host": self._url(2),
            "listen": dict(zip(HOSTS, zip(self.addresses, self.ports))),
            "certificate": str(self._pair.certificate) if self._pair else "",
            "certificate_key": str(self._pair.key) if self._pair else "",
        }
        file = write_private(self._directory / "front.json", json.dumps(settings))
        return ["env", f"PYTHONPATH={ABOVE}", sys.executable, "-m", PROGRAM, file]

    def change(self, **traits: t.Any) -> None:
        """Behave otherwise from now on; returns when it does."""
        self.traits = replace(self.traits, **traits)
        self._order({"traits": self.traits.document()})

    def revoke_tokens(self) -> None:
        """Let no token that was issued so far be good any more, as when quay's service key is deleted."""
        self.key = self.key.replaced()
        self._order({"revoke": True})

    @property
    def _control(self) -> Path:
        return self._directory / "control.sock"

    def _url(self, host: int) -> str:
        return f"{'https' if self._pair else 'http'}://{self.addresses[host]}:{self.ports[host]}"

    def _order(self, order: dict[str, t.Any]) -> None:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(10)
            connection.connect(str(self._control))
            connection.sendall(json.dumps(order).encode() + b"\n")
            assert connection.recv(16) == b"done\n"
