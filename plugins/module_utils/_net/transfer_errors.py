# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The two errors of communication with another machine: the transfer failed, or the other side is not trusted."""

from __future__ import annotations

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError


class TransferError(FieldOpsError):
    """A request or a transfer failed, or its answer is not the requested content.

    ``on`` is the URL without user information and query. ``status`` is the HTTP status where one was received,
    ``retry_after`` the seconds of the wait that the server requested. ``slow`` says that bytes came, but too few of
    them, so that another source should be asked before this one. ``challenges`` are what a server demands with status
    401, if it is the one that was asked; they are data only. No credential, query or header value is ever part of it.
    """

    kind = "transfer"

    def __init__(
        self,
        attempted: str,
        *,
        status: int | None = None,
        retry_after: float | None = None,
        slow: bool = False,
        challenges: tuple[str, ...] = (),
        **words: t.Any,
    ) -> None:
        super().__init__(attempted, **words)
        self.status = status
        self.retry_after = retry_after
        self.slow = slow
        self.challenges = challenges


class TlsError(FieldOpsError):
    """The TLS settings are unusable, or the two sides do not accept each other."""

    kind = "tls"
