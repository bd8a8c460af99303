# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A login at a registry, in any of the forms that container tools know."""

from __future__ import annotations

import base64
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Login:
    """A name and a password, or a token in place of both; none is in any representation.

    ``identity_token`` is an OAuth2 refresh token, ``registry_token`` a bearer token that is sent as it is.
    """

    user: str = field(default="", repr=False)
    password: str = field(default="", repr=False)
    identity_token: str | None = field(default=None, repr=False)
    registry_token: str | None = field(default=None, repr=False)

    @property
    def basic(self) -> str:
        """Return the value of an Authorization header (RFC 7617)."""
        return "Basic " + base64.b64encode(f"{self.user}:{self.password}".encode()).decode("ascii")

    @property
    def bearer(self) -> str | None:
        """Return the value of an Authorization header with the registry token (RFC 6750); None without one."""
        return f"Bearer {self.registry_token}" if self.registry_token else None
