# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""How a registry like quay.io behaves: each trait with what it copies, and what is left out of it.

Sources are functions of quay/quay at ``master`` in 2026. quay.io itself runs that code behind nginx and a CDN.
"""

from __future__ import annotations

import typing as t
from dataclasses import asdict, dataclass


@dataclass(frozen=True)
class QuayTraits:
    """What the front does; the defaults are quay.io's.

    Tokens: ``token_seconds`` is ``TOKEN_VALIDITY_LIFETIME_S`` of ``endpoints/v2/v2auth.py``, ``token_leeway`` is
    ``JWT_CLOCK_SKEW_SECONDS`` of ``util/security/registry_jwt.py``. quay's answer has no ``expires_in``; with
    ``says_expiry`` it has one, as those of registry.redhat.io and Docker Hub have.

    Repositories: those below ``private`` want a login (an empty text: all), the others are public and need not even a
    token. One that does not exist is answered like a private one (``_require_repo_permission`` of
    ``endpoints/v2/__init__.py``). ``missing_tag`` is the code for a tag that does not exist;
    registry.connect.redhat.com says NAME_UNKNOWN there, others DENIED.

    Blobs: ``redirect_status`` leads to the CDN (``download_blob`` of ``endpoints/v2/blob.py``: ``redirect()``, 302),
    where an address is good for ``redirect_seconds`` (``DEFAULT_SIGNED_URL_EXPIRY_SECONDS`` of
    ``storage/akamaistorage.py``; 60 s in ``storage/cloud.py``). A transfer that has begun goes on.
    ``bytes_per_second`` bounds each connection there, ``cut_after`` bytes of an answer it breaks (0 for never).

    Rates: ``requests_per_second`` and ``burst`` for each client address, at the API and at the token service apart
    (``conf/nginx/rate-limiting.conf.jnj``: 50 and 120 a second); 0 is none. nginx says no Retry-After; proxies before
    it do, and ``retry_after`` is what they say.

    ``referrers`` serves ``endpoints/v2/referrers.py``; without it the API has no such path, as in distribution 2.8 and
    3. ``delay_seconds`` stands for a distant registry: that long before each answer, twice that for each connection.
    """

    token_seconds: float = 3600.0
    token_leeway: float = 30.0
    says_expiry: bool = False
    private: tuple[str, ...] = ("openshift-release-dev/ocp-v4.0-art-dev",)
    missing_tag: str = "MANIFEST_UNKNOWN"
    redirect_status: int = 302
    redirect_seconds: int = 900
    bytes_per_second: int = 0
    cut_after: int = 0
    requests_per_second: float = 0.0
    burst: int = 50
    retry_after: int | None = None
    referrers: bool = True
    delay_seconds: float = 0.0

    def document(self) -> dict[str, t.Any]:
        """Return the traits as JSON has them."""
        return asdict(self)

    @classmethod
    def from_document(cls, document: dict[str, t.Any]) -> QuayTraits:
        """Return the traits of a document."""
        return cls(**{**document, "private": tuple(document["private"])})

    def is_private(self, repository: str) -> bool:
        """Whether a repository wants a login."""
        return any(f"{repository}/".startswith(f"{prefix}/") or not prefix for prefix in self.private)
