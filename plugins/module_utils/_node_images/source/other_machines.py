# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The side of a node's image source that serves other machines: its credentials on the node, and its check."""

from __future__ import annotations

import json
import typing as t
from collections.abc import Mapping
from dataclasses import dataclass, field

from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import read_json
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.allowed_peers import AllowedPeers
from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.credentials import (
    RelayCredentials,
    checked_token,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.errors import ImageSourceError
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.source.plan.source_units import (
    SITE_SERVICE,
    SITE_SOCKET,
    site_units,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

CREDENTIALS_FILE: t.Final = "/var/lib/fieldops/image-source/other-machines.json"
CA_FILE: t.Final = "/var/lib/fieldops/image-source/other-machines-ca.crt"
USER: t.Final = "fieldops"
"""The user of Basic authentication; only the password is checked."""


@dataclass(frozen=True)
class OtherMachines:
    """Who is served, and with what; ``address`` is where they ask, and is in the certificate that ``ca`` signed."""

    port: int
    networks: tuple[str, ...]
    address: str
    ca: str
    certificate: str
    key: str = field(repr=False)
    password: str = field(repr=False)

    @classmethod
    def of(cls, given: Mapping[str, t.Any]) -> OtherMachines:
        """Return what an option or a record says; raises InvalidInputError, RelayError for an unusable key pair."""
        texts = {name: str(given.get(name) or "").strip() for name in ("address", "ca", "certificate", "key")}
        lacking = [name for name, text in texts.items() if not text]
        if lacking:
            raise InvalidInputError(
                "serve other machines",
                on="other_machines",
                seen=f"it lacks {', '.join(lacking)}",
                advice="Set credentials_file, which fieldops.openshift.joining_machines writes.",
            )
        password = checked_token(str(given.get("password") or ""))
        RelayCredentials(texts["certificate"], texts["key"], password).server_context()
        networks = AllowedPeers.parse([str(one) for one in given.get("networks") or []]).as_text()
        return cls(int(given["port"]), networks, password=password, **texts)

    @property
    def url(self) -> str:
        """Return where they ask."""
        host = f"[{self.address}]" if ":" in self.address else self.address
        return f"https://{host}:{self.port}/v2/"


def read_other_machines(host: Host) -> OtherMachines | None:
    """Return what the node serves others with, None where it does not; raises InvalidInputError."""
    document = read_json(host.path(CREDENTIALS_FILE))
    if document is None:
        return None
    try:
        return OtherMachines.of(document)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise InvalidInputError(
            "read the credentials for other machines",
            on=CREDENTIALS_FILE,
            seen=type(error).__name__,
            advice="Remove the file and prepare the site for machines that join again.",
        ) from error


def site_files(others: OtherMachines, *, python: str, program: str, bundles: str) -> dict[str, bytes]:
    """Return the files of this side, units by their name alone."""
    texts = site_units(
        python=python,
        program=program,
        bundles=bundles,
        credentials=CREDENTIALS_FILE,
        port=others.port,
        networks=others.networks,
    )
    document = {"schemaVersion": 1, **vars(others), "networks": list(others.networks)}
    return {
        CREDENTIALS_FILE: json.dumps(document, indent=2, sort_keys=True).encode() + b"\n",
        CA_FILE: f"{others.ca}\n".encode(),
        **{name: text.encode() for name, text in texts.items()},
    }


def require_site_answer(host: Host, others: OtherMachines, deadline: Deadline) -> None:
    """Verify that this node responds as the address that other machines use; raises ImageSourceError."""
    lines = [
        "silent",
        "show-error",
        "fail",
        "max-time = 30",
        'noproxy = "*"',
        f'url = "{others.url}"',
        f'connect-to = "::127.0.0.1:{others.port}"',
        f'cacert = "{CA_FILE}"',
        f'user = "{USER}:{others.password}"',
    ]
    ended = host.run(
        ["curl", "--config", "-"],
        deadline=deadline,
        stdin="\n".join(lines).encode(),
        secrets=[others.password],
        ok=None,
    )
    if ended.rc == 0 and ended.stdout == "{}":
        return
    journal = ["journalctl", f"--unit={SITE_SERVICE}", "--output=cat", "--no-pager", "--lines=12", "--no-hostname"]
    said = host.run(journal, deadline=deadline, ok=None).stdout.strip()
    seen = ended.stderr.strip() or repr(ended.stdout[:200])
    raise ImageSourceError(
        "start the image source for other machines",
        on=f"{others.url} on {host}",
        seen=f"it does not answer: {seen}; its journal: {said[-600:] or 'empty'}",
        advice=f"Free port {others.port}, or prepare the site with another one; "
        f"'systemctl status {SITE_SOCKET} {SITE_SERVICE}' shows more.",
    )
