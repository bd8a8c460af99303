# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Errors of registries, with the image and every endpoint that was tried for it."""

from __future__ import annotations

from collections.abc import Sequence

from ansible_collections.fieldops.openshift.plugins.module_utils._net.transfer_errors import TlsError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.mirror_rules import Endpoint


class RegistryError(FieldOpsError):
    """No registry returned the requested content; ``statuses`` are the HTTP statuses of those that answered."""

    kind = "registry"

    def __init__(
        self,
        attempted: str,
        *,
        on: str,
        seen: str,
        advice: str,
        transient: bool = False,
        statuses: Sequence[int | None] = (),
    ) -> None:
        super().__init__(attempted, on=on, seen=seen, advice=advice, transient=transient)
        self.statuses = tuple(statuses)

    @property
    def is_absence(self) -> bool:
        """Whether every endpoint that may be asked answered that it does not have it."""
        return all(status == 404 for status in self.statuses)


class LoginRefusedError(RegistryError):
    """A registry does not accept the credentials of the pull secret, or the pull secret has none for it."""

    kind = "login_refused"


def none_has_it(attempted: str, on: str, failures: Sequence[tuple[Endpoint, FieldOpsError]]) -> FieldOpsError:
    """Return the error for ``on`` after each endpoint failed for its own reason; a single failure keeps its advice."""
    if not failures:
        return RegistryError(
            attempted,
            on=on,
            seen="its registry is blocked, and no mirror serves this type of reference",
            advice="Check 'blocked', 'mirror-by-digest-only' and 'pull-from-mirror' in the mirror rules.",
        )
    statuses = [getattr(error, "status", None) for _endpoint, error in failures]
    seen = "; ".join(f"{endpoint.name}: {_told(error)}" for endpoint, error in failures)
    kind = LoginRefusedError if any(isinstance(e, LoginRefusedError) for _p, e in failures) else RegistryError
    return kind(
        attempted,
        on=on,
        seen=seen,
        advice=failures[-1][1].advice if statuses[-1] != 404 else _ABSENT,
        transient=any(error.transient for _endpoint, error in failures),
        statuses=statuses,
    )


def _told(error: FieldOpsError) -> str:
    """Return what was seen, with the file or the proxy it was seen on where that is not the endpoint."""
    return f"{error.on}: {error.seen}" if isinstance(error, TlsError) and "://" not in error.on[:8] else error.seen


_ABSENT = (
    "Check the name and the digest or tag. A registry also reports this if the pull secret has no access to the image."
)
