# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""How distribution is configured (its docs/configuration.md): where it listens, and what it demands of clients."""

from __future__ import annotations

import json
import secrets
from dataclasses import dataclass
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.lab.certificates import KeyPair
from ansible_collections.fieldops.openshift.tests.lab.registry.credentials import Credentials
from ansible_collections.fieldops.openshift.tests.lab.registry.images import Json
from ansible_collections.fieldops.openshift.tests.lab.registry.programs import program
from ansible_collections.fieldops.openshift.tests.lab.registry.quay.tokens import ISSUER
from ansible_collections.fieldops.openshift.tests.lab.workspace import write_private


@dataclass(frozen=True)
class TokenTrust:
    """A token service to believe: where it is, the name that its tokens have to be for, its key's certificate."""

    realm: str
    service: str
    certificate: bytes


class DistributionSettings:
    """The settings of one registry. ``socket`` is a Unix socket to listen at instead of an address."""

    def __init__(self, root: Path) -> None:
        self.socket: Path | None = None
        self._settings: Json = {
            "version": "0.1",
            "log": {"level": "error", "accesslog": {"disabled": False}},
            "storage": {"filesystem": {"rootdirectory": str(root)}},
            "http": {"secret": secrets.token_hex(16)},
        }

    def demand(
        self, directory: Path, pair: KeyPair | None, credentials: Credentials | None, tokens: TokenTrust | None
    ) -> None:
        """Serve with TLS, and demand a login or tokens, as far as these are given."""
        if pair:
            self._settings["http"]["tls"] = {"certificate": str(pair.certificate), "key": str(pair.key)}
        if credentials:
            passwords = write_private(directory / "htpasswd", credentials.htpasswd)
            self._settings["auth"] = {"htpasswd": {"realm": "lab", "path": str(passwords)}}
        elif tokens:
            bundle = directory / "token-service.crt"
            bundle.write_bytes(tokens.certificate)
            trust = {"realm": tokens.realm, "service": tokens.service, "issuer": ISSUER, "rootcertbundle": str(bundle)}
            self._settings["auth"] = {"token": trust}

    def command(self, directory: Path, host: str) -> list[str | Path]:
        """Return the command that runs the registry."""
        where = {"addr": host}
        if self.socket:
            self.socket.unlink(missing_ok=True)
            where = {"net": "unix", "addr": str(self.socket)}
        settings = {**self._settings, "http": {**self._settings["http"], **where}}
        return [program("docker-registry"), "serve", write_private(directory / "registry.json", json.dumps(settings))]
