# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The Secret with which a site serves machines that join: made once, its certificate replaced long before its end."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping
from dataclasses import dataclass, replace

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.api_error import ApiError
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.own_namespace import create_in_own_namespace
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.errors import JoiningError
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.joining.plan.registry_address import (
    machine_networks,
    registry_address,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.joining.plan.site_identity import (
    AUTHORITY_LIFETIME,
    CERTIFICATE_LIFETIME,
    IDENTITY_NAME,
    Serving,
    SiteIdentity,
    checked_networks,
    expiry,
    identity_body,
    identity_in,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.joining.site_authority import (
    KeyPair,
    new_authority,
    new_certificate,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.relay.token_file import new_token
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_keys import NAMESPACE, NODE_ROLE_PREFIX
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import INFRASTRUCTURE, NODE, SECRET

Object = Mapping[str, t.Any]

DEFAULT_PORT: t.Final = 9701
DEFAULT_TRUST: t.Final = "user_ca_bundle"
TRIES: t.Final = 8
_OPENSSL_SECONDS = 60.0


@dataclass(frozen=True)
class KeptIdentity:
    """What the Secret holds now, or in check mode would, and what it held; None where there was none."""

    identity: SiteIdentity
    before: SiteIdentity | None

    @property
    def changed(self) -> bool:
        """Whether it is written."""
        return self.identity != self.before


def read_identity(client: ClusterClient) -> SiteIdentity | None:
    """Return what the Secret holds, None where the site is not prepared. Raises JoiningError, ApiError."""
    return identity_in(client.get(SECRET, IDENTITY_NAME, NAMESPACE))


def control_plane(client: ClusterClient) -> list[dict[str, t.Any]]:
    """Return the nodes of the control plane by name."""
    found = client.list_objects(NODE)
    labels = {f"{NODE_ROLE_PREFIX}master", f"{NODE_ROLE_PREFIX}control-plane"}
    chosen = [one for one in found if labels & set(one["metadata"].get("labels") or {})]
    return sorted(chosen, key=lambda one: str(one["metadata"]["name"]))


def keep_identity(client: ClusterClient, host: Host, options: Mapping[str, t.Any]) -> KeptIdentity:
    """Make the Secret, or bring it to what ``options`` and the cluster say now.

    Raises JoiningError, MissingRequirementError without openssl, CommandError, ApiError.
    """
    infrastructure = client.get(INFRASTRUCTURE, "cluster") or {}
    nodes = control_plane(client)
    for _unused in range(TRIES):
        found = client.get(SECRET, IDENTITY_NAME, NAMESPACE)
        before = identity_in(found)
        serving = _serving(infrastructure, nodes, before, options)
        wanted = _wanted(host, before, serving)
        if wanted == before:
            return KeptIdentity(wanted, before)
        try:
            _write(client, found, wanted)
        except ApiError as error:
            if error.status != 409:
                raise
        else:
            return KeptIdentity(wanted, before)
    raise JoiningError(
        "save the credentials for machines that join",
        on=f"Secret {NAMESPACE}/{IDENTITY_NAME}",
        seen=f"another client changed it {TRIES} times in a row",
        advice="Check which other client writes to it, then run this again.",
        transient=True,
    )


def _serving(
    infrastructure: Object, nodes: list[dict[str, t.Any]], before: SiteIdentity | None, options: Mapping[str, t.Any]
) -> Serving:
    """Return how machines are served; what an option does not say stays as the site has chosen it before."""
    known = before.serving if before is not None else None
    port = options["port"] or (known.port if known else DEFAULT_PORT)
    chosen = options["address"] if options["address"] is not None else (known.given_address if known else "")
    given = options["networks"] if options["networks"] is not None else (known.given_networks if known else ())
    found = registry_address(infrastructure, nodes, chosen, port=port)
    return Serving(
        address=found.host,
        port=port,
        names=found.names,
        networks=checked_networks(given or machine_networks(infrastructure)),
        given_address=chosen,
        given_networks=tuple(given),
        trust=options["trust"] or (known.trust if known else DEFAULT_TRUST),
    )


def _wanted(host: Host, before: SiteIdentity | None, serving: Serving) -> SiteIdentity:
    deadline = Deadline(_OPENSSL_SECONDS, host.clock)
    now = host.clock.utcnow()
    if before is None or before.lacks_authority(serving):
        authority = new_authority(host, serving.permitted, AUTHORITY_LIFETIME, deadline)
        return _issued(
            host,
            SiteIdentity(
                serving=serving,
                ca=authority.certificate,
                ca_key=authority.key,
                certificate="",
                key="",
                password=before.password if before is not None else new_token(),
                ca_expires=expiry(now, AUTHORITY_LIFETIME),
                expires="",
                permitted=serving.permitted,
                former_ca=before.ca if before is not None else "",
            ),
            deadline,
        )
    if before.lacks_certificate(serving, now):
        return _issued(host, replace(before, serving=serving), deadline)
    return replace(before, serving=serving)


def _issued(host: Host, identity: SiteIdentity, deadline: Deadline) -> SiteIdentity:
    authority = KeyPair(identity.ca, identity.ca_key)
    pair = new_certificate(host, authority, identity.serving.names, CERTIFICATE_LIFETIME, deadline)
    expires = expiry(host.clock.utcnow(), CERTIFICATE_LIFETIME)
    return replace(identity, certificate=pair.certificate, key=pair.key, expires=expires)


def _write(client: ClusterClient, found: Object | None, identity: SiteIdentity) -> None:
    body = identity_body(identity)
    if found is None:
        create_in_own_namespace(client, SECRET, {**body, "type": "Opaque"})
        return
    client.patch(SECRET, IDENTITY_NAME, body, NAMESPACE, resource_version=found["metadata"]["resourceVersion"])
