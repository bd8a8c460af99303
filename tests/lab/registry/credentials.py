# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A user of the registry, in the forms that servers and clients want."""

from __future__ import annotations

import base64
import ctypes
import json
import secrets
from collections.abc import Iterable
from dataclasses import dataclass, field

from ansible_collections.fieldops.openshift.tests.lab.errors import LabError

ALPHABET = "./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
CHEAPEST_BCRYPT = "$2y$05$"  # crypt(5); the registry takes nothing but bcrypt


@dataclass(frozen=True)
class Credentials:
    """A name and a password that is made up anew unless given."""

    user: str = "lab"
    password: str = field(default_factory=lambda: secrets.token_hex(16), repr=False)

    @property
    def htpasswd(self) -> str:
        """The line of an htpasswd file; raise LabError if the C library's crypt(3) has no bcrypt."""
        libcrypt = ctypes.CDLL("libcrypt.so.1")
        libcrypt.crypt.restype = ctypes.c_char_p
        salt = CHEAPEST_BCRYPT + "".join(secrets.choice(ALPHABET) for _again in range(21)) + "u"
        hashed: bytes | None = libcrypt.crypt(self.password.encode(), salt.encode())
        if not hashed or not hashed.startswith(CHEAPEST_BCRYPT.encode()):
            raise LabError(
                "hash a password", on="this machine", seen="crypt(3) knows no bcrypt", advice="Install libxcrypt."
            )
        return f"{self.user}:{hashed.decode()}\n"

    def pull_secret(self, hosts: Iterable[str]) -> str:
        """Return the content of a pull secret or authentication file for these hosts or ``host/path`` prefixes."""
        token = base64.b64encode(f"{self.user}:{self.password}".encode()).decode()
        return json.dumps({"auths": {host: {"auth": token} for host in hosts}})
