# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What is written to a cluster so that machines that join find their images, by its present objects."""

from __future__ import annotations

import typing as t
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.errors import JoiningError
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.joining.plan.mirror_set import (
    NAME,
    MirrorEntry,
    MirrorRequest,
    entries_of,
    planned_entries,
    set_body,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.joining.plan.site_identity import (
    SiteIdentity,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.joining.plan.site_objects import (
    BUNDLE_KEY,
    BUNDLE_NAME,
    LOGINS_NAME,
    OPENSHIFT_CONFIG,
    ROLES,
    bundle_with,
    ca_config_name,
    ca_machine_config,
    pull_secret_with,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.kinds import (
    IMAGE_CONTENT_SOURCE_POLICY,
    IMAGE_DIGEST_MIRROR_SET,
    IMAGE_TAG_MIRROR_SET,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.source.other_machines import USER
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import (
    CONFIG_MAP,
    MACHINE_CONFIG,
    SECRET,
    ObjectKind,
)

Object = Mapping[str, t.Any]

_HIDDEN = "not shown"


@dataclass(frozen=True)
class Write:
    """One object that is created, patched at the version that was read, or without a body deleted."""

    kind: ObjectKind
    name: str
    namespace: str | None
    found: Object | None
    body: Object | None
    shown_before: t.Any = None
    shown_after: t.Any = None

    @property
    def title(self) -> str:
        """Return the name of the object for messages."""
        return f"{self.kind.kind} {self.namespace + '/' if self.namespace else ''}{self.name}"

    def send(self, client: ClusterClient) -> None:
        """Write it; raises ApiError, with status 409 after a conflict with another writer."""
        if self.body is None:
            version = self.found["metadata"]["resourceVersion"] if self.found else None
            client.delete(self.kind, self.name, self.namespace, resource_version=version)
        elif self.found is None:
            metadata = {"name": self.name, **({"namespace": self.namespace} if self.namespace else {})}
            client.create(self.kind, {**self.body, "metadata": {**metadata, **self.body.get("metadata", {})}})
        else:
            version = self.found["metadata"]["resourceVersion"]
            client.patch(self.kind, self.name, self.body, self.namespace, resource_version=version)


def planned_writes(client: ClusterClient, identity: SiteIdentity, request: MirrorRequest) -> list[Write]:
    """Return what has to be written, in an order in which no machine is sent where it cannot go yet.

    Nothing is written where the mirrors cannot be as requested. Raises JoiningError, ApiError.
    """
    mirrors = list(_mirrors(client, request))
    registry = identity.serving.registry
    trusted = identity.serving.trust == "user_ca_bundle"
    trust = _bundle(client, identity, identity.ca) if trusted else _machine_configs(client, registry, identity.ca)
    return [*trust, *_login(client, registry, identity.password), *mirrors]


def planned_removals(client: ClusterClient, identity: SiteIdentity | None, *, allow_drain: bool) -> list[Write]:
    """Return what has to go so that the cluster is as before; raises JoiningError where that drains every node."""
    found = client.get(IMAGE_DIGEST_MIRROR_SET, NAME)
    if found is not None and not allow_drain:
        raise JoiningError(
            "remove the ImageDigestMirrorSet",
            on=NAME,
            seen="the machine-config operator would drain every node for it",
            advice="Leave it as it is, or change it in a maintenance window with allow_drain: true.",
        )
    mirrors = [Write(IMAGE_DIGEST_MIRROR_SET, NAME, None, found, None, _entries(entries_of(found)))] if found else []
    if identity is None:
        return mirrors
    configs = [(role, client.get(MACHINE_CONFIG, ca_config_name(role))) for role in ROLES]
    gone = [Write(MACHINE_CONFIG, ca_config_name(role), None, one, None) for role, one in configs if one is not None]
    return [*mirrors, *_login(client, "", identity.password), *_bundle(client, identity, ""), *gone]


def _mirrors(client: ClusterClient, request: MirrorRequest) -> Iterator[Write]:
    found = client.get(IMAGE_DIGEST_MIRROR_SET, NAME)
    own = entries_of(found) if found is not None else ()
    wanted = planned_entries(own, list(_others(client)), request)
    if wanted != own and wanted:
        yield Write(IMAGE_DIGEST_MIRROR_SET, NAME, None, found, set_body(wanted), _entries(own), _entries(wanted))


def _others(client: ClusterClient) -> Iterator[MirrorEntry]:
    for kind in (IMAGE_DIGEST_MIRROR_SET, IMAGE_TAG_MIRROR_SET, IMAGE_CONTENT_SOURCE_POLICY):
        for one in client.list_objects(kind, missing_ok=True):
            if one["metadata"]["name"] != NAME or kind != IMAGE_DIGEST_MIRROR_SET:
                yield from entries_of(one, kind.kind)


def _bundle(client: ClusterClient, identity: SiteIdentity, ca: str) -> Iterator[Write]:
    found = client.get(CONFIG_MAP, BUNDLE_NAME, OPENSHIFT_CONFIG)
    before = str(((found or {}).get("data") or {}).get(BUNDLE_KEY) or "")
    gone = [one for one in (identity.former_ca, "" if ca else identity.ca) if one]
    after = bundle_with(before, ca, gone)
    if after != before:
        yield Write(CONFIG_MAP, BUNDLE_NAME, OPENSHIFT_CONFIG, found, {"data": {BUNDLE_KEY: after}}, before, after)


def _machine_configs(client: ClusterClient, registry: str, ca: str) -> Iterator[Write]:
    for role in ROLES:
        wanted = ca_machine_config(role, registry, ca)
        found = client.get(MACHINE_CONFIG, ca_config_name(role))
        if found is None or found["spec"].get("config") != wanted["spec"]["config"]:
            before = found["spec"].get("config") if found else None
            after = wanted["spec"]["config"]
            yield Write(MACHINE_CONFIG, ca_config_name(role), None, found, wanted, before, after)


def _login(client: ClusterClient, registry: str, password: str) -> Iterator[Write]:
    found = client.get(SECRET, LOGINS_NAME, OPENSHIFT_CONFIG)
    if found is None and not registry:
        return
    data = pull_secret_with(found or {}, registry, f"{USER}:{password}")
    if data is not None:
        yield Write(SECRET, LOGINS_NAME, OPENSHIFT_CONFIG, found, {"data": data}, _HIDDEN, f"{_HIDDEN}, changed")


def _entries(entries: tuple[MirrorEntry, ...]) -> list[dict[str, t.Any]]:
    return [entry.as_data() for entry in entries]
